"""Where a language mentions names, compiled: the shapes of its page as one search over the normalised stream.

In: a loaded grammar. Out: its `Shapes`, built once per process; None for a language whose page says nothing about references.
A stream is searched as the text of its tokens, each behind a NUL byte, which is in no token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING

from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.syntax.grammar import Grammar
    from comind.syntax.languages.model import Importing, References

__all__ = ["CALL_GROUP", "PARTS", "Role", "Search", "Shape", "Shapes", "shapes_of"]

CALL_GROUP = 4  # that a match of a call ends with
PARTS = b"::"  # the one dot that is told from the others: it never leads to a field of a value
_SUBJECTS = frozenset({"TYPE", "VALUE"})
_NODE = b"("


class Role(Enum):
    """What a match says."""

    CALL = auto()
    IMPORT = auto()
    BASES = auto()
    TYPE = auto()
    VALUE = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What a match of one shape says."""

    role: Role
    path: int  # group with the chain that is bound, 0 for none
    after: tuple[bytes, ...]  # tokens that must follow what is read; NAME among them is what is bound


_CALLED = Shape(Role.CALL, 0, ())


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """One pass over a stream; a match begins with the NUL byte before its first token."""

    pattern: re.Pattern[bytes]
    literal: bytes  # is in every stream that has a match
    shapes: tuple[Shape, ...]  # by the group that a match ends with
    given_calls: frozenset[int]  # groups of values that are a call, whose chain is the group before


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """All shapes of a language, and the tokens of which its chains consist."""

    nodes: Search  # whatever begins with a node; a call's links, root and names are its groups 1 to 3, if they are a plain chain
    others: tuple[Search, ...]
    calls: frozenset[bytes]  # opening markers
    openings: frozenset[bytes]  # of everything that can be part of a chain
    roots: frozenset[bytes]
    dots: frozenset[bytes]
    skipped: frozenset[bytes]
    generics: frozenset[bytes]  # opening markers
    importing: Importing

    def shape(self, match: re.Match[bytes]) -> Shape:
        """Return what a match says."""
        search = next(search for search in (self.nodes, *self.others) if search.pattern is match.re)
        return search.shapes[match.lastindex or 0]


@cache
def shapes_of(grammar: Grammar) -> Shapes | None:
    """Compile the shapes of a language."""
    page = grammar.language.references
    if page is None:
        return None
    lines = [(role, line.split()) for role, group in _groups(page) for line in group]
    by_node = [one for one in lines if one[1][0].startswith("(")]
    return Shapes(
        nodes=_search(page, by_node),
        others=tuple(_search(page, [one], calls=False) for one in lines if one not in by_node),
        calls=_markers(page.calls),
        openings=_openings(page),
        roots=_tokens(page.roots),
        dots=_tokens(page.dots),
        skipped=_tokens(page.skipped),
        generics=_markers(page.generics),
        importing=page.importing,
    )


def _groups(page: References) -> list[tuple[Role, Iterable[str]]]:
    imports = sorted(f"({kind}" for kind in page.imports)
    return [(Role.IMPORT, imports), (Role.BASES, page.bases), (Role.TYPE, page.types), (Role.VALUE, page.values)]


def _search(page: References, lines: list[tuple[Role, list[str]]], *, calls: bool = True) -> Search:
    """Join shapes to one search: as all begin alike, it looks at each node once."""
    texts, shapes, given = ([_call(page)], [_CALLED] * (CALL_GROUP + 1), set[int]()) if calls else ([], [_CALLED], set[int]())
    for role, tokens in lines:
        subject = next((position for position, token in enumerate(tokens) if token in _SUBJECTS), len(tokens))
        searched = b"".join(_piece(page, token) for token in tokens[:subject])
        after = tuple(NAME if token == "NAME" else token.encode() for token in tokens[subject + 1 :])  # noqa: S105 - a word of the page
        has_path = "PATH" in tokens[:subject]
        for begins in _begins(page, role, has_path=has_path and not after):
            texts.append(searched + begins + b"()")
            shapes += [Shape(role, len(shapes) if has_path else 0, after)] * (1 + has_path)
            if begins == _given_call(page):
                given.add(len(shapes) - 1)
    start = rb"\0\(" if calls else b""
    alternatives = b"|".join(text.removeprefix(start) for text in texts)
    literal = b"(" if calls else lines[0][1][0].encode()
    return Search(re.compile(rb"%s(?:%s)" % (start, alternatives)), literal, tuple(shapes), frozenset(given))


def _call(page: References) -> bytes:
    """Search for a call; what is called is captured where it is a plain chain of names, as most are."""
    chain = rb"(%s)\0(%s)(%s)(?=\0\()" % (_links(page), _root(page), _names(page))
    return rb"\0\((?:%s)(?=\0)(?:%s|)()" % (_either(marker[1:] for marker in _markers(page.calls)), chain)


def _begins(page: References, role: Role, *, has_path: bool) -> list[bytes]:
    """What must follow: of a value a call, or something else that can be a chain."""
    if role is not Role.VALUE:
        return [rb"(?=\0)"]
    chain = rb"(?=\0(?:%s)\0)" % _either({NAME} | _tokens(page.roots) | _openings(page))
    return [_given_call(page), chain] if has_path else [chain]


def _given_call(page: References) -> bytes:
    through = rb"(?:\0(?:%s))*" % _either(_markers(page.through) | _tokens(page.skipped)) if page.through else b""
    return rb"(?=%s\0(?:%s)\0)" % (through, _either(_markers(page.calls)))


def _piece(page: References, token: str) -> bytes:
    if token == "PATH":  # noqa: S105 - a word of the page
        return rb"(%s\0%s%s)" % (_links(page), _root(page), _names(page))
    known = {"NAME": rb"\0" + NAME, "WORD": rb"\0[^\0(\x01][^\0]*", "[": rb"(?:", "]": rb")?"}
    return known.get(token) or rb"\0" + re.escape(token.encode())


def _links(page: References) -> bytes:
    return rb"(?:\0%s)*" % _either(_markers(page.links)) if page.links else b""


def _root(page: References) -> bytes:
    return _either({NAME} | _tokens(page.roots))


def _names(page: References) -> bytes:
    return rb"(?:\0%s\0%s\0%s)*" % (_either(_tokens(page.dots)), NAME, re.escape(CLOSE))


def _openings(page: References) -> frozenset[bytes]:
    return _markers(page.calls | page.links | page.through)


def _markers(kinds: Iterable[str]) -> frozenset[bytes]:
    return frozenset(_NODE + kind.encode() for kind in kinds)


def _tokens(words: Iterable[str]) -> frozenset[bytes]:
    return frozenset(word.encode() for word in words)


def _either(tokens: Iterable[bytes]) -> bytes:
    """Match one of some tokens, the longest first."""
    escaped = sorted(map(re.escape, tokens), key=len, reverse=True)
    return escaped[0] if len(escaped) == 1 else rb"(?:%s)" % b"|".join(escaped)
