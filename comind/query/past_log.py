"""Which entries of the log belong to it as of a commit.

In: rows of `ledger_records`, a commit of one repository and its history. Out: the rows that were there, and how many came later.

The rule. A ledger has two times: when something was written, and from which commit it holds.
- What was read off commits (author kind `harvested`) is there as soon as its commit is: the commit that it holds from, else the first
  that its evidence names. Git decides, so no clock that runs backwards can move it.
- Everything else is there when it was written not later than the commit was made, and the commit it holds from, if it names one, is
  among those that lead to the commit.
- A commit of another repository, or one that the clone lacks, decides nothing; then the time of writing alone does.
Relations follow the same rule: what a later entry retired still stands as of the commit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson
import polars as pl

from comind.records.vocabulary import AuthorKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

__all__ = ["Moment", "log_as_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One commit, as far as a log is concerned."""

    repo_id: str
    time: datetime  # committer time, UTC
    history: Collection[str]  # the commit and all that lead to it
    holds: Callable[[str], bool]  # whether the clone has a commit


def log_as_of(entries: pl.DataFrame, moment: Moment) -> pl.DataFrame:
    """Return the entries that belong to the log as of a commit."""
    named = entries.select("id", "valid_from", source=_sources(entries), repo=pl.coalesce("repo_id", pl.lit(moment.repo_id)))
    commits = {commit for commit in [*named["valid_from"].drop_nulls(), *named["source"].drop_nulls()] if moment.holds(commit)}
    here = pl.col("repo") == moment.repo_id
    harvested = entries["author_kind"] == AuthorKind.HARVESTED
    commit = pl.coalesce("valid_from", pl.when(harvested).then("source"))
    decides, reached = here & commit.is_in(list(commits)), commit.is_in([one for one in commits if one in moment.history])
    in_time = entries["recorded_at"] <= moment.time
    there = pl.when(decides.fill_null(value=False)).then(reached & (harvested | in_time)).otherwise(in_time)
    return entries.filter(named.select(there=there)["there"])


def _sources(entries: pl.DataFrame) -> pl.Series:
    """Return the first commit that the evidence of each harvested entry names, where it does not say from which commit it holds."""
    asked = (entries["author_kind"] == AuthorKind.HARVESTED) & entries["valid_from"].is_null()
    return pl.Series(
        [_first_commit(text) if wanted else None for wanted, text in zip(asked, entries["record"], strict=True)], dtype=pl.String
    )


def _first_commit(record: str) -> str | None:
    return next((one["commit"] for one in orjson.loads(record).get("evidence", ()) if one.get("commit")), None)
