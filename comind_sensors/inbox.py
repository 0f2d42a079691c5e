"""The inbox sensor: what was written since the last fold is folded now.

In: the inbox's listing and the table's keys. Out: at most one run request.
State lives in the store: a run that failed leaves its objects unfolded, so the next tick asks again.
"""

from __future__ import annotations

from datetime import UTC, datetime

import dagster as dg

from comind.tables.compact import unfolded
from comind_resources.ledger import LedgerResource
from comind_sensors.flight import reason_to_wait
from comind_sensors.jobs import FOLD_JOB, FOLD_TAG, fold_job

__all__ = ["inbox_sensor"]


@dg.sensor(job=fold_job, minimum_interval_seconds=10, default_status=dg.DefaultSensorStatus.RUNNING)
def inbox_sensor(context: dg.SensorEvaluationContext, ledger: LedgerResource) -> dg.SensorResult | dg.SkipReason:
    """Ask for a fold when the inbox holds objects that no table knows yet."""
    lake = ledger.lake()
    new = unfolded(lake, ledger.inbox(), now=datetime.now(tz=UTC))
    known = lake.read("unreadable_objects", columns=["object_key"])
    waiting = new.records.height + new.unreadable.join(known, on="object_key", how="anti").height
    if not waiting:
        return dg.SkipReason("every object of the inbox is folded")
    if why := reason_to_wait(context.instance, FOLD_JOB):
        return dg.SkipReason(f"{waiting} objects wait; {why}")
    # No run key: Dagster remembers one for ever, and an inbox may come back to a state it was in before.
    return dg.SensorResult(run_requests=[dg.RunRequest(job_name=FOLD_JOB, tags={FOLD_TAG: "fast", "comind/waiting": str(waiting)})])
