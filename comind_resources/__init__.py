"""Dagster resources: configuration to a library object, nothing more."""
