from datetime import timedelta

import orjson
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.anchors.explode import explode_anchors
from comind.anchors.frames import empty, schema_of
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from comind.ids import derived_id
from comind.records.vocabulary import Kind, RelationKind
from comind.status.derive import FLAGS, STATUS_TABLE, derive_current
from comind.status.policy import Policy
from comind.status.vocabulary import Status
from tests.builders import records as build
from tests.builders.code_tables import HEAD, anchors, code, definition, definitions, fingerprints, folded, replace, searched
from tests.builders.records import v7
from tests.builders.staleness import CHECKED, MACHINE, SOON, WRITTEN, believed, checks, tables_of

A, B = v7(1), v7(2)
RECORD = build.constraint(id=A)
OTHER = definition("other", path="authz/check.py", module="authz", body="else")


def _here(*found):
    return code(*found, repo=build.REPO)


def _gone(*names):
    return searched(absent=names, repo=build.REPO)


def _row(*several, **world):
    return believed(RECORD, *several, **world)[A]


def _told(row):
    return row["status"], row["status_rule"], row["flags"]


# one row of the table after the other


def test_the_table_is_in_the_order_of_the_statuses_and_ends_with_what_always_holds():
    order = [row.status for row in STATUS_TABLE]
    assert sorted(order, key=list(Status).index) == order
    assert set(order) == set(Status)
    assert len({row.rule for row in STATUS_TABLE}) == len(STATUS_TABLE)
    assert pl.DataFrame({"x": [1]}).select(STATUS_TABLE[-1].when).item() is True


def test_a_record_over_code_that_did_not_change_is_active_and_says_what_was_looked_at():
    row = _row()
    assert _told(row) == ("active", "nothing_against_it", [])
    assert (row["status_reason"], row["where_from"]) == ("its subjects are as they were anchored (unchanged)", f"commit {HEAD}")
    assert (row["path"], row["qualified_name"], row["start_line"], row["matched_by"], row["drift"]) == (
        "authz/check.py",
        "check_permission",
        40,
        "same",
        "unchanged",
    )
    assert (row["located_commit"], row["repo_id"], row["kind"], row["title"]) == (HEAD, build.REPO, "constraint", RECORD.title)


def test_a_changed_body_makes_stale_and_names_anchor_commit_and_change():
    row = _row(now=_here(replace(CHECKED, body="x")))
    assert _told(row) == ("stale", "subject_body_changed", [])
    assert row["status_reason"] == "check_permission changed since 4f1c2a000000: the body changed"
    assert row["where_from"] == f"anchor {A}#0 at commit {HEAD}"


def test_one_changed_subject_of_several_makes_stale():
    both = build.constraint(id=A, anchors=[build.raw_anchor(symbol=OTHER.symbol), build.raw_anchor()])
    row = believed(both, then=(CHECKED, OTHER), now=_here(replace(CHECKED, body="x"), OTHER))[A]
    assert (row["status"], row["where_from"]) == ("stale", f"anchor {A}#1 at commit {HEAD}")


def test_a_changed_signature_alone_is_active_with_a_flag():
    row = _row(now=_here(replace(CHECKED, signature="(self, x)")))
    assert _told(row) == ("active", "subject_signature_changed", ["signature_changed"])
    assert row["status_reason"] == "the bodies of its subjects are equal; 1 changed in name, parameters or return type"


def test_a_moved_subject_is_active_at_its_new_place():
    moved = replace(CHECKED, path="auth/check.py", module="auth")
    row = _row(now=_here(moved), renames={(build.REPO, build.COMMIT): {"authz/check.py": "auth/check.py"}})
    assert (*_told(row), row["drift"], row["path"], row["canonical_key"]) == (
        "active",
        "nothing_against_it",
        [],
        "moved",
        "auth/check.py",
        moved.key,
    )


def test_a_likely_place_is_active_with_a_flag():
    row = _row(now=_here(replace(CHECKED, path="auth/check.py", module="auth")))
    assert (*_told(row), row["matched_by"]) == ("active", "nothing_against_it", ["likely_location"], "body")


def test_a_subject_that_was_not_followed_is_active_with_a_flag_and_says_so():
    row = _row(now=_here(OTHER))
    assert _told(row) == ("active", "subject_not_known", ["unknown_location"])
    assert row["status_reason"] == "nothing is known against it; of 1, 1 not followed, 0 ambiguous, 0 not compared"
    assert (row["path"], row["matched_by"], row["drift"], row["repo_id"]) == (None, "unknown", "unknown", build.REPO)


def test_a_subject_that_could_not_be_compared_is_active_with_a_flag():
    row = _row(now=_here(replace(CHECKED, version="2")))
    assert _told(row) == ("active", "subject_not_known", ["unknown_drift"])


def test_an_ambiguous_subject_is_active_with_a_flag():
    row = _row(now=_here(*(replace(CHECKED, path=f"{n}.py", module=n) for n in "ab")))
    assert (*_told(row), row["drift"]) == ("active", "subject_not_known", ["ambiguous"], "ambiguous")


def test_a_record_all_of_whose_subjects_are_gone_is_orphaned():
    row = _row(now=_here(OTHER), names=_gone("check_permission"))
    assert _told(row) == ("orphaned", "every_subject_deleted", [])
    assert row["status_reason"].startswith("all its 1 subjects are gone; check_permission: the name check_permission is in no file")
    assert row["where_from"] == f"anchor {A}#0 at commit {HEAD}"


def test_a_record_some_of_whose_subjects_are_gone_is_active_with_a_flag():
    both = build.constraint(id=A, anchors=[build.raw_anchor(symbol=OTHER.symbol), build.raw_anchor()])
    row = believed(both, then=(CHECKED, OTHER), now=_here(OTHER), names=_gone("check_permission"))[A]
    assert (*_told(row), row["drift"]) == ("active", "subject_partly_deleted", ["partly_deleted"], "deleted")
    assert (row["status_reason"], row["qualified_name"]) == ("1 of its 2 subjects are gone; the rest stands", "other")


def test_a_record_with_one_subject_gone_and_one_unknown_is_not_orphaned():
    both = build.constraint(id=A, anchors=[build.raw_anchor(symbol=OTHER.symbol), build.raw_anchor()])
    row = believed(both, then=(CHECKED, OTHER), now=_here(definition("third", body="z")), names=_gone("check_permission"))[A]
    assert _told(row) == ("active", "subject_not_known", ["unknown_location", "partly_deleted"])


def test_a_record_that_nobody_looked_at_yet_is_active_and_says_so():
    row = derive_current(
        folded(RECORD), anchors(), empty("anchor_locations"), empty("anchor_drift"), checks(), policy=Policy(), as_of=SOON
    ).to_dicts()[0]
    assert _told(row) == ("active", "subject_not_located", ["unknown_location"])
    assert (row["trust"], row["repo_id"], row["where_from"]) == ("T3", build.REPO, f"record {A}")


def test_a_record_about_the_whole_organisation_names_no_commit():
    row = believed(build.constraint(id=A, anchors=[{"scope": "org"}]))[A]
    assert (row["status"], row["where_from"], row["located_commit"]) == ("active", f"record {A}", None)


def test_a_person_s_confirmation_at_the_very_commit_that_was_looked_at_lifts_stale():
    now = _here(replace(CHECKED, body="x"))
    row = _row(build.confirms(A, at_commit=HEAD, id=v7(101)), now=now)
    assert _told(row) == ("active", "confirmed_since_change", [])
    assert row["where_from"] == f"record {v7(101)}"
    assert _row(build.confirms(A, at_commit=build.COMMIT, id=v7(101)), now=now)["status"] == "stale"
    assert _row(build.confirms(A, at_commit=HEAD, id=v7(101), provenance=MACHINE), now=now)["status"] == "stale"


def test_a_confirmation_at_one_repository_s_head_does_not_lift_what_changed_in_another():
    far = build.raw_anchor(repo="far")
    both = build.constraint(id=A, anchors=[build.raw_anchor(), far])
    then = pl.concat([fingerprints(CHECKED, repo=repo, commit=build.COMMIT) for repo in (build.REPO, "far")])
    changed = replace(CHECKED, body="x")
    now = _here(changed) + code(changed, repo="far", head="e" * 40)
    log = folded(both, build.confirms(A, at_commit=HEAD, id=v7(101)))
    exploded = explode_anchors(log, then)
    locations = locate_anchors(exploded, now.symbols, now.files, renames={}, names_present=searched(), heads=now.heads)
    drift = classify_drift(exploded, locations, now.symbols)
    assert derive_current(log, exploded, locations, drift, checks(), policy=Policy(), as_of=SOON)["status"].to_list() == ["stale"]


@pytest.mark.parametrize(
    ("stronger", "status"),
    [
        ([], "dormant"),
        (["stale"], "stale"),
        (["stale", "superseded"], "superseded"),
        (["stale", "superseded", "retracted"], "retracted"),
        (["stale", "superseded", "retracted", "quarantined"], "quarantined"),
        (["orphaned", "superseded"], "superseded"),
        (["orphaned"], "orphaned"),
    ],
)
def test_the_first_status_that_applies_is_the_one(stronger, status):
    relations = {
        "superseded": [build.constraint(id=B), build.supersedes(A, B, id=v7(101))],
        "retracted": [build.retracts(A, id=v7(102))],
    }
    several = [record for word in stronger for record in relations.get(word, [])]
    world = {"now": _here(replace(CHECKED, body="x"))} if "stale" in stronger else {}
    world |= {"now": _here(OTHER), "names": _gone("check_permission")} if "orphaned" in stronger else {}
    checked = checks((A, "revert_is_inverse", "refuted")) if "quarantined" in stronger else None
    assert _row(*several, checked=checked, as_of=WRITTEN + timedelta(days=999), **world)["status"] == status


def test_flags_come_in_a_fixed_order():
    both = build.constraint(id=A, anchors=[build.raw_anchor(symbol=OTHER.symbol), build.raw_anchor()])
    now = _here(replace(CHECKED, path="b.py", module="b"), replace(OTHER, signature="(x)"))
    row = believed(both, build.disputes(A, id=v7(101)), then=(CHECKED, OTHER), now=now)[A]
    assert row["flags"] == ["challenged", "likely_location", "signature_changed"]
    order = [str(flag) for flag, _ in FLAGS]
    assert row["flags"] == sorted(row["flags"], key=order.index)


def test_an_empty_ledger_believes_nothing():
    nothing = derive_current(folded(), anchors(), empty("anchor_locations"), empty("anchor_drift"), checks(), policy=Policy(), as_of=SOON)
    assert nothing.is_empty()
    assert nothing.schema == schema_of("ledger_current")


# what must always hold


@st.composite
def logs(draw, first=0):
    """A log over code as it was and as it is: records of every author, relations between whatever ids, circles included."""
    then, now = draw(definitions(most=5)), draw(definitions(most=5))
    ids = [v7(first + n) for n in range(draw(st.integers(1, 5)))]
    derived = [derived_id("revert", str(first))] if draw(st.booleans()) else []
    people = st.sampled_from([{"author_kind": "human", "source": "cli"}, {"author_kind": "human", "source": "mcp"}, MACHINE])
    several = []
    for record_id in ids:
        subjects = draw(st.lists(st.sampled_from(then), min_size=1, max_size=2, unique_by=lambda found: found.key)) if then else [CHECKED]
        raw = [build.raw_anchor(symbol=found.symbol, path=found.path, start_line=found.line, end_line=found.line) for found in subjects]
        several.append(build.constraint(id=record_id, anchors=raw, provenance=draw(people)))
    several += [build.harvested(id=record_id) for record_id in derived]
    targets = st.sampled_from([*ids, *derived, *(v7(first + 50 + n) for n in range(6)), v7(first + 99)])
    for n in range(draw(st.integers(0, 6))):
        kind, one, other, author = draw(st.sampled_from(RelationKind)), draw(targets), draw(targets), draw(people)
        cited = {
            RelationKind.SUPERSEDES: {"old": one, "new": other, "override": draw(st.booleans())},
            RelationKind.RETRACTS: {"id": one, "reason": "no"},
            RelationKind.CONFIRMS: {"id": one, "at_commit": draw(st.sampled_from([HEAD, build.COMMIT]))},
            RelationKind.DISPUTES: {"id": one, "reason": "no"},
            RelationKind.RELATES: {"a": one, "b": other, "label": "x"},
        }[kind]
        raw = build.raw_relation(kind, id=v7(first + 50 + n), lamport=draw(st.integers(1, 4)), provenance=author)
        several.append(build.record_of(raw | {"fields": cited}))
    results = st.sampled_from(["proven", "refuted", "unverifiable"])
    checked = [
        (found, draw(st.sampled_from(["revert_is_inverse", "on_indexed_ref"])), draw(results))
        for found in [*ids, *derived]
        if draw(st.booleans())
    ]
    names = searched(absent=[name for name in ("run", "stop") if draw(st.booleans())], repo=build.REPO)
    return several, then or [CHECKED], code(*now, repo=build.REPO), names, checks(*checked)


POLICIES = st.builds(
    Policy,
    trust_store_writers=st.booleans(),
    require_signatures=st.booleans(),
    dormant_after=st.timedeltas(timedelta(0), timedelta(days=90)),
)
MOMENTS = st.datetimes(min_value=WRITTEN.replace(tzinfo=None), max_value=WRITTEN.replace(tzinfo=None) + timedelta(days=200)).map(
    lambda moment: moment.replace(tzinfo=WRITTEN.tzinfo)
)


def _derived(log, policy, as_of, shuffle=None):
    several, then, now, names, checked = log
    tables = [*tables_of(several, then=then, now=now, names=names), checked]
    if shuffle is not None:
        tables = [table.sample(fraction=1, shuffle=True, seed=shuffle.randrange(1000)) for table in tables]
    return derive_current(*tables, policy=policy, as_of=as_of)


@settings(deadline=None, max_examples=30)
@given(logs(), POLICIES, MOMENTS, st.randoms())
def test_status_is_total_and_depends_on_no_order_of_rows(log, policy, as_of, shuffle):
    current = _derived(log, policy, as_of)
    assert current["id"].to_list() == sorted(record.id for record in log[0] if record.kind in set(Kind))
    assert current.schema == schema_of("ledger_current")
    told = ["status", "status_reason", "status_rule", "where_from", "flags", "trust", "trust_reason", "enforcement"]
    assert current.select(pl.col(told).null_count()).row(0) == (0,) * len(told)
    assert set(current["status"]) <= {str(status) for status in Status}
    rules = {row.rule: str(row.status) for row in STATUS_TABLE}
    assert all(rules[rule] == status for rule, status in current.select("status_rule", "status").iter_rows())
    assert _derived(log, policy, as_of, shuffle).equals(current)


@settings(deadline=None, max_examples=30)
@given(logs(), logs(first=1000), POLICIES, MOMENTS)
def test_logs_that_do_not_speak_of_each_other_are_believed_alike_together_and_apart(one, other, policy, as_of):
    several = [*one[0], *(record for record in other[0] if record.id not in {known.id for known in one[0]})]
    both = (several, one[1], one[2], one[3], pl.concat([one[4], other[4]]).unique("check_id"))
    apart = [_derived((part, one[1], one[2], one[3], both[4]), policy, as_of) for part in (one[0], several[len(one[0]) :])]
    assert _derived(both, policy, as_of).equals(pl.concat(apart).sort("id"))


@settings(deadline=None, max_examples=30)
@given(logs(), POLICIES, MOMENTS)
def test_what_is_not_known_is_never_held_against_a_record(log, policy, as_of):
    for row in _derived(log, policy, as_of).to_dicts():
        if row["status"] == "stale":
            assert row["drift"] in {"body", "deleted"}
        if row["status"] == "orphaned":
            assert row["drift"] == "deleted"
            assert "unknown_location" not in row["flags"]
        if row["enforcement"] != "CONTEXT":
            assert row["status"] == "active"


@settings(deadline=None, max_examples=30)
@given(logs(), POLICIES, MOMENTS)
def test_over_an_unchanged_index_nothing_is_stale_or_orphaned(log, policy, as_of):
    several, then, _, names, checked = log
    current = _derived((several, then, code(*then, repo=build.REPO), names, checked), policy, as_of)
    harvested = {record.id for record in several if record.provenance.author_kind == "harvested"}  # anchored to what is not in `then`
    assert not set(current.filter(~pl.col("id").is_in(list(harvested)))["status"]) & {"stale", "orphaned"}


@settings(deadline=None, max_examples=30)
@given(logs(), MOMENTS)
def test_no_machine_retires_what_a_person_wrote(log, as_of):
    several, *world = log
    machines_only = [record for record in several if record.kind in set(Kind) or record.provenance.author_kind != "human"]
    current = _derived((machines_only, *world), Policy(), as_of)
    people = {record.id for record in several if record.kind in set(Kind) and record.provenance.author_kind == "human"}
    assert not set(current.filter(pl.col("id").is_in(list(people)))["status"]) & {"retracted", "superseded"}


def test_builders_speak_of_the_same_code():
    assert orjson.loads(folded(RECORD)["record"][0])["anchors"][0]["symbol"] == build.SYMBOL
    assert fingerprints(CHECKED)["canonical_key"][0] == CHECKED.key
