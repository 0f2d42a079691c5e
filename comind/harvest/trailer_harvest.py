"""Harvest the trailers of commits: what a change was decided against, what it found must hold, what nobody tested.

In: a repository, the last head that was read, the definitions of its files. Out: records, refusals, the head that is read now.
The same history gives the same bytes, in one harvest or in several. Never writes anything, and no commit makes it raise.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from comind.harvest.lore import Lore, may_carry_lore, read_lore
from comind.harvest.lore_records import (
    HARVESTER_VERSION,
    LoreCommit,
    atom_id,
    confirmation_of,
    records_of,
    relation_of,
    retraction_of,
    supersession_of,
)  # fmt: skip
from comind.harvest.refusals import Refusal
from comind.harvest.sources import GitSource, Harvest
from comind.harvest.touched import Place, touched_places
from comind.harvest.trailers import read_trailers
from comind.harvest.wording import SHORT
from comind.records.problems import RecordInvalidError
from comind.records.vocabulary import Role, Scope
from comind.safety import Level, inspect
from comind.sources.git.history import History
from comind.sources.git.line_diffs import LineDiff

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.harvest.sources import Reading
    from comind.records.record import AnyRecord

__all__ = ["TRAILERS", "harvest_trailers"]

_NAME = "trailers"


def harvest_trailers(reading: Reading) -> Harvest:
    """Read the trailers of every commit that has not been read yet.

    Returns:
        For each commit with Lore a decision, a constraint per rule, a question per thing not tested; for each that names a record a
        confirmation; for Lore that takes the place of other Lore a supersession, or where they touch different code a retraction.
    """
    return _Harvester(reading).run()


class _Harvester:
    def __init__(self, reading: Reading) -> None:
        self._reading, self._repo = reading, reading.repository
        self._history = History(self._repo)
        self._commit = lru_cache(256)(self._read_commit)
        self._records: list[AnyRecord] = []
        self._refusals: list[Refusal] = []
        self._by_lore_id: dict[str, list[str]] = {}  # oldest first

    def run(self) -> Harvest:
        head = self._repo.head
        since = [self._reading.since] if self._reading.since else []
        new = self._history.walk(head, hide=since)[::-1]
        tips = [self._repo.resolve(branch) for branch in self._reading.branches]
        on_branches = self._history.walk_all(tips, hide=[head])[::-1] if tips else []
        bearing = self._bearing([*new, *on_branches])
        if bearing:
            on_head = self._bearing(self._history.walk(head)[::-1])
            self._index([*on_head, *bearing])
            said_on_head, is_new = {self._words(commit) for commit in on_head}, set(new)
            for done, commit in enumerate(bearing):
                if commit in is_new or self._words(commit) not in said_on_head:  # on a branch it may be a copy of what the head has
                    self._read(commit)
                self._reading.progress(done + 1, len(bearing))
        return Harvest(head, len(new), self._records, self._refusals)

    def _bearing(self, commits: Iterable[str]) -> list[str]:
        return [commit for commit in commits if may_carry_lore(self._history.text(commit).message)]

    def _words(self, commit: str) -> tuple[str, ...]:
        text = self._history.text(commit)
        return (text.subject, *map(str, read_trailers(text.message)))

    def _index(self, commits: Iterable[str]) -> None:
        for commit in dict.fromkeys(commits):
            if lore_id := self._lore(commit).lore_id:
                self._by_lore_id.setdefault(lore_id, []).append(commit)

    def _lore(self, commit: str) -> Lore:
        return read_lore(read_trailers(self._history.text(commit).message))

    def _read(self, commit: str) -> None:
        lore = self._lore(commit)
        first = self._by_lore_id[lore.lore_id][0] if lore.lore_id else commit
        quarantine = next((one.code for one in inspect(self._history.text(commit).message) if one.level is Level.QUARANTINE), None)
        if quarantine:
            self._refuse(commit, [("quarantined", f"its text carries {quarantine}")])
        elif first != commit:
            self._refuse(commit, [("same_lore", f"{first[:SHORT]} has the same Lore-id")])
        elif lore.says_something:
            self._write(self._commit(commit))

    def _write(self, commit: LoreCommit) -> None:
        problems = [("bad_id", f"the value of {key} is no id") for key in self._lore(commit.text.id).unread]
        self._records += [confirmation_of(commit, record_id.lower()) for record_id in commit.lore.records]
        if not commit.lore.restates:
            problems += [("no_reason", "it rejects something without a reason") for _ in commit.lore.unreasoned]
            problems += [("instruction", f"a directive carries {code}") for code in self._flagged(commit.text.id)]
            for made in records_of(commit):
                if isinstance(made, RecordInvalidError):
                    problems.append(("invalid_record", str(made)))
                else:
                    self._records.append(made)
            problems += self._relate(commit)
        self._refuse(commit.text.id, problems)

    def _relate(self, commit: LoreCommit) -> list[tuple[str, str]]:
        """Write what the Lore of a commit says of other Lore; return what it names that is not there."""
        lore, problems = commit.lore, []
        for label, ids in (("supersedes", lore.supersedes), ("depends on", lore.depends_on), ("related", lore.related)):
            for lore_id in ids:
                other = self._earlier(lore_id, commit.text.id)
                if other is None:
                    problems.append(("unknown_lore", f"{label} {lore_id}, which no commit before it has"))
                elif label == "supersedes":
                    self._supersede(commit, self._commit(other))
                else:
                    self._records.append(relation_of(commit, atom_id(other), label))
        return problems

    def _supersede(self, new: LoreCommit, old: LoreCommit) -> None:
        shares = not _subjects(old.places).isdisjoint(_subjects(new.places))
        for made in records_of(old):
            if not isinstance(made, RecordInvalidError):
                self._records.append(supersession_of(new, made.id) if shares else retraction_of(new, made.id))

    def _earlier(self, lore_id: str, commit: str) -> str | None:
        known = self._by_lore_id.get(lore_id, ())
        return next((other for other in known if other != commit and self._history.is_ancestor(other, commit)), None)

    def _read_commit(self, commit: str) -> LoreCommit:
        """Read one commit; a directive that speaks like an attack is not among what it says."""
        lore = self._lore(commit)
        harmless = tuple(rule for rule in lore.directives if not _orders(rule.text))
        text = self._history.text(commit)
        return LoreCommit(repo_id=self._repo.repo_id, text=text, lore=replace(lore, directives=harmless), places=self._places(commit))

    def _flagged(self, commit: str) -> list[str]:
        return [code for rule in self._lore(commit).directives for code in _orders(rule.text)[:1]]

    def _places(self, commit: str) -> Sequence[Place]:
        """Return what a commit touched; the repository where that is nothing, or cannot be told."""
        parents = self._history.text(commit).parents
        diff = self._history.line_diff(commit) if parents else None
        if not isinstance(diff, LineDiff) or not diff.files:
            return (Place(scope=Scope.REPO, commit=commit, path="", name="the repository"),)
        touched = touched_places(
            diff, commit, parents[0], self._reading.symbols_at, has_directory=lambda path: self._history.has_directory(commit, path)
        )
        return touched.places

    def _refuse(self, commit: str, problems: Sequence[tuple[str, str]]) -> None:
        if problems:
            detail = "; ".join(dict.fromkeys(detail for _, detail in problems))
            self._refusals.append(
                Refusal(
                    repo_id=self._repo.repo_id, source=_NAME, source_id=commit, code=problems[0][0], detail=detail,
                    harvester_version=HARVESTER_VERSION,
                )
            )  # fmt: skip


def _orders(text: str) -> list[str]:
    """Return the codes of what in a directive speaks to an agent instead of stating what holds."""
    return [finding.code for finding in inspect(text) if finding.code.startswith("instruction_")]


def _subjects(places: Iterable[Place]) -> set[tuple[str, str, str | None]]:
    return {(place.scope, place.path, place.symbol) for place in places if place.role is Role.SUBJECT}


TRAILERS = GitSource(name=_NAME, version=HARVESTER_VERSION, read=harvest_trailers)
