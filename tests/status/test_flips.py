import polars as pl

from comind.anchors.frames import schema_of
from comind.status.flips import FLIPS, count_flips, find_flips


def _current(**statuses):
    rows = [
        {"id": id_, "title": f"about {id_}", "status": status, "status_rule": rule, "status_reason": "because", "where_from": "anchor"}
        for id_, (status, rule) in statuses.items()
    ]
    return pl.concat([pl.DataFrame(schema=schema_of("ledger_current")), pl.DataFrame(rows)], how="diagonal")


BEFORE = _current(a=("active", "nothing_against_it"), b=("active", "nothing_against_it"), c=("stale", "subject_body_changed"))


def test_a_record_of_another_status_is_a_flip_with_its_rule_and_place():
    after = _current(a=("stale", "subject_body_changed"), b=("active", "nothing_against_it"), c=("stale", "subject_body_changed"))
    flips = find_flips(BEFORE, after)
    assert flips.schema == FLIPS
    assert flips.rows() == [("a", "about a", "active", "stale", "subject_body_changed", "because", "anchor")]


def test_another_reason_for_the_same_status_is_no_flip():
    after = _current(a=("active", "subject_signature_changed"), b=("active", "nothing_against_it"), c=("stale", "subject_body_changed"))
    assert find_flips(BEFORE, after).is_empty()


def test_new_and_erased_records_are_said():
    after = _current(b=("active", "nothing_against_it"), c=("stale", "subject_body_changed"), d=("dormant", "no_sign_of_life"))
    assert find_flips(BEFORE, after).select("id", "was", "status").rows() == [("d", "new", "dormant"), ("a", "active", "gone")]


def test_flips_are_summed_up_with_the_most_frequent_first():
    after = _current(a=("stale", "subject_body_changed"), b=("stale", "subject_body_changed"), c=("orphaned", "every_subject_deleted"))
    assert count_flips(find_flips(BEFORE, after)).rows() == [
        ("active", "stale", "subject_body_changed", 2),
        ("stale", "orphaned", "every_subject_deleted", 1),
    ]
