"""What changed elsewhere and concerns a record: with the references that say so, never beyond them."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.drift import cascade
from comind.drift.cascade import cascade_drift
from tests.builders.frames import frame

CALLEE, CALLER, OUTER, FAR = 1, 2, 3, 4
CHAIN = [(CALLER, CALLEE), (OUTER, CALLER), (FAR, OUTER)]
NAMES = {CALLEE: "charge", CALLER: "checkout", OUTER: "sell", FAR: "main"}


class World:
    """Records, each on one symbol; the edges between the symbols; what happened to them."""

    def __init__(self, edges=CHAIN, names=NAMES):
        self.records, self.anchors, self.locations, self.drift = [], [], [], []
        self.edges = pl.DataFrame(
            [(src, dst, *(more or ("calls", "typed"))) for src, dst, *more in edges], orient="row",
            schema={"src": pl.Int64, "dst": pl.Int64, "kind": pl.String, "resolved_by": pl.String},
        )  # fmt: skip
        self.symbols = pl.DataFrame(list(names.items()), schema={"sid": pl.Int64, "qualified_name": pl.String}, orient="row")

    def record(self, name, sid, drift="unchanged", **more):
        kind, role, level, scope = ({"kind": "gotcha", "role": "subject", "level": "sure", "scope": "symbol"} | more).values()
        anchor = f"{name}#{len(self.anchors)}"
        self.records.append({"id": name, "kind": kind})
        self.anchors.append({"anchor_id": anchor, "record_id": name, "role": role, "scope": scope, "qualified_name": NAMES.get(sid, "?")})
        self.locations.append({"anchor_id": anchor, "record_id": name, "sid": sid, "level": level, "commit": "c1"})
        self.drift.append({"anchor_id": anchor, "record_id": name, "role": role, "drift": drift, "detail": f"{drift} it was"})
        return self

    def flags(self, **limits):
        records = pl.DataFrame(self.records, schema={"id": pl.String, "kind": pl.String}).unique()
        tables = [
            frame(name, rows)
            for name, rows in (("ledger_anchors", self.anchors), ("anchor_locations", self.locations), ("anchor_drift", self.drift))
        ]
        return cascade_drift(records, *tables, edges=self.edges, symbols=self.symbols, **limits)

    def said(self, **limits):
        return {(row["record_id"], row["rule"], row["hops"]) for row in self.flags(**limits).to_dicts()}


@pytest.mark.parametrize("role", ["evidence", "context"])
@pytest.mark.parametrize(("drift", "level", "raised"), [("body", "sure", True), ("signature", "sure", True), ("deleted", None, True), ("body", "likely", False), ("unchanged", "sure", False), ("moved", "sure", False), ("unknown", None, False), ("ambiguous", None, False)])  # fmt: skip
def test_changed_evidence_and_surroundings_are_told(role, drift, level, raised):
    world = World().record("r", CALLEE).record("r", CALLER, drift, role=role, level=level)
    assert world.said() == ({("r", f"{role}_changed", 0)} if raised else set())


def test_a_changed_subject_is_left_to_the_status():
    assert World().record("r", CALLEE, "body").said() == set()


@pytest.mark.parametrize("drift", ["body", "signature"])
def test_a_constraint_whose_code_changed_concerns_the_records_of_callers_within_two_hops(drift):
    world = World().record("rule", CALLEE, drift, kind="constraint").record("near", CALLER).record("next", OUTER).record("far", FAR)
    assert world.said() == {("near", "callee_changed", 1), ("next", "callee_changed", 2)}
    assert world.said(hops=3) >= {("far", "callee_changed", 3)}
    flag = world.flags().filter(record_id="next").row(0, named=True)
    assert flag["path"] == ["sell calls checkout", "checkout calls charge"]
    assert flag["detail"] == f"sell calls checkout, checkout calls charge; charge: {drift} it was"
    assert (flag["source_record"], flag["source_anchor"], flag["commit"]) == ("rule", "rule#0", "c1")


@pytest.mark.parametrize(
    "change", [{"kind": "gotcha"}, {"drift": "deleted"}, {"drift": "moved"}, {"level": "likely"}, {"role": "context"}, {"scope": "file"}]
)
def test_nothing_else_cascades(change):
    rule = {"drift": "body", "kind": "constraint"} | change
    said = World().record("rule", CALLEE, **rule).record("near", CALLER).said()
    assert ("near", "callee_changed", 1) not in said


@pytest.mark.parametrize(
    "edge", [(CALLER, CALLEE, "calls", "unique_name"), (CALLER, CALLEE, "imports", "import"), (CALLEE, CALLER, "calls", "typed")]
)
def test_guesses_imports_and_the_other_direction_do_not_lead_on(edge):
    assert World([edge]).record("rule", CALLEE, "body", kind="constraint").record("near", CALLER).said() == set()


def test_a_record_is_not_told_of_itself_and_by_the_nearest_way_alone():
    edges = [*CHAIN, (OUTER, CALLEE, "extends", "import"), (CALLEE, CALLEE, "calls", "typed"), (CALLEE, OUTER, "calls", "typed")]
    world = World(edges).record("rule", CALLEE, "body", kind="constraint").record("rule", CALLER, kind="constraint").record("next", OUTER)
    assert world.said() == {("next", "callee_changed", 1)}
    assert world.flags()["path"].to_list() == [["sell extends charge"]]


def test_code_at_the_top_level_leads_on_without_a_name():
    world = World([(9, CALLEE), (OUTER, 9)]).record("rule", CALLEE, "body", kind="constraint").record("next", OUTER)
    assert world.flags()["path"].to_list() == [["sell calls ?", "code at the top level calls charge"]]


def test_a_hub_does_not_flag_everything(monkeypatch):
    monkeypatch.setattr(cascade, "_MOST_FOLLOWED", 3)
    callers = range(100, 120)
    world = World([*((caller, CALLEE) for caller in callers), *((caller + 1000, caller) for caller in callers)])
    world.record("rule", CALLEE, "body", kind="constraint")
    for caller in callers:
        world.record(f"far{caller}", caller + 1000)
    assert {hops for _, _, hops in world.said()} == {2}
    assert len(world.said()) == 3


@settings(max_examples=60, deadline=None)
@given(
    edges=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=15),
    homes=st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=6),
    hops=st.integers(1, 3),
    order=st.randoms(use_true_random=False),
)
def test_flags_are_those_of_a_plain_search_whatever_the_order_of_rows(edges, homes, hops, order):
    world = World([(src, dst) for src, dst in edges], {})
    for number, (sid, changed) in enumerate(homes):
        world.record(f"r{number}", sid, "body" if changed else "unchanged", kind="constraint")
    expected = set()
    for number, (start, changed) in enumerate(homes):
        near, frontier = {start: 0}, {start}
        for hop in range(1, hops + 1):
            frontier = {src for src, dst in edges if dst in frontier and src not in near}
            near |= dict.fromkeys(frontier, hop)
        if changed:
            expected |= {
                (f"r{other}", "callee_changed", near[sid]) for other, (sid, _) in enumerate(homes) if other != number and near.get(sid)
            }
    found = world.flags(hops=hops)
    nearest = found.group_by("record_id", "rule").agg(pl.col("hops").min())
    best = {}
    for record, rule, hop in expected:
        best[record, rule] = min(hop, best.get((record, rule), hop))
    assert {(record, rule): hop for record, rule, hop in nearest.iter_rows()} == best
    world.edges = world.edges.sample(fraction=1, shuffle=True, seed=order.randint(0, 99))
    order.shuffle(world.anchors)
    assert world.flags(hops=hops).equals(found)
