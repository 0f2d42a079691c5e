"""The code location: assets, checks, jobs, sensors, schedules and the one resource."""

from __future__ import annotations

import dagster as dg

from comind_assets import (
    cascade,
    checks,
    code,
    dependency_findings,
    distilling,
    harvest,
    ledger,
    merge_requests,
    references,
    serving,
    staleness,
)
from comind_resources.ledger import LedgerResource
from comind_sensors.heads import heads_sensor
from comind_sensors.inbox import inbox_sensor
from comind_sensors.jobs import fold_job, forges_job, reconcile_job, run_job
from comind_sensors.maintenance import maintain_job
from comind_sensors.schedules import daily_maintenance, hourly_forges, hourly_reconcile

__all__ = ["defs"]

defs = dg.Definitions(
    assets=[
        ledger.inbox,
        *dg.load_assets_from_modules(
            [code, references, harvest, merge_requests, ledger, staleness, cascade, dependency_findings, serving, distilling]
        ),
    ],
    asset_checks=[*checks.no_duplicate_keys, checks.every_anchor_has_a_location],
    jobs=[run_job, fold_job, reconcile_job, maintain_job, forges_job],
    sensors=[inbox_sensor, heads_sensor],
    schedules=[daily_maintenance, hourly_forges, hourly_reconcile],
    resources={"ledger": LedgerResource()},
    executor=dg.in_process_executor,  # a process per step costs 3.7 CPU seconds each; parallelism lives inside the steps
    loggers={"console": dg.colored_console_logger},
)
