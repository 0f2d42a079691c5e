import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.anchors.frames import schema_of
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from tests.builders.code_tables import (
    HEAD,
    OLD,
    REPO,
    anchored,
    anchors,
    code,
    definition,
    definitions,
    histories,
    placed,
    replace,
    searched,
)
from tests.builders.staleness import drift_of

RUN = definition("run", within="Box", doc="Runs.")
WORDS = {"unchanged", "moved", "signature", "body", "deleted", "ambiguous", "unknown"}


def _drift(now, was=RUN, **asked):
    row = drift_of(anchored(was), code(*now) if isinstance(now, list) else code(now), **asked)
    return row["drift"], row["detail"]


def test_equal_signature_and_body_are_unchanged_wherever_the_lines_went():
    assert _drift(replace(RUN, line=99)) == ("unchanged", "signature and body are equal")


def test_a_changed_documentation_is_unchanged_and_said():
    assert _drift(replace(RUN, doc="Walks.")) == ("unchanged", "signature and body are equal; only the documentation changed")
    assert _drift(replace(RUN, doc=None)) == ("unchanged", "signature and body are equal; only the documentation changed")


def test_another_layout_is_unchanged_and_said():
    assert _drift(replace(RUN, length=8)) == ("unchanged", "signature and body are equal; it is laid out on another number of lines")


def test_a_changed_body_is_said_with_whatever_else_changed():
    assert _drift(replace(RUN, body="x")) == ("body", "the body changed")
    assert _drift(replace(RUN, body="x", signature="(x)", doc=None)) == (
        "body",
        "the body changed; the signature changed too; the documentation changed",
    )


def test_a_body_that_changed_in_its_identifiers_only_says_so():
    assert _drift(replace(RUN, body="x", shape="body")) == ("body", "the body changed in its identifiers only")


def test_a_body_that_went_or_came_is_a_changed_body():
    assert _drift(replace(RUN, body=None)) == ("body", "the body changed")
    assert _drift(RUN, was=replace(RUN, body=None)) == ("body", "the body changed")
    assert _drift(replace(RUN, body=None), was=replace(RUN, body=None))[0] == "unchanged"


def test_changed_parameters_over_an_equal_body_are_the_signature():
    assert _drift(replace(RUN, signature="(self, x)")) == ("signature", "the body is equal; parameters or return type changed")


def test_a_new_name_over_an_equal_body_is_the_signature_and_names_both():
    assert _drift(replace(RUN, name="walk")) == ("signature", "the body is equal; the name was run and is walk")


def test_a_symbol_in_another_file_is_moved():
    drift, detail = _drift(replace(RUN, path="b.py"), renames={(REPO, OLD): {"app.py": "b.py"}})
    assert (drift, detail) == ("moved", "signature and body are equal; its file was app.py")


def test_a_symbol_that_moved_and_changed_is_changed():
    assert _drift(replace(RUN, path="b.py", body="x"), renames={(REPO, OLD): {"app.py": "b.py"}})[0] == "body"


def test_a_symbol_that_is_not_located_has_the_drift_of_its_location_and_its_reason():
    assert _drift([], names_present=searched(absent=["run"])) == (
        "deleted",
        "the name run is in no file at 0f0f0f0f0f0f; whether it lives on under another name is not followed yet",
    )
    assert _drift(definition("other", body="else")) == (
        "unknown",
        "not followed yet: Box.run is not defined in app.py, and no equal body was found",
    )
    assert _drift([replace(RUN, path="b.py", name="walk")])[0] == "ambiguous"


@pytest.mark.parametrize("change", [{"version": "2"}, {"probe": "newer"}])
def test_fingerprints_of_other_rules_or_another_grammar_are_not_compared(change):
    assert _drift(replace(RUN, body="x", **change)) == (
        "unknown",
        "located, and the fingerprints are of other rules or another grammar; fingerprint both sides anew",
    )


def test_code_that_could_not_be_read_at_its_commit_is_not_compared():
    row = drift_of(anchored(RUN, problem="app.py at 0a0a0a0a0a0a was not read"), code(RUN))
    assert (row["drift"], row["detail"]) == (
        "unknown",
        "located, and its code at the anchored commit is not known: app.py at 0a0a0a0a0a0a was not read",
    )


def test_of_the_fingerprints_that_a_record_carries_only_those_that_are_there_are_compared():
    carried = anchored(RUN, problem="not read") | {
        name: anchored(RUN)[name] for name in ("body_hash", "fingerprint_version", "grammar_probe")
    }
    assert drift_of(carried, code(replace(RUN, signature="(x)", doc=None, length=9)))["drift"] == "unchanged"
    assert drift_of(carried, code(replace(RUN, body="x")))["drift"] == "body"
    without_body = carried | {"body_hash": None, "sig_hash": anchored(RUN)["sig_hash"]}
    row = drift_of(without_body, code(RUN))
    assert (row["drift"], row["detail"]) == ("unknown", "located, and the record carries no hash of the body: not read")


def test_a_place_is_compared_by_place():
    now = code(RUN, files=["b.md"])
    assert drift_of(placed("file", "app.py"), now)["drift"] == "unchanged"
    row = drift_of(placed("file", "a.md"), now, renames={(REPO, OLD): {"a.md": "b.md"}})
    assert (row["drift"], row["detail"]) == ("moved", "it was a.md; a file anchor is compared by place, not by content")
    assert drift_of(placed("file", "a.md"), now, renames={(REPO, OLD): {}})["drift"] == "deleted"
    assert drift_of(placed("org", repo_id=None, commit=None), now)["drift"] == "unchanged"
    assert drift_of(placed("dependency", repo_id=None, commit=None), now)["drift"] == "unchanged"


def test_a_location_that_the_index_no_longer_holds_is_unknown_and_not_a_change():
    one = anchors(anchored(RUN))
    at_old_head = code(RUN)
    locations = locate_anchors(one, at_old_head.symbols, at_old_head.files, renames={}, names_present=searched(), heads=at_old_head.heads)
    row = classify_drift(one, locations, code(replace(RUN, name="walk")).symbols).to_dicts()[0]
    assert (row["drift"], row["detail"]) == ("unknown", "the index does not hold the symbol at its location; locate the anchor again")


def test_an_anchor_without_a_location_is_unknown():
    row = classify_drift(anchors(anchored(RUN)), locate_anchors_of_nothing(), code(RUN).symbols).to_dicts()[0]
    assert (row["drift"], row["detail"], row["commit"]) == ("unknown", "the anchor has no location", None)


def locate_anchors_of_nothing():
    return pl.DataFrame(schema=schema_of("anchor_locations"))


def test_of_redefinitions_the_located_one_is_compared():
    first, second = RUN, replace(RUN, ordinal=1, line=20, body="second")
    assert _drift([first, replace(second, body="x")], was=first)[0] == "unchanged"
    assert _drift([first, replace(second, body="x")], was=second)[0] == "body"


def test_a_row_keeps_record_role_and_head():
    row = drift_of(anchored(RUN, record="r9", role="context"), code(RUN))
    assert (row["anchor_id"], row["record_id"], row["role"], row["commit"]) == ("r9#0", "r9", "context", HEAD)


def _classified(rows, now, renames, names):
    locations = locate_anchors(anchors(*rows), now.symbols, now.files, renames=renames, names_present=names, heads=now.heads)
    return locations, classify_drift(anchors(*rows), locations, now.symbols)


@settings(deadline=None, max_examples=30)
@given(histories(), st.randoms())
def test_every_anchor_has_exactly_one_drift_whatever_the_order_of_the_rows(history, shuffle):
    then, now, renames, names = history
    rows = [anchored(found, record=f"r{n}") for n, found in enumerate(then)] + [placed("file", "app.py", record="file")]
    locations, drift = _classified(rows, now, renames, names)
    assert drift.schema == schema_of("anchor_drift")
    assert drift["anchor_id"].to_list() == sorted(row["anchor_id"] for row in rows)
    assert set(drift["drift"]) <= WORDS
    assert drift["detail"].null_count() == 0
    shuffle.shuffle(rows)
    mixed = [frame.sample(fraction=1, shuffle=True, seed=shuffle.randrange(1000)) for frame in (locations, now.symbols)]
    assert classify_drift(anchors(*rows), *mixed).equals(drift)


@settings(deadline=None, max_examples=30)
@given(definitions())
def test_an_unchanged_index_never_drifts(then):
    now = code(*then)
    locations, drift = _classified([anchored(found, record=f"r{n}") for n, found in enumerate(then)], now, {}, searched())
    exact = {row["anchor_id"] for row in locations.to_dicts() if row["matched_by"] == "same"}
    told = {row["anchor_id"]: row["drift"] for row in drift.to_dicts()}
    assert set(told) == exact
    assert set(told.values()) <= {"unchanged"}
