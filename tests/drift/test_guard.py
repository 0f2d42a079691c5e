import polars as pl
import pytest

from comind.anchors.frames import schema_of
from comind.drift.guard import MIN_FALLEN, guard_flips


def _drift(**classes):
    rows = [(f"{name}-{number}", "r", "subject", drift, "", None) for name, (drift, count) in classes.items() for number in range(count)]
    return pl.DataFrame(rows, schema=schema_of("anchor_drift"), orient="row")


def _locations(drift):
    empty = pl.DataFrame(schema=schema_of("anchor_locations"))
    return pl.concat([empty, drift.select("anchor_id", "record_id", repo_id=pl.lit("shop"))], how="diagonal")


def _guard(before, after, max_share=0.3):
    return guard_flips(before, after, _locations(after), max_share=max_share)


@pytest.mark.parametrize("drift", ["body", "deleted", "ambiguous", "unknown"])
def test_many_anchors_that_fall_at_once_are_refused_and_named(drift):
    guard = _guard(_drift(a=("unchanged", 20), b=("moved", 20)), _drift(a=(drift, 20), b=("moved", 20)))
    assert guard.refuses
    assert str(guard) == f"20 of 40 anchors that stood would not any more: 20 {drift}"
    assert set(guard.fallen["repo_id"]) == {"shop"}


def test_few_anchors_fall_whatever_share_they_are():
    few = MIN_FALLEN - 1
    assert not _guard(_drift(a=("unchanged", few)), _drift(a=("deleted", few))).refuses
    assert _guard(_drift(a=("unchanged", MIN_FALLEN)), _drift(a=("deleted", MIN_FALLEN))).refuses


def test_the_share_itself_is_allowed_and_one_more_is_not():
    before = _drift(a=("unchanged", 30), b=("unchanged", 70), c=("unchanged", 0))
    assert not _guard(before, _drift(a=("body", 30), b=("unchanged", 70))).refuses
    assert _guard(_drift(a=("unchanged", 31), b=("unchanged", 69)), _drift(a=("body", 31), b=("unchanged", 69))).refuses


def test_what_moved_was_new_was_gone_or_had_fallen_before_is_no_flip():
    before = _drift(moved=("unchanged", 20), fallen=("body", 20), gone=("unchanged", 20))
    after = _drift(moved=("moved", 20), fallen=("deleted", 20), new=("deleted", 20))
    guard = _guard(before, after)
    assert (guard.stood, guard.fallen.height, guard.refuses) == (20, 0, False)


def test_a_share_of_one_accepts_everything():
    assert not _guard(_drift(a=("unchanged", 50)), _drift(a=("deleted", 50)), max_share=1.0).refuses


def test_the_first_run_has_nothing_to_compare_with():
    assert not _guard(_drift(), _drift(a=("deleted", 50))).refuses
