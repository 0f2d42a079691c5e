"""What waits for a person: drafts, challenged records, records whose code has moved on, newest first.

In: a view, what to list, what is checked out, the policy. Out: `ReviewAnswer`.
Never decides anything; `comind.status.waiting` says what waits, `comind.cli.review` writes what a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.errors import UsageError
from comind.query.answer import AnchorShown, Outcome, RecordShown, RelationShown, Via
from comind.query.challenges import standing_challenges
from comind.query.coverage import ledger_gaps, standing_gaps
from comind.query.facts import anchor_shown, records_shown
from comind.query.governing import anchors_with_places, governing_anchors
from comind.query.overview import Counted
from comind.query.resolve import resolve
from comind.query.shape import Shape
from comind.query.where import among
from comind.status.waiting import Waits, waiting_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from comind.query.checkouts import FindsRepositories
    from comind.query.resolve import Asked
    from comind.query.view import LedgerView, TableReader
    from comind.status.policy import Policy

__all__ = [
    "NothingOfThatNameError",
    "ReviewAnswer",
    "ReviewAsked",
    "ReviewItem",
    "WaitShown",
    "ask_review",
    "everything_waiting",
    "items_shown",
    "waiting",
]

_CHALLENGED = str(Waits.CHALLENGE)
_CHOSEN_BY = ("id", "kind", "status", "trust", "flags", "author_kind", "recorded_at", "repo_id")


class NothingOfThatNameError(UsageError):
    """What is to be reviewed is named, and nothing has that name."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"nothing that is indexed or recorded is called {text[:80]!r}; `comind symbols` finds names")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAsked:
    """Which of what waits to list; what is left empty leaves nothing out."""

    waits: tuple[Waits, ...] = ()
    on: Asked | None = None  # only records about it, or about something in it
    repo: str | None = None  # a repository: its identity, or the end of it
    kind: str | None = None
    author_kind: str | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitShown(Shape):
    """One thing that a record waits for."""

    waits: Annotated[str, "draft, challenge or stale"]
    why: Annotated[str, "Why, in words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem(Shape):
    """One record that waits for a person."""

    waits: Annotated[tuple[WaitShown, ...], "What it waits for, and why"]
    challenges: Annotated[tuple[RelationShown, ...], "The relations that speak against it and wait for a person, latest first"]
    anchor: Annotated[
        AnchorShown | None, "A subject whose code changed, else one that was located: where it is now and what happened to it"
    ]
    more_anchors: Annotated[int, "Its other anchors; `comind show` lists them"]
    record: Annotated[RecordShown, "The record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAnswer(Shape):
    """What waits for a person: what `comind review --json` prints."""

    schema: Annotated[str, "comind.review/1; within one version fields are only added"] = "comind.review/1"
    outcome: Annotated[str, "answered, nothing or could_not_find_out"]
    items: Annotated[tuple[ReviewItem, ...], "Newest first"]
    records: Annotated[int, "Records that wait and match, listed or not"]
    waits: Annotated[tuple[Counted, ...], "Of these, how many wait for what; a record may wait for several things"]
    drafts_by: Annotated[tuple[Counted, ...], "Drafts by who wrote them: distilled, agent, harvested, human"]
    over_limit: Annotated[int, "Records that match and are not listed, because of `--limit`"]
    filtered: Annotated[int, "Records that wait and do not match"]
    gaps: Annotated[tuple[str, ...], "What may have been missed: what could not be read, what is not indexed yet"]


def ask_review(view: LedgerView, asked: ReviewAsked, checkouts: FindsRepositories, policy: Policy) -> ReviewAnswer:
    """List what waits for a person.

    Raises:
        NothingOfThatNameError: `asked.on` names nothing.
    """
    every = everything_waiting(view)
    wanted = waiting(view, every, asked)
    listed = wanted if asked.limit is None else wanted.head(asked.limit)
    gaps = (*ledger_gaps(view), *standing_gaps(view, checkouts))
    nothing = Outcome.COULD_NOT_FIND_OUT if gaps else Outcome.NOTHING
    drafts = wanted.filter(pl.col("waits").list.contains(str(Waits.DRAFT)))
    return ReviewAnswer(
        outcome=Outcome.ANSWERED if wanted.height else nothing,
        items=tuple(items_shown(view, listed, policy)),
        records=wanted.height,
        waits=_counted(wanted["waits"].explode().drop_nulls(), list(map(str, Waits))),
        drafts_by=_counted(drafts["author_kind"], ["distilled", "agent", "harvested", "human"]),
        over_limit=wanted.height - listed.height,
        filtered=every.height - wanted.height,
        gaps=gaps,
    )


def everything_waiting(view: TableReader) -> pl.DataFrame:
    """Return the rows of `ledger_current` that wait for a person, newest first, as far as choosing among them needs them."""
    return waiting_records(view.read("ledger_current", columns=_CHOSEN_BY))


def waiting(view: TableReader, every: pl.DataFrame, asked: ReviewAsked) -> pl.DataFrame:
    """Return those of the records that wait which are asked for, in their order."""
    wanted = every
    if asked.waits:
        wanted = wanted.filter(pl.any_horizontal(*(pl.col("waits").list.contains(str(one)) for one in asked.waits)))
    for column, value in (("kind", asked.kind), ("author_kind", asked.author_kind)):
        wanted = wanted if value is None else wanted.filter(pl.col(column) == value)
    if asked.repo is not None:
        wanted = wanted.filter(("/" + pl.col("repo_id").fill_null("")).str.ends_with(f"/{asked.repo}"))
    if asked.on is not None:
        wanted = wanted.filter(pl.col("id").is_in(_about(view, asked.on)))
    return wanted


def items_shown(view: LedgerView, rows: pl.DataFrame, policy: Policy) -> Iterator[ReviewItem]:
    """Read some of the records that wait, in the order of their rows."""
    ids = rows["id"].to_list()
    records = records_shown(view, ids)
    anchors = anchors_with_places(view, among("record_id", ids))
    challenged = rows.filter(pl.col("waits").list.contains(_CHALLENGED))["id"].to_list()
    against = standing_challenges(view, challenged, policy)
    for row in rows.iter_rows(named=True):
        record = records[row["id"]]
        named = {relation.id: relation for relation in record.relations}
        challenges = [named[one] for one in against.get(row["id"], ()) if one in named]
        mine = _first_subject(anchors.filter(record_id=row["id"]))
        anchor = anchor_shown(mine.row(0, named=True)) if mine.height else None
        yield ReviewItem(
            waits=tuple(_waits(row["waits"], record, challenges, anchor)),
            challenges=tuple(challenges),
            anchor=anchor,
            more_anchors=max(mine.height - 1, 0),
            record=record,
        )


def _about(view: TableReader, asked: Asked) -> list[str]:
    subjects = resolve(view, asked)
    if not subjects:
        raise NothingOfThatNameError(asked.text)
    near = [str(Via.OWN), str(Via.INSIDE)]
    return [
        record_id for subject in subjects for record_id in governing_anchors(view, subject).filter(pl.col("via").is_in(near))["record_id"]
    ]


def _first_subject(anchors: pl.DataFrame) -> pl.DataFrame:
    """Put a changed subject first, then the located ones: it is the one to look at."""
    return anchors.sort(
        pl.col("role") != "subject", pl.col("drift").is_in(["body", "deleted", "ambiguous"]).fill_null(value=False).not_(),
        pl.col("now_path").is_null(), "position",
    )  # fmt: skip


def _waits(
    words: Sequence[str], record: RecordShown, challenges: Sequence[RelationShown], anchor: AnchorShown | None
) -> Iterator[WaitShown]:
    for word in words:
        match word:
            case Waits.DRAFT:
                yield WaitShown(waits=word, why=record.trust_reason or "nobody vouches for it")
            case Waits.CHALLENGE:
                told = (f"{one.kind} by {_writer(one.author_kind)}: {one.reason or one.other_id or one.id}" for one in challenges)
                yield WaitShown(waits=word, why="; ".join(told) or "a relation speaks against it")
            case _:
                yield WaitShown(waits=word, why=_stale(record, anchor))


def _stale(record: RecordShown, anchor: AnchorShown | None) -> str:
    if record.status in {"stale", "orphaned"}:
        reason = (record.status_reason or "").split("; challenged by ")[0]
        return reason if record.status == "stale" else f"orphaned: {reason}"
    if "re_check" in record.flags:
        return f"re-check: {'; '.join(record.cascade)}"
    now = anchor.now if anchor else None
    return f"ambiguous: {now.detail if now else 'a subject has several places that are as good'}"


def _writer(author_kind: str) -> str:
    return {"human": "a person", "agent": "an agent"}.get(author_kind, f"a {author_kind} record")


def _counted(words: pl.Series, order: Sequence[str]) -> tuple[Counted, ...]:
    counts: Mapping[str, int] = dict(words.value_counts().iter_rows())
    return tuple(Counted(word=word, records=counts[word]) for word in order if word in counts)
