"""Whether now is a time to ask for a run: nothing of ours is under way, and the last one did not just fail.

In: the runs that the instance remembers. Out: the reason to wait, or None.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import dagster as dg

from comind_sensors.jobs import FOLD_JOB, RECONCILE_JOB, RUN_JOB

__all__ = ["reason_to_wait"]

_LIVE = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]
_BACK_OFF = timedelta(minutes=5)  # a broken store must not start a run at every tick


def reason_to_wait(instance: dg.DagsterInstance, job: str) -> str | None:
    """Say why a run of `job` should not be asked for now; None when it should."""
    for name in (RUN_JOB, FOLD_JOB, RECONCILE_JOB):
        if instance.get_runs_count(dg.RunsFilter(job_name=name, statuses=_LIVE)):
            return f"{name} is under way"
    failed = instance.get_run_records(dg.RunsFilter(job_name=job, updated_after=datetime.now(tz=UTC) - _BACK_OFF), limit=1)
    if failed and failed[0].dagster_run.status == dg.DagsterRunStatus.FAILURE:
        return f"{job} failed in the last {_BACK_OFF.seconds // 60} minutes (run {failed[0].dagster_run.run_id[:8]})"
    return None
