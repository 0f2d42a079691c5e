"""Asset checks: what must hold of the tables whatever came in.

In: tables. Out: passed or not, with the rows that break the rule.
"""

from __future__ import annotations

import dagster as dg
import polars as pl

from comind.schemas import TABLES
from comind_resources.ledger import LedgerResource

__all__ = ["every_anchor_has_a_location", "no_duplicate_keys"]

_SHOWN = 20


def _no_duplicate_key(table: str) -> dg.AssetChecksDefinition:
    """Make the check of one table; one operation for several tables would wait for all and hold up what is between them."""

    @dg.asset_check(name="no_duplicate_key", asset=table, blocking=True, description="No two rows share the table's key.")
    def check(ledger: LedgerResource) -> dg.AssetCheckResult:
        # Concurrent merges lose nothing when they go wrong: they double rows.
        keys = list(TABLES[table].key)
        doubled = ledger.lake().read(table, columns=keys).group_by(keys).len().filter(pl.col("len") > 1)
        return dg.AssetCheckResult(
            passed=doubled.is_empty(),
            description=f"{table}: {doubled.height} keys stand more than once",
            metadata={"duplicate_count": doubled.height, "first": str(doubled.head(_SHOWN).rows())},
        )

    return check


no_duplicate_keys = [_no_duplicate_key(table) for table in ("symbols", "ledger_records", "ledger_current")]


@dg.asset_check(asset="anchor_locations", blocking=True)
def every_anchor_has_a_location(ledger: LedgerResource) -> dg.AssetCheckResult:
    """Every anchor of the ledger has exactly one row that says where it is now, or that this is not known."""
    lake = ledger.lake()
    anchors = lake.read("ledger_anchors", columns=["anchor_id"])
    located = lake.read("anchor_locations", columns=["anchor_id"])
    lost = anchors.join(located, on="anchor_id", how="anti")
    return dg.AssetCheckResult(
        passed=lost.is_empty() and located.height == anchors.height,
        description=f"{lost.height} of {anchors.height} anchors have no location",
        metadata={"missing_count": lost.height, "first": str(lost["anchor_id"].head(_SHOWN).to_list())},
    )
