"""The gate before the model: which commits are worth a question, and what a model may be told of each.

In: a repository, commits, what is recorded already. Out: for every commit, lazily and in the order given, a brief or why there is none.
The message alone is judged first; the diff and the definitions are looked at only for what passes. No commit makes it raise, and
nothing that a brief sends holds a person, an address, a secret or a hidden character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from comind.distill.brief import MAX_KNOWN, Brief, Skip, SkipCode
from comind.distill.people import people_around, without_handles, without_thanks, words_of_code
from comind.distill.places import is_clean_path, places_of
from comind.distill.programs import is_program, only_documents, only_made_by_programs
from comind.distill.prose import Prose, prose_of
from comind.distill.refused import Refused
from comind.distill.sign_words import STEP
from comind.distill.signs import Undoing, is_worth_asking, undoing_of
from comind.distill.spans import is_clean, spans_of, undone_span
from comind.distill.undone import UndoneFinder
from comind.errors import ComindError
from comind.harvest.lore import may_carry_lore, read_lore
from comind.harvest.trailers import read_trailers
from comind.records.vocabulary import EvidenceKind, Source
from comind.safety import scrub
from comind.sources.git.history import History
from comind.sources.git.line_diffs import NoDiff
from comind.sources.git.signatures import signatures_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from comind.canonical import Json
    from comind.distill.brief import KnownRecord, Span
    from comind.harvest.sources import Reading
    from comind.harvest.touched import Place

__all__ = ["KnownRecords", "brief_commits", "known_at"]

_COPIED = re.compile(
    r"^\s*\(?(?:cherry[- ]?picked from|backport(?:ed)? (?:of|from)) (?:commit )?[0-9a-f]{7,40}\b", re.IGNORECASE | re.MULTILINE
)
_PATHS = 60  # of a change, whose words are words of the code
_WORDS_THAT_TELL = 12  # of paragraphs that make a copy, whatever its subject


class KnownRecords(Protocol):
    """Knows which records stand at places."""

    def __call__(self, places: Sequence[Place], *, before: int) -> Sequence[KnownRecord]:
        """Return the records of earlier than a time, in seconds since 1970, at some places; those that matter most first."""


def brief_commits(reading: Reading, commits: Sequence[str], known: KnownRecords) -> Iterator[Brief | Skip]:
    """Judge commits one after the other.

    Args:
        reading: the repository and the definitions of its files; what it says of earlier readings is not looked at.
        commits: ids, in the order in which they are to be asked about; of copies the first counts.
        known: which records stand where.

    Yields:
        One brief or skip per commit.
    """
    gate = _Gate(reading, known)
    return map(gate.judge, commits)


def known_at(places: Sequence[Place], known: KnownRecords, *, before: int) -> tuple[KnownRecord, ...]:
    """Return the records at some places of which a model may be told."""
    return tuple(one for one in known(places, before=before) if is_clean(f"{one.title}\n{one.trigger}"))[:MAX_KNOWN]


@dataclass(frozen=True, slots=True)
class _Passed:
    """A commit whose message is worth a question."""

    commit: str
    prose: Prose
    undoing: Undoing


class _Gate:
    def __init__(self, reading: Reading, known: KnownRecords) -> None:
        self._reading, self._repo, self._known = reading, reading.repository, known
        self._history = History(self._repo)
        self._undone = UndoneFinder(self._history, self._repo.head)
        self._told: dict[tuple[str, ...], str] = {}  # what briefs of this walk said -> commit

    def judge(self, commit: str) -> Brief | Skip:
        try:
            return self._brief(self._passed(commit))
        except Refused as refused:
            code, detail = refused.code, refused.detail
        except (ComindError, KeyError) as error:
            code, detail = SkipCode.UNREADABLE, str(error)
        return Skip(source=Source.GIT, source_id=commit, repo_id=self._repo.repo_id, code=code, detail=detail)

    def _passed(self, commit: str) -> _Passed:
        """Judge a commit by its message and by who made it."""
        if not self._history.holds(commit):
            raise Refused(SkipCode.UNREADABLE, "this clone does not hold it")
        text = self._history.text(commit)
        if len(text.parents) > 1:
            raise Refused(SkipCode.MERGE)
        if any(map(is_program, signatures_of(self._repo, commit)[:1])):
            raise Refused(SkipCode.BOT)
        if may_carry_lore(text.message) and read_lore(read_trailers(text.message)).says_something:
            raise Refused(SkipCode.RECORDED)
        if _COPIED.search(text.message):
            raise Refused(SkipCode.COPY, "says that it was picked from another commit")
        clean = scrub(text.message)
        if clean.quarantine_code:
            raise Refused(SkipCode.QUARANTINED, f"its text carries {clean.quarantine_code}")
        passed = _Passed(commit, prose_of(clean.text), undoing_of(clean.text))
        self._need_reason(passed, trifle=False)
        return passed

    def _need_reason(self, passed: _Passed, *, trifle: bool) -> None:
        prose = passed.prose
        if is_worth_asking(prose.subject, prose.paragraphs, undoing=passed.undoing, trifle=trifle):
            return
        if passed.undoing is Undoing.CHANGE and not prose.paragraphs:
            raise Refused(SkipCode.BARE_REVERT)
        raise Refused(SkipCode.BUMP if STEP.search(prose.subject) else SkipCode.NO_REASON)

    def _brief(self, passed: _Passed) -> Brief:
        """Look at what a commit changed, and say what may be asked."""
        commit, text = passed.commit, self._history.text(passed.commit)
        places = self._places(passed)
        undone = self._undone.find(commit) if passed.undoing is not Undoing.NONE else None
        about = [commit, *([undone] if undone else [])]
        paths = [change.path for change in self._history.changes(commit)[:_PATHS] if is_clean_path(change.path)]
        people = people_around(
            (one for each in about for one in signatures_of(self._repo, each)),
            (self._history.text(each).message for each in about),
            code=words_of_code([*paths, self._repo.repo_id]),
        )
        places = tuple(place for place in places if people.without(place.path) == place.path)
        if not places:
            raise Refused(SkipCode.NO_CHANGE, "no place that it touched can be named")
        clean: Callable[[str], str] = lambda told: without_thanks(people.without(without_handles(told, paths)))  # noqa: E731 - two facts of this commit, in one word
        spans = spans_of(passed.prose, clean)
        if not spans:
            raise Refused(SkipCode.QUARANTINED, "its subject speaks to an agent, or cannot be cleaned")
        self._need_new(commit, spans)
        return Brief(
            source=Source.GIT, source_id=commit, repo_id=self._repo.repo_id, commit=commit, time=text.time,
            spans=(*spans, *self._said_of(undone, clean)), places=places, known=known_at(places, self._known, before=text.time),
            evidence=self._evidence(commit, undone), names=people.parts,
        )  # fmt: skip

    def _places(self, passed: _Passed) -> tuple[Place, ...]:
        commit, text = passed.commit, self._history.text(passed.commit)
        changes = self._history.changes(commit)
        if not changes:
            raise Refused(SkipCode.NO_CHANGE, "" if text.parents else "it has no parent here")
        if only_made_by_programs(changes, self._history.content):
            raise Refused(SkipCode.VENDORED)
        if only_documents(changes):
            self._need_reason(passed, trifle=True)
        diff = self._history.line_diff(commit)
        if isinstance(diff, NoDiff):
            raise Refused(SkipCode.UNREADABLE, diff.detail)
        places = places_of(
            diff, commit, text.parents[0], self._reading.symbols_at, has_directory=lambda path: self._history.has_directory(commit, path)
        )
        if not places:
            raise Refused(SkipCode.NO_CHANGE, "no place that it touched can be named")
        return places

    def _need_new(self, commit: str, spans: Sequence[Span]) -> None:
        """Refuse what says the same as a commit that was briefed before."""
        first, *rest = (" ".join(re.findall(r"\w+", span.text.casefold())) for span in spans)
        telling = sum(len(text.split()) for text in rest) >= _WORDS_THAT_TELL
        key = tuple(rest) if telling else (first, *rest)
        other = self._told.setdefault(key, commit)
        if other != commit:
            raise Refused(SkipCode.COPY, f"says the same as {other[:12]}")

    def _said_of(self, undone: str | None, clean: Callable[[str], str]) -> tuple[Span, ...]:
        if undone is None:
            return ()
        said = scrub(self._history.text(undone).message)
        span = None if said.quarantine else undone_span(prose_of(said.text), clean)
        return (span,) if span else ()

    def _evidence(self, commit: str, undone: str | None) -> tuple[dict[str, Json], ...]:
        repo = self._repo.repo_id
        if undone is None:
            return ({"kind": EvidenceKind.COMMIT, "repo": repo, "commit": commit},)
        return (
            {"kind": EvidenceKind.REVERT, "repo": repo, "commit": commit},
            {"kind": EvidenceKind.REVERTED, "repo": repo, "commit": undone},
        )
