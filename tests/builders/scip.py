"""Small SCIP indexes for tests, made with the messages that are read.

``document("a.py", "def run(): ...", defined("run", "pkg `a`/run()."))`` marks the first ``run`` of the text as a definition of that symbol.
A symbol is ``<package> <descriptors>``, or ``local 1``; scheme, manager and version are added.
"""

from __future__ import annotations

from dataclasses import dataclass

from comind.index.scip.messages import Document, Index, Occurrence, Relationship, SymbolInformation, SymbolRole

__all__ = ["defined", "document", "field", "index", "mentioned", "scip_symbol"]


@dataclass(frozen=True)
class _Mark:
    text: str
    symbol: str
    roles: int
    nth: int  # which occurrence of the text in the source, from 0
    implements: tuple[str, ...] = ()


def defined(text, symbol, *, nth=0, implements=()):
    return _Mark(text, symbol, SymbolRole.DEFINITION, nth, tuple(implements))


def mentioned(text, symbol, *, nth=0, roles=8):
    return _Mark(text, symbol, roles, nth)


def scip_symbol(text, manager="python"):
    package, _, descriptors = text.partition(" ")
    return text if package == "local" else f"scip-test {manager} {package} 1.0 {descriptors}"


def document(path, source, *marks, manager="python", encoding=0):
    """Return a message `Document` whose ranges count as JavaScript counts."""
    occurrences = [
        Occurrence(range=_range(source, mark), symbol=scip_symbol(mark.symbol, manager), symbol_roles=mark.roles) for mark in marks
    ]
    infos = [
        SymbolInformation(
            symbol=scip_symbol(mark.symbol, manager),
            relationships=[Relationship(symbol=scip_symbol(base, manager), is_implementation=True) for base in mark.implements],
        )
        for mark in marks if mark.implements
    ]  # fmt: skip
    return Document(relative_path=path, occurrences=occurrences, symbols=infos, position_encoding=encoding)


def index(*documents):
    """Return the bytes of an index, its metadata first as tools write it."""
    head = Index(metadata={"tool_info": {"name": "scip-test", "version": "1"}, "project_root": "file:///project"})
    return head.SerializeToString() + b"".join(field(one) for one in documents)


def field(one):
    """Return a document as a field of the index."""
    return Index(documents=[one]).SerializeToString()


def _range(source, mark):
    at = -1
    for _ in range(mark.nth + 1):
        at = source.index(mark.text, at + 1)
    line = source.count("\n", 0, at)
    before = source[source.rfind("\n", 0, at) + 1 : at]
    return [line, _units(before), _units(before + mark.text)]


def _units(text):
    return len(text.encode("utf-16-le")) // 2
