"""Schedules: what must happen although nothing new came in."""

from __future__ import annotations

import dagster as dg

from comind_sensors.jobs import forges_job, reconcile_job
from comind_sensors.maintenance import maintain_job

__all__ = ["daily_maintenance", "hourly_forges", "hourly_reconcile"]

# Deletions by hand and the passing of time (decay) cause no event that a sensor could see.
hourly_reconcile = dg.ScheduleDefinition(
    name="hourly_reconcile", job=reconcile_job, cron_schedule="17 * * * *", default_status=dg.DefaultScheduleStatus.RUNNING
)
# Every fold leaves a version and small files behind; readers of yesterday's versions are done by the time they go.
daily_maintenance = dg.ScheduleDefinition(
    name="daily_maintenance", job=maintain_job, cron_schedule="41 3 * * *", default_status=dg.DefaultScheduleStatus.RUNNING
)
# What people write on a forge moves no head of a repository.
hourly_forges = dg.ScheduleDefinition(
    name="hourly_forges", job=forges_job, cron_schedule="47 * * * *", default_status=dg.DefaultScheduleStatus.RUNNING
)
