"""Which proposals a person has turned down, so that nobody proposes them again.

In: what the relations of a log do (`fold_log`), and its records. Out: the rejected records, whole.
A rejection is a person's retraction of a record that a machine wrote. One that was taken back rejects nothing: the fold knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.records.vocabulary import AuthorKind
from comind.status.vocabulary import Effect

if TYPE_CHECKING:
    from comind.status.relations import RelationFold

__all__ = ["rejected_records"]

_KEPT = ("id", "kind", "author_kind", "repo_id", "title", "trigger", "body", "record")


def rejected_records(fold: RelationFold, records: pl.DataFrame) -> pl.DataFrame:
    """Return the records of machines that a person retracted, by ``id``.

    Args:
        fold: what the relations of the log do.
        records: `ledger_records`.

    Returns:
        ``id``, ``kind``, ``author_kind``, ``repo_id``, ``title``, ``trigger``, ``body``, ``record`` (its canonical JSON: anchors, evidence
        and fields stand there); ``rejected_by`` (the latest retraction by a person), ``rejected_at`` (UTC) and ``reason``, in their words.
    """
    retractions = fold.effects.filter((pl.col("effect") == Effect.RETRACTED) & pl.col("by_person")).sort("lamport", "by")
    latest = retractions.group_by(id="record_id").agg(rejected_by=pl.col("by").last(), rejected_at=pl.col("recorded_at").last())
    why = records.select(rejected_by="id", reason=pl.col("record").str.json_path_match("$.fields.reason"))
    machines = records.filter(pl.col("author_kind") != AuthorKind.HUMAN).select(_KEPT)
    return machines.join(latest, on="id").join(why, on="rejected_by", how="left").sort("id")
