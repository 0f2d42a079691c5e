"""Where a language mentions names, compiled: the shapes of its page as one search over the normalised stream.

In: a loaded grammar. Out: its `Shapes`, built once per process; None for a language whose page says nothing about references.
A stream is searched as the text of its tokens, each behind a NUL byte, which is in no token. The search takes a shape up to the first
word that cannot be searched for; the rest of it is left as steps, which `comind.syntax.references` follows token by token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from comind.syntax.grammar import Grammar
    from comind.syntax.languages.model import Importing, References

__all__ = ["CALL_GROUP", "PARTS", "Alternatives", "Plain", "Search", "Shape", "Shapes", "Step", "shapes_of"]

CALL_GROUP = 2  # that a match of a call ends with; the one before is the plain chain, if there is one
PARTS = b"::"  # the one way to a member that is told from the others: it never leads to a field of a value
_VALUE_GROUPS = 3
_LONGEST_PLAIN = 200  # bytes of a chain that is worth remembering
_NODE = b"("


class Step(Enum):
    """What to do at the next token."""

    # Words of the pages: what is read.
    TYPE = auto()
    RESULT = auto()
    VALUE = auto()
    UNPACK = auto()
    BASE = auto()
    BASES = auto()
    EXPORT = auto()
    ENTRIES = auto()
    ELEMENT = auto()
    IMPORT = auto()
    CALL = auto()
    CALLED = auto()
    LOCAL = auto()
    # Words of the pages: what is bound.
    NAME = auto()
    NAMES = auto()
    FIELD = auto()
    # Signs of the pages.
    EXPECT = auto()
    WORD = auto()
    MAY_COME = auto()
    REFUSE = auto()
    PASS = auto()
    PASS_ALL = auto()
    PASS_ANY = auto()


_SIGNS = {"?": Step.MAY_COME, "!": Step.REFUSE, "~": Step.PASS, "*": Step.PASS_ALL}
_WORDS = {step.name: step for step in Step if step not in {Step.CALL, Step.EXPECT, Step.PASS_ANY, *_SIGNS.values()}}
_UNSEARCHED = _WORDS.keys() - {"NAME", "WORD"}


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What is left of a shape when the search has found its beginning."""

    steps: tuple[tuple[Step, bytes], ...]
    path: int  # group with the chain that is bound, 0 for none
    again: bool  # begins at the token that the search ended with
    is_import: bool


Plain: TypeAlias = tuple[int, str]  # number of names; how to join them, empty for dots
Alternatives: TypeAlias = tuple[Shape, ...]
_CALLED = (Shape(((Step.CALL, b""),), 0, again=False, is_import=False),)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """One pass over a stream; a match begins with the NUL byte before its first token."""

    pattern: re.Pattern[bytes]
    literal: bytes  # is in every stream that has a match
    shapes: tuple[Alternatives, ...]  # by the group that a match ends with
    given_calls: frozenset[int]  # groups of values that are a call, at its place; the group before is the chain that is bound
    given_chains: frozenset[int]  # groups of other values; the groups before are the chain that is bound and the value, if that is plain


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """All shapes of a language, and the tokens of which its chains consist."""

    plain: dict[bytes, Plain | None]  # what was found of chains so far, by their tokens; see `plain_of`
    nodes: Search  # whatever begins with a node
    others: tuple[Search, ...]
    calls: frozenset[bytes]  # opening markers
    marks: Mapping[bytes, str]
    links: frozenset[bytes]
    worded: frozenset[bytes]
    through: frozenset[bytes]
    openings: frozenset[bytes]  # of everything that can be part of a chain
    passed: frozenset[bytes]
    roots: frozenset[bytes]
    members: Mapping[bytes, tuple[tuple[bytes, ...], ...]]  # by their first token, the others
    generics: frozenset[bytes]  # opening markers
    skipped: frozenset[bytes]
    separators: Mapping[bytes, bytes]
    inferred: frozenset[str]
    import_calls: Mapping[str, str]
    base_calls: frozenset[str]
    special_calls: frozenset[str]
    importing: Importing

    def plain_of(self, chain: bytes) -> Plain | None:
        """Return how the names of a chain are joined; None for one that has none or does not end where its tokens do."""
        opened = many = 0
        text = ""
        for part in chain.split(b"\0"):
            if part == NAME:
                many += 1
                text += "%s" if not text or text.endswith("::") else ".%s"
            elif part == CLOSE:
                opened -= 1
            elif part[:1] == _NODE:
                opened += 1
            elif part == PARTS and text:
                text += "::"
            elif part in self.roots and not text:
                text = part.decode()
        plain = (many, text.removeprefix("%s").replace(".%s", "") and text) if many and not opened else None
        if len(chain) <= _LONGEST_PLAIN:
            self.plain[chain] = plain
        return plain

    def found(self, match: re.Match[bytes]) -> Alternatives:
        """Return what a match may say."""
        search = self.nodes
        if match.re is not search.pattern:
            search = next(search for search in self.others if search.pattern is match.re)
        return search.shapes[match.lastindex or 0]


@cache
def shapes_of(grammar: Grammar) -> Shapes | None:
    """Compile the shapes of a language."""
    page = grammar.language.references
    if page is None:
        return None
    lines = [line.split() for line in page.shapes]
    by_node = [line for line in lines if line[0].startswith(("(", "~("))]
    members = [tuple(map(_word, shape.split())) for shape in page.members]
    return Shapes(
        plain={},
        nodes=_search(page, by_node),
        others=tuple(_search(page, [line], calls=False) for line in lines if line not in by_node),
        calls=_markers(page.calls),
        marks={_NODE + kind.encode(): mark for kind, mark in page.marks.items()},
        links=_markers(page.links),
        worded=_markers(page.worded),
        through=_markers(page.through),
        openings=_openings(page),
        passed=_markers(page.passed),
        roots=_tokens(page.roots),
        members={first: tuple(others for begin, *others in map(list, members) if begin == first) for first, *_ in members},  # type: ignore[misc]
        generics=_markers(page.generics),
        skipped=_tokens(page.skipped),
        separators={_NODE + kind.encode(): text.encode() for kind, text in page.separators.items()},
        inferred=page.inferred,
        import_calls=page.import_calls,
        base_calls=page.base_calls,
        special_calls=page.base_calls | page.import_calls.keys(),
        importing=page.importing,
    )


def _search(page: References, lines: list[list[str]], *, calls: bool = True) -> Search:
    """Join shapes to one search: as all begin alike, it looks at each node once."""
    texts = [_call(page)] if calls else []
    shapes: list[Alternatives] = [_CALLED] * (CALL_GROUP + 1 if calls else 1)
    given, values = set[int](), set[int]()
    places: dict[bytes, int] = {}  # of what is searched for, in the shapes
    for tokens, cut in _longest_first(lines):
        again = tokens[0].startswith("~(")
        bound = next((token for token in tokens[:cut] if token in {"NAME", "PATH"} and "RESULT" not in tokens), None)
        searched = _prefix(page, [tokens[0][1:]] if again else tokens[:cut], bound)
        steps = tuple(map(_step, tokens[cut:]))
        for begins in _begins(page, steps) if bound else _begins(page, steps)[-1:]:
            text = searched + begins
            groups = re.compile(text).groups
            if text not in places:
                texts.append(text)
                shapes += [()] * groups
                places[text] = len(shapes) - 1
            place = places[text]
            shapes[place] = (*shapes[place], Shape(steps, (place - groups + 1) * bool(bound), again, steps[-1][0] is Step.IMPORT))
            if begins == _given_call(page):
                given.add(place)
            elif groups == _VALUE_GROUPS:
                values.add(place)
    start = rb"\0\(" if calls else b""
    alternatives = b"|".join(text.removeprefix(start) for text in texts)
    literal = b"(" if calls else next(token for token in lines[0] if token not in {"PATH", "NAME", "WORD"}).encode()
    return Search(re.compile(rb"%s(?:%s)" % (start, alternatives)), literal, tuple(shapes), frozenset(given), frozenset(values))


def _longest_first(lines: list[list[str]]) -> list[tuple[list[str], int]]:
    """Return each shape with the number of tokens that can be searched for; a search takes the first that fits."""
    cuts = [(tokens, next(place for place, token in enumerate(tokens) if _is_step(token))) for tokens in lines]
    first = {tokens[0]: place for place, tokens in reversed(list(enumerate(lines)))}
    return sorted(cuts, key=lambda one: (first[one[0][0]], -one[1]))


def _is_step(token: str) -> bool:
    return token in _UNSEARCHED or (token[0] in "~!?" and len(token) > 1) or token.startswith("*(")


def _prefix(page: References, tokens: list[str], bound: str | None) -> bytes:
    pieces = [_piece(page, token) for token in tokens]
    if bound:
        at = tokens.index(bound)
        pieces[at] = b"(%s)" % pieces[at]
    return b"".join(pieces)


def _step(token: str) -> tuple[Step, bytes]:
    if token in _WORDS:
        return _WORDS[token], b""
    if token == "~_":  # noqa: S105 - a sign of the pages
        return Step.PASS_ANY, b""
    if token[0] in _SIGNS and len(token) > 1:
        return _SIGNS[token[0]], _word(token[1:])
    return Step.EXPECT, token.encode()


def _word(token: str) -> bytes:
    return NAME if token == "NAME" else token.encode()  # noqa: S105 - a word of the pages


def _call(page: References) -> bytes:
    """Search for a call; what is called is captured where it is a chain of names, as most are."""
    plain = rb"%s(%s)(?=\0\()" % (_skipped(page), _chain(page))
    return rb"\0\((?:%s)(?=\0)(?:%s|%s)()" % (_either(marker[1:] for marker in _markers(page.calls)), plain, _chain_begins(page))


def _begins(page: References, steps: tuple[tuple[Step, bytes], ...]) -> list[bytes]:
    """What must follow: of a value a call, or something else that can be a chain."""
    if steps != ((Step.VALUE, b""),):
        return [rb"(?=\0)()"]
    plain = rb"%s%s\0%s(?:(?:%s)(?:\0%s)?)*" % (_links(page), _skipped(page), _root(page), _member(page), re.escape(CLOSE))
    return [_given_call(page), rb"(?:(%s)(?=\0)|%s)()" % (plain, _chain_begins(page))]


def _chain_begins(page: References) -> bytes:
    """Match before a chain that may hold calls and the like; of kinds that hide what they begin with, before anything."""
    if page.worded:
        return b""
    inside = _either(_openings(page) | _tokens(page.skipped))
    return rb"(?=(?:\0%s)*\0(?:%s)\0)" % (inside, _either({NAME} | _tokens(page.roots) | _markers(page.passed)))


def _given_call(page: References) -> bytes:
    through = rb"(?:\0(?:%s))*" % _either(_markers(page.through) | _tokens(page.skipped)) if page.through else b""
    return rb"(?=%s()\0(?:%s)\0)" % (through, _either(_markers(page.calls)))


def _piece(page: References, token: str) -> bytes:
    if token == "PATH":  # noqa: S105 - a word of the pages
        return _chain(page)
    if token[0] == "*" and len(token) > 1:
        return rb"(?:%s)*" % _piece(page, token[1:])
    known = {"NAME": rb"\0" + NAME, "WORD": rb"\0[^\0(\x01][^\0]*"}
    return known.get(token) or rb"\0" + re.escape(token.encode())


def _chain(page: References) -> bytes:
    return rb"%s%s\0%s%s" % (_links(page), _skipped(page), _root(page), _names(page))


def _links(page: References) -> bytes:
    return rb"(?:\0%s)*" % _either(_markers(page.links)) if page.links else b""


def _skipped(page: References) -> bytes:
    return rb"(?:\0%s)?" % _either(_tokens(page.skipped)) if page.skipped else b""


def _root(page: References) -> bytes:
    return _either({NAME} | _tokens(page.roots))


def _names(page: References) -> bytes:
    """Match members and what closes after them; whether as much is closed as was opened is left to who asks."""
    return rb"(?:%s|\0%s)*" % (_member(page), re.escape(CLOSE))


def _member(page: References) -> bytes:
    shapes = [b"".join(_piece(page, token) for token in shape.split()) for shape in page.members]
    return b"|".join(shapes) or rb"(?!)"


def _openings(page: References) -> frozenset[bytes]:
    return _markers(page.calls | page.links | page.through | page.worded)


def _markers(kinds: Iterable[str]) -> frozenset[bytes]:
    return frozenset(_NODE + kind.encode() for kind in kinds)


def _tokens(words: Iterable[str]) -> frozenset[bytes]:
    return frozenset(word.encode() for word in words)


def _either(tokens: Iterable[bytes]) -> bytes:
    """Match one of some tokens, the longest first."""
    escaped = sorted(map(re.escape, tokens), key=len, reverse=True)
    return escaped[0] if len(escaped) == 1 else rb"(?:%s)" % b"|".join(escaped)
