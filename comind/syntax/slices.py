"""What the walk finds: one normalised token stream per file, and where each definition stands in it.

In: nothing; `comind.syntax.walk` fills these. Out: the tokens of a definition's signature and body.
Ranges are half-open indexes into the stream. Hashing is left to `comind.fingerprints`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from comind.syntax.languages.model import SymbolKind

__all__ = ["CLOSE", "Range", "Slice", "Stream", "anonymous"]

CLOSE = b")"
_MEMBER = b"(member"
Range = tuple[int, int]


class Slice:
    """A scope of a file and its stretch of the stream: a definition or, without names, the file or an anonymous function.

    Filled in while the walk is inside. A plain class, since one is made for every definition.
    """

    container = False  # its members' tokens are not its own
    first_line = last_line = 0  # 1-based, inclusive
    depth = 0  # of its node among the open ones
    member_depth = 0  # of the direct children of its body
    start = end = 0
    member_start = 0  # with the attributes before it
    body: Range | None = None
    first_name = last_name = 0  # of the body, among the identifiers of the stream; half-open as well
    shared: Range | None = None  # header that it shares with others: the type in `int a, b;`
    omitted: tuple[Range, ...] = ()  # of the header: modifiers
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
        self.members: list[tuple[int, int, tuple[bytes, ...]]] = []


def anonymous(outer: Slice | None) -> Slice:
    """Return the scope of a file or, in another scope, of a function that has no name."""
    return Slice(outer, outer.prefix if outer else "", None, (), ())


@dataclass(frozen=True, slots=True)
class Stream:
    """One file's tokens: leaf text, and ``(kind`` … ``)`` around the children of a node."""

    tokens: list[bytes]
    names: list[int]  # positions of identifiers, ascending
    slices: list[Slice]  # definitions in source order

    def header(self, piece: Slice) -> list[bytes]:
        """Return the tokens of a definition outside its body and modifiers: name, parameters, types, bases."""
        body_start, body_end = piece.body or (piece.end, piece.end)
        if not piece.omitted and not piece.shared:
            return self.tokens[piece.start : body_start] + self.tokens[body_end : piece.end]
        ranges = [(piece.start, body_start), (body_end, piece.end)]
        if piece.shared:
            ranges.insert(0, piece.shared)
        left_out = {position for start, end in piece.omitted for position in range(start, end)}
        return [self.tokens[position] for start, end in ranges for position in range(start, end) if position not in left_out]

    def own_body(self, piece: Slice) -> tuple[list[bytes], list[int]]:
        """Return a container's body with each member replaced by its name, and the positions of identifiers in that.

        So a change inside a member leaves the container as it is; a member that comes, goes or is renamed does not.
        """
        start, end = piece.body or (0, 0)
        own: list[bytes] = []
        names: list[int] = []
        for member_start, member_end, member_names in piece.members:
            if not start <= member_start < end:
                continue
            self._copy(start, member_start, own, names)
            own.append(_MEMBER)
            names.extend(range(len(own), len(own) + len(member_names)))
            own.extend(member_names)
            own.append(CLOSE)
            start = member_end
        self._copy(start, end, own, names)
        return own, names

    def _copy(self, start: int, end: int, own: list[bytes], names: list[int]) -> None:
        shift = len(own) - start
        own.extend(self.tokens[start:end])
        names.extend(at + shift for at in self.names[bisect_left(self.names, start) : bisect_left(self.names, end)])
