"""The heads sensor: a repository whose indexed ref moved is indexed now.

In: the heads of the watched repositories, the heads that the tables describe. Out: at most one run request for all of them.
"""

from __future__ import annotations

import dagster as dg

from comind_resources.ledger import LedgerResource
from comind_sensors.flight import reason_to_wait
from comind_sensors.jobs import FOLD_TAG, RUN_JOB, run_job

__all__ = ["heads_sensor"]


@dg.sensor(job=run_job, minimum_interval_seconds=20, default_status=dg.DefaultSensorStatus.RUNNING)
def heads_sensor(context: dg.SensorEvaluationContext, ledger: LedgerResource) -> dg.SensorResult | dg.SkipReason:
    """Ask for a run when a watched repository has a head that no table describes yet."""
    lake = ledger.lake()
    opened = [found.repository for found in ledger.at_hand() if found.repository]
    moved = sorted(one.identity.repo_id for one in opened if lake.head_of("symbols", one.identity.repo_id) != one.head)
    if not moved:
        return dg.SkipReason(f"{len(opened)} repositories watched, none moved")
    if why := reason_to_wait(context.instance, RUN_JOB):
        return dg.SkipReason(f"{len(moved)} repositories moved; {why}")
    return dg.SensorResult(run_requests=[dg.RunRequest(job_name=RUN_JOB, tags={FOLD_TAG: "run", "comind/moved": str(len(moved))})])
