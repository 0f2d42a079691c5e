"""What a commit changed, line by line, and how far one change is the inverse of another.

In: the text of patches without context. Out: files with their changed lines and hunks; the overlap of two changes.
Lines are compared as multisets per path, so a change keeps its inverse when the code around it moves.
Never reads a repository; `history` does that.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FileDiff", "Hunk", "Inverse", "LineDiff", "NoDiff", "inverse_of", "joint_inverse", "read_patch", "similarity"]

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ADDED, _REMOVED = True, False

ChangedLine: TypeAlias = "tuple[str, bool, bytes]"  # path, added or removed, the line without its end


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that changed together: 1-based starts; a count of 0 means "between this line and the next"."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What happened to one path; a rename is a removal and an addition."""

    path: str
    old_blob: str | None  # None: the path is new
    new_blob: str | None  # None: the path is gone
    hunks: tuple[Hunk, ...] = ()
    removed: tuple[bytes, ...] = ()
    added: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class LineDiff:
    """What one commit changed against one of its parents."""

    files: tuple[FileDiff, ...]

    @cached_property
    def lines(self) -> Counter[ChangedLine]:
        """Every changed line with how often it changed."""
        counted: Counter[ChangedLine] = Counter()
        for file in self.files:
            counted.update((file.path, _ADDED, line) for line in file.added)
            counted.update((file.path, _REMOVED, line) for line in file.removed)
        return counted

    @cached_property
    def size(self) -> int:
        """Number of changed lines."""
        return sum(len(file.added) + len(file.removed) for file in self.files)

    @cached_property
    def lines_by_path(self) -> dict[str, int]:
        """Number of changed lines of each path."""
        return {file.path: len(file.added) + len(file.removed) for file in self.files}


@dataclass(frozen=True, slots=True)
class NoDiff:
    """Why a commit's change could not be compared."""

    code: str  # too_large | missing_content
    detail: str


@dataclass(frozen=True, slots=True)
class Inverse:
    """How far a later change undoes an earlier one; shares are between 0 and 1."""

    dice: float = 0.0  # 2 x shared lines / lines of both
    cover_target: float = 0.0  # share of the earlier change that is undone
    cover_revert: float = 0.0  # share of the later change that undoes it
    shared: int = field(default=0)  # lines


def read_patch(path: str, old_blob: str | None, new_blob: str | None, patch: bytes) -> FileDiff:
    r"""Read one file's patch that was made without context lines.

    A file with NUL bytes counts as one line, its blob id, on each side.

    >>> read_patch("a", "1", "2", b"--- a\n+++ a\n@@ -3,2 +3 @@ def f():\n-x\n-y\n+z\n").hunks
    (Hunk(old_start=3, old_lines=2, new_start=3, new_lines=1),)
    """
    if b"\0" in patch:
        return _opaque(path, old_blob, new_blob)
    hunks: list[Hunk] = []
    removed: list[bytes] = []
    added: list[bytes] = []
    for line in patch.split(b"\n"):
        if line.startswith(b"@@ ") and (head := _HUNK.match(line)):
            old_start, old_lines, new_start, new_lines = (1 if part is None else int(part) for part in head.groups())
            hunks.append(Hunk(old_start, old_lines, new_start, new_lines))
        elif not hunks:
            continue  # the file header, whose `---` and `+++` are no lines of the file
        elif line.startswith(b"-"):
            removed.append(line[1:])
        elif line.startswith(b"+"):
            added.append(line[1:])
    if not hunks:
        return _opaque(path, old_blob, new_blob)
    return FileDiff(path, old_blob, new_blob, tuple(hunks), tuple(removed), tuple(added))


def inverse_of(target: LineDiff, revert: LineDiff) -> Inverse:
    """Measure how far ``revert`` undoes ``target``.

    >>> done = LineDiff((FileDiff("a", "1", "2", (), (b"x",), (b"y", b"z")),))
    >>> inverse_of(done, LineDiff((FileDiff("a", "2", "3", (), (b"y",), (b"x",)),)))
    Inverse(dice=0.8, cover_target=0.6666666666666666, cover_revert=1.0, shared=2)
    """
    return _measure(_shared(target.lines, revert.lines), target.size, revert.size)


def joint_inverse(targets: Sequence[LineDiff], revert: LineDiff) -> Inverse:
    """Measure how far ``revert`` undoes several changes together; what one of them undid of another counts for neither."""
    if len(targets) == 1:
        return inverse_of(targets[0], revert)
    lines: Counter[ChangedLine] = Counter()
    for target in targets:
        lines.update(target.lines)
    net, undone = _net(lines), _net(revert.lines)
    return _measure(_shared(net, undone), net.total(), undone.total())


def similarity(one: LineDiff, other: LineDiff) -> float:
    """Return how far two changes are the same: 2 x shared lines / lines of both."""
    both = one.size + other.size
    return 2 * (one.lines & other.lines).total() / both if both else 0.0


def _net(lines: Counter[ChangedLine]) -> Counter[ChangedLine]:
    return Counter({key: left for key, count in lines.items() if (left := count - lines.get((key[0], not key[1], key[2]), 0)) > 0})


def _shared(target: Counter[ChangedLine], revert: Counter[ChangedLine]) -> int:
    if len(revert) < len(target):
        target, revert = revert, target
    return sum(min(count, revert.get((path, not added, line), 0)) for (path, added, line), count in target.items())


def _measure(shared: int, target: int, revert: int) -> Inverse:
    if not target or not revert:
        return Inverse()
    return Inverse(2 * shared / (target + revert), shared / target, shared / revert, shared)


def _opaque(path: str, old_blob: str | None, new_blob: str | None) -> FileDiff:
    # Content without lines (binary, a changed mode) is compared by its ids alone.
    removed = (b"\0" + old_blob.encode(),) if old_blob else ()
    added = (b"\0" + new_blob.encode(),) if new_blob else ()
    return FileDiff(path, old_blob, new_blob, (), removed, added)
