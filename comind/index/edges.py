"""From the places where names are mentioned to rows of `edges`.

In: places, one row each, with what they refer to and how that is known. Out: rows of `edges`, one per source, destination and kind.
Resolves nothing: `comind.index.scip` and the resolvers of our own do, and what a SCIP index says of a place stands above what they say.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import polars as pl

from comind.index.publish import to_table

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PLACES", "RESOLVER_VERSION", "EdgeKind", "ResolvedBy", "fold_places", "with_scip"]

RESOLVER_VERSION = "7"  # of what is taken for what; edges of another one are resolved anew


class EdgeKind(StrEnum):
    """What a mention does with what it names."""

    CALLS = "calls"
    IMPORTS = "imports"
    EXTENDS = "extends"
    REFERENCES = "references"
    REPOSITORY = "repository"  # the repository's own row


class ResolvedBy(StrEnum):
    """How it is known what a name means, the surest first."""

    SCIP = "scip"  # an index that a compiler or type checker made
    IMPORT = "import"  # imports, the module's own definitions, inheritance
    TYPED = "typed"  # the type that the code gives to a name
    UNIQUE_NAME = "unique_name"  # only one definition has that name: a guess


PLACES = pl.Schema({
    "repo_id": pl.String(),
    "path": pl.String(),
    "line": pl.Int64(),  # 1-based, of the name
    "name": pl.String(),  # the last name as it is written there: `c` of `a.b.c()`
    "kind": pl.String(),  # an `EdgeKind`
    "src": pl.Int64(),  # sid of the innermost definition around it, at top level of the module
    "dst": pl.Int64(),  # sid of what is meant; null: not one of the definitions that are indexed
    "resolved_by": pl.String(),  # a `ResolvedBy`; null: nothing is known of it
})  # fmt: skip
"""One row per mention of a name."""

_MENTION = ["repo_id", "path", "line", "name"]
_EDGE = ["repo_id", "path", "src", "dst", "kind"]


def with_scip(places: pl.DataFrame, scip: pl.DataFrame) -> pl.DataFrame:
    """Return the places with those of a SCIP index put above our own.

    Args:
        places: `PLACES`, from our own resolvers.
        scip: `PLACES`; a row without ``dst`` says that the name means something outside of what is indexed, so no guess may stand there.
    """
    return pl.concat([places.join(scip, on=_MENTION, how="anti"), scip])


def fold_places(places: pl.DataFrame, heads: pl.DataFrame) -> pa.Table:
    """Return rows of `edges`, those of the repositories themselves included.

    Args:
        places: `PLACES`; those without ``dst``, and those where a definition mentions itself, make no edge.
        heads: ``repo_id, head_commit`` and, where it is known, ``selected_by``, one row per repository.

    >>> sites = pl.DataFrame([("r", "a.py", line, "run", "calls", 1, 2, "typed") for line in (7, 3)], schema=PLACES, orient="row")
    >>> fold_places(sites, pl.DataFrame({"repo_id": ["r"], "head_commit": ["c0"]})).select(["path", "dst", "line", "n_places"]).to_pylist()
    [{'path': '', 'dst': 0, 'line': None, 'n_places': 0}, {'path': 'a.py', 'dst': 2, 'line': 3, 'n_places': 2}]
    """
    surest = pl.col("resolved_by").cast(pl.Enum(ResolvedBy)).min().cast(pl.String)
    known = places.filter(pl.col("dst").is_not_null() & (pl.col("dst") != pl.col("src")))
    edges = known.group_by(_EDGE).agg(surest, line=pl.col("line").min(), n_places=pl.len().cast(pl.Int64))
    own = heads.with_columns(
        path=pl.lit(""),
        src=pl.lit(0, pl.Int64),
        dst=pl.lit(0, pl.Int64),
        n_places=pl.lit(0, pl.Int64),
        kind=pl.lit(str(EdgeKind.REPOSITORY)),
        resolver_version=pl.lit(RESOLVER_VERSION),
    )
    return to_table("edges", pl.concat([own, edges], how="diagonal").sort(_EDGE))
