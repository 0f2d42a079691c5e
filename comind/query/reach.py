"""Steps along edges: from some definitions to those that refer to them, or to those that they refer to.

In: something that reads tables, definitions, a direction. Out: one row per definition that is reached, with the edge that led there.
Every hop looks at the edges of the definitions reached last; a hop that reaches too many goes on from the first of them and says so.
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


def walk_edges(tables: TableReader, starts: Iterable[int], reach: Reach) -> Steps:
    """Follow edges from some definitions; each definition is reached once, by its nearest and surest edge.

    Args:
        tables: where `edges` is.
        starts: sids; they are not reached themselves.
        reach: which edges, and how many hops.
    """
    frontier, seen, steps, not_followed = sorted(set(starts)), set(starts), [_STEPS.to_frame()], 0
    for hop in range(1, reach.hops + 1):
        found = _hop(tables, frontier, reach).filter(~pl.col("sid").is_in(list(seen))).with_columns(hop=pl.lit(hop, pl.Int64))
        if found.is_empty():
            break
        steps.append(found.select(_STEPS.names()))
        reached = found["sid"].to_list()
        seen.update(reached)
        frontier = reached[:_MOST_FOLLOWED]
        not_followed += (len(reached) - len(frontier)) * (hop < reach.hops)
    return Steps(rows=pl.concat(steps), not_followed=not_followed)


def _hop(tables: TableReader, frontier: Sequence[int], reach: Reach) -> pl.DataFrame:
    condition = all_of(among(reach.direction.here, frontier), among("kind", reach.kinds), among("resolved_by", SURE))
    edges = tables.read("edges", columns=_COLUMNS, where=condition)
    surest = pl.col("resolved_by").replace_strict({name: rank for rank, name in enumerate(SURE)}, return_dtype=pl.Int64)
    named = edges.rename({reach.direction.there: "sid", reach.direction.here: "parent"})
    return named.sort(surest, "repo_id", "path", "line", "sid", "parent").unique("sid", keep="first", maintain_order=True)
