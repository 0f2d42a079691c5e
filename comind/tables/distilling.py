"""Distil one source of one repository: go on where the last run stopped, write what passed, and say how far it came and what it cost.

In: the tables, the inbox, a repository, somebody who asks. Out: inbox objects, rows of `distilled_proposals` and `distill_progress`.
Records are written before the rows about them, and progress last: whoever is killed asks again, from the cache, and writes the same.
Sources whose question got no answer are asked about again by the next run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from comind.anchors.frames import schema_of
from comind.distill.passes import DISTILLER_VERSION, Verdict, distill
from comind.store.inbox import PutOutcome
from comind.tables.harvested import write_records
from comind.tables.rows import in_list, quoted
from comind.tables.standing_reasons import standing_reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from comind.distill.answers import Answer
    from comind.distill.brief import Brief, Skip
    from comind.distill.checks import Proposal
    from comind.distill.duplicates import StandingReason
    from comind.distill.passes import Outcome, Pass
    from comind.embed import Embedder
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake

__all__ = ["Asking", "Distilling", "Progress", "Sources", "distill_sources", "load_progress", "read_anew", "unanswered_sources"]

_PROGRESS, _PROPOSALS = "distill_progress", "distilled_proposals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Whom to ask, and how."""

    model: str
    ask: Callable[[Iterable[Brief]], Iterator[Answer]]
    embedder: Embedder | None
    told: list[StandingReason] = field(default_factory=list)  # what this run made records of, which the tables do not show yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The sources of one pass."""

    found: Iterable[Brief | Skip]  # as the gate yields them
    read_up_to: str | None  # what the progress says once all of them have been asked about
    count: int | None = None  # how many there are, where that is known before they are read


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far one source of one repository has been read, as a row of `distill_progress`."""

    repo_id: str
    source: str
    read_up_to: str | None = None
    reading_to: str | None = None
    stopped_at: str | None = None
    read: int = 0
    asked: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    kept: int = 0
    duplicates: int = 0
    refused: int = 0
    unanswered: int = 0
    stopped: str | None = None

    @property
    def progress_id(self) -> str:
        """Name of the row."""
        return f"{self.repo_id} {self.source}"

    def after(self, one: Pass, *, read_up_to: str | None, reading_to: str | None) -> Progress:
        """Return the progress after a pass."""
        cost = self.cost if one.usage.cost is None else (self.cost or 0.0) + one.usage.cost
        return replace(
            self, read_up_to=read_up_to, reading_to=reading_to, stopped_at=one.stopped_at, stopped=one.stopped,
            read=self.read + len(one.read), asked=self.asked + sum(one.answers.values()), calls=self.calls + one.usage.calls,
            input_tokens=self.input_tokens + one.usage.input_tokens, output_tokens=self.output_tokens + one.usage.output_tokens, cost=cost,
            kept=self.kept + one.count(Verdict.KEPT), duplicates=self.duplicates + one.count(Verdict.DUPLICATE),
            refused=self.refused + one.count(Verdict.REFUSED), unanswered=one.count(Verdict.UNANSWERED),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilling:
    """What a pass brought, and what became of its records."""

    found: Pass
    progress: Progress
    written: int  # records that were not there
    keys: tuple[str, ...]  # inbox objects, for the fold


def load_progress(lake: Lake, repo_id: str, source: str) -> Progress:
    """Return how far a source was read by these rules; other rules read it from the beginning, with the same costs on the bill."""
    empty = Progress(repo_id=repo_id, source=source)
    for row in lake.read(_PROGRESS, where=f"progress_id = {quoted(empty.progress_id)}").iter_rows(named=True):
        told = Progress(**{name: row[name] for name in Progress.__dataclass_fields__})
        is_todays = row["distiller_version"] == DISTILLER_VERSION
        return told if is_todays else replace(told, read_up_to=None, reading_to=None, stopped_at=None)
    return empty


def unanswered_sources(lake: Lake, repo_id: str, source: str) -> list[str]:
    """Return the sources whose question got no answer in an earlier run."""
    where = f"repo_id = {quoted(repo_id)} AND source = {quoted(source)} AND verdict = '{Verdict.UNANSWERED}'"
    return lake.read(_PROPOSALS, columns=["source_id"], where=where)["source_id"].sort().to_list()


def distill_sources(lake: Lake, inbox: Inbox, sources: Sources, progress: Progress, asking: Asking) -> Distilling:
    """Ask about the sources of a pass, write what is new, and move on.

    Args:
        lake: the tables.
        inbox: gets the records.
        sources: those of the pass.
        progress: how far the source was read before.
        asking: whom to ask.
    """

    def standing(proposals: Sequence[Proposal]) -> list[StandingReason]:
        return [*standing_reasons(lake, proposals), *asking.told]

    found = distill(sources.found, asking.ask, standing, model=asking.model, embedder=asking.embedder)
    written = write_records(inbox, found.records)
    asking.told.extend(found.reasons)
    _keep_outcomes(lake, progress, found, asking.model)
    is_whole = found.stopped is None
    target = sources.read_up_to
    after = progress.after(found, read_up_to=target if is_whole else progress.read_up_to, reading_to=None if is_whole else target)
    row = {name: getattr(after, name) for name in (*Progress.__dataclass_fields__, "progress_id")} | {
        "distiller_version": DISTILLER_VERSION
    }
    lake.upsert(_PROGRESS, pl.DataFrame([row], schema=schema_of(_PROGRESS)))
    return Distilling(found=found, progress=after, written=written.counts[PutOutcome.CREATED], keys=written.keys)


def _keep_outcomes(lake: Lake, progress: Progress, found: Pass, model: str) -> None:
    """Keep a row per proposal; an earlier row that says a source got no answer goes once it has one."""
    settled = [_row_id(progress, source_id, -1) for source_id in found.read]
    if settled and lake.exists(_PROPOSALS):
        lake.delete(_PROPOSALS, in_list("proposal_id", settled))
    rows = [_row(progress, one, model) for one in found.outcomes]
    if rows:
        lake.upsert(_PROPOSALS, pl.DataFrame(rows, schema=schema_of(_PROPOSALS)))


def _row_id(progress: Progress, source_id: str, position: int) -> str:
    return f"{progress.repo_id} {progress.source} {source_id} {'-' if position < 0 else position}"


_SAME: Final = ("request_id", "verdict", "op", "kind", "code", "detail", "title", "record_id")


def _row(progress: Progress, one: Outcome, model: str) -> dict[str, Any]:
    return {name: getattr(one, name) for name in _SAME} | {
        "proposal_id": _row_id(progress, one.brief.source_id, one.position), "repo_id": progress.repo_id, "source": progress.source,
        "source_id": one.brief.source_id, "model": model, "distiller_version": DISTILLER_VERSION,
        "source_at": datetime.fromtimestamp(one.brief.time, UTC),
    }  # fmt: skip


def read_anew(passed: Sequence[str], stopped_at: str | None) -> list[str]:
    """Return what is left of a list of sources from where a run was stopped on; all of it, where that is not in it."""
    return list(passed[passed.index(stopped_at) :]) if stopped_at in passed else list(passed)
