"""What the walk finds: one normalised token stream per file, and where each definition stands in it.

In: nothing; `comind.syntax.walk` fills these. Out: the tokens of a definition's signature and body.
A stream comes in two lists: an outline, in which each identifier is a mark, and the identifiers in their order. Together they are the
tokens; apart, the outline is what a rename leaves alone. Hashing is left to `comind.fingerprints`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.syntax.languages.model import SymbolKind

__all__ = ["CLOSE", "NAME", "Mark", "Member", "Slice", "Span", "Stream", "Text", "anonymous"]

CLOSE = b")"
NAME = b"\1"  # begins as no other token does
_MEMBER = b"(member"
Mark = tuple[int, int]  # a place in the stream: index into the outline, index into the identifiers
Span = tuple[Mark, Mark]  # half-open
Text = tuple[list[bytes], list[bytes]]  # outline, identifiers
Member = tuple[Mark, Mark, tuple[bytes, ...]]  # a span and the names that are defined there
_NOWHERE = (0, 0)


class Slice:
    """A scope of a file and its stretch of the stream: a definition or, without names, the file or an anonymous function.

    Filled in while the walk is inside. A plain class, since one is made for every definition.
    """

    container = False  # its members' tokens are not its own
    first_line = last_line = 0  # 1-based, inclusive
    depth = 0  # of its node among the open ones
    member_depth = 0  # of the direct children of its body
    start = end = _NOWHERE
    member_start = _NOWHERE  # with the attributes before it
    body: Span | None = None
    shared: Span | None = None  # header that it shares with others: the type in `int a, b;`
    omitted: tuple[Span, ...] = ()  # of the header: modifiers
    is_wrapped = False
    doc = b""  # documentation text, without its delimiters

    def __init__(
        self, outer: Slice | None, prefix: str, kind: SymbolKind | None, names: tuple[bytes, ...], descriptors: tuple[str, ...]
    ) -> None:
        self.outer = outer
        self.prefix = prefix  # descriptors that names in it begin with
        self.kind = kind
        self.names = names  # several for `a, b = …`
        self.descriptors = descriptors  # one per name; none for a scope that is no symbol
        self.members: list[Member] = []


def anonymous(outer: Slice | None) -> Slice:
    """Return the scope of a file or, in another scope, of a function that has no name."""
    return Slice(outer, outer.prefix if outer else "", None, (), ())


@dataclass(frozen=True, slots=True)
class Stream:
    """One file's tokens: leaf text, and ``(kind`` … ``)`` around the children of a node."""

    outline: list[bytes]
    words: list[bytes]  # the identifiers
    starts: list[int]  # where in the source each identifier begins: byte, 0-based
    slices: list[Slice]  # definitions in source order

    def header(self, piece: Slice) -> Text:
        """Return the tokens of a definition outside its body and modifiers: name, parameters, types, bases."""
        start, end = piece.start, piece.end
        body_start, body_end = piece.body or (end, end)
        if piece.omitted or piece.shared:
            spans = [*([piece.shared] if piece.shared else ()), (start, body_start), (body_end, end)]
            return self._text(kept for span in spans for kept in _without(span, piece.omitted))
        return (
            self.outline[start[0] : body_start[0]] + self.outline[body_end[0] : end[0]],
            self.words[start[1] : body_start[1]] + self.words[body_end[1] : end[1]],
        )

    def body(self, piece: Slice) -> Text:
        """Return the tokens of a definition's body; of a container, with each member replaced by its name.

        So a change inside a member leaves the container as it is; a member that comes, goes or is renamed does not.
        """
        start, end = piece.body or (_NOWHERE, _NOWHERE)
        if not piece.members:
            return self.outline[start[0] : end[0]], self.words[start[1] : end[1]]
        outline: list[bytes] = []
        words: list[bytes] = []
        for member_start, member_end, names in piece.members:
            if start <= member_start < end:
                outline += self.outline[start[0] : member_start[0]]
                outline += (_MEMBER, *[NAME] * len(names), CLOSE)
                words += self.words[start[1] : member_start[1]]
                words += names
                start = member_end
        return outline + self.outline[start[0] : end[0]], words + self.words[start[1] : end[1]]

    def _text(self, spans: Iterable[Span]) -> Text:
        outline: list[bytes] = []
        words: list[bytes] = []
        for start, end in spans:
            outline += self.outline[start[0] : end[0]]
            words += self.words[start[1] : end[1]]
        return outline, words


def _without(span: Span, holes: tuple[Span, ...]) -> Iterator[Span]:
    """Cut holes, which are in order, out of a span."""
    start, end = span
    for hole_start, hole_end in holes:
        if start <= hole_start < end:
            yield start, hole_start
            start = hole_end
    yield start, end
