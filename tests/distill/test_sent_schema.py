import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.distill.contract import Distilled
from comind.distill.sent_schema import answer_schema, schema_hash


def _objects(node):
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for value in node.values():
            yield from _objects(value)
    elif isinstance(node, list):
        for value in node:
            yield from _objects(value)


@pytest.mark.parametrize("with_limits", [True, False])
def test_strict_endpoints_take_it(with_limits):
    schema = answer_schema(with_limits=with_limits)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(_objects(schema))
    for one in _objects(schema):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    assert ("maxLength" in str(schema)) == with_limits
    assert "'default'" not in str(schema)
    assert {"op", "title", "kind"} <= set(schema["$defs"]["Operation"]["properties"])


def test_another_schema_has_another_name():
    assert schema_hash(with_limits=True) != schema_hash(with_limits=False)


_TEXT = st.text(min_size=8, max_size=40)
_OP = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["new", "confirm"]), "known": st.sampled_from([None, "K1"]), "kind": st.just("gotcha"), "title": _TEXT,
        "body": _TEXT, "trigger": _TEXT, "outcome": st.just("n/a"), "alternatives": st.just([]), "anchors": st.just(["S1"]),
        "evidence": st.lists(st.fixed_dictionaries({"span": st.just("E1"), "quote": _TEXT}), min_size=1, max_size=3), "reason": st.none(),
    }
)  # fmt: skip


@given(st.fixed_dictionaries({"verdict": st.just("record"), "ops": st.lists(_OP, max_size=3)}))
@settings(deadline=None, max_examples=50)
def test_what_the_schema_allows_the_contract_reads(answer):
    jsonschema.validate(answer, answer_schema(with_limits=True))
    assert Distilled.model_validate(answer).verdict == "record"
