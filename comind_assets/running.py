"""Run the pipeline in this process, on the instance that the UI shows.

In: a store, repositories, somebody who watches. Out: the run's id and the asset checks that did not pass.
The only door through which the command line reaches Dagster.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

import dagster as dg

from comind_assets.definitions import defs
from comind_resources.home import dagster_home
from comind_resources.progress import watched_by
from comind_sensors.jobs import RUN_JOB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind_resources.progress import Watcher

__all__ = ["PipelineRun", "run_pipeline"]

_QUIET = {"console": {"config": {"log_level": "CRITICAL"}}}  # the terminal belongs to the command; the UI has the log


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """One finished run."""

    run_id: str
    failed_checks: tuple[str, ...]  # asset checks that did not pass: the asset and what was found


def run_pipeline(*, store: str, repositories: Sequence[str], record: bool, watcher: Watcher, max_flip_share: float = 0.0) -> PipelineRun:
    """Materialise every asset; the error of a failing stage is raised as it was.

    Args:
        store: the store's URI.
        repositories: paths of checkouts; none means those of the settings.
        record: whether the run is kept in the history that the UI shows.
        watcher: is told how far each stage is.
        max_flip_share: above 0, replaces the setting of that name for this run.
    """
    config = {"store": store, "repositories": list(repositories), "max_flip_share": max_flip_share}
    run_id = str(uuid4())
    with _instance(record=record) as instance, watched_by(watcher):
        try:
            defs.resolve_job_def(RUN_JOB).execute_in_process(
                instance=instance, run_id=run_id, run_config={"loggers": _QUIET, "resources": {"ledger": {"config": config}}}
            )
        except dg.DagsterError:  # a blocking check did not pass: a finding, which the run's own events tell
            if not _failed_checks(instance, run_id):
                raise
        return PipelineRun(run_id=run_id, failed_checks=_failed_checks(instance, run_id))


def _failed_checks(instance: dg.DagsterInstance, run_id: str) -> tuple[str, ...]:
    entries = instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
    evaluations = [entry.dagster_event.asset_check_evaluation_data for entry in entries if entry.dagster_event]
    return tuple(f"{one.asset_key.to_user_string()}: {one.description or one.check_name}" for one in evaluations if not one.passed)


def _instance(*, record: bool) -> dg.DagsterInstance:
    if not record:
        return dg.DagsterInstance.ephemeral()
    os.environ["DAGSTER_HOME"] = str(dagster_home(os.environ))
    return dg.DagsterInstance.get()
