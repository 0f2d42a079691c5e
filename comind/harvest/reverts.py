"""Harvest reverts: what was tried in a repository and did not stay.

In: a repository, the last head that was read, the definitions of its files. Out: records, refusals, the head that is read now.
The same history gives the same bytes, in one harvest or in several. Never writes anything, and no commit makes it raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from comind.harvest.message_index import MessageIndex
from comind.harvest.refusals import Refusal
from comind.harvest.relands import WINDOW_SECONDS, Reland, find_relands
from comind.harvest.revert_finder import Doubt, FindingKind, RevertFinder, RevertFinding
from comind.harvest.revert_records import HARVESTER_VERSION, RevertCase, attempt_of, retraction_of, tell
from comind.harvest.revert_words import Claim, Mention, MentionKind, read_words, subject_key
from comind.harvest.sources import GitSource, Harvest
from comind.harvest.touched import touched_places
from comind.records.problems import RecordInvalidError
from comind.sources.git.history import History
from comind.sources.git.line_diffs import LineDiff, NoDiff, similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from comind.harvest.revert_records import Told
    from comind.harvest.sources import Reading
    from comind.harvest.touched import SymbolsAt
    from comind.records.record import AttemptRecord, RetractsRelation
    from comind.sources.git.history import CommitText
    from comind.sources.git.repository import GitRepository

__all__ = ["HARVESTER_VERSION", "REVERTS", "harvest_reverts"]

_NAME = "reverts"
_TWIN_DICE = 0.9

Progress: TypeAlias = "Callable[[int, int], None]"


def harvest_reverts(
    repo: GitRepository, *, since: str | None, symbols_at: SymbolsAt, branches: Sequence[str] = (), progress: Progress | None = None
) -> Harvest:
    """Find every revert among the commits that have not been read yet.

    Args:
        repo: its head is read, and nothing that was added to it later.
        since: the head of the last harvest by these rules; None, or a commit that is gone, reads everything.
        symbols_at: definitions of a file at a commit.
        branches: release branches; their own commits are read each time, and a revert that the head has too counts once.
        progress: told how many commits that claim to undo something are done, and of how many.

    Returns:
        An attempt for each revert; a retraction for each one that came back; a refusal for each that could not be shown or written.

    Raises:
        CommitNotFoundError: a branch does not exist.
    """
    return _Harvester(repo, symbols_at).run(since, branches, progress or (lambda _done, _total: None))


class _Harvester:
    def __init__(self, repo: GitRepository, symbols_at: SymbolsAt) -> None:
        self._repo = repo
        self._symbols_at = symbols_at
        self._history = History(repo)
        self._records: list[AttemptRecord | RetractsRelation] = []
        self._refusals: list[Refusal] = []

    def run(self, since: str | None, branches: Sequence[str], progress: Progress) -> Harvest:
        head = self._repo.head
        new = self._history.walk(head, hide=[since] if since else [])[::-1]
        on_branches = self._own_commits(branches)
        if new or on_branches:
            everything = new if since is None else self._history.walk(head)[::-1]
            self._index = MessageIndex(map(self._history.text, reversed([*everything, *on_branches])))
            self._finder = RevertFinder(self._history, self._index)
            self._read(new, on_branches, progress)
            self._retract([*new, *on_branches], everything)
        return Harvest(head, len(new), self._records, self._refusals)

    def _own_commits(self, branches: Sequence[str]) -> list[str]:
        tips = dict.fromkeys(self._repo.resolve(branch) for branch in branches)
        found = (commit for tip in tips for commit in self._history.walk(tip, hide=[self._repo.head]))
        return sorted(set(found), key=lambda commit: (self._history.text(commit).time, commit))

    def _read(self, new: Sequence[str], on_branches: Sequence[str], progress: Progress) -> None:
        commits = [*new, *on_branches]
        for done, commit in enumerate(commits):
            outcome = self._finder.find(commit)
            if isinstance(outcome, Doubt):
                self._refuse(commit, outcome.code, outcome.detail)
            elif outcome is not None and outcome.kind is FindingKind.RELAND:
                self._refuse(commit, "reland", f"brings back what {outcome.targets[0].commit[:12]} had undone")
            elif done >= len(new) and outcome is not None and (twin := self._twin(commit, commits[len(new) : done])):
                self._refuse(commit, "same_revert", f"is the revert {twin[:12]} on another branch")
            elif outcome is not None:
                self._write(outcome)
            progress(done + 1, len(commits))

    def _write(self, finding: RevertFinding) -> None:
        told = self._tell(finding)
        if told.quarantine:
            self._refuse(finding.commit, "quarantined", f"its text, or that of what it undid, carries {', '.join(told.quarantine)}")
            return
        diff = self._history.line_diff(finding.commit)
        if isinstance(diff, NoDiff):
            self._refuse(finding.commit, diff.code, diff.detail)
            return
        revert = self._history.text(finding.commit)
        touched = touched_places(
            diff, revert.id, revert.parents[0], self._symbols_at, has_directory=lambda path: self._history.has_directory(revert.id, path)
        )  # fmt: skip
        targets = tuple(self._history.text(target.commit) for target in finding.targets)
        case = RevertCase(finding=finding, revert=revert, targets=targets, told=told, touched=touched, diff=diff)
        try:
            self._records.append(attempt_of(case, repo_id=self._repo.identity.repo_id))
        except RecordInvalidError as error:
            self._refuse(finding.commit, "invalid_record", str(error))

    def _tell(self, finding: RevertFinding) -> Told:
        attempt = self._attempt(finding.targets[0].commit)
        merged = self._history.text(attempt.parents[1]) if len(attempt.parents) > 1 else None
        return tell(self._history.text(finding.commit), attempt, merged)

    def _attempt(self, target: str) -> CommitText:
        """Return the attempt itself, when what was undone is its return."""
        finding = self._finder.find(target)
        while isinstance(finding, RevertFinding):
            target = finding.targets[0].commit
            finding = self._finder.find(target)
        return self._history.text(target)

    def _retract(self, new: Sequence[str], everything: Sequence[str]) -> None:
        """Find attempts that came back with a new commit, whichever harvest found them."""
        if not new:
            return
        for reland in self._relands(new, everything):
            finding = self._finder.find(reland.revert)
            if isinstance(finding, RevertFinding) and finding.kind is FindingKind.REVERT and not self._tell(finding).quarantine:
                text = self._history.text(reland.commit)
                self._records.append(retraction_of(finding, reland, text, repo_id=self._repo.identity.repo_id))

    def _relands(self, new: Sequence[str], everything: Sequence[str]) -> Iterable[Reland]:
        oldest = min(self._history.text(commit).time for commit in new) - WINDOW_SECONDS
        read_now = set(new)
        suspects = [commit for commit in everything if commit not in read_now and self._may_be_revert(commit, oldest)]
        suspects += [commit for commit in new if isinstance(self._finder.find(commit), RevertFinding)]
        found = {(reland.revert, reland.commit): reland for reland in find_relands(self._history, suspects, new)}
        for commit in new:
            said = self._finder.find(commit)
            if isinstance(said, RevertFinding) and said.kind is FindingKind.RELAND:
                target = said.targets[0]
                found.setdefault((target.commit, commit), Reland(target.commit, commit, target.inverse.dice))
        return found.values()

    def _may_be_revert(self, commit: str, oldest: int) -> bool:
        text = self._history.text(commit)
        return text.time >= oldest and len(text.parents) == 1 and read_words(text.message).claim > Claim.NONE

    def _twin(self, commit: str, earlier: Sequence[str]) -> str | None:
        """Return the same revert on the head or on a branch that was read before."""
        diff = self._history.line_diff(commit)
        subject = Mention(MentionKind.SUBJECT, subject_key(self._history.text(commit).subject))
        for other in self._index.find(subject):
            if other in earlier or other == self._repo.head or self._history.is_ancestor(other, self._repo.head):
                other_diff = self._history.line_diff(other)
                if isinstance(diff, LineDiff) and isinstance(other_diff, LineDiff) and similarity(diff, other_diff) >= _TWIN_DICE:
                    return other
        return None

    def _refuse(self, commit: str, code: str, detail: str) -> None:
        repo_id = self._repo.identity.repo_id
        refusal = Refusal(
            repo_id=repo_id, source=_NAME, source_id=commit, code=code, detail=detail, harvester_version=HARVESTER_VERSION
        )  # fmt: skip
        self._refusals.append(refusal)


def _read(reading: Reading) -> Harvest:
    return harvest_reverts(
        reading.repository, since=reading.since, symbols_at=reading.symbols_at, branches=reading.branches, progress=reading.progress
    )


REVERTS = GitSource(name=_NAME, version=HARVESTER_VERSION, read=_read)
