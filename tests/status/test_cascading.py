"""Flags of the cascade beside the status, as long as their cause holds."""

from comind.status.cascading import with_cascade
from tests.builders.frames import frame


def shown(current, cascade):
    rows = [{"id": name, "title": "t", "kind": "gotcha", "status": status, "flags": flags} for name, status, flags in current]
    flags = [
        {"flag_id": f"{number}", "record_id": record, "rule": rule, "source_record": source, "hops": 0, "path": []}
        for number, (record, rule, source) in enumerate(cascade)
    ]
    return {row["id"]: row["flags"] for row in with_cascade(frame("ledger_current", rows), frame("drift_cascade", flags)).to_dicts()}


def test_flags_come_after_those_that_are_there_each_once_and_in_order():
    cascade = [("a", "callee_changed", "c"), ("a", "callee_changed", "d"), ("a", "evidence_changed", "a")]
    current = [("a", "active", ["challenged"]), ("b", "active", []), ("c", "stale", []), ("d", "active", [])]
    assert shown(current, cascade) == {"a": ["challenged", "evidence_changed", "callee_changed"], "b": [], "c": [], "d": []}


def test_a_constraint_that_was_retired_raises_nothing():
    for status in ("retracted", "superseded", "quarantined"):
        assert shown([("a", "active", []), ("c", status, [])], [("a", "callee_changed", "c")])["a"] == []
