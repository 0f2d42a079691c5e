"""Which relations speak against a record now and wait for a person: disputes, and what a machine may not carry out.

In: a view, ids of records, the policy. Out: relations by record, newest first. The fold of the log decides; a relation that was taken back,
or that does nothing for another reason, is no challenge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.query.pending import connected_entries
from comind.query.where import among
from comind.status.derive import fold_log
from comind.status.vocabulary import Effect

if TYPE_CHECKING:
    from collections.abc import Collection

    from comind.query.view import TableReader
    from comind.status.policy import Policy

__all__ = ["standing_challenges"]


def standing_challenges(tables: TableReader, record_ids: Collection[str], policy: Policy) -> dict[str, tuple[str, ...]]:
    """Return the ids of the relations that challenge each of some records, latest first; a record without any is left out."""
    if not record_ids:
        return {}
    records = connected_entries(tables, tables.read("ledger_records", where=among("id", record_ids)))
    ids = among("record_id", records["id"])
    read = [tables.read(name, where=ids) for name in ("ledger_anchors", "anchor_locations", "evidence_checks")]
    effects = fold_log(records, *read, policy=policy).effects
    held = effects.filter((pl.col("effect") == Effect.CHALLENGED) & pl.col("record_id").is_in(list(record_ids)))
    grouped = held.sort("lamport", "by", descending=True).group_by("record_id", maintain_order=True).agg("by")
    return {record_id: tuple(relations) for record_id, relations in grouped.iter_rows()}
