"""When a record held: what became of the code that it is about, and what others said of it, as intervals of commits.

In: a view, record ids, the repositories at hand. Out: `TimelineAnswer`.
Never guesses an interval: where history cannot be read, it says why. The state of code is against what the record was anchored to.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.anchors.follow import Follower
from comind.anchors.trace import trace
from comind.errors import UsageError
from comind.index.names import qualified_name
from comind.query.answer import RelationShown
from comind.query.facts import records_shown, rfc3339
from comind.query.governing import governing_anchors
from comind.query.resolve import question_for, resolve
from comind.query.shape import Shape
from comind.query.show import NoSuchRecordError, complete_id
from comind.query.where import among
from comind.records.vocabulary import Role, Scope
from comind.sources.git.history import History

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from comind.anchors.changes import Place
    from comind.query.checkouts import FindsRepositories
    from comind.query.facts import Row
    from comind.query.resolve import Asked
    from comind.query.view import LedgerView

__all__ = ["Interval", "RecordTimeline", "SubjectTimeline", "TimelineAnswer", "ask_timeline"]


class UnclearSubjectError(UsageError):
    """A text names no record, and no thing or several things of the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval(Shape):
    """Commits in which the code was in one state at one place; it ends where the next one begins."""

    state: Annotated[str, "unchanged, moved, signature, body, deleted, ambiguous, unknown: against the code that was anchored"]
    from_commit: Annotated[str, "The commit that made it so"]
    from_time: Annotated[str | None, "RFC 3339 time in UTC of its committer"]
    until_commit: Annotated[str | None, "The commit that ended it; null: it holds at the head"]
    path: Annotated[str | None, "File"]
    qualified_name: Annotated[str | None, "Containers and name of the symbol"]
    edits: Annotated[int, "Further commits within it that changed the code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectTimeline(Shape):
    """One subject of a record through history."""

    repo_id: Annotated[str | None, "Repository"]
    scope: Annotated[str, "symbol, file, module, repo, org or dependency"]
    name: Annotated[str | None, "What it was called when it was anchored"]
    anchored_at: Annotated[str | None, "Commit"]
    head_commit: Annotated[str | None, "Commit that history was read up to"]
    intervals: Annotated[tuple[Interval, ...], "In order"]
    problem: Annotated[str | None, "Why there are none, in words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTimeline(Shape):
    """One record: when it was written, what became of its subjects, what was said of it."""

    id: Annotated[str, "Record id"]
    kind: Annotated[str, "intent, decision, attempt, constraint, gotcha or question"]
    title: Annotated[str, "What it says, in a line"]
    recorded_at: Annotated[str, "RFC 3339 time in UTC"]
    valid_from: Annotated[str | None, "Commit from which it holds, if it says so"]
    status: Annotated[str | None, "What the ledger believes now"]
    status_reason: Annotated[str | None, "Why"]
    stale_since: Annotated[str | None, "Commit since which the body of a subject is another one"]
    orphaned_since: Annotated[str | None, "Commit in which the last of its subjects went"]
    subjects: Annotated[tuple[SubjectTimeline, ...], "Its subject anchors, in the order of the record"]
    relations: Annotated[tuple[RelationShown, ...], "What other entries say about it, oldest first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineAnswer(Shape):
    """What `comind timeline --json` prints."""

    schema: Annotated[str, "comind.timeline/1; within one version fields are only added"] = "comind.timeline/1"
    asked: Annotated[str, "The question as it was put"]
    records: Annotated[tuple[RecordTimeline, ...], "The record, or those anchored to the symbol itself, oldest first"]


def ask_timeline(view: LedgerView, asked: Asked, checkouts: FindsRepositories) -> TimelineAnswer:
    """Tell the times of a record, named by its id or the beginning of it, or of the records anchored to a piece of code.

    Raises:
        AmbiguousIdError: several records have an id that begins so.
        UnclearSubjectError: it names nothing, or several things.
    """
    ids = _ids(view, asked)
    anchors = view.read("ledger_anchors", where=among("record_id", ids)).filter(pl.col("role") == Role.SUBJECT)
    teller = _Teller(view, checkouts)
    shown = records_shown(view, ids)
    written = view.read("ledger_records", columns=["id", "valid_from"], where=among("id", ids))
    valid_from: dict[str, str | None] = dict(written.iter_rows())
    records = []
    for record in sorted(shown.values(), key=lambda one: (one.recorded_at, one.id)):
        mine = anchors.filter(pl.col("record_id") == record.id).sort("position")
        subjects = tuple(teller.subject(row) for row in mine.iter_rows(named=True))
        records.append(
            RecordTimeline(
                **{name: getattr(record, name) for name in ("id", "kind", "title", "recorded_at", "status", "status_reason")},
                valid_from=valid_from[record.id],
                stale_since=next((_since(one) for one in subjects if _ends_in(one, "body")), None),
                orphaned_since=_orphaned_since(subjects),
                subjects=subjects,
                relations=tuple(reversed(record.relations)),
            )
        )
    return TimelineAnswer(asked=asked.text, records=tuple(records))


def _ids(view: LedgerView, asked: Asked) -> list[str]:
    try:
        return [complete_id(view, asked.text)]
    except NoSuchRecordError:
        subjects = resolve(view, asked)
    if not subjects:
        message = f"{asked.text[:60]!r} is neither a record nor anything indexed; `comind log` lists ids"
        raise UnclearSubjectError(message)
    if len(subjects) > 1:
        listed = ", ".join(question_for(one, subjects).removeprefix("comind why ") for one in subjects[:3])
        message = f"{asked.text[:60]!r} names {len(subjects)} things: {listed}{', …' if len(subjects) > 3 else ''}"  # noqa: PLR2004
        raise UnclearSubjectError(message)
    governing = governing_anchors(view, subjects[0])
    return governing.filter(pl.col("via") == "own")["record_id"].unique().sort().to_list()


def _ends_in(subject: SubjectTimeline, state: str) -> bool:
    return bool(subject.intervals) and subject.intervals[-1].state == state


def _since(subject: SubjectTimeline) -> str:
    """Return the commit that began the state which a subject ends in, wherever it has been since."""
    same = takewhile(lambda one: one.state == subject.intervals[-1].state, reversed(subject.intervals))
    return list(same)[-1].from_commit


def _orphaned_since(subjects: Sequence[SubjectTimeline]) -> str | None:
    gone = [one.intervals[-1] for one in subjects if _ends_in(one, "deleted")]
    if not gone or len(gone) < len(subjects):
        return None
    return max(gone, key=lambda one: one.from_time or "").from_commit


class _Teller:
    """Traces anchors; keeps what those of one repository share."""

    def __init__(self, view: LedgerView, checkouts: FindsRepositories) -> None:
        heads = view.read("code_files", columns=["repo_id", "head_commit"], where="path = ''")
        self._heads: Mapping[str, str | None] = dict(heads.iter_rows())
        self._checkouts = checkouts
        self._kept: dict[str, tuple[Follower, History] | None] = {}

    def subject(self, anchor: Row) -> SubjectTimeline:
        head = self._heads.get(anchor["repo_id"] or "")
        intervals, problem = self._traced(anchor, head)
        return SubjectTimeline(
            repo_id=anchor["repo_id"],
            scope=anchor["scope"],
            name=anchor["qualified_name"] or anchor["path"] or anchor["package"],
            anchored_at=anchor["commit"],
            head_commit=head,
            intervals=tuple(intervals),
            problem=problem or None,
        )

    def _traced(self, anchor: Row, head: str | None) -> tuple[Sequence[Interval], str]:
        if anchor["scope"] != Scope.SYMBOL:
            return (), f"a {anchor['scope']} is compared by place, not by content; `comind why` says where it is"
        if head is None or not (anchor["commit"] and anchor["path"] and anchor["canonical_key"]):
            return (), "its repository is not indexed" if head is None else "the anchor names no symbol of a file"
        tools = self._tools(anchor["repo_id"])
        if tools is None:
            return (), "no checkout is at hand to ask git"
        follower, history = tools
        place = follower.place_of(anchor["commit"], anchor["path"], anchor["canonical_key"], anchor["ordinal"] or 0)
        if isinstance(place, str):
            return (), place
        found = trace(follower, place, anchor["commit"], head)
        return list(_intervals([(one.state, one.start, one.place, one.edits) for one in found.stretches], history)), found.problem

    def _tools(self, repo_id: str) -> tuple[Follower, History] | None:
        if repo_id not in self._kept:
            repository = self._checkouts.find(repo_id)
            self._kept[repo_id] = (Follower(repository), History(repository)) if repository else None
        return self._kept[repo_id]


def _intervals(stretches: Sequence[tuple[str, str, Place | None, int]], history: History) -> Iterator[Interval]:
    for position, (state, start, place, edits) in enumerate(stretches):
        yield Interval(
            state=state,
            from_commit=start,
            from_time=_time(history, start),
            until_commit=stretches[position + 1][1] if position + 1 < len(stretches) else None,
            path=place.path if place else None,
            qualified_name=qualified_name(place.descriptors) if place else None,
            edits=edits,
        )


def _time(history: History, commit: str) -> str:
    return rfc3339(datetime.fromtimestamp(history.text(commit).time, UTC))
