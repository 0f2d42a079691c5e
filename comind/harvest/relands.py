"""Find the commit that brought an undone attempt back, whether or not it says so.

In: a history, findings of reverts. Out: for each the later commits whose change is the inverse of the revert; of one that names the
revert and says that it undoes it, a part of the lines is enough.
Whether one commit re-lands another is a fact about these two, so a harvest that reads the history in two halves finds the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.harvest.inverse_search import Probe, changes_probe, probes_of
from comind.sources.git.line_diffs import LineDiff, inverse_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from comind.sources.git.history import History, PathChange

__all__ = ["Reland", "find_relands"]

DICE = 0.75
NAMED_DICE = 0.4  # where the commit says so itself
_PROBES = 2  # lines of each revert that are watched
_SHORTEST = 7  # hex digits of an id that people write
_ID = re.compile(rf"\b[0-9a-f]{{{_SHORTEST},40}}\b")
_QUOTED = re.compile(r"[\"“](.*)[\"”]")
_AGAIN = re.compile(r"\b(?:re-?)?(?:revert|appl|land|instat|introduc|stor|do\b|undo)|\bback(?:s|ed|ing)?[ -]?out", re.IGNORECASE)
WINDOW_SECONDS = 2 * 365 * 24 * 3600  # after the revert; what comes back later is another attempt


@dataclass(frozen=True, slots=True)
class Reland:
    """A commit that brought back what another had undone."""

    revert: str
    commit: str
    dice: float


@dataclass(frozen=True, slots=True)
class _Watched:
    revert: str
    time: int
    diff: LineDiff
    probe: Probe


def find_relands(history: History, reverts: Iterable[str], later: Sequence[str]) -> list[Reland]:
    """Find which of the commits ``later`` (oldest first) re-land which of the reverts.

    Returns:
        Every pair, in the order of ``later``: what came back on one branch may come back on another, too.
    """
    watched = _watch(history, reverts)
    times = sorted({watch.time for watches in watched.values() for watch in watches})
    found: dict[tuple[str, str], Reland] = {}
    seen: dict[tuple[str | None, bytes], bool] = {}
    said = _Said(history, {watch.revert: watch for watches in watched.values() for watch in watches})
    for commit in later:
        if not _in_a_window(times, history.text(commit).time):
            continue
        for watch in said.by(commit):
            if reland := _judge(history, watch, commit, NAMED_DICE):
                found[watch.revert, commit] = reland
        for change in history.changes(commit):
            for watch in watched.get(change.path, ()):
                if (watch.revert, commit) not in found and (reland := _look(history, watch, commit, change, seen)):
                    found[watch.revert, commit] = reland
    return list(found.values())


def _in_a_window(times: Sequence[int], time: int) -> bool:
    position = bisect_right(times, time)
    return position > 0 and time - times[position - 1] <= WINDOW_SECONDS


def _look(history: History, watch: _Watched, commit: str, change: PathChange, seen: dict[tuple[str | None, bytes], bool]) -> Reland | None:
    since = history.text(commit).time - watch.time
    if commit == watch.revert or not 0 <= since <= WINDOW_SECONDS or not changes_probe(history, change, watch.probe, seen):
        return None
    return _judge(history, watch, commit, DICE)


def _watch(history: History, reverts: Iterable[str]) -> Mapping[str, list[_Watched]]:
    watched: defaultdict[str, list[_Watched]] = defaultdict(list)
    for revert in reverts:
        diff = history.line_diff(revert)
        if isinstance(diff, LineDiff):
            for probe in probes_of(history, diff)[:_PROBES]:
                watched[probe.path].append(_Watched(revert, history.text(revert).time, diff, probe))
    return watched


class _Said:
    """Which reverts a commit says that it undoes: by their ids, or by their subjects in quotes."""

    def __init__(self, history: History, watched: Mapping[str, _Watched]) -> None:
        self._history, self._watched = history, watched
        self._by_prefix = {revert[:_SHORTEST]: revert for revert in watched}
        self._by_subject = {history.text(revert).subject: revert for revert in watched}

    def by(self, commit: str) -> list[_Watched]:
        """Return the reverts that stand in its message beside a word for undoing or doing again."""
        message = self._history.text(commit).message
        if not self._watched or not _AGAIN.search(message):
            return []
        ids = (revert for token in _ID.findall(message) if (revert := self._by_prefix.get(token[:_SHORTEST], "")).startswith(token))
        quoted = (self._by_subject.get(words, "") for words in _QUOTED.findall(self._history.text(commit).subject))
        return [self._watched[revert] for revert in dict.fromkeys([*ids, *quoted]) if revert and revert != commit]


def _judge(history: History, watch: _Watched, commit: str, least: float) -> Reland | None:
    diff = history.line_diff(commit)
    if not isinstance(diff, LineDiff):
        return None
    dice = inverse_of(watch.diff, diff).dice
    if dice < least or not history.is_ancestor(watch.revert, commit):
        return None
    # A merge of a branch that knew the revert brings back nothing itself; a commit of that branch did.
    merged = history.text(commit).parents[1:]
    return None if any(history.is_ancestor(watch.revert, parent) for parent in merged) else Reland(watch.revert, commit, dice)
