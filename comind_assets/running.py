"""Run the pipeline in this process, on the instance that the UI shows.

In: a store, repositories, somebody who watches. Out: the run's id and what each asset reported.
The only door through which the command line reaches Dagster.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import dagster as dg

from comind_assets.definitions import defs
from comind_resources.home import dagster_home
from comind_resources.progress import watched_by
from comind_sensors.jobs import RUN_JOB

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from comind_resources.progress import Watcher

__all__ = ["PipelineRun", "run_pipeline"]

_QUIET = {"console": {"config": {"log_level": "CRITICAL"}}}  # the terminal belongs to the command; the UI has the log


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineRun:
    """One finished run."""

    run_id: str
    failed_checks: tuple[str, ...]  # descriptions of asset checks that did not pass
    reported: Mapping[str, Mapping[str, Any]]  # asset name -> metadata values


def run_pipeline(*, store: str, repositories: Sequence[str], record: bool, watcher: Watcher) -> PipelineRun:
    """Materialise every asset; the error of a failing stage is raised as it was."""
    with _instance(record=record) as instance, watched_by(watcher):
        result = defs.resolve_job_def(RUN_JOB).execute_in_process(
            instance=instance,
            run_config={
                "loggers": _QUIET,
                "resources": {"ledger": {"config": {"store": store, "repositories": list(repositories)}}},
            },
        )
    return PipelineRun(
        run_id=result.run_id,
        failed_checks=tuple(one.description or one.check_name for one in result.get_asset_check_evaluations() if not one.passed),
        reported={
            event.asset_key.to_user_string(): {name: value.value for name, value in event.materialization.metadata.items()}
            for event in result.get_asset_materialization_events()
            if event.asset_key
        },
    )


def _instance(*, record: bool) -> dg.DagsterInstance:
    if not record:
        return dg.DagsterInstance.ephemeral()
    os.environ["DAGSTER_HOME"] = str(dagster_home(os.environ))
    return dg.DagsterInstance.get()
