"""The jobs: the whole pipeline, the fold alone, the slow reconcile.

In: asset keys. Out: job definitions. One run covers every repository; a process per step would cost more than the step.
"""

from __future__ import annotations

import dagster as dg

__all__ = ["FOLD_JOB", "FOLD_TAG", "RECONCILE_JOB", "RUN_JOB", "fold_job", "reconcile_job", "run_job"]

RUN_JOB, FOLD_JOB, RECONCILE_JOB = "comind_run", "fold", "reconcile"
FOLD_TAG = "comind/fold"  # dagster.yaml lets one run of this tag run at a time

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
