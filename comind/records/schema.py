"""The JSON Schema of a record, for writers in any language.

In: the record classes and the table of anchor fields. Out: one schema (draft 2020-12).
What a schema can say, it says; rules that compare fields, and the safety of texts, are `comind.records.validate`'s alone.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from comind.records.authority import CLAIM_FIELDS
from comind.records.limits import MAX_RECORD_BYTES
from comind.records.record import RECORD, RECORD_SCHEMA_VERSION
from comind.records.rules import ANCHOR_FIELDS, EVIDENCE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["json_schema"]

_DESCRIPTION = (
    "One object of the log: a reason, anchored to code, or a relation between records. "
    "Its one byte form is RFC 8785 JSON in which a field that equals its default is left out, `schema` excepted; "
    f"at most {MAX_RECORD_BYTES:,} bytes."
)


def json_schema() -> dict[str, Any]:
    """Return the schema of a record: every kind, told apart by `kind`.

    >>> json_schema()["$id"]
    'urn:comind:record:1'
    """
    made = _without_null(RECORD.json_schema(by_alias=True, mode="validation"))
    definitions = made.pop("$defs")
    for definition in definitions.values():
        properties = definition.get("properties", {})
        if "schema" in properties:
            definition["required"] = sorted({*definition["required"], "schema"})
            properties["authority"]["propertyNames"] = {"enum": list(CLAIM_FIELDS[properties["kind"]["const"]])}
    definitions["Anchor"]["allOf"] = [
        {
            "if": _is("scope", scope),
            "then": {"required": sorted(fields.needed), **_without(definitions["Anchor"], fields.needed | fields.allowed)},
        }
        for scope, fields in ANCHOR_FIELDS.items()
    ]
    definitions["Evidence"]["allOf"] = [
        {"if": _is("kind", kind), "then": {"anyOf": [{"required": [field]} for field in fields]}}
        for kind, fields in EVIDENCE_FIELDS.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:comind:record:{RECORD_SCHEMA_VERSION}",
        "title": "Record of Comind Ledger",
        "description": _DESCRIPTION,
        **made,
        "$defs": deepcopy(definitions),
    }


def _is(field: str, word: str) -> dict[str, Any]:
    return {"properties": {field: {"const": str(word)}}, "required": [field]}


def _without(definition: dict[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """Forbid the fields of an anchor that its scope does not have."""
    others = sorted(set(definition["properties"]) - {"scope", "role", *known})
    return {"properties": dict.fromkeys(others, False)}


def _without_null(node: Any) -> Any:  # noqa: ANN401  (any JSON)
    """Say of an optional field only what it is when it is there: in the byte form nothing is null. Drop titles that repeat names."""
    if isinstance(node, list):
        return [_without_null(item) for item in node]
    if not isinstance(node, dict):
        return node
    node = {name: _without_null(value) for name, value in node.items()}
    if {"type": "null"} in node.get("anyOf", ()):
        (present,) = [option for option in node.pop("anyOf") if option != {"type": "null"}]
        node = present | {name: value for name, value in node.items() if name != "default"}
    return {
        name: {field: _untitled(value) for field, value in inner.items()} if name == "properties" else inner for name, inner in node.items()
    }


def _untitled(node: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != "title"}
