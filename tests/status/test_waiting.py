import polars as pl
import pytest

from comind.status.waiting import waiting_records
from tests.builders import records as build
from tests.builders.code_tables import code, definition, replace, searched
from tests.builders.records import v7
from tests.builders.staleness import CHECKED, MACHINE, believed

A, B = v7(1), v7(2, ms=build.WHEN_MS + 60_000)
PERSON = {"author_kind": "human", "source": "cli"}


def _waiting(*several, **world):
    rows = list(believed(*several, **world).values())
    return {row["id"]: row["waits"] for row in waiting_records(pl.DataFrame(rows, infer_schema_length=None)).iter_rows(named=True)}


def _by(author, record_id=A):
    return build.constraint(id=record_id, provenance=author)


def test_what_a_person_wrote_about_unchanged_code_does_not_wait():
    assert _waiting(_by(PERSON)) == {}


@pytest.mark.parametrize("author", [MACHINE, {"author_kind": "human", "source": "mcp"}])
def test_what_nobody_vouches_for_is_a_draft_until_a_person_confirms_it(author):
    assert _waiting(_by(author)) == {A: ["draft"]}
    assert _waiting(_by(author), build.confirms(A, id=v7(9))) == {}


def test_a_dispute_and_changed_code_make_a_record_of_a_person_wait():
    disputed = build.disputes(A, id=v7(9), provenance=MACHINE)
    assert _waiting(_by(PERSON), disputed) == {A: ["challenge"]}
    changed = code(replace(CHECKED, body="x"), repo=build.REPO)
    assert _waiting(_by(PERSON), now=changed) == {A: ["stale"]}
    assert _waiting(_by(MACHINE), disputed, now=changed) == {A: ["draft", "challenge", "stale"]}
    gone = {
        "now": code(definition("other", path="authz/check.py", module="authz", body="else"), repo=build.REPO),
        "names": searched(absent=["check_permission"], repo=build.REPO),
    }
    assert _waiting(_by(PERSON), **gone) == {A: ["stale"]}


def test_what_was_retired_waits_for_nobody():
    assert _waiting(_by(MACHINE), build.retracts(A, id=v7(9))) == {}
    assert _waiting(_by(MACHINE), _by(PERSON, B), build.supersedes(A, B, id=v7(9))) == {}
    assert _waiting(_by(MACHINE | {"quarantine": "hidden_bidi"})) == {}


def test_the_newest_comes_first():
    assert list(_waiting(_by(MACHINE), _by(MACHINE, B))) == [B, A]


@pytest.mark.parametrize(
    ("flag", "waits"), [("ambiguous", ["stale"]), ("re_check", ["stale"]), ("challenged", ["challenge"]), ("signature_changed", None)]
)
def test_flags_that_want_a_person_make_a_record_wait(flag, waits):
    row = believed(_by(PERSON))[A] | {"flags": [flag]}
    found = waiting_records(pl.DataFrame([row], infer_schema_length=None))
    assert found["waits"].to_list() == ([waits] if waits else [])
