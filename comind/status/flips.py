"""Which records changed their status from one run to the next, and what did it.

In: `ledger_current` as it stood and as it was derived now. Out: one row per record that is new, gone or of another status or trust.
Never reads a clock or the log; what a row says is what the derivation said.
"""

from __future__ import annotations

from typing import Final

import polars as pl

__all__ = ["FLIPS", "count_flips", "find_flips"]

FLIPS: Final = pl.Schema({
    "id": pl.String, "title": pl.String, "was": pl.String, "status": pl.String, "status_rule": pl.String, "status_reason": pl.String,
    "where_from": pl.String,
})  # fmt: skip
_NEW, _GONE = "new", "gone"


def find_flips(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the records whose status changed, as `FLIPS`, by rule and id; `was` is "new" for a record that had none.

    A record that is gone, because its object was erased, has the status "gone" and no title.

    Args:
        before: `ledger_current` as published by the last run.
        after: `ledger_current` of this run.
    """
    was = before.select("id", was="status")
    changed = after.join(was, on="id", how="left").with_columns(pl.col("was").fill_null(_NEW)).filter(pl.col("was") != pl.col("status"))
    gone = was.join(after.select("id"), on="id", how="anti").with_columns(status=pl.lit(_GONE))
    rows = pl.concat([changed.select(FLIPS.names()), gone], how="diagonal_relaxed")
    return rows.select(pl.col(name).cast(kind) for name, kind in FLIPS.items()).sort("status_rule", "id", nulls_last=True)


def count_flips(flips: pl.DataFrame) -> pl.DataFrame:
    """Sum up flips by what they were, what they are and the rule that did it, the most frequent first."""
    return flips.group_by("was", "status", "status_rule").len("records").sort("records", "was", "status", descending=[True, False, False])
