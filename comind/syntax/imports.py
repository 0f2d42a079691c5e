"""Imports: what a file takes from elsewhere, read from the statement that says so.

In: one import statement as a `Tree`. Out: module, member and local name of each thing that it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from comind.syntax.languages.model import Importing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["IMPORTS", "Imported", "Tree"]

Tree: TypeAlias = "list[Tree | str]"  # the kind of a node, then its children; a leaf is its text
Imported: TypeAlias = "tuple[str, str | None, str | None]"  # module, member (`*` for everything), local name


def _python(statement: Tree) -> Iterator[Imported]:
    """``import a.b as c``: module and alias. ``from .a import b as c``: module with its leading dots, member and local name."""
    parts = statement[2:]
    source = None
    if statement[0] == "import_from_statement":
        source, parts = _text(parts[0]), parts[2:]
    for part in parts:
        alias = part[0] == "aliased_import"
        name, bound = (_text(part[1]), str(part[3])) if alias else (_text(part), None)
        if source is None:
            yield name, None, bound
        else:
            yield source, name, None if name == "*" else bound or name


def _text(tree: Tree | str) -> str:
    """Return what is written in a node."""
    return tree if isinstance(tree, str) else "".join(map(_text, tree[1:]))


IMPORTS: dict[Importing, Callable[[Tree], Iterator[Imported]]] = {Importing.PYTHON: _python}
