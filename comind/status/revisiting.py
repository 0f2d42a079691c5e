"""Put what dependencies say beside the status of each record.

In: `ledger_current`, `dependency_findings`. Out: `ledger_current` with its flags.
"""

from __future__ import annotations

import polars as pl

from comind.status.vocabulary import Flag

__all__ = ["with_dependencies"]

_FLAGS = {"retry_condition_met": Flag.RETRY_CONDITION_MET, "re_check": Flag.RE_CHECK}


def with_dependencies(current: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """Return the records with a flag for each rule of `dependency_findings` that concerns them, after the flags that they have."""
    order = pl.Enum([str(flag) for flag in _FLAGS.values()])
    words = {rule: str(flag) for rule, flag in _FLAGS.items()}
    held = findings.filter(pl.col("rule").is_in(list(_FLAGS)))
    flagged = held.select(id="record_id", flag=pl.col("rule").replace_strict(words, return_dtype=order)).unique().sort("id", "flag")
    more = flagged.group_by("id", maintain_order=True).agg(more=pl.col("flag").cast(pl.String))
    joined = current.join(more, on="id", how="left")
    both = pl.concat_list("flags", pl.col("more").fill_null(pl.lit([], pl.List(pl.String))))
    return joined.with_columns(flags=both).drop("more").sort("id")
