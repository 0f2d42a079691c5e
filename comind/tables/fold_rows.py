"""Bytes of the inbox to rows, each object judged on its own and then against its namesakes.

In: keys with the bytes found under them. Out: rows of `ledger_records` and `unreadable_objects`; every object that is there is in
exactly one of them. Pure: the same objects give the same rows in any order, and nothing is trusted that its key does not prove.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa

from comind.canonical import content_hash
from comind.records.codec import RecordUnreadableError, Unreadable, decode, recorded_at, subject_and_successor
from comind.records.record import Reason
from comind.schemas import TABLES
from comind.store.layout import BadName, InboxObject, parse_key
from comind.store.objects import Missing, ReadFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from comind.records.record import AnyRecord

__all__ = ["RETRIED", "FoldedObjects", "Refusal", "RefusalCode", "misnamed", "record_rows", "refusal_rows", "taken"]


_Row: TypeAlias = "dict[str, Any]"  # of ledger_records: column -> value


class RefusalCode(StrEnum):
    """Why an object is no record, beside what `comind.records.codec.Unreadable` says of its bytes."""

    BAD_NAME = "bad_name"
    UNREADABLE = "unreadable"  # the store refuses to hand it out
    HASH_MISMATCH = "hash_mismatch"
    ID_MISMATCH = "id_mismatch"
    ID_TAKEN = "id_taken"


RETRIED = frozenset({str(Unreadable.TRUNCATED), str(RefusalCode.UNREADABLE)})
"""Codes of objects that may get better by themselves: still being written, or not readable just now."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One object that cannot be trusted."""

    object_key: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedObjects:
    """What some objects of the inbox come to."""

    records: pa.Table  # schema of ledger_records, by id
    unreadable: pa.Table  # schema of unreadable_objects, by key


def record_rows(objects: Mapping[str, bytes | ReadFailure]) -> FoldedObjects:
    """Fold objects on their own.

    Of several good objects with one id the one with the smallest content hash stands, the others are refused as `id_taken`.
    Objects that are gone leave no row.

    Args:
        objects: key -> the bytes under it, or why there are none.
    """
    good: dict[str, _Row] = {}
    refused: list[Refusal] = []
    for key in sorted(objects):  # of one id, the smallest content hash comes first
        found = objects[key]
        if isinstance(found, Missing):
            continue
        judged = _judge(key, found)
        if isinstance(judged, Refusal):
            refused.append(judged)
        elif judged["id"] in good:
            refused.append(taken(key))
        else:
            good[judged["id"]] = judged
    rows = [good[record_id] for record_id in sorted(good)]
    return FoldedObjects(records=pa.Table.from_pylist(rows, schema=TABLES["ledger_records"].schema), unreadable=refusal_rows(refused))


def taken(key: str) -> Refusal:
    """Refuse an object because of another one with its id. Which one stands in the end is not known before the end, so it is not named."""
    return Refusal(key, RefusalCode.ID_TAKEN, "another object has its id and a smaller content hash; write it again under an id of its own")


def misnamed(bad: BadName) -> Refusal:
    """Refuse what lies in the inbox under a name that proves nothing."""
    return Refusal(bad.key, RefusalCode.BAD_NAME, f"{bad.reason}; it is not read")


def refusal_rows(refusals: Iterable[Refusal]) -> pa.Table:
    """Return refusals as rows of `unreadable_objects`, by key."""
    rows = sorted((refusal.object_key, str(refusal.code), refusal.detail) for refusal in refusals)
    schema = TABLES["unreadable_objects"].schema
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns], schema=schema)


def _judge(key: str, found: bytes | ReadFailure) -> _Row | Refusal:
    parsed = parse_key(key)
    if isinstance(parsed, BadName):
        return misnamed(parsed)
    if isinstance(found, ReadFailure):
        return Refusal(key, RefusalCode.UNREADABLE, f"{found.reason}; it is tried again")
    intact = content_hash(found) == parsed.content_hash
    try:
        record = decode(found)
        time = recorded_at(record)
    except RecordUnreadableError as error:
        return _unreadable(key, error, intact=intact)
    if not intact:
        return Refusal(key, RefusalCode.HASH_MISMATCH, "its content is not what its name promises; it was changed after it was written")
    if record.id != parsed.record_id:
        return Refusal(key, RefusalCode.ID_MISMATCH, f"it is named {parsed.record_id} but says {record.id}")
    return _row(parsed, record, time, found)


def _unreadable(key: str, error: RecordUnreadableError, *, intact: bool) -> Refusal:
    if intact and error.code is Unreadable.TRUNCATED:  # it was written so and will not get longer
        return Refusal(key, Unreadable.NOT_JSON, error.detail)
    if intact or error.code is Unreadable.TRUNCATED:
        return Refusal(key, error.code, error.detail)
    return Refusal(key, RefusalCode.HASH_MISMATCH, f"its content is not what its name promises ({error.detail})")


def _row(named: InboxObject, record: AnyRecord, time: datetime, content: bytes) -> _Row:
    subject, successor = subject_and_successor(record)
    reason = record if isinstance(record, Reason) else None
    return {
        "id": named.record_id,
        "content_hash": named.content_hash,
        "object_key": named.key,
        "kind": str(record.kind),
        "lamport": record.lamport,
        "recorded_at": time,
        "author_kind": str(record.provenance.author_kind),
        "source": str(record.provenance.source),
        "repo_id": record.provenance.repo,
        "title": reason.title if reason else None,
        "trigger": reason.trigger if reason else None,
        "body": reason.body if reason else None,
        "subject_id": subject,
        "successor_id": successor,
        "valid_from": reason.valid_from if reason else None,
        "record": content.decode(),
    }
