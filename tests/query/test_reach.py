"""Walks along edges: nearest first, surest first, never in circles, never further than they say."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.query import reach
from comind.query.reach import BEHAVIOUR, CALLS, TO_CALLEES, TO_CALLERS, Reach, walk_edges
from comind.query.view import FrameTables
from comind.schemas import TABLES


def tables(*edges):
    """Each edge is (src, dst) and whatever differs from a typed call in `m.py`."""
    rows = [
        {"repo_id": "r", "path": "m.py", "src": src, "dst": dst, "kind": "calls", "resolved_by": "typed", "line": 1, "n_places": 1}
        | dict(*more)
        for src, dst, *more in edges
    ]
    schema = pl.Schema(pl.from_arrow(TABLES["edges"].schema.empty_table()).schema)
    return FrameTables({"edges": pl.DataFrame(rows, schema=schema)})


def walked(found, start, *, hops=9, direction=TO_CALLERS, kinds=CALLS):
    steps = walk_edges(found, [start], Reach(direction=direction, kinds=kinds, hops=hops))
    return {(sid, parent, hop) for sid, parent, hop in steps.rows.select("sid", "parent", "hop").iter_rows()}


def test_callers_stand_one_hop_away_and_theirs_two():
    chain = tables((1, 2), (2, 3), (4, 3))
    assert walked(chain, 3) == {(2, 3, 1), (4, 3, 1), (1, 2, 2)}
    assert walked(chain, 3, hops=1) == {(2, 3, 1), (4, 3, 1)}
    assert walked(chain, 1, direction=TO_CALLEES) == {(2, 1, 1), (3, 2, 2)}


def test_a_circle_ends_and_never_returns_to_its_start():
    assert walked(tables((1, 2), (2, 3), (3, 1)), 1) == {(3, 1, 1), (2, 3, 2)}


def test_a_definition_is_reached_by_its_nearest_and_surest_edge():
    found = tables(
        (1, 9), (1, 2), (2, 9), (5, 9, {"resolved_by": "typed", "line": 1}), (5, 9, {"resolved_by": "scip", "line": 7, "path": "z.py"})
    )
    steps = walk_edges(found, [9], Reach(direction=TO_CALLERS, kinds=CALLS, hops=2)).rows
    assert steps.filter(sid=1)["hop"].to_list() == [1]
    assert steps.filter(sid=5).select("resolved_by", "path", "line").row(0) == ("scip", "z.py", 7)


def test_guesses_and_other_kinds_are_not_followed():
    found = tables((1, 9, {"resolved_by": "unique_name"}), (2, 9, {"kind": "imports"}), (3, 9, {"kind": "extends"}))
    assert walked(found, 9) == set()
    assert walked(found, 9, kinds=BEHAVIOUR) == {(3, 9, 1)}


def test_of_a_hub_several_hops_read_some_references_and_say_so_and_one_hop_reads_all(monkeypatch):
    monkeypatch.setattr(reach, "_MOST_READ", 3)
    found = tables(*((caller, 9) for caller in range(1, 8)), *((10, 9, {"kind": "imports"}) for _ in range(4)), (20, 1))
    steps = walk_edges(found, [9], Reach(direction=TO_CALLERS, kinds=CALLS, hops=2))
    assert (steps.rows.filter(hop=1).height, steps.not_read) == (3, 8)
    whole = walk_edges(found, [9], Reach(direction=TO_CALLERS, kinds=CALLS, hops=1))
    assert (whole.rows.height, whole.not_read) == (7, 0)


def test_a_hop_that_reaches_too_many_goes_on_from_the_first_and_says_so(monkeypatch):
    monkeypatch.setattr(reach, "_MOST_FOLLOWED", 2)
    found = tables(*((caller, 9) for caller in (1, 2, 3, 4)), *((caller * 10, caller) for caller in (1, 2, 3, 4)))
    steps = walk_edges(found, [9], Reach(direction=TO_CALLERS, kinds=CALLS, hops=2))
    assert (steps.rows.filter(hop=1).height, steps.rows.filter(hop=2).height, steps.not_followed) == (4, 2, 2)
    assert walk_edges(found, [9], Reach(direction=TO_CALLERS, kinds=CALLS, hops=1)).not_followed == 0


@pytest.mark.parametrize("hops", [1, 3])
@given(edges=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), start=st.integers(0, 7))
def test_a_walk_is_the_one_of_a_plain_search_in_breadth(edges, start, hops):
    expected, frontier = {start: 0}, {start}
    for hop in range(1, hops + 1):
        frontier = {src for src, dst in edges if dst in frontier and src not in expected}
        expected |= dict.fromkeys(frontier, hop)
    found = walked(tables(*edges), start, hops=hops)
    assert {sid: hop for sid, _, hop in found} == {sid: hop for sid, hop in expected.items() if hop}
    assert all((sid, parent) in set(edges) and expected[parent] == hop - 1 for sid, parent, hop in found)
