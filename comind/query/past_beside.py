"""What stands beside statuses as of a commit: the cascade of changes, and what dependencies were there.

In: the log as of a commit, its anchors, their drift, the code. Out: rows of `drift_cascade` and `dependency_findings`.
References are resolved only where a constraint's code changed: nothing else asks for them. SCIP indexes are not read for the past.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.drift.cascade import cascade_drift
from comind.drift.dependencies import find_dependencies
from comind.index.blobs import parse_missing
from comind.index.dependencies import index_dependencies
from comind.index.edges import fold_places
from comind.index.resolve.organisation import Organisation
from comind.index.worker import ParserTask
from comind.query.view import empty_frame
from comind.records.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from comind.anchors.with_git import Code
    from comind.index.parsing import BlobRequest

__all__ = ["cascade_then", "findings_then"]


def cascade_then(log: pl.DataFrame, anchors: pl.DataFrame, locations: pl.DataFrame, drift: pl.DataFrame, code: Code) -> pl.DataFrame:
    """Return what has to be looked at again because of what had changed elsewhere in the repository by then."""
    constraints = log.filter(pl.col("kind") == Kind.CONSTRAINT).select(record_id="id")
    changed = drift.filter(pl.col("drift").is_in(["body", "signature"])).join(constraints, on="record_id", how="semi")
    edges = empty_frame("edges") if changed.is_empty() else _edges(code)
    return cascade_drift(log.select("id", "kind"), anchors, locations, drift, edges=edges, symbols=code.symbols)


def findings_then(log: pl.DataFrame, anchors: pl.DataFrame, code: Code) -> pl.DataFrame:
    """Return what the lockfiles of the repository said by then of the records about dependencies."""
    if anchors["package"].drop_nulls().is_empty():
        return empty_frame("dependency_findings")
    frames = [pl.from_arrow(index_dependencies(one, code.heads[repo_id]).rows) for repo_id, one in code.at_hand.items()]
    return find_dependencies(log, anchors, pl.concat([frame for frame in frames if isinstance(frame, pl.DataFrame)]))


def _edges(code: Code) -> pl.DataFrame:
    def parses_of(repo_id: str, requests: Sequence[BlobRequest]) -> pa.Table:
        return parse_missing(ParserTask(code.at_hand[repo_id].git_dir), requests, code.cache, workers=0)[0]

    organisation = Organisation(code.files, parses_of)
    heads = pl.DataFrame(list(code.heads.items()), schema={"repo_id": pl.String, "head_commit": pl.String}, orient="row")
    found = pl.from_arrow(fold_places(pl.concat([organisation.places(repo_id) for repo_id in code.heads]), heads))
    assert isinstance(found, pl.DataFrame)  # noqa: S101 - a table never becomes a Series; this tells mypy
    return found
