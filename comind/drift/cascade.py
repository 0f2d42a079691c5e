"""What a change means beyond the record whose code changed: evidence, surroundings, and what callers rely on.

In: records, anchors, their locations and drift, edges, symbols. Out: `drift_cascade`, one row per record and cause.
A flag never decides a status; each says by which references it came. Guessed edges and unsure places raise none.

- ``evidence_changed``, ``context_changed``: code that the record cites, or that it was written beside, changed or is gone
- ``callee_changed``: what the code calls, within some hops and in whatever repository, is under a constraint and changed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.frames import conform, schema_of
from comind.records.vocabulary import Kind, Role, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CASCADE_HOPS", "cascade_drift"]

CASCADE_HOPS = 2  # what is further away than a caller's caller is too often everything
_MOST_FOLLOWED = 2_000  # callers of one definition that a hop goes on from; a hub must not flag an organisation
_FOLLOWED = ("calls", "extends")
_SURE = pl.Enum(["scip", "import", "typed"])
_CHANGED = ("body", "signature")


def cascade_drift(  # noqa: PLR0913 - each is a table
    records: pl.DataFrame,
    anchors: pl.DataFrame,
    locations: pl.DataFrame,
    drift: pl.DataFrame,
    *,
    edges: pl.DataFrame,
    symbols: pl.DataFrame,
    hops: int = CASCADE_HOPS,
) -> pl.DataFrame:
    """Return what has to be looked at again because of what changed elsewhere.

    Args:
        records: ``id, kind`` of `ledger_records`.
        anchors: `ledger_anchors`.
        locations: `anchor_locations`.
        drift: `anchor_drift`.
        edges: ``src, dst, kind, resolved_by``.
        symbols: ``sid, qualified_name``.
        hops: how many references a change is followed back along.

    Returns:
        `drift_cascade`, by ``flag_id``.
    """
    placed = anchors.select("anchor_id", "record_id", "role", "scope", name=pl.coalesce("qualified_name", "path")).join(
        locations.select("anchor_id", "sid", "level", "commit"), on="anchor_id", how="left"
    )
    states = placed.join(drift.select("anchor_id", "drift", "detail"), on="anchor_id", how="inner")
    own = _own_flags(states)
    called = _callee_flags(records, states, edges, symbols, hops)
    return conform(pl.concat([own, called], how="diagonal_relaxed"), schema_of("drift_cascade")).sort("flag_id")


def _own_flags(states: pl.DataFrame) -> pl.DataFrame:
    """Flag records whose evidence or surroundings changed; at a place that is only likely it may be other code that did."""
    roles = pl.col("role").is_in([str(Role.EVIDENCE), str(Role.CONTEXT)])
    changed = (pl.col("drift") == "deleted") | (pl.col("drift").is_in(_CHANGED) & (pl.col("level") == "sure"))
    rule = pl.col("role") + "_changed"
    return states.filter(roles & changed).select(
        "record_id", "drift", "commit",
        flag_id=pl.concat_str("record_id", rule, "anchor_id", separator=" "),
        rule=rule,
        source_anchor="anchor_id",
        source_record="record_id",
        hops=pl.lit(0, pl.Int64),
        path=pl.lit([], pl.List(pl.String)),
        detail=pl.format("{}, which it has as {}: {}", "name", "role", "detail"),
    )  # fmt: skip


def _callee_flags(records: pl.DataFrame, states: pl.DataFrame, edges: pl.DataFrame, symbols: pl.DataFrame, hops: int) -> pl.DataFrame:
    """Flag the records of callers whose callees are under a constraint and changed."""
    subjects = states.filter((pl.col("role") == Role.SUBJECT) & (pl.col("scope") == Scope.SYMBOL) & pl.col("sid").is_not_null())
    constraints = records.filter(pl.col("kind") == Kind.CONSTRAINT).select(record_id="id")
    changed = subjects.filter(pl.col("drift").is_in(_CHANGED) & (pl.col("level") == "sure")).join(constraints, on="record_id", how="semi")
    if changed.is_empty():
        return pl.DataFrame()
    steps = _steps_back(changed["sid"], edges, hops)
    reached = steps.join(subjects.select("sid", flagged="record_id").unique(), on="sid")
    causes = changed.select("drift", "detail", "commit", source="sid", source_anchor="anchor_id", source_record="record_id", callee="name")
    flags = reached.join(causes, on="source").filter(pl.col("flagged") != pl.col("source_record"))
    paths = dict(_paths(flags.select("source", "sid", "hops").unique(), steps, symbols))
    told = flags.sort("hops").unique(["flagged", "source_anchor"], keep="first", maintain_order=True)
    lines = [paths[source, sid] for source, sid in told.select("source", "sid").iter_rows()]
    rule = pl.lit("callee_changed")
    return told.with_columns(path=pl.Series(lines, dtype=pl.List(pl.String))).select(
        "drift", "commit", "source_anchor", "source_record", "hops", "path",
        record_id="flagged",
        flag_id=pl.concat_str("flagged", rule, "source_anchor", separator=" "),
        rule=rule,
        detail=pl.format("{}; {}: {}", pl.col("path").list.join(", "), "callee", "detail"),
    )  # fmt: skip


def _steps_back(starts: pl.Series, edges: pl.DataFrame, hops: int) -> pl.DataFrame:
    """Walk back along sure edges from each start: ``source, sid, parent, kind, hops``, each definition once by its nearest, surest edge."""
    sure = edges.filter(pl.col("kind").is_in(_FOLLOWED) & pl.col("resolved_by").is_in(_SURE.categories.implode()))
    known = sure.select("kind", sid="src", parent="dst", how=pl.col("resolved_by").cast(_SURE))
    frontier = pl.DataFrame({"source": starts.unique(), "sid": starts.unique()})
    seen, steps = frontier, []
    for hop in range(1, hops + 1):
        found = known.join(frontier.rename({"sid": "parent"}), on="parent").join(seen, on=["source", "sid"], how="anti")
        nearest = found.sort("source", "sid", "how", "parent").unique(["source", "sid"], keep="first", maintain_order=True)
        steps.append(nearest.select("source", "sid", "parent", "kind", hops=pl.lit(hop, pl.Int64)))
        frontier = nearest.filter(pl.int_range(pl.len()).over("source") < _MOST_FOLLOWED).select("source", "sid")
        seen = pl.concat([seen, nearest.select("source", "sid")])
    return pl.concat(steps)


def _paths(wanted: pl.DataFrame, steps: pl.DataFrame, symbols: pl.DataFrame) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Yield the references from each definition to the source, in words."""
    back = {(source, sid): (parent, kind) for source, sid, parent, kind in steps.select("source", "sid", "parent", "kind").iter_rows()}
    names = dict(symbols.select("sid", "qualified_name").unique("sid").iter_rows())
    for source, sid, _ in wanted.iter_rows():
        lines, here = [], sid
        while here != source:
            parent, kind = back[source, here]
            lines.append(f"{names.get(here) or 'code at the top level'} {kind} {names.get(parent) or '?'}")
            here = parent
        yield (source, sid), lines
