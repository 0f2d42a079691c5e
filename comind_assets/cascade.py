"""STALENESS: what a change means for records beyond those whose code changed.

In: locations, drift, edges. Out: `drift_cascade`.
"""

from __future__ import annotations

import dagster as dg

from comind.drift.cascade import CASCADE_HOPS, cascade_drift
from comind_assets.derivation import inputs_digest
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource

__all__ = ["drift_cascade"]

_RULES = f"1/{CASCADE_HOPS}"
_INPUTS = ("ledger_records", "ledger_anchors", "anchor_locations", "anchor_drift", "edges", "symbols")


@dg.multi_asset(
    name="cascade_drift",
    specs=[table_spec("drift_cascade", group="staleness", kinds={"polars"}, deps=list(_INPUTS), code_version=_RULES)],
)
def drift_cascade(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Find the records whose evidence, surroundings or callees changed; each flag says by which references it came."""
    lake = ledger.lake()
    inputs = inputs_digest(_RULES, *(lake.digest(name) for name in _INPUTS))
    standing = lake.read("drift_cascade")
    if lake.inputs_of("drift_cascade") == inputs:
        return materialized("drift_cascade", standing, changed=False)
    found = cascade_drift(
        lake.read("ledger_records", columns=["id", "kind"]),
        lake.read("ledger_anchors"),
        lake.read("anchor_locations"),
        lake.read("anchor_drift"),
        edges=lake.read("edges", columns=["src", "dst", "kind", "resolved_by"], where="kind IN ('calls', 'extends')"),
        symbols=lake.read("symbols", columns=["sid", "qualified_name"]),
    )
    published = lake.publish("drift_cascade", found, inputs=inputs)
    rules = {f"{rule}_count": count for rule, count in found["rule"].value_counts().sort("rule").iter_rows()}
    return materialized("drift_cascade", found, changed=published.changed, flags=as_markdown(found.select("record_id", "detail")), **rules)
