"""The log, newest entry first: records and what was said about them.

In: a view, a moment, a limit. Out: `LogAnswer`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.query.answer import Outcome
from comind.query.coverage import ledger_gaps
from comind.query.entries import EntryShown, entries_shown
from comind.query.shape import Shape

if TYPE_CHECKING:
    from datetime import datetime

    from comind.query.view import LedgerView

__all__ = ["LogAnswer", "ask_log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAnswer(Shape):
    """Entries of the log, newest first: what `comind log --json` prints."""

    schema: Annotated[str, "comind.log/1; within one version fields are only added"] = "comind.log/1"
    outcome: Annotated[str, "answered, nothing or could_not_find_out"]
    entries: Annotated[tuple[EntryShown, ...], "Newest first"]
    older: Annotated[int, "Entries that match and are not listed"]
    gaps: Annotated[tuple[str, ...], "What of the log could not be read"]


def ask_log(view: LedgerView, *, since: datetime | None, limit: int) -> LogAnswer:
    """List the newest entries, by transaction time; of one moment the larger id goes first.

    Args:
        view: what a reader sees now.
        since: leave out what is older; UTC.
        limit: entries to list at most.
    """
    times = view.read("ledger_records", columns=["id", "recorded_at"])
    wanted = times if since is None else times.filter(pl.col("recorded_at") >= since)
    newest = wanted.top_k(limit, by=["recorded_at", "id"]).sort("recorded_at", "id", descending=True)
    gaps = tuple(ledger_gaps(view))
    nothing = Outcome.COULD_NOT_FIND_OUT if gaps else Outcome.NOTHING
    return LogAnswer(
        outcome=Outcome.ANSWERED if newest.height else nothing,
        entries=entries_shown(view, newest["id"].to_list()),
        older=wanted.height - newest.height,
        gaps=gaps,
    )
