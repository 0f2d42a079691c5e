"""Find the commit that a change undoes when no message names it.

In: a history, the line diff of one commit. Out: among the last commits on the same paths, the one whose change is its inverse.
A commit can only be undone if it made the lines that are taken back. So a few distinctive lines are followed into the past, which costs
a read per version, and only the commits in which one of them came or went are compared line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from comind.sources.git.line_diffs import Inverse, NoDiff, inverse_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from comind.sources.git.history import History, PathChange
    from comind.sources.git.line_diffs import FileDiff, LineDiff

__all__ = ["COMMITS_ON_PATHS", "REACH", "Probe", "changes_probe", "find_inverse", "is_swap", "probes_of"]

COMMITS_ON_PATHS = 80
REACH = 5_000  # ancestors that are looked at for them
_PROBES = 8  # lines that are followed
_PROBES_PER_FILE = 4
_SHORTEST_PROBE = 4  # characters


@dataclass(frozen=True, slots=True)
class Probe:
    """A line that one commit changed and that stands once in its file."""

    path: str
    line: bytes  # with the line ends around it


def find_inverse(history: History, commit: str, change: LineDiff, *, least: float) -> tuple[str, Inverse] | None:
    """Return the commit that ``commit`` undoes with a dice of at least ``least``, and how far; None when there is none.

    Of several the best is taken, of equals the latest.
    """
    best: tuple[str, Inverse] | None = None
    for other in _suspects(history, commit, change, least):
        if is_swap(history, other, commit):
            return other, Inverse(1.0, 1.0, 1.0, change.size)
        diff = history.line_diff(other)
        if isinstance(diff, NoDiff) or _best_dice(diff.size, change.size) < least:
            continue
        inverse = inverse_of(diff, change)
        if inverse.dice >= least and (best is None or inverse.dice > best[1].dice):
            best = other, inverse
    return best


def is_swap(history: History, target: str, revert: str) -> bool:
    """Whether every file is exactly as before the target: the ids show it, nothing need be read."""
    undone = {(change.path, change.new_blob, change.old_blob) for change in history.changes(target)}
    return undone == {(change.path, change.old_blob, change.new_blob) for change in history.changes(revert)}


def _suspects(history: History, commit: str, change: LineDiff, least: float) -> Iterator[str]:
    """Yield the latest commits on the same paths, newest first, that touch enough of them and may have made the lines."""
    mine = change.lines_by_path
    enough = least / (2 - least) * change.size  # follows from the definition of dice
    waiting = _Waiting(history, probes_of(history, change))
    seen = 0
    for other in islice(history.ancestors(commit), REACH):
        if len(other.parents) != 1:
            continue
        touched = [path_change for path_change in history.changes(other.id) if path_change.path in mine]
        if not touched:
            continue
        met = waiting.meet(touched)
        if met and sum(mine[path_change.path] for path_change in touched) >= enough:
            yield other.id
        seen += 1
        if seen == COMMITS_ON_PATHS or waiting.is_over:
            return


class _Waiting:
    """Probes whose origin has not been met yet on the way into the past."""

    def __init__(self, history: History, probes: list[Probe]) -> None:
        self._history = history
        self._left = probes
        self._follows = bool(probes)
        self._seen: dict[tuple[str | None, bytes], bool] = {}

    @property
    def is_over(self) -> bool:
        """Whether every line that was followed has been met."""
        return self._follows and not self._left

    def meet(self, touched: list[PathChange]) -> bool:
        """Whether a line came or went in these changes; always, when there is no line to follow."""
        if not self._follows:
            return True
        by_path = {change.path: change for change in touched}
        met = [
            probe for probe in self._left if (change := by_path.get(probe.path)) and changes_probe(self._history, change, probe, self._seen)
        ]
        self._left = [probe for probe in self._left if probe not in met]
        return bool(met)


def changes_probe(history: History, change: PathChange, probe: Probe, seen: dict[tuple[str | None, bytes], bool]) -> bool:
    """Whether a line came or went in one change of its file; ``seen`` remembers which version holds which line."""
    sides = []
    for blob in (change.old_blob, change.new_blob):
        if (blob, probe.line) not in seen:
            seen[blob, probe.line] = probe.line in _framed(history, blob)
        sides.append(seen[blob, probe.line])
    return sides[0] != sides[1]


def probes_of(history: History, change: LineDiff) -> list[Probe]:
    """Choose lines that tell a change apart, of the files that changed most; none when all its lines are common ones."""
    probes: list[Probe] = []
    for file in sorted(change.files, key=lambda file: (-len(file.added) - len(file.removed), file.path)):
        probes += _of_file(history, file)
        if len(probes) >= _PROBES:
            break
    return probes[:_PROBES]


def _of_file(history: History, file: FileDiff) -> list[Probe]:
    old, new = (_framed(history, blob) for blob in (file.old_blob, file.new_blob))
    found: list[Probe] = []
    for here, there, lines in ((old, new, file.removed), (new, old, file.added)):
        longest = sorted({line for line in lines if len(line.strip()) >= _SHORTEST_PROBE}, key=lambda line: (-len(line), line))
        for line in longest[: 4 * _PROBES_PER_FILE]:
            framed = b"\n" + line + b"\n"
            if here.count(framed) == 1 and framed not in there:  # a line that only moved has its origin elsewhere
                found.append(Probe(file.path, framed))
            if len(found) == _PROBES_PER_FILE:
                return found
    return found


def _framed(history: History, blob: str | None) -> bytes:
    content = history.content(blob) if blob else None
    return b"\n" + content + b"\n" if content else b""


def _best_dice(one: int, other: int) -> float:
    return 2 * min(one, other) / (one + other) if one and other else 0.0
