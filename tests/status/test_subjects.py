from comind.anchors.frames import empty
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from comind.status.subjects import DRIFT_ORDER, subject_identities, sum_up_subjects
from tests.builders.code_tables import anchored, anchors, code, definition, placed, replace, searched

RUN, STOP, GO = (definition(name, body=f"{name} body") for name in ("run", "stop", "go"))


def _summary(*rows, now, absent=()):
    table = anchors(*rows)
    locations = locate_anchors(table, now.symbols, now.files, renames={}, names_present=searched(absent=absent), heads=now.heads)
    drift = classify_drift(table, locations, now.symbols)
    return {row["id"]: row for row in sum_up_subjects(table, locations, drift).to_dicts()}


def test_subjects_are_counted_by_what_became_of_them():
    rows = [anchored(found, position=n) for n, found in enumerate([RUN, STOP, GO])]
    now = code(RUN, replace(GO, signature="(x)"))
    summary = _summary(*rows, now=now, absent=["stop"])["r1"]
    assert (summary["n_subjects"], summary["n_deleted"], summary["n_signature"], summary["n_unknown"]) == (3, 1, 1, 0)
    assert (summary["drift"], summary["deleted_anchor"], summary["deleted_name"], summary["changed_anchor"]) == (
        "deleted",
        "r1#1",
        "stop",
        None,
    )


def test_context_and_evidence_are_not_counted():
    rows = [anchored(RUN), anchored(STOP, position=1, role="context"), anchored(GO, position=2, role="evidence")]
    summary = _summary(*rows, now=code(RUN), absent=["stop", "go"])["r1"]
    assert (summary["n_subjects"], summary["n_deleted"], summary["drift"]) == (1, 0, "unchanged")


def test_a_record_without_subjects_has_no_row():
    assert _summary(anchored(RUN, role="context"), now=code(RUN)) == {}


def test_the_place_shown_is_the_first_that_is_located_sure_before_likely():
    lost, likely, there = anchored(STOP), anchored(GO, position=1), anchored(RUN, position=2)
    now = code(RUN, replace(GO, path="b.py"))
    assert _summary(lost, likely, there, now=now)["r1"]["qualified_name"] == "run"
    assert _summary(lost, likely, now=now)["r1"]["path"] == "b.py"
    assert _summary(lost, now=now)["r1"]["matched_by"] == "unknown"


def test_a_changed_body_at_a_likely_place_is_no_change():
    again = [replace(RUN, ordinal=n, line=9 * n + 1, body=f"x{n}") for n in (0, 1)]
    summary = _summary(anchored(RUN), now=code(*again))["r1"]
    assert (summary["drift"], summary["n_likely"], summary["changed_anchor"]) == ("body", 1, None)


def test_an_anchor_without_location_and_drift_counts_as_not_followed():
    summary = sum_up_subjects(anchors(anchored(RUN)), empty("anchor_locations"), empty("anchor_drift")).to_dicts()[0]
    assert (summary["n_unknown"], summary["drift"]) == (1, "unknown")


def test_the_worst_drift_is_the_first_of_the_order():
    assert DRIFT_ORDER.index("deleted") < DRIFT_ORDER.index("body") < DRIFT_ORDER.index("unknown") < DRIFT_ORDER.index("unchanged")


def test_identities_are_those_recorded_and_those_of_now():
    moved = replace(RUN, path="b.py", body="x")
    table = anchors(anchored(RUN), placed("file", "a.md", position=1), placed("org", position=2, repo_id=None, commit=None))
    now = code(moved, files=["b.md"])
    renames = {(table["repo_id"][0], table["commit"][0]): {"app.py": "b.py", "a.md": "b.md"}}
    locations = locate_anchors(table, now.symbols, now.files, renames=renames, names_present=searched(), heads=now.heads)
    repo = table["repo_id"][0]
    assert sorted(subject_identities(table, locations)["identity"]) == sorted(
        [f"symbol {repo} {RUN.key}", f"symbol {repo} {moved.key}", f"file {repo} a.md", f"file {repo} b.md", "org  "]
    )
