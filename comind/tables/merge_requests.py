"""Keep merge requests: of several readings of one request the newest stands, whoever wrote it and from wherever.

In: rows of `merge_requests`. Out: how many stand now that did not; how far a project has been read; the records to make of it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.harvest.merge_requests import harvest_requests
from comind.harvest.request_records import attempt_id
from comind.harvest.request_rows import request_of
from comind.harvest.sources import Reading
from comind.index.past import SymbolsAt
from comind.tables.parse_cache import LakeParseCache
from comind.tables.rows import as_frame, in_list, quoted

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    import pyarrow as pa

    from comind.harvest.sources import Harvest
    from comind.sources.forges.model import MergeRequest
    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake

__all__ = ["OVERLAP", "attempted_requests", "harvest_kept", "keep_requests", "read_since", "telling_requests"]

_TABLE: Final = "merge_requests"
_TELLING: Final = r"(?m)^/comind\b|\b[Dd]eci(?:sion|ded)\b"
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


def attempted_requests(lake: Lake) -> frozenset[str]:
    """Return the ids of the attempts that closed requests became."""
    return frozenset(lake.read("ledger_records", columns=["id"], where="source = 'mr' AND kind = 'attempt'")["id"])


def harvest_kept(lake: Lake, repository: GitRepository, *, position: str, progress: Callable[[int, int], None]) -> Harvest:
    """Make records of what is kept of a repository's requests, and write none of them; `position` is what the harvest says of itself."""
    attempted = attempted_requests(lake)
    requests = telling_requests(lake, repository.repo_id, attempted)
    with SymbolsAt(repository, LakeParseCache(lake)) as symbols_at:
        reading = Reading(repository=repository, since=None, branches=(), symbols_at=symbols_at, progress=progress)
        return harvest_requests(reading, requests, attempted, position=position)


def telling_requests(lake: Lake, repo_id: str, attempted: frozenset[str]) -> list[MergeRequest]:
    """Return the requests of a repository of which a rule may make something; the others are not turned into objects at all.

    Args:
        lake: the tables.
        repo_id: the repository.
        attempted: ids of attempts; a merged request that is one of them says that it came back.
    """
    rows = lake.read(_TABLE, where=f"repo_id = {quoted(repo_id)} AND state != 'open'")
    note = pl.element().struct.field("text").str.contains(_TELLING) | pl.element().struct.field("withheld").is_not_null()
    said = pl.col("threads").list.eval(pl.element().struct.field("notes").list.eval(note).list.any()).list.any().fill_null(value=False)
    names = rows.select("request_id", "host", "project", "number").iter_rows()
    came_back = [name for name, host, project, number in names if attempt_id(host, project, number) in attempted] if attempted else []
    telling = rows.filter((pl.col("state") == "closed") | said | pl.col("request_id").is_in(came_back))
    return [request_of(row) for row in telling.sort("request_id").iter_rows(named=True)]
