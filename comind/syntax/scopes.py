"""Which definition a place of the normalised stream belongs to.

In: the slices of a stream. Out: positions among the definitions of the file; -1 outside all of them.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from comind.syntax.slices import Slice

__all__ = ["Scopes", "scopes_by_word"]


def scopes_by_word(slices: list[Slice]) -> tuple[list[int], list[int]]:
    """Return the names with which another definition becomes the innermost one, ascending, and its position.

    The last name is behind all others.
    """
    words, positions = [0], [-1]
    opened: list[tuple[int, int]] = []  # end and position, outermost first
    position = 0
    for piece in slices:
        start = piece.start[1]
        while opened and opened[-1][0] <= start:
            words.append(opened.pop()[0])
            positions.append(opened[-1][1] if opened else -1)
        words.append(start)
        positions.append(position)
        opened.append((piece.end[1], position))
        position += len(piece.names)
    while opened:
        words.append(opened.pop()[0])
        positions.append(opened[-1][1] if opened else -1)
    words.append(sys.maxsize)
    return words, positions


class Scopes:
    """The definitions around a token."""

    def __init__(self, slices: list[Slice]) -> None:
        self.slices = slices
        self.begins: list[int] | None = None  # first token of each slice
        self.outer: list[int] = []
        self.positions: list[int] = []

    def at(self, token: int, *, outside: bool = False) -> tuple[int, bool]:
        """Return the position of the innermost definition around a token, and whether the token stands in its signature.

        Args:
            token: index into the outline.
            outside: a definition that begins with the token is not around it.
        """
        if not self.slices or token < self.slices[0].start[0]:
            return -1, False
        if self.begins is None:
            self.begins = [piece.start[0] for piece in self.slices]
            self.outer, self.positions = self.nesting()
        here = bisect_right(self.begins, token) - 1
        while here >= 0 and self.slices[here].end[0] <= token:
            here = self.outer[here]
        while outside and here >= 0 and self.begins[here] == token:
            here = self.outer[here]
        if here < 0:
            return -1, False
        body = self.slices[here].body
        return self.positions[here], body is None or token < body[0][0]

    def nesting(self) -> tuple[list[int], list[int]]:
        """Return which slice is around each one, and its position among the definitions."""
        outer, positions, opened, position = list[int](), list[int](), list[int](), 0
        for here, piece in enumerate(self.slices):
            while opened and self.slices[opened[-1]].end[0] <= piece.start[0]:
                opened.pop()
            outer.append(opened[-1] if opened else -1)
            positions.append(position)
            opened.append(here)
            position += len(piece.names)
        return outer, positions
