"""STALENESS: what the versions in use say of records about dependencies.

In: the log, anchors, `dependencies`. Out: `dependency_findings`.
"""

from __future__ import annotations

import dagster as dg

from comind.drift.dependencies import DEPENDENCY_RULES, find_dependencies
from comind_assets.derivation import inputs_digest
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource

__all__ = ["dependency_findings"]

_INPUTS = ("ledger_records", "ledger_anchors", "dependencies")


@dg.multi_asset(
    name="compare_dependencies",
    specs=[table_spec("dependency_findings", group="staleness", kinds={"polars"}, deps=list(_INPUTS), code_version=DEPENDENCY_RULES)],
)
def dependency_findings(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Compare the versions that lockfiles resolve with the ranges that records name."""
    lake = ledger.lake()
    records = lake.read("ledger_records", columns=["id", "kind", "repo_id"])
    found = find_dependencies(records, lake.read("ledger_anchors"), lake.read("dependencies"))
    inputs = inputs_digest(DEPENDENCY_RULES, *(lake.digest(name) for name in _INPUTS))
    published = lake.publish("dependency_findings", found, inputs=inputs)
    rules = {f"{rule}_count": count for rule, count in found["rule"].value_counts().sort("rule").iter_rows()}
    flags = found.filter(found["rule"] != "none").select("record_id", "detail")
    return materialized("dependency_findings", found, changed=published.changed, flags=as_markdown(flags), **rules)
