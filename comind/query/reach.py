"""Steps along edges: from some definitions to those that refer to them, or to those that they refer to.

In: something that reads tables, definitions, a direction. Out: one row per definition that is reached, with the edge that led there.
Every hop looks at the edges of the definitions reached last; one that meets too many reads, and goes on from, some of them and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from comind.query.where import all_of, among

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.query.view import TableReader

__all__ = ["BEHAVIOUR", "CALLS", "SURE", "TO_CALLEES", "TO_CALLERS", "Direction", "Reach", "Steps", "walk_edges"]

CALLS = ("calls",)
BEHAVIOUR = ("calls", "extends", "references")  # what may behave differently when a definition does; an import alone does nothing
SURE = ("scip", "import", "typed")  # a unique name is a guess
_MOST_FOLLOWED = 250  # definitions that one hop goes on from; what a hub reaches beyond them says nothing any more
_MOST_READ = 1_500  # references that one of several hops reads
_COLUMNS = ("src", "dst", "kind", "resolved_by", "repo_id", "path", "line", "n_places")
_STEPS = pl.Schema({
    "sid": pl.Int64(), "parent": pl.Int64(), "hop": pl.Int64(), "kind": pl.String(), "resolved_by": pl.String(), "repo_id": pl.String(),
    "path": pl.String(), "line": pl.Int64(), "n_places": pl.Int64(),
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Which column of an edge is where a walk comes from, and which where it goes."""

    here: str
    there: str


TO_CALLERS = Direction(here="dst", there="src")
TO_CALLEES = Direction(here="src", there="dst")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a walk follows and where it ends."""

    direction: Direction
    kinds: Sequence[str]
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """What a walk reached."""

    rows: pl.DataFrame  # ``sid, parent, hop, kind, resolved_by`` and the place of the first reference: ``repo_id, path, line``, `n_places`
    not_followed: int  # definitions from which it did not go on
    not_read: int  # references to hubs, at most, beyond those that a walk of several hops reads


def walk_edges(tables: TableReader, starts: Iterable[int], reach: Reach) -> Steps:
    """Follow edges from some definitions; each definition is reached once, by its nearest and surest edge.

    One hop alone reads every reference. Of several, none reads more than `_MOST_READ`: what lies beyond a hub says nothing any more.

    Args:
        tables: where `edges` is.
        starts: sids; they are not reached themselves.
        reach: which edges, and how many hops.
    """
    frontier, seen, steps = sorted(set(starts)), set(starts), [_STEPS.to_frame()]
    not_followed = not_read = 0
    for hop in range(1, reach.hops + 1):
        edges, left = _edges(tables, frontier, reach)
        found = _nearest(edges, reach).filter(~pl.col("sid").is_in(list(seen))).with_columns(hop=pl.lit(hop, pl.Int64))
        not_read += left
        if found.is_empty():
            break
        steps.append(found.select(_STEPS.names()))
        reached = found["sid"].to_list()
        seen.update(reached)
        frontier = reached[:_MOST_FOLLOWED]
        not_followed += (len(reached) - len(frontier)) * (hop < reach.hops)
    return Steps(rows=pl.concat(steps), not_followed=not_followed, not_read=not_read)


def _edges(tables: TableReader, frontier: Sequence[int], reach: Reach) -> tuple[pl.DataFrame, int]:
    """Return the edges of some definitions, and how many were left unread."""
    at = among(reach.direction.here, frontier)
    count = tables.count("edges", at) if reach.hops > 1 else 0  # the index alone knows
    if count <= _MOST_READ:
        return tables.read("edges", columns=_COLUMNS, where=all_of(at, among("kind", reach.kinds), among("resolved_by", SURE))), 0
    read = tables.first("edges", _MOST_READ, columns=_COLUMNS, where=at)  # a filter on other columns would look at every row
    return read.filter(pl.col("kind").is_in(reach.kinds) & pl.col("resolved_by").is_in(SURE)), count - _MOST_READ


def _nearest(edges: pl.DataFrame, reach: Reach) -> pl.DataFrame:
    surest = pl.col("resolved_by").replace_strict({name: rank for rank, name in enumerate(SURE)}, return_dtype=pl.Int64)
    named = edges.rename({reach.direction.there: "sid", reach.direction.here: "parent"})
    return named.sort(surest, "repo_id", "path", "line", "sid", "parent").unique("sid", keep="first", maintain_order=True)
