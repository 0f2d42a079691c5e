"""Records to canonical bytes and back, and what can be read off a record alone.

In: records, or bytes of the inbox. Out: bytes, records, times and cited ids.
A record has exactly one byte form: RFC 8785 JSON in which a field that equals its default is left out, `schema` excepted.
So equal records are equal bytes, and bytes in any other form are not a record. Never reads a store or a clock.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, cast

import orjson
from pydantic import ValidationError
from pydantic_core import from_json

from comind.canonical import MAX_SAFE_INTEGER, Json, canonical_bytes
from comind.errors import ComindError
from comind.ids import id_time
from comind.records.limits import MAX_RECORD_BYTES
from comind.records.problems import shape_problems
from comind.records.record import (
    RECORD,
    RECORD_SCHEMA_VERSION,
    AnyRecord,
    ConfirmsRelation,
    DisputesRelation,
    RelatesRelation,
    RetractsRelation,
    SupersedesRelation,
)
from comind.records.rules import rule_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "RecordUnreadableError", "Unreadable", "as_json", "cited_ids", "decode", "encode", "next_lamport", "recorded_at",
    "subject_and_successor",
]  # fmt: skip


class Unreadable(StrEnum):
    """Why bytes are not a record of this version."""

    TRUNCATED = "truncated"  # the beginning of JSON
    NOT_JSON = "not_json"
    TOO_LARGE = "too_large"
    NEWER_VERSION = "newer_version"
    INVALID_RECORD = "invalid_record"  # JSON, but of another shape, or it breaks a rule
    NOT_CANONICAL = "not_canonical"  # a record, but in other bytes than its own


class RecordUnreadableError(ComindError):
    """Bytes are not a record of this version; the detail repeats nothing of what they say."""

    def __init__(self, code: Unreadable, detail: str) -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code}: {detail}")


def as_json(record: AnyRecord) -> dict[str, Json]:
    """Return the plain JSON object of a record: defaults left out, `schema` always there."""
    plain: dict[str, Json] = record.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    plain["schema"] = record.schema_version
    return plain


def encode(record: AnyRecord) -> bytes:
    """Return the one byte form of a record; equal records give equal bytes."""
    return canonical_bytes(as_json(record))


def decode(content: bytes) -> AnyRecord:
    """Read a record from its byte form.

    Checks shape, sizes, the rules between fields and that no other bytes stand for the same record. It does not look for secrets
    or instructions in texts: what has been written is judged by its status, not by whether it can be read.

    Raises:
        RecordUnreadableError: the bytes are cut off, of a newer version, too large, break a rule, or are not the canonical form.
    """
    if len(content) > MAX_RECORD_BYTES:
        raise RecordUnreadableError(Unreadable.TOO_LARGE, f"{len(content):,} bytes, and a record has at most {MAX_RECORD_BYTES:,}")
    plain = _parse(content)
    try:
        record = RECORD.validate_json(content)
    except ValidationError as error:
        raise RecordUnreadableError(Unreadable.INVALID_RECORD, "; ".join(map(str, shape_problems(error)))) from None
    if problems := rule_problems(plain):
        raise RecordUnreadableError(Unreadable.INVALID_RECORD, "; ".join(map(str, problems)))
    if orjson.dumps(as_json(record), option=orjson.OPT_SORT_KEYS) != content:  # as `encode`, of values just checked
        raise RecordUnreadableError(Unreadable.NOT_CANONICAL, "a record, but not in its canonical form; write it with Comind")
    return record


def recorded_at(record: AnyRecord) -> datetime:
    """Return the transaction time (UTC): of the id if a writer made it, else of the source."""
    if (time := id_time(record.id)) is not None:
        return time
    if record.provenance.source_time is None:
        raise RecordUnreadableError(Unreadable.INVALID_RECORD, f"{record.id} is a derived record without the time of its source")
    return datetime.fromisoformat(record.provenance.source_time).astimezone(UTC)


def subject_and_successor(record: AnyRecord) -> tuple[str | None, str | None]:
    """Return the record that a relation is about, and its successor or the other end; None where there is none."""
    match record:
        case SupersedesRelation():
            return record.fields.old, record.fields.new
        case RelatesRelation():
            return record.fields.a, record.fields.b
        case RetractsRelation() | ConfirmsRelation() | DisputesRelation():
            return record.fields.id, None
    return None, None


def cited_ids(record: AnyRecord) -> tuple[str, ...]:
    """Return the ids of the records that a relation speaks of, in a fixed order; empty for a reason."""
    return tuple(cited for cited in subject_and_successor(record) if cited is not None)


def next_lamport(cited: Iterable[int]) -> int:
    """Return the Lamport time of a record that cites records of the given times.

    At the cap the clock stands still and ids decide: one forged time cannot keep others from writing.

    >>> next_lamport([]), next_lamport([4, 9])
    (0, 10)
    """
    largest = max(cited, default=-1)
    return min(largest + 1, MAX_SAFE_INTEGER)


def _parse(content: bytes) -> dict[str, Json]:
    try:
        plain = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise RecordUnreadableError(*_why_not_json(content)) from None
    if not isinstance(plain, dict):
        raise RecordUnreadableError(Unreadable.INVALID_RECORD, "JSON, but not an object")
    version = plain.get("schema")
    if isinstance(version, int) and version > RECORD_SCHEMA_VERSION:
        raise RecordUnreadableError(
            Unreadable.NEWER_VERSION, f"written in version {version}, read up to {RECORD_SCHEMA_VERSION}; update Comind"
        )
    return cast("dict[str, Json]", plain)


def _why_not_json(content: bytes) -> tuple[Unreadable, str]:
    try:
        from_json(content)
    except ValueError as error:
        if "EOF" in str(error) or _ends_within_a_character(content):
            return Unreadable.TRUNCATED, f"ends after {len(content):,} bytes, in the middle of the record"
    return Unreadable.NOT_JSON, "not JSON; something else was written here"


def _ends_within_a_character(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False
