"""Put what the cascade found beside the status of each record.

In: `ledger_current`, `drift_cascade`. Out: `ledger_current` with its flags.
A cause that no longer holds, because its record was retired, raises nothing.
"""

from __future__ import annotations

import polars as pl

from comind.status.vocabulary import Flag, Status

__all__ = ["with_cascade"]

_RETIRED = [str(status) for status in (Status.QUARANTINED, Status.RETRACTED, Status.SUPERSEDED)]
_FLAGS = {"evidence_changed": Flag.EVIDENCE_CHANGED, "context_changed": Flag.CONTEXT_CHANGED, "callee_changed": Flag.CALLEE_CHANGED}


def with_cascade(current: pl.DataFrame, cascade: pl.DataFrame) -> pl.DataFrame:
    """Return the records with a flag for each rule of the cascade that concerns them, after the flags that they have.

    Args:
        current: `ledger_current`.
        cascade: `drift_cascade`.
    """
    retired = current.filter(pl.col("status").is_in(_RETIRED)).select(source_record="id")
    holds = cascade.join(retired, on="source_record", how="anti")
    order = pl.Enum([str(flag) for flag in _FLAGS.values()])
    words = {rule: str(flag) for rule, flag in _FLAGS.items()}
    flagged = holds.select(id="record_id", flag=pl.col("rule").replace_strict(words, return_dtype=order)).unique().sort("id", "flag")
    more = flagged.group_by("id", maintain_order=True).agg(more=pl.col("flag").cast(pl.String))
    joined = current.join(more, on="id", how="left")
    both = pl.concat_list("flags", pl.col("more").fill_null(pl.lit([], pl.List(pl.String))))
    return joined.with_columns(flags=both).drop("more").sort("id")
