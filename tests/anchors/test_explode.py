import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.anchors.explode import anchored_files, explode_anchors, list_anchors
from comind.anchors.frames import FINGERPRINTS, schema_of
from comind.index.names import sid_of
from comind.records.codec import decode
from comind.records.vocabulary import Kind
from tests.builders import records as build
from tests.builders.code_tables import definition, fingerprints, folded, hash_of

CHECK = definition("check_permission", path="authz/check.py", module="authz", line=40)
NOTHING = pl.DataFrame(schema=FINGERPRINTS)


def _only(record, code):
    (row,) = explode_anchors(folded(record), code).to_dicts()
    return row


def _at(*definitions, **options):
    return fingerprints(*definitions, commit=build.COMMIT, **options)


def test_an_anchor_gets_the_fingerprints_of_its_definition_at_its_commit():
    row = _only(build.constraint(), _at(CHECK, definition("other", path="authz/check.py", body="else")))
    assert row["anchor_id"] == f"{row['record_id']}#0"
    assert (row["canonical_key"], row["sid"], row["name"]) == (CHECK.key, sid_of(CHECK.key), "check_permission")
    assert (row["body_hash"], row["sig_hash"], row["n_tokens"]) == (hash_of("body"), hash_of("check_permission(self)"), 50)
    assert (row["ordinal"], row["n_twins"], row["problem"]) == (0, 0, None)


def test_lines_are_those_of_the_definition_and_not_those_that_were_recorded():
    row = _only(build.constraint(anchors=[build.raw_anchor(start_line=39, end_line=90)]), _at(CHECK))
    assert (row["start_line"], row["end_line"]) == (40, 44)


def test_of_redefinitions_the_one_nearest_to_the_recorded_line_is_the_anchored_one():
    again = [
        definition("check_permission", path="authz/check.py", module="authz", line=line, ordinal=n) for n, line in enumerate([10, 41, 90])
    ]
    assert _only(build.constraint(), _at(*again))["ordinal"] == 1


def test_without_a_recorded_line_the_first_redefinition_is_the_anchored_one():
    again = [definition("check_permission", path="authz/check.py", module="authz", line=line, ordinal=n) for n, line in enumerate([10, 41])]
    unlined = build.constraint(anchors=[build.raw_anchor(start_line=None, end_line=None)])
    assert _only(unlined, _at(*reversed(again)))["ordinal"] == 0


def test_equal_bodies_beside_the_anchored_one_are_counted_as_twins():
    twins = [definition(name, path="authz/check.py") for name in ("a", "b")]
    elsewhere = [
        definition("c"),
        definition("d", path="authz/check.py", body="else"),
        definition("e", path="authz/check.py", probe="other"),
    ]
    assert _only(build.constraint(), _at(CHECK, *twins, *elsewhere))["n_twins"] == 2


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (NOTHING, "authz/check.py at 4f1c2a000000 was not read"),
        (
            _at(problems={"authz/check.py": "the commit is not in this clone"}),
            "authz/check.py at 4f1c2a000000: the commit is not in this clone",
        ),
        (_at(definition("other", path="authz/check.py")), f"authz/check.py at 4f1c2a000000 has no definition of {CHECK.key}"),
        (fingerprints(CHECK, commit="f" * 40), "authz/check.py at 4f1c2a000000 was not read"),
        (_at(CHECK, repo="another/repository"), "authz/check.py at 4f1c2a000000 was not read"),
    ],
)
def test_what_could_not_be_read_is_a_problem_in_words(code, problem):
    row = _only(build.constraint(), code)
    assert (row["problem"], row["body_hash"], row["fingerprint_version"]) == (problem, None, None)
    assert (row["canonical_key"], row["name"]) == (CHECK.key, "check_permission")


def test_a_damaged_file_that_holds_the_definition_is_no_problem():
    code = pl.concat([_at(CHECK), _at(problems={"authz/check.py": "3 places could not be parsed"})])
    assert _only(build.constraint(), code)["problem"] is None


def test_a_file_that_was_read_twice_counts_once():
    code = _at(CHECK, definition("twin", path="authz/check.py"))
    assert _only(build.constraint(), pl.concat([code, code]))["n_twins"] == 1


def test_a_record_falls_back_on_its_own_fingerprints_and_still_says_why():
    own = {"fingerprint_version": "0", "grammar_probe": "ab" * 16, "body_hash": "cd" * 16}
    row = _only(build.constraint(anchors=[build.raw_anchor(fingerprints=own)]), NOTHING)
    assert (row["body_hash"], row["sig_hash"], row["fingerprint_version"]) == (bytes.fromhex("cd" * 16), None, "0")
    assert "was not read" in row["problem"]


def test_what_was_read_wins_over_what_the_record_carries():
    own = {"fingerprint_version": "0", "grammar_probe": "ab" * 16, "body_hash": "cd" * 16, "sig_hash": "ef" * 16}
    row = _only(build.constraint(anchors=[build.raw_anchor(fingerprints=own)]), _at(CHECK))
    assert (row["body_hash"], row["sig_hash"], row["fingerprint_version"]) == (hash_of("body"), hash_of("check_permission(self)"), "1")


def test_only_symbol_anchors_are_looked_up():
    places = [{"scope": "file", "repo": build.REPO, "path": "authz/check.py", "commit": build.COMMIT}, {"scope": "org"}]
    record = build.constraint(anchors=places)
    assert anchored_files(folded(record)).is_empty()
    rows = explode_anchors(folded(record), _at(CHECK)).to_dicts()
    assert [(row["scope"], row["body_hash"], row["problem"]) for row in rows] == [("file", None, None), ("org", None, None)]


def test_each_file_is_asked_for_once():
    asked = anchored_files(folded(build.constraint(), build.attempt(id=build.v7(9)), build.record_of(build.raw_relation("retracts"))))
    assert asked.rows() == [(build.REPO, build.COMMIT, "authz/check.py")]


def test_no_records_make_no_anchors():
    assert explode_anchors(pl.DataFrame(schema=schema_of("ledger_records")), NOTHING).schema == schema_of("ledger_anchors")


@settings(deadline=None, max_examples=25)
@given(st.lists(build.records(), max_size=3, unique_by=lambda record: record.id), st.randoms())
def test_every_anchor_of_every_record_is_one_row_whatever_their_order(several, shuffle):
    table = folded(*several)
    rows = list_anchors(table)
    wanted = {
        f"{record.id}#{position}": anchor.path
        for record in map(decode, (text.encode() for text in table["record"]))
        if record.kind in set(Kind)
        for position, anchor in enumerate(record.anchors)
    }
    assert dict(rows.select("anchor_id", "path").iter_rows()) == wanted
    order = list(range(table.height))
    shuffle.shuffle(order)
    assert explode_anchors(table[order], _at(CHECK)).equals(explode_anchors(table, _at(CHECK)))
