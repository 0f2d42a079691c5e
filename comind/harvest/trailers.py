"""Read the trailers of a commit message, by the rules of `git log --format=%(trailers:only,unfold)`.

In: a commit message. Out: its trailers in their order, repeated keys kept, folded values on one line.
Never reads a divider line (`---`) as the end of a message: that is a rule for patches, and commits carry such lines in their text.
No configuration of git changes the answer: the separator is `:`, a comment starts with `#`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Trailer", "read_trailers"]

_SPACE = " \t\n\r"  # what git takes for space; form feeds and the spaces of Unicode are text
_KEY = re.compile(r"([A-Za-z0-9-]+)[ \t]*:")
_BY_GIT = ("Signed-off-by: ", "(cherry picked from commit ")
_PROSE_PER_TRAILER = 3  # lines that are none beside each trailer, in a block that git itself has written to
_CUT = re.compile(r"^# -{24} >8 -{24}\n", re.MULTILINE)
_FOLD = re.compile(r"\n[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class Trailer:
    """One trailer, its key in the case it was written in."""

    key: str
    value: str  # unfolded

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


def read_trailers(message: str) -> list[Trailer]:
    r"""List the trailers of a commit message.

    They stand in its last paragraph, which is not the first. Either every line of it is a trailer or continues one, or git itself
    wrote one of its lines and at least a quarter of them are trailers.

    Source: the behaviour of git 2.39, to which the tests and `comind eval trailers` hold it.

    >>> [str(trailer) for trailer in read_trailers("Cache\n\nRejected: Redis |\n  stale\nRejected: a file | slow\n")]
    ['Rejected: Redis | stale', 'Rejected: a file | slow']
    """
    lines = _without_end(_without_blank_start(message.partition("\0")[0]))
    block = _unfolded(lines[_start_of_block(lines) :])
    return [Trailer(key[1], _value(line[key.end() :])) for line in block if (key := _KEY.match(line))]


def _value(text: str) -> str:
    return _FOLD.sub(" ", text.strip(_SPACE)).strip(_SPACE)


def _without_blank_start(message: str) -> str:
    lines = message.split("\n")
    while len(lines) > 1 and not lines[0].strip(_SPACE):
        del lines[0]
    return "\n".join(lines)


def _without_end(message: str) -> list[str]:
    """Return the lines, ends kept, without what `git commit` adds below a message: comments, conflicts, all after a cut line."""
    cut = _CUT.search(message)
    lines = _lines(message[: cut.start()] if cut else message)
    end, in_conflicts = len(lines), False
    for position, line in enumerate(lines):
        opens_conflicts = line == "Conflicts:\n"
        if line.startswith(("#", "\n")) or opens_conflicts:
            end = min(end, position)
            in_conflicts = in_conflicts or opens_conflicts
        elif not (in_conflicts and line.startswith("\t")):
            end, in_conflicts = len(lines), False
    return lines[:end]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _start_of_block(lines: Sequence[str]) -> int:
    """Return the position of the first line of the block; that after the last when there is none."""
    title_end = next((n for n, line in enumerate(lines) if not line.strip(_SPACE)), len(lines))
    trailers, others, undecided, by_git, met_text = 0, 0, 0, False, False
    for position in range(len(lines) - 1, title_end - 1, -1):
        line = lines[position]
        if not line.strip(_SPACE):
            if not met_text:
                continue
            others += undecided
            is_block = (by_git and trailers * _PROSE_PER_TRAILER >= others) or (trailers and not others)
            return position + 1 if is_block else len(lines)
        if line.startswith("#"):
            others, undecided = others + undecided, 0
            continue
        met_text = True
        if line.startswith(_BY_GIT) or _KEY.match(line):
            trailers, undecided = trailers + 1, 0
            by_git = by_git or line.startswith(_BY_GIT)
        elif line[0] in _SPACE:  # continues the line above it, if that is a trailer
            undecided += 1
        else:
            others, undecided = others + undecided + 1, 0
    return len(lines)


def _unfolded(block: Sequence[str]) -> list[str]:
    """Join every line of a block that continues a trailer to it."""
    joined: list[str] = []
    open_ = False
    for line in block:
        if open_ and line[0] in _SPACE:
            joined[-1] += line
        else:
            joined.append(line)
            open_ = _KEY.match(line) is not None
    return joined
