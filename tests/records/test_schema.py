import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from comind.records.codec import as_json
from comind.records.schema import json_schema
from comind.records.vocabulary import Kind, RelationKind
from tests.builders import records as build

SCHEMA = json_schema()
VALIDATOR = Draft202012Validator(SCHEMA)


@given(build.records())
def test_every_record_meets_its_schema(record):
    VALIDATOR.validate(as_json(record))


def test_the_schema_is_one_and_names_no_host():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:comind:record:1"
    assert set(SCHEMA["discriminator"]["mapping"]) == {*Kind, *RelationKind}


@pytest.mark.parametrize("name", sorted(SCHEMA["$defs"]))
def test_every_part_and_every_field_of_it_is_described(name):
    part = SCHEMA["$defs"][name]
    assert part["description"]
    for field, shape in part.get("properties", {}).items():
        assert shape.get("description"), field


def test_every_reference_leads_somewhere():
    def references(node):
        if isinstance(node, dict):
            yield from ([node["$ref"]] if "$ref" in node else [])
            node = list(node.values())
        if isinstance(node, list):
            for item in node:
                yield from references(item)

    assert {reference.removeprefix("#/$defs/") for reference in references(SCHEMA)} <= set(SCHEMA["$defs"])


@pytest.mark.parametrize(
    "changed",
    [
        {"title": "x" * 121},
        {"title": "two\nlines"},
        {"anchors": []},
        {"evidence": []},
        {"anchors": [{"scope": "symbol", "repo": "r"}]},
        {"anchors": [{"scope": "org", "repo": "r"}]},
        {"evidence": [{"kind": "revert"}]},
        {"authority": {"rule": "owner_verbatim"}},
        {"schema": 2},
        {"kind": "rumour"},
        {"valid_from": None},
    ],
)
def test_what_the_rules_refuse_the_schema_refuses_where_it_can(changed):
    raw = build.raw_reason(Kind.ATTEMPT) | changed
    assert list(VALIDATOR.iter_errors(raw))


def test_the_schema_must_be_written_out():
    raw = build.raw_reason(Kind.INTENT)
    del raw["schema"]
    assert list(VALIDATOR.iter_errors(raw))
