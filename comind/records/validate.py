"""Everything that keeps a record from being written, all of it at once.

In: a record, or its plain JSON. Out: problems, each with the field, a code and what to do; or the record.
Never reads a store: whether cited records and commits exist is another's question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
from pydantic import TypeAdapter, ValidationError

from comind.canonical import Json, canonical_bytes
from comind.records.codec import as_json
from comind.records.limits import MAX_RECORD_BYTES
from comind.records.problems import Problem, RecordInvalidError, shape_problems
from comind.records.record import RECORD, AnyRecord, Entry
from comind.records.rules import rule_problems
from comind.records.speech import safety_cautions, safety_problems

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Problem", "RecordInvalidError", "build", "cautions", "validate"]

_ENTRY = TypeAdapter(Entry)


def validate(record: AnyRecord) -> list[Problem]:
    """Return every problem of a record that has the right shape; empty when it may be written."""
    plain = as_json(record)
    return [*rule_problems(plain), *_size_problems(plain), *safety_problems(plain)]


def cautions(record: AnyRecord) -> list[Problem]:
    """Return what does not keep a record from being written, but deserves another look: names, commands to the reader."""
    return safety_cautions(as_json(record))


def build(raw: Mapping[str, Json]) -> AnyRecord:
    """Make a record of its plain JSON.

    Raises:
        RecordInvalidError: with every problem of shape, size, rule and safety at once.
    """
    try:
        content = orjson.dumps(raw)
    except TypeError as error:
        raise RecordInvalidError([Problem("", "not_json", f"is not plain JSON: {error}")]) from None
    plain = orjson.loads(content)
    problems = _shape_problems(content)
    if isinstance(plain, dict):
        problems += [*rule_problems(plain), *safety_problems(plain)]
    if not problems:
        record = RECORD.validate_json(content)
        problems += _size_problems(as_json(record))
    if problems:
        raise RecordInvalidError(problems)
    return record


def _shape_problems(content: bytes) -> list[Problem]:
    try:
        RECORD.validate_json(content)
    except ValidationError as error:
        problems = shape_problems(error)
    else:
        return []
    if problems[0].code == "unknown_kind":
        problems += _entry_problems(content)
    return problems


def _entry_problems(content: bytes) -> list[Problem]:
    """Check what every kind has, since without a known kind the rest cannot be."""
    try:
        _ENTRY.validate_json(content)
    except ValidationError as error:
        return [problem for problem in shape_problems(error) if problem.code != "unknown_field"]
    return []


def _size_problems(plain: dict[str, Json]) -> list[Problem]:
    size = len(canonical_bytes(plain))
    if size <= MAX_RECORD_BYTES:
        return []
    return [Problem("", "too_large", f"has {size:,} bytes; shorten it to {MAX_RECORD_BYTES:,}")]
