"""The text of a file, cut as the ranges of a SCIP document say.

In: the bytes of a file, how a document counts characters, ranges. Out: `Place`: what is written there and what stands around it.
Each question costs the length of the name, however long the line is; a minified file has one line.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from comind.index.scip.messages import PositionEncoding

__all__ = ["Place", "SourceText"]

_ON_ONE_LINE: Final = 3  # numbers of a range: line, first character, the one after the last
_LONGEST: Final = 1_000  # bytes; nothing longer is a name
_NEAR: Final = 24  # bytes before a name in which a keyword stands
_CALLED = re.compile(rb"[ \t]{0,8}!?\(")  # `name(`, and `name!(` of Rust
_DEFINED = re.compile(
    rb"\b(?:class|def|fn|fun|func|function|interface|struct|sub|trait)\s+$"
)  # some tools call a second definition a mention
_WORD: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$") | frozenset(range(0x80, 0x100))


class Place(NamedTuple):
    """What stands in a range."""

    line: int  # 1-based
    name: str  # of `a.b` the last part, of `a as b` what is taken
    is_word: bool  # it begins and ends where a word does
    is_call: bool  # an opening parenthesis follows
    is_defined: bool  # a keyword that defines stands before it


class SourceText:
    """The lines of a file.

    Args:
        content: its bytes.
        encoding: what a character of a range counts; tools that do not say so count as JavaScript does.
    """

    def __init__(self, content: bytes, encoding: int) -> None:
        self._lines, self._encoding = content.split(b"\n"), encoding
        self._opened = -1
        self._line, self._offsets = b"", None  # type: bytes, list[int] | None

    def has_range(self, numbers: Any) -> bool:  # noqa: ANN401
        """Say whether a range is one line's and not empty, whatever stands there."""
        return len(numbers) == _ON_ONE_LINE and 0 <= numbers[1] < numbers[2]

    def at(self, numbers: Any) -> Place | None:  # noqa: ANN401
        """Return what stands in a range; None where it is empty, crosses lines, or lies beyond the file."""
        if not self.has_range(numbers) or not 0 <= numbers[0] < len(self._lines):
            return None
        number, first, last = numbers
        if number != self._opened:
            self._open(number)
        line, offsets = self._line, self._offsets
        if offsets is not None:
            first, last = offsets[min(first, len(offsets) - 1)], offsets[min(last, len(offsets) - 1)]
        last = min(last, len(line))
        if not first < last <= first + _LONGEST:
            return None
        starts = first == 0 or line[first - 1] not in _WORD or line[first] not in _WORD
        ends = last == len(line) or line[last] not in _WORD or line[last - 1] not in _WORD
        is_defined = _DEFINED.search(line[max(0, first - _NEAR) : first]) is not None
        written = line[first:last]
        name = _name(written.decode("utf-8", "replace"))
        return Place(number + 1, name, starts and ends and not written.isspace(), _CALLED.match(line, last) is not None, is_defined)

    def _open(self, number: int) -> None:
        self._opened, self._line = number, self._lines[number]
        self._offsets = None if self._encoding == PositionEncoding.UTF8 or self._line.isascii() else self._count(self._line)

    def _count(self, line: bytes) -> list[int]:
        """Return the byte at which each character begins, as the document counts characters, and the end."""
        at, offsets = 0, []
        for character in line.decode("utf-8", "surrogateescape"):
            is_pair = self._encoding != PositionEncoding.UTF32 and ord(character) > 0xFFFF  # noqa: PLR2004 - beyond, UTF-16 takes two
            offsets += [at, at] if is_pair else [at]
            at += len(character.encode("utf-8", "surrogateescape"))
        return [*offsets, at]


def _name(written: str) -> str:
    return written.split(" as ", maxsplit=1)[0].strip().rpartition(".")[2]
