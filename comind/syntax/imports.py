"""Imports: what a file takes from elsewhere, read from the statement that says so.

In: one import statement as a `Tree`. Out: for each thing that it takes whether others may take it from here, its module, member and
local name; for each thing that the file only gives, the local name and the one for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from comind.syntax.languages.model import Importing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["IMPORTS", "Imported", "Tree", "unpacked", "unquoted"]

Tree: TypeAlias = "list[Tree | str]"  # the kind of a node, then its children; a leaf is its text
Imported: TypeAlias = "tuple[str, str, str | None, str | None]"  # kind, module, member (`*` for everything), local name
_DEFAULT = "default"
_QUOTES = "\"'`"


def unquoted(text: str) -> str:
    """Return a string without its quotes, of which the first may stand alone."""
    return text[1:].removesuffix(text[0]) if text[:1] and text[0] in _QUOTES else text


def unpacked(pattern: Tree) -> Iterator[tuple[str, str]]:
    """Return member and local name of each name that a pattern takes apart: ``{ a, b: c, d = 1 }``."""
    for part in pattern[1:]:
        if isinstance(part, str):
            if part.isidentifier():
                yield part, part
        elif part[0] == "object_assignment_pattern" and isinstance(part[1], str):
            yield part[1], part[1]
        elif part[0] == "pair_pattern" and isinstance(part[1], str):
            name = part[3] if len(part) > 3 else None  # noqa: PLR2004 - key, colon, name
            if isinstance(name, list) and name[0] == "assignment_pattern":
                name = name[1]
            if isinstance(name, str):
                yield unquoted(part[1]), name


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
            yield "import", name, None, bound
        else:
            yield "import", source, name, None if name == "*" else bound or name


def _ecmascript(statement: Tree) -> Iterator[Imported]:
    """``import a, { b as c } from 'm'``: members `default` and `b`. ``export { a as b }``: an export, with ``from`` a re-export."""
    kind = "import" if statement[0] == "import_statement" else "reexport"
    module = next((part[1:] for part in statement if isinstance(part, str) and part[:1] == '"'), None)
    clauses = [part for part in statement if isinstance(part, list)]
    if module is not None:
        yield from ((kind, module, "*", None) for part in statement if part == "*")
        if len(statement) == 3:  # noqa: PLR2004 - kind, keyword, module
            yield kind, module, None, None
    for clause in clauses:
        if clause[0] == "import_clause":
            for part in clause[1:]:
                if isinstance(part, str):
                    yield kind, module or "", _DEFAULT, part
                else:
                    yield from _clause(kind, module, part)
        else:
            yield from _clause(kind, module, clause)


def _clause(kind: str, module: str | None, clause: Tree) -> Iterator[Imported]:
    if clause[0] in {"namespace_import", "namespace_export"}:
        yield kind, module or "", None, unquoted(str(clause[-1]))
    elif clause[0] == "import_require_clause":
        yield kind, unquoted(str(clause[-1])), None, str(clause[1])
    elif clause[0] in {"named_imports", "export_clause"}:
        for part in clause[1:]:
            if isinstance(part, list):
                words = [unquoted(str(word)) for word in part[1:]]
                member, name = words[(len(words) % 2 == 0) :][0], words[-1]  # before them may stand `type`
                yield (kind, module, member, name) if module is not None else ("export", member, None, name)


def _java(statement: Tree) -> Iterator[Imported]:
    """``import a.B``: member `B` of the package or type `a`. A package statement takes everything of that package."""
    name = "".join(_text(part) for part in statement[2:] if part != "static")
    if statement[0] == "package_declaration":
        yield "import", name, "*", None
    else:
        module, _, member = name.rpartition(".")
        yield "import", module, member, None if member == "*" else member


def _go(statement: Tree) -> Iterator[Imported]:
    """``a "m"``: the package at `m` under the name `a`; with a dot all of its members."""
    name = _text(statement[1]) if len(statement) > 2 else None  # noqa: PLR2004 - kind, path
    yield "import", unquoted(_text(statement[-1])), *(("*", None) if name == "." else (None, name))


def _rust(statement: Tree) -> Iterator[Imported]:
    """``use a::{b, c::d as e}``: of `a` and `a::c`. ``mod m;``: member `m` of `self`. Others may take what is ``pub``."""
    kind = "reexport" if isinstance(statement[1], list) else "import"
    words = statement[2 if kind == "reexport" else 1 :]
    if words[0] == "use":
        yield from ((kind, *use) for use in _uses("", words[1]))
    elif words[0] == "mod":
        yield kind, "self", str(words[1]), str(words[1])
    else:  # `extern crate a as b`
        yield kind, str(words[2]), None, str(words[-1])


def _uses(prefix: str, tree: Tree | str, name: str | None = None) -> Iterator[tuple[str, str | None, str | None]]:
    """Return module, member and local name of each path in a tree of paths."""
    if tree[0] == "use_list":
        for part in tree[1:]:
            yield from _uses(prefix, part)
    elif tree[0] == "scoped_use_list":
        yield from _uses(_below(prefix, "".join(map(_text, tree[1:-2]))), tree[-1])
    elif tree[0] == "use_as_clause":
        yield from _uses(prefix, tree[1], str(tree[-1]))
    elif tree[0] == "use_wildcard":
        yield _below(prefix, "".join(map(_text, tree[1:-2]))), "*", None
    else:
        path = prefix if tree == "self" and prefix else _below(prefix, _text(tree))
        module, parted, member = path.rpartition("::")
        yield (module, member, name or member) if parted and module else (path, None, name or member)


def _below(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _text(tree: Tree | str) -> str:
    """Return what is written in a node."""
    return tree if isinstance(tree, str) else "".join(map(_text, tree[1:]))


IMPORTS: dict[Importing, Callable[[Tree], Iterator[Imported]]] = {
    Importing.PYTHON: _python,
    Importing.ECMASCRIPT: _ecmascript,
    Importing.JAVA: _java,
    Importing.GO: _go,
    Importing.RUST: _rust,
}
