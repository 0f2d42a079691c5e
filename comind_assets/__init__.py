"""Dagster assets, one module per stage; a body reads, calls the library, writes and reports."""
