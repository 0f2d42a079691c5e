"""Keep merge requests: of several readings of one request the newest stands, whoever wrote it and from wherever.

In: rows of `merge_requests`. Out: how many stand now that did not; how far a project has been read from its forge.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.tables.rows import as_frame, in_list, quoted

if TYPE_CHECKING:
    from datetime import datetime

    import pyarrow as pa

    from comind.tables.lake import Lake

__all__ = ["OVERLAP", "keep_requests", "read_since"]

_TABLE: Final = "merge_requests"
OVERLAP: Final = timedelta(days=1)
"""How far a harvest looks back: what a forge changes without saying so, such as a resolved thread, is found for so long."""


def keep_requests(lake: Lake, rows: pa.Table) -> int:
    """Make rows stand unless a newer reading of the same request does; return how many are new or say something else."""
    ours = as_frame(rows)
    standing = lake.read(_TABLE, columns=["request_id", "updated_at"], where=in_list("request_id", ours["request_id"]))
    newer = ours.join(standing, on="request_id", how="inner", suffix="_there").filter(pl.col("updated_at_there") > pl.col("updated_at"))
    kept = ours.with_row_index("position").join(newer, on="request_id", how="anti")["position"].sort()
    return lake.upsert(_TABLE, rows.take(kept.to_arrow())) if kept.len() else 0


def read_since(lake: Lake, host: str, project: str) -> datetime | None:
    """Return from when on a project is to be read again from its forge; None where it never was."""
    where = f"host = {quoted(host)} AND project = {quoted(project)} AND read_from = 'forge'"
    newest = lake.read(_TABLE, columns=["updated_at"], where=where)["updated_at"].max()
    return newest - OVERLAP if newest is not None else None  # type: ignore[operator, return-value]  # a time, in a column of times
