r"""The ledger as lines of JSON: one per object, each with the hash of its bytes, and a last line that says that none is missing.

In: objects of an inbox, or lines. Out: lines, or records with their bytes; a line that is no good says why.
Pure: never opens a file or a store. Two exports of the same objects are the same bytes.

    {"comind_export":1}
    {"blake3":"…","id":"…","record":{…}}
    {"erased":"<id>"}                        a record that must not come back
    {"unreadable":"<key>","why":"…"}         an object whose bytes are no record; it is told, not carried
    {"end":{"records":2,"blake3":"…"}}       the hash is of the hashes above, in their order
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from comind.canonical import CanonicalFormError, canonical_bytes, content_hash
from comind.records.codec import RecordUnreadableError, decode
from comind.records.validate import validate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.canonical import Json

__all__ = [
    "EXPORT_VERSION", "AnyLine", "BadLine", "End", "ErasedLine", "RecordLine", "UnreadableLine", "digest_of", "end_line", "erased_line",
    "first_line", "is_export", "object_line", "object_problem", "read_line", "unreadable_line",
]  # fmt: skip

EXPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record and its one byte form."""

    record_id: str
    blake3: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ErasedLine:
    """The id of a record that was erased where the export comes from."""

    record_id: str


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """An object that could not be exported."""

    key: str
    why: str


@dataclass(frozen=True, slots=True)
class End:
    """What the export held."""

    records: int
    blake3: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is not taken, and why; the text repeats nothing of what it says."""

    code: str
    why: str


AnyLine = RecordLine | ErasedLine | UnreadableLine | End | BadLine


def first_line() -> bytes:
    """Return the line that says what file this is."""
    return canonical_bytes({"comind_export": EXPORT_VERSION})


def object_line(record_id: str, content: bytes) -> bytes:
    """Return the line of one object, its bytes as they are."""
    return b'{"blake3":"%s","id":"%s","record":%s}' % (content_hash(content).encode(), record_id.encode(), content)


def erased_line(record_id: str) -> bytes:
    """Return the line of a tombstone."""
    return canonical_bytes({"erased": record_id})


def unreadable_line(key: str, why: str) -> bytes:
    """Return the line of an object that is told and not carried."""
    return canonical_bytes({"unreadable": key, "why": why})


def end_line(hashes: Iterable[str]) -> bytes:
    """Return the last line; `hashes` are those of the records, in their order."""
    listed = list(hashes)
    return canonical_bytes({"end": {"records": len(listed), "blake3": digest_of(listed)}})


def digest_of(hashes: Iterable[str]) -> str:
    """Return one hash for many, order included."""
    return content_hash("".join(hashes).encode())


def object_problem(content: bytes, blake3: str) -> str | None:
    """Say why bytes cannot be carried in a line: not those that were written, or not canonical JSON; None if they can."""
    if content_hash(content) != blake3:
        return "its bytes are not those that were written"
    try:
        return None if canonical_bytes(orjson.loads(content)) == content else "its bytes are not in canonical form"
    except (orjson.JSONDecodeError, CanonicalFormError):
        return "its bytes are not JSON"


def is_export(line: bytes) -> BadLine | None:
    """Check the first line of a file; None if this version can read what follows."""
    plain = _parsed(line)
    version = plain.get("comind_export") if plain else None
    if not isinstance(version, int):
        return BadLine("no_export", "the file does not begin like an export of `comind export`")
    if version > EXPORT_VERSION:
        return BadLine("newer_version", f"the file is of export version {version}, this Comind reads up to {EXPORT_VERSION}: update it")
    return None


def read_line(line: bytes) -> AnyLine:
    """Read any line but the first; never raises."""
    match _parsed(line):
        case {"record": dict(record), "id": str(record_id), "blake3": str(blake3)}:
            return _record(record, record_id, blake3)
        case {"erased": str(record_id)}:
            return ErasedLine(record_id)
        case {"unreadable": str(key), "why": str(why)}:
            return UnreadableLine(key, why)
        case {"end": {"records": int(records), "blake3": str(blake3)}}:
            return End(records, blake3)
        case None:
            return BadLine("not_json", "the line is not JSON, or too long to be a record")
    return BadLine("unknown_line", "the line is none that an export has")


def _record(plain: dict[str, Json], record_id: str, blake3: str) -> RecordLine | BadLine:
    try:
        content = canonical_bytes(plain)
        if content_hash(content) != blake3:
            return BadLine("hash_mismatch", "the record is not the one that was exported: its hash is another")
        record = decode(content)
    except CanonicalFormError:
        return BadLine("not_canonical", "the record holds a value that no record has")
    except RecordUnreadableError as error:
        return BadLine(str(error.code), error.detail)
    if record.id != record_id:
        return BadLine("wrong_id", "the line names another record than it holds")
    if problems := validate(record):  # bytes are written once and for ever: what must not be written is not let in through this door
        return BadLine("not_allowed", "; ".join(map(str, problems)))
    return RecordLine(record_id, blake3, content)


def _parsed(line: bytes) -> dict[str, Json] | None:
    try:
        plain = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return plain if isinstance(plain, dict) else None
