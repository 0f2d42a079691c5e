"""Find out what a commit undid: its message proposes, the diffs decide.

In: a history and an index of its messages. Out: for one commit a finding, a reason for refusing it, or nothing.
The answer depends on the commit and its ancestors alone, so it is the same in every clone and for ever.

A commit with one parent undoes a commit that came before it when
  - its message names that commit and the line diffs are inverse: dice >= .6 (.4 when the subject says so and its id is given),
    or one of the two is covered to .8 (dice >= .12);
  - or its message only says so, and among the last 80 commits on the same paths one is its inverse: dice >= .7.
Source of the rule: measured on labelled commits of seven repositories, which the data set of `comind eval reverts` holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from comind.harvest.inverse_search import find_inverse
from comind.harvest.revert_words import Claim, MentionKind, read_words
from comind.sources.git.line_diffs import Inverse, LineDiff, NoDiff, inverse_of, joint_inverse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.harvest.message_index import MessageIndex
    from comind.harvest.revert_words import RevertWords
    from comind.sources.git.history import CommitText, History

__all__ = ["Doubt", "FindingKind", "Outcome", "Precision", "RevertFinder", "RevertFinding", "Target", "is_undone"]

_DICE_NAMED, _DICE_BY_ID = 0.6, 0.4
_COVER_NAMED, _DICE_COVERED = 0.8, 0.12
_DICE_UNNAMED = 0.7
_DICE_HINT = 0.9  # the words have another meaning most of the time
_PARTIAL, _NEARLY_ALL = 0.7, 0.95  # a target of which less is undone still stands in part; the latter when the message says so
_DICE_TOGETHER = 0.8  # of several commits that are all named by id
_CANDIDATES_PER_NAME = 40
_MOST_TOGETHER = 20
_LEFT_TO_UNDO = 0.5  # share of a further target that the targets before it have not explained


class FindingKind(StrEnum):
    """What undoing a commit amounted to."""

    REVERT = "revert"  # an attempt was undone
    RELAND = "reland"  # an undoing was undone: the attempt is back


@dataclass(frozen=True, slots=True)
class Target:
    """One commit that was undone."""

    commit: str
    inverse: Inverse
    parent: int  # which parent of the target its change was read against, 0-based
    named: bool  # by the message; otherwise found by its diff alone


@dataclass(frozen=True, slots=True)
class RevertFinding:
    """A commit that undid others, shown by their diffs."""

    commit: str
    kind: FindingKind
    targets: tuple[Target, ...]  # the one that explains most comes first
    says_so: bool  # its subject, or a name in its body, says that it undoes something
    says_partly: bool = False

    @property
    def partial(self) -> bool:
        """Whether a part of what was undone still stands."""
        least = _NEARLY_ALL if self.says_partly else _PARTIAL
        return all(target.inverse.cover_target < least for target in self.targets)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A commit that says it undoes something, and why it is not believed."""

    commit: str
    code: str  # target_not_found | not_inverse | too_large | missing_content
    detail: str


Outcome: TypeAlias = RevertFinding | Doubt | None


class Precision(IntEnum):
    """How precisely a message names a commit; the smaller, the more."""

    ID = 0  # by what no other commit has
    NAME = 1  # by a subject or the number of a request, which a copy or a merge may share
    TOPIC = 2  # by an issue


@dataclass(frozen=True, slots=True)
class _Candidate:
    commit: str
    precision: Precision


@dataclass(frozen=True, slots=True)
class _Undoing:
    """A commit that undid others, as long as it is not known whether those were reverts themselves."""

    commit: str
    words: RevertWords
    targets: tuple[Target, ...]


_PRECISIONS = {
    MentionKind.SHA: Precision.ID, MentionKind.SVN: Precision.ID, MentionKind.CHANGE: Precision.ID, MentionKind.REVIEW: Precision.ID,
    MentionKind.SUBJECT: Precision.NAME, MentionKind.REQUEST: Precision.NAME, MentionKind.ISSUE: Precision.TOPIC,
}  # fmt: skip


class RevertFinder:
    """Answers for one commit after another; what was found out is kept."""

    def __init__(self, history: History, index: MessageIndex) -> None:
        self._history = history
        self._index = index
        self._victims = index.reverted_by()
        self._known: dict[str, Outcome] = {}

    def find(self, commit: str) -> Outcome:
        """Say what a commit undid: a finding, a doubt when it claims to and the diffs do not show it, None when it claims nothing."""
        chain: list[_Undoing] = []  # not recursion: reverts of reverts may go on for long
        position = commit
        while position not in self._known:
            undoing = self._look(position)
            if not isinstance(undoing, _Undoing):
                self._known[position] = undoing
                break
            chain.append(undoing)
            position = undoing.targets[0].commit
        for undoing in reversed(chain):
            self._known[undoing.commit] = self._finding(undoing)
        return self._known[commit]

    def _look(self, commit: str) -> _Undoing | Doubt | None:
        text = self._history.text(commit)
        words = read_words(text.message)
        victims = [victim for victim in self._victims.get(commit, []) if self._history.is_ancestor(victim, commit)]
        if len(text.parents) != 1 or (words.claim is Claim.NONE and not victims):
            return None
        diff = self._history.line_diff(commit)
        if isinstance(diff, NoDiff):
            return Doubt(commit, diff.code, diff.detail) if words.claim is Claim.SUBJECT else None
        candidates = self._candidates(commit, words, victims)
        targets = self._named_targets(diff, candidates, words.claim)
        if not targets and words.claim and not words.squashed:
            targets = self._unnamed_target(commit, diff, _DICE_HINT if words.claim is Claim.HINT else _DICE_UNNAMED)
        return _Undoing(commit, words, tuple(targets)) if targets else _doubt(text, words, candidates)

    def _finding(self, undoing: _Undoing) -> RevertFinding:
        words, undone = undoing.words, self._known[undoing.targets[0].commit]
        back = isinstance(undone, RevertFinding) and undone.kind is FindingKind.REVERT
        kind = FindingKind.RELAND if back or (words.reapplies and undone is None) else FindingKind.REVERT
        says_so = words.claim is Claim.SUBJECT or any(target.named for target in undoing.targets)
        return RevertFinding(undoing.commit, kind, undoing.targets, says_so=says_so, says_partly=words.partly)

    def _candidates(self, commit: str, words: RevertWords, victims: Iterable[str]) -> list[_Candidate]:
        found = {victim: _Candidate(victim, Precision.ID) for victim in victims}
        for mention in sorted(words.mentions, key=lambda mention: _PRECISIONS[mention.kind]):
            latest_first = sorted(self._index.find(mention), key=self._age)
            before = (other for other in latest_first if self._history.is_ancestor(other, commit))
            for other in islice(before, _CANDIDATES_PER_NAME):
                found.setdefault(other, _Candidate(other, _PRECISIONS[mention.kind]))
        return list(found.values())

    def _age(self, commit: str) -> tuple[int, str]:
        # Not the order of a walk, which changes with what is walked from: of equals the same must be chosen for ever.
        return -self._history.text(commit).time, commit

    def _named_targets(self, revert: LineDiff, candidates: Sequence[_Candidate], claim: Claim) -> list[Target]:
        believed: list[tuple[_Candidate, Target, LineDiff]] = []
        for candidate in candidates:
            if candidate.precision is Precision.TOPIC and not self._shares_paths(candidate.commit, revert):
                continue
            inverse, parent, diff = self._measure(candidate.commit, revert)
            if diff is not None and is_undone(inverse, candidate.precision, claim):
                believed.append((candidate, Target(candidate.commit, inverse, parent, named=True), diff))
        if together := self._together(revert, candidates):
            return together
        believed.sort(
            key=lambda found: (found[0].precision, -found[1].inverse.shared, self._is_merge(found[0].commit), self._age(found[0].commit))
        )
        return _explain(revert, [(target, diff) for _, target, diff in believed])

    def _together(self, revert: LineDiff, candidates: Sequence[_Candidate]) -> list[Target]:
        """Return all commits that are named by id, when it is their sum that is undone."""
        by_id = [candidate.commit for candidate in candidates if candidate.precision is Precision.ID]
        if not 1 < len(by_id) <= _MOST_TOGETHER:
            return []
        measured = [(commit, *self._measure(commit, revert)) for commit in by_id]
        diffs = [diff for _, _, _, diff in measured if diff is not None]
        if (
            len(diffs) < len(by_id)
            or joint_inverse(diffs, revert).dice < _DICE_TOGETHER
            or not all(inverse.shared for _, inverse, _, _ in measured)
        ):
            return []
        measured.sort(key=lambda found: -found[1].shared)
        return [Target(commit, inverse, parent, named=True) for commit, inverse, parent, _ in measured]

    def _shares_paths(self, target: str, revert: LineDiff) -> bool:
        lines = revert.lines_by_path
        return sum(lines.get(change.path, 0) for change in self._history.changes(target)) >= _DICE_NAMED / (2 - _DICE_NAMED) * revert.size

    def _is_merge(self, commit: str) -> bool:
        return len(self._history.text(commit).parents) > 1

    def _measure(self, target: str, revert: LineDiff) -> tuple[Inverse, int, LineDiff | None]:
        """Compare with the parent of a merge against which the change fits best."""
        best: tuple[Inverse, int, LineDiff | None] = (Inverse(), 0, None)
        for parent in range(len(self._history.text(target).parents)):
            diff = self._history.line_diff(target, parent)
            if isinstance(diff, NoDiff):
                continue
            inverse = inverse_of(diff, revert)
            if best[2] is None or inverse.dice > best[0].dice:
                best = inverse, parent, diff
        return best

    def _unnamed_target(self, commit: str, revert: LineDiff, least: float) -> list[Target]:
        found = find_inverse(self._history, commit, revert, least=least)
        return [Target(found[0], found[1], 0, named=False)] if found else []


def is_undone(inverse: Inverse, precision: Precision, claim: Claim) -> bool:
    """Whether two diffs are inverse enough for a commit that a message names.

    >>> is_undone(Inverse(dice=0.3, cover_target=0.9, cover_revert=0.18), Precision.NAME, Claim.BODY)
    True
    >>> is_undone(Inverse(dice=0.3, cover_target=0.9, cover_revert=0.18), Precision.TOPIC, Claim.BODY)
    False
    """
    if inverse.dice >= (_DICE_BY_ID if precision is Precision.ID and claim is Claim.SUBJECT else _DICE_NAMED):
        return True
    covered = max(inverse.cover_target, inverse.cover_revert) >= _COVER_NAMED and inverse.dice >= _DICE_COVERED
    return covered and precision is not Precision.TOPIC and claim > Claim.HINT


def _explain(revert: LineDiff, believed: Sequence[tuple[Target, LineDiff]]) -> list[Target]:
    """Keep the targets that each undo something which those before them do not explain.

    So a merge and the commit it merged, or a commit and its copy, count once.
    """
    left = revert.lines.copy()
    kept: list[Target] = []
    for target, diff in believed:
        undone = {(path, not added, line): count for (path, added, line), count in diff.lines.items()}
        fresh = {line: min(count, left[line]) for line, count in undone.items() if left[line]}
        if sum(fresh.values()) >= _LEFT_TO_UNDO * target.inverse.shared > 0:
            left.subtract(fresh)
            kept.append(target)
    return kept


def _doubt(text: CommitText, words: RevertWords, candidates: Sequence[_Candidate]) -> Doubt | None:
    if not words.leads:
        return None
    if not candidates:
        return Doubt(text.id, "target_not_found", "says that it undoes something; nothing before it is named or is its inverse")
    return Doubt(text.id, "not_inverse", f"names {candidates[0].commit[:12]}, whose change it does not undo")
