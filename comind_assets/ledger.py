"""LEDGER: inbox objects become rows, and each anchor gets the fingerprints of the code it was written about.

In: the inbox, repositories at hand. Out: `ledger_records`, `unreadable_objects`, `ledger_anchors`.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg
import polars as pl

from comind.anchors.anchored_code import definitions_at
from comind.anchors.explode import anchored_files, explode_anchors
from comind.fingerprints import FINGERPRINT_VERSION
from comind.tables.compact import fast_fold, reconcile
from comind.tables.lake import Lake
from comind.tables.parse_cache import LakeParseCache
from comind_assets.derivation import inputs_digest
from comind_assets.harvesting import CURSOR_TABLES
from comind_assets.reporting import OWNER, materialized, table_spec
from comind_resources.ledger import LedgerResource

__all__ = ["FoldConfig", "inbox", "ledger_anchors", "ledger_log"]

inbox = dg.AssetSpec(
    "inbox",
    group_name="ledger",
    kinds={"json"},
    owners=[OWNER],
    description="Immutable objects, one per record, written create-only by people, agents and harvests; the truth of the ledger.",
    metadata={"dagster/uri": "_ledger/inbox/"},
)


class FoldConfig(dg.Config):
    """How far a fold looks."""

    every_object: bool = False  # compare every object with the tables, both ways, and not only what is new


@dg.multi_asset(
    name="fold_inbox",
    specs=[
        table_spec("ledger_records", group="ledger", kinds={"arrow"}, deps=["inbox", *CURSOR_TABLES]),
        table_spec("unreadable_objects", group="ledger", kinds={"arrow"}, deps=["inbox"]),
    ],
)
def ledger_log(config: FoldConfig, ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Insert what is new in the inbox; list what cannot be trusted."""
    lake, box = ledger.lake(), ledger.inbox()
    if config.every_object or not lake.count("ledger_records"):
        report = reconcile(lake, box)
    else:
        report = fast_fold(lake, box, now=datetime.now(tz=UTC), hand_over=_handed_over(lake))
    counts = {f"{name}_count": getattr(report, name) for name in ("listed", "folded", "already", "erased", "gone", "unreadable")}
    yield materialized("ledger_records", lake.read("ledger_records"), changed=bool(report.folded or report.erased or report.gone), **counts)
    yield materialized("unreadable_objects", lake.read("unreadable_objects"), changed=bool(report.unreadable))


@dg.multi_asset(
    name="explode_anchors",
    specs=[
        table_spec(
            "ledger_anchors",
            group="ledger",
            kinds={"polars", "git"},
            deps=["ledger_records", "parse_cache"],
            code_version=FINGERPRINT_VERSION,
        )
    ],
)
def ledger_anchors(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Give every anchor the fingerprints of its symbol at its commit; what is complete is not read again."""
    lake = ledger.lake()
    records = lake.read("ledger_records", columns=["id", "kind", "record"])
    kept = _complete(lake.read("ledger_anchors"), records)
    fresh = records.join(kept.select(id="record_id").unique(), on="id", how="anti")
    code = definitions_at(anchored_files(fresh), ledger.opened(), LakeParseCache(lake))
    anchors = pl.concat([kept, explode_anchors(fresh, code)]).sort("anchor_id")
    unread = anchors.filter(pl.col("problem").is_not_null())["anchor_id"].to_list()
    published = lake.publish("ledger_anchors", anchors, inputs=inputs_digest(FINGERPRINT_VERSION, lake.digest("ledger_records"), *unread))
    return materialized("ledger_anchors", anchors, changed=published.changed, read_again_count=fresh.height)


def _handed_over(lake: Lake) -> list[str]:
    """Return the inbox objects of each harvest's newest batch."""
    batches = pl.concat([lake.read(table, columns=["handed_over"]) for table in CURSOR_TABLES])
    return batches["handed_over"].explode().drop_nulls().to_list()


def _complete(anchors: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Keep the rows of records that stand, as long as all anchors of the record were read under today's rules."""
    outdated = pl.col("problem").is_not_null() | (
        pl.col("fingerprint_version").is_not_null() & (pl.col("fingerprint_version") != FINGERPRINT_VERSION)
    )
    to_read = anchors.filter(outdated).select("record_id").unique()
    standing = anchors.join(records.select(record_id="id"), on="record_id", how="semi")
    return standing.join(to_read, on="record_id", how="anti")
