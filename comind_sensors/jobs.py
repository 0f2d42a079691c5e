"""The jobs: the whole pipeline, the fold alone, the slow reconcile, the reading of forges.

In: asset keys. Out: job definitions. One run covers every repository; a process per step would cost more than the step.
"""

from __future__ import annotations

import dagster as dg

__all__ = [
    "FOLD_JOB",
    "FOLD_TAG",
    "FORGES_JOB",
    "FORGES_TAG",
    "RECONCILE_JOB",
    "RUN_JOB",
    "fold_job",
    "forges_job",
    "reconcile_job",
    "run_job",
]

RUN_JOB, FOLD_JOB, RECONCILE_JOB, FORGES_JOB = "comind_run", "fold", "reconcile", "forges"
FOLD_TAG = "comind/fold"  # dagster.yaml lets one run of this tag run at a time
FORGES_TAG = "comind/forges"  # likewise

_FOLDED = dg.AssetSelection.assets(
    "ledger_records", "unreadable_objects", "ledger_anchors", "anchor_locations", "anchor_drift", "evidence_checks", "ledger_current"
)

run_job = dg.define_asset_job(
    RUN_JOB,
    selection=dg.AssetSelection.all(),
    description="Index what moved, harvest what is new, fold it, and derive what the ledger believes now.",
    tags={FOLD_TAG: "run"},
)
fold_job = dg.define_asset_job(
    FOLD_JOB,
    selection=_FOLDED,
    description="Fold new inbox objects into the tables and derive what the ledger believes now.",
    tags={FOLD_TAG: "fast"},
)
reconcile_job = dg.define_asset_job(
    RECONCILE_JOB,
    selection=_FOLDED,
    description="Compare every inbox object with the tables, both ways; only this removes rows whose object is gone.",
    config={"ops": {"fold_inbox": {"config": {"every_object": True}}}},
    tags={FOLD_TAG: "reconcile"},
)
# Not the fold: a forge may ask for breaks, and nothing else should wait for them. What comes of it is folded as what people write is.
forges_job = dg.define_asset_job(
    FORGES_JOB,
    selection=dg.AssetSelection.assets("merge_requests", "merge_request_harvest", "harvest_refusals"),
    description="Read what was updated on forges, and write what it says to the inbox.",
    tags={FORGES_TAG: "read"},
)
