"""Schedules: what must happen although nothing new came in."""

from __future__ import annotations

import dagster as dg

from comind_sensors.jobs import reconcile_job

__all__ = ["hourly_reconcile"]

# Deletions by hand and the passing of time (decay) cause no event that a sensor could see.
hourly_reconcile = dg.ScheduleDefinition(
    name="hourly_reconcile", job=reconcile_job, cron_schedule="17 * * * *", default_status=dg.DefaultScheduleStatus.RUNNING
)
