"""SERVING: what was proven, and what the ledger believes now.

In: the log, locations, drift, repositories at hand. Out: `evidence_checks`, `ledger_current`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.harvest.evidence import check_evidence
from comind.records.codec import decode
from comind.status.cascading import with_cascade
from comind.status.derive import derive_current
from comind.status.flips import count_flips, find_flips
from comind.status.revisiting import with_dependencies
from comind.tables.rows import quoted
from comind_assets.derivation import inputs_digest
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake

__all__ = ["evidence_checks", "ledger_current"]

_RULES = "3"
_DECIDING = ("ledger_records", "ledger_anchors", "anchor_locations", "anchor_drift", "evidence_checks")
_INPUTS = (*_DECIDING, "drift_cascade", "dependency_findings")


@dg.multi_asset(
    name="check_evidence",
    specs=[table_spec("evidence_checks", group="serving", kinds={"git"}, deps=["ledger_records", "repositories"], code_version=_RULES)],
)
def evidence_checks(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Prove what git can prove: that commits are on the indexed ref, that a revert undoes what it says."""
    lake = ledger.lake()
    written = sum(_check(lake, repository) for repository in ledger.opened())
    checks = lake.read("evidence_checks")
    results = {f"{value}_count": count for value, count in checks["result"].value_counts(sort=True).iter_rows()}
    return materialized("evidence_checks", checks, changed=bool(written), **results)


@dg.multi_asset(
    name="derive_current",
    specs=[table_spec("ledger_current", group="serving", kinds={"polars"}, deps=list(_INPUTS), code_version=_RULES)],
)
def ledger_current(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Derive status, trust and place of every record; the clock is read here and nowhere below."""
    lake = ledger.lake()
    current = derive_current(*(lake.read(name) for name in _DECIDING), policy=ledger.policy(), as_of=datetime.now(tz=UTC))
    current = with_dependencies(with_cascade(current, lake.read("drift_cascade")), lake.read("dependency_findings"))
    flips = find_flips(lake.read("ledger_current"), current)
    published = lake.publish("ledger_current", current, inputs=inputs_digest(_RULES, *(lake.digest(name) for name in _INPUTS)))
    statuses = {f"{value}_count": count for value, count in current["status"].value_counts(sort=True).iter_rows()}
    return materialized(
        "ledger_current",
        current,
        changed=published.changed,
        flip_count=flips.height,
        flips_by_rule=as_markdown(count_flips(flips)),
        flips=as_markdown(flips),
        **statuses,
    )


def _check(lake: Lake, repository: GitRepository) -> int:
    """Check the records of one repository that have no final answer yet; returns how many rows were written.

    Trust comes of it to attempts, whoever wrote them, and to everything that was harvested.
    """
    checked = f"repo_id = {quoted(repository.repo_id)} AND title IS NOT NULL AND (kind = 'attempt' OR author_kind = 'harvested')"
    reasons = lake.read("ledger_records", columns=["id", "record"], where=checked)
    final = lake.read("evidence_checks", columns=["record_id", "result"]).filter(pl.col("result") != "unverifiable")
    open_ = reasons.join(final.select(id="record_id").unique(), on="id", how="anti")
    records = [decode(text.encode()) for text in open_["record"]]
    progress_of("evidence")(0, len(records))
    return lake.upsert("evidence_checks", check_evidence(records, repository))
