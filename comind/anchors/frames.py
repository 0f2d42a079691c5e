"""The shapes of the frames that anchors, drift and status hand to each other.

In: rows in any order, columns in any order. Out: frames with exactly the columns and types of their table.
Never fills in a value: a column that is missing is null, and a column the table does not have is left out.
"""

from __future__ import annotations

from functools import cache
from typing import cast

import polars as pl

from comind.schemas import TABLES

__all__ = ["FINGERPRINTS", "FOUND", "HASHES", "NAMES", "conform", "empty", "schema_of"]

HASHES = ("sig_hash", "body_hash", "shape_hash", "doc_hash")

NAMES = pl.Schema({"repo_id": pl.String(), "name": pl.String(), "present": pl.Boolean()})
"""What a text search showed: one row per (repository, name) that was searched for at the head, and whether any file has it."""


@cache
def schema_of(table: str) -> pl.Schema:
    """Return the Polars schema of a table of the lake.

    >>> schema_of("anchor_drift")["drift"]
    String
    """
    return cast("pl.DataFrame", pl.from_arrow(TABLES[table].schema.empty_table())).schema


def _fingerprints() -> pl.Schema:
    symbols, anchors = schema_of("symbols"), schema_of("ledger_anchors")
    columns = ("canonical_key", "sid", "ordinal", "name", "qualified_name", "start_line", "end_line", *HASHES)
    stamped = (*columns, "n_tokens", "fingerprint_version", "grammar_probe")
    place = {name: anchors[name] for name in ("repo_id", "commit", "path")}
    return pl.Schema(place | {name: symbols[name] for name in stamped} | {"problem": pl.String()})


FINGERPRINTS = _fingerprints()
"""Definitions at (repo_id, commit, path): the columns of `symbols` for the code as it was at that commit.

A file that was looked for and gave nothing is one row without `canonical_key`, whose `problem` says why.
"""

FOUND = schema_of("anchor_locations")
"""What a rung answers: a location, without the columns that every location has from its anchor and head."""


def empty(table: str) -> pl.DataFrame:
    """Return a table's frame without rows."""
    return pl.DataFrame(schema=schema_of(table))


def conform(frame: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """Return the frame with exactly the columns of a schema, in its order and types; what is missing is null.

    >>> conform(pl.DataFrame({"name": ["run"], "other": [1]}), NAMES).row(0)
    (None, 'run', None)
    """
    return frame.select((pl.col(name) if name in frame.columns else pl.lit(None)).cast(kind).alias(name) for name, kind in schema.items())
