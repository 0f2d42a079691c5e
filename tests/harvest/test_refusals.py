"""What was refused becomes rows that can be replaced, never lost."""

from __future__ import annotations

from comind.harvest.refusals import Refusal, refusal_rows
from comind.schemas import TABLES


def refusal(commit="a" * 40, code="not_inverse"):
    return Refusal(repo_id="example", source="reverts", source_id=commit, code=code, detail="why", harvester_version="reverts/1")


def test_rows_have_the_schema_of_their_table():
    rows = refusal_rows([refusal()])
    assert rows.schema == TABLES["harvest_refusals"].schema
    assert rows.to_pylist()[0]["refusal_id"] == "reverts example " + "a" * 40


def test_a_finding_that_is_refused_again_replaces_itself():
    rows = refusal_rows([refusal(code="too_large"), refusal("b" * 40), refusal(code="not_inverse")])
    assert sorted(rows["code"].to_pylist()) == ["not_inverse", "not_inverse"]


def test_nothing_refused_is_an_empty_table_of_the_schema():
    assert refusal_rows([]).schema == TABLES["harvest_refusals"].schema
