from datetime import timedelta

from comind.status.policy import Policy
from tests.builders import records as build
from tests.builders.records import v7
from tests.builders.staleness import WRITTEN, believed, checks

A = v7(1)
RECORD = build.constraint(id=A)


def _status(days, *others, dormant_after=60, **options):
    policy = Policy(dormant_after=timedelta(days=dormant_after))
    return believed(RECORD, *others, as_of=WRITTEN + timedelta(days=days), policy=policy, **options)[A]


def _confirmed(days, **overrides):
    return build.confirms(A, id=v7(101, ms=build.WHEN_MS + days * 86_400_000), **overrides)


def test_a_record_that_nobody_confirmed_falls_asleep_after_so_many_days():
    assert _status(60)["status"] == "active"
    row = _status(61)
    assert (row["status"], row["status_rule"], row["where_from"]) == ("dormant", "no_sign_of_life", f"record {A}")
    assert row["status_reason"] == "neither written nor confirmed since 2023-11-14, and no machine has proven its evidence"


def test_the_policy_says_after_how_many_days():
    assert _status(8, dormant_after=7)["status"] == "dormant"
    assert _status(6, dormant_after=7)["status"] == "active"


def test_a_confirmation_wakes_a_record_up():
    assert _status(90, _confirmed(50))["status"] == "active"
    row = _status(111, _confirmed(50))
    assert (row["status"], row["where_from"]) == ("dormant", f"record {v7(101, ms=build.WHEN_MS + 50 * 86_400_000)}")


def test_a_machine_s_confirmation_keeps_awake_too():
    assert _status(90, _confirmed(50, provenance={"author_kind": "agent", "source": "mcp"}))["status"] == "active"


def test_a_dispute_is_no_sign_of_life():
    assert _status(90, build.disputes(A, id=v7(101, ms=build.WHEN_MS + 50 * 86_400_000)))["status"] == "dormant"


def test_evidence_that_a_machine_has_proven_does_not_age():
    assert _status(4000, checked=checks((A, "revert_is_inverse", "proven")))["status"] == "active"
    assert _status(4000, checked=checks((A, "revert_is_inverse", "unverifiable")))["status"] == "dormant"


def test_a_moment_before_the_record_was_written_is_no_reason_to_sleep():
    assert _status(-10)["status"] == "active"
