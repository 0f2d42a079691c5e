"""Flags of dependencies beside the status."""

from comind.status.revisiting import with_dependencies
from tests.builders.frames import frame


def test_each_rule_is_one_flag_whatever_the_number_of_lockfiles():
    current = [
        {"id": name, "title": "t", "kind": "attempt", "status": "active", "flags": flags}
        for name, flags in (("a", ["challenged"]), ("b", []))
    ]
    said = [("a", "retry_condition_met"), ("a", "retry_condition_met"), ("a", "none"), ("b", "none")]
    rows = [{"finding_id": str(number), "record_id": record, "rule": rule} for number, (record, rule) in enumerate(said)]
    found = with_dependencies(frame("ledger_current", current), frame("dependency_findings", rows))
    assert {row["id"]: row["flags"] for row in found.to_dicts()} == {"a": ["challenged", "retry_condition_met"], "b": []}
