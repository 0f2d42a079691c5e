"""Imports: what a file takes from elsewhere, read from the statement that says so.

In: one import statement as a `Tree`. Out: for each thing that it takes whether others may take it from here, its module, member and
local name; for each thing that the file only gives, the local name and the one for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from comind.syntax.languages.model import Importing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["FLAT_IMPORTS", "IMPORTS", "Imported", "Tree", "unpacked", "unquoted"]

Tree: TypeAlias = "list[Tree | str]"  # the kind of a node, then its children; a leaf is its text
Imported: TypeAlias = "tuple[str, str, str | None, str | None]"  # kind, module, member (`*` for everything), local name
_DEFAULT = "default"
_QUOTES = "\"'`"
_USES = frozenset({"namespace_use_clause", "namespace_use_group"})


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
    parts = cast("list[str]", statement)
    at, source = 2, None
    if parts[0] == "import_from_statement":
        at = parts.index("import") + 1
        source = "".join(parts[2 : at - 1])
    last = len(parts) - 2  # a place behind which two more words stand
    while at < len(parts):
        name = bound = parts[at]
        while at < last and parts[at + 1] == ".":
            name += "." + parts[at + 2]
            at += 2
        has_alias = at < last and parts[at + 1] == "as"
        if has_alias:
            bound = parts[at + 2]
        at += 3 if has_alias else 1
        if source is None:
            yield "import", name, None, bound if has_alias else None
        else:
            yield "import", source, name, None if name == "*" else bound


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
        yield kind, module or "", None, unquoted(_text(clause[-1]))
    elif clause[0] == "import_require_clause":
        yield kind, unquoted(_text(clause[-1])), None, _text(clause[1])
    elif clause[0] in {"named_imports", "export_clause"}:
        for part in clause[1:]:
            if isinstance(part, list):
                words = [unquoted(_text(word)) for word in part[1:]]
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
        yield kind, "self", _text(words[1]), _text(words[1])
    else:  # `extern crate a as b`
        yield kind, _text(words[2]), None, _text(words[-1])


def _uses(prefix: str, tree: Tree | str, name: str | None = None) -> Iterator[tuple[str, str | None, str | None]]:
    """Return module, member and local name of each path in a tree of paths."""
    if tree[0] == "use_list":
        for part in tree[1:]:
            yield from _uses(prefix, part)
    elif tree[0] == "scoped_use_list":
        yield from _uses(_below(prefix, "".join(map(_text, tree[1:-2]))), tree[-1])
    elif tree[0] == "use_as_clause":
        yield from _uses(prefix, tree[1], _text(tree[-1]))
    elif tree[0] == "use_wildcard":
        yield _below(prefix, "".join(map(_text, tree[1:-2]))), "*", None
    else:
        path = prefix if tree == "self" and prefix else _below(prefix, _text(tree))
        module, parted, member = path.rpartition("::")
        yield (module, member, name or member) if parted and module else (path, None, name or member)


def _below(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _c(statement: Tree) -> Iterator[Imported]:
    """``#include "m"``: everything; ``<m>`` keeps its brackets. ``using namespace n;``, ``using n::m;``, ``namespace a = n;``."""
    name = "".join(map(_text, statement[2:]))
    if statement[0] == "preproc_include":
        yield "import", unquoted(name), "*", None
    elif statement[0] == "namespace_alias_definition":
        yield "import", _text(statement[-1]), None, _text(statement[2])
    elif "namespace" in statement:
        yield "import", name.removeprefix("namespace"), "*", None
    else:
        yield _member(name, "::", None)


def _csharp(statement: Tree) -> Iterator[Imported]:
    """``using n;``, ``using static t;``: all members. ``using a = n.t;``. A namespace statement takes everything of that namespace."""
    kind = "reexport" if "global" in statement else "import"
    words = _without(statement[1:], "global", "using", "static", "namespace")
    if words[1:2] == ["="]:
        _, module, member, _ = _member(_text(words[2]).partition("<")[0], ".", None)
        yield kind, module, member, _text(words[0])
    else:
        yield kind, _text(words[0]), "*", None


def _php(statement: Tree) -> Iterator[Imported]:
    r"""``use n\{t, function f as g};``: members. A namespace statement takes everything of it, ``require 'm'`` everything of the file."""
    if statement[0] == "namespace_definition":
        yield "import", _text(statement[2]), "*", None
    elif statement[0] == "namespace_use_declaration":
        prefix = "".join(_text(part) for part in _without(statement[2:], "function", "const") if part[0] not in _USES)
        for clauses in statement[2:]:
            for clause in clauses[1:] if clauses[0] == "namespace_use_group" else [clauses]:
                if isinstance(clause, list) and clause[0] == "namespace_use_clause":
                    words = _without(clause[1:], "function", "const")
                    yield _member((prefix + _text(words[0])).removeprefix("\\"), "\\", _text(words[-1]) if "as" in words else None)
    elif isinstance(statement[2], str):
        yield "import", unquoted(statement[2]), "*", None


def _kotlin(statement: Tree) -> Iterator[Imported]:
    """``import a.b as c``: a member. A package statement takes everything of that package."""
    name = _text(statement[2])
    if statement[0] == "package_header" or "*" in statement:
        yield "import", name, "*", None
    else:
        alias = statement[-1]
        yield _member(name, ".", _text(alias[-1]) if alias[0] == "import_alias" else None)


def _scala(statement: Tree) -> Iterator[Imported]:
    """``import a.{b, c => d, _}, e.f``: members. A package statement takes everything of that package."""
    if statement[0] == "package_clause":
        yield "import", _text(statement[2]), "*", None
        return
    path: list[str] = []
    for part in [*statement[2:], "end"]:
        if isinstance(part, list):
            selected = part[1:] if part[0] == "namespace_selectors" else [part]
            for one in selected:
                if isinstance(one, str):
                    yield from [("import", ".".join(filter(None, path)), one, one)] if one not in {"{", "}"} else []
                elif one[0] == "namespace_wildcard":
                    yield "import", ".".join(filter(None, path)), "*", None
                else:  # `c => d`, `c as d`
                    yield "import", ".".join(filter(None, path)), _text(one[1]), _text(one[-1])
            path = []
        elif part == ".":
            path.append("")
        elif path and not path[-1]:
            path[-1] = part
        else:  # two names without a dot between them: another import
            if path:
                yield _member(".".join(filter(None, path)), ".", None)
            path = [part]


def _swift(statement: Tree) -> Iterator[Imported]:
    """``import m``: all of a module. ``import class m.c``: a member."""
    name = _text(statement[-1])
    if len(statement) > 3:  # noqa: PLR2004 - kind, keyword, module
        yield _member(name, ".", None)
    else:
        yield "import", name, "*", None


def _without(parts: Tree, *words: str) -> Tree:
    return [part for part in parts if not isinstance(part, str) or part not in words]


def _member(path: str, dot: str, name: str | None) -> Imported:
    """Take the last part of a path from what the others name."""
    module, _, member = path.rpartition(dot)
    return ("import", module, member, name or member) if module else ("import", member, None, name or member)


def _text(tree: Tree | str) -> str:
    """Return what is written in a node."""
    return tree if isinstance(tree, str) else "".join(map(_text, tree[1:]))


IMPORTS: dict[Importing, Callable[[Tree], Iterator[Imported]]] = {
    Importing.PYTHON: _python,
    Importing.ECMASCRIPT: _ecmascript,
    Importing.JAVA: _java,
    Importing.GO: _go,
    Importing.RUST: _rust,
    Importing.C: _c,
    Importing.CSHARP: _csharp,
    Importing.PHP: _php,
    Importing.KOTLIN: _kotlin,
    Importing.SCALA: _scala,
    Importing.SWIFT: _swift,
}
FLAT_IMPORTS = frozenset({Importing.PYTHON})  # read from the kind and the leaves of a statement, since they say everything
