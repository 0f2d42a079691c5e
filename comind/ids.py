"""Record ids: UUIDv7 for writers, UUIDv5 for what a machine derives from a source.

In: a clock reading or a source's identity. Out: ids, their transaction time, the shard of an id.
A derived id never depends on a clone, a path of a machine or a clock, so a second harvest finds its own records.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

import uuid_utils

from comind.canonical import canonical_bytes
from comind.errors import UsageError

__all__ = ["InvalidIdError", "derived_id", "id_time", "new_id", "parse_id", "shard_of", "v7_shards_between"]

NAMESPACE = UUID("13d55edb-3cb2-5134-9f42-528d6c045432")  # fixed for ever: every derived id hangs on it
_TIME_BITS_IN_SHARD = 20  # five hex digits: one shard is 2^28 ms, about 3.1 days
_SHARD_MS = 1 << (48 - _TIME_BITS_IN_SHARD)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_MS = 253_402_300_799_999  # the end of the year 9999; a UUIDv7 has room for a later time, a calendar has not


class InvalidIdError(UsageError):
    """A text is not the canonical form of a UUIDv7 or UUIDv5."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text[:60]!r} is not a record id; `comind log` lists ids")


def new_id() -> str:
    """Return a fresh UUIDv7: 36 lower-case characters, monotonic within this process."""
    return str(uuid_utils.uuid7())


def derived_id(*identity: str) -> str:
    """Return the UUIDv5 of a source's identity, such as ``("revert", repo_id, commit)``.

    >>> derived_id("revert", "github.com/pallets/flask", "1f" * 20)
    'c53b41c6-3b26-5b0c-a121-cf09ad6e8f70'
    """
    return str(uuid5(NAMESPACE, canonical_bytes(list(identity)).decode()))


def parse_id(text: str) -> UUID:
    """Read a record id; raises `InvalidIdError` unless it is a canonical UUIDv7 of the calendar or UUIDv5."""
    try:
        parsed = UUID(text)
    except ValueError:
        raise InvalidIdError(text) from None
    if str(parsed) != text or parsed.version not in {5, 7} or (parsed.version == 7 and parsed.int >> 80 > _LAST_MS):  # noqa: PLR2004
        raise InvalidIdError(text)
    return parsed


def id_time(text: str) -> datetime | None:
    """Return the transaction time that a UUIDv7 carries (UTC, whole milliseconds); None for a UUIDv5."""
    parsed = parse_id(text)
    return _EPOCH + timedelta(milliseconds=parsed.int >> 80) if parsed.version == 7 else None  # noqa: PLR2004


def shard_of(text: str) -> str:
    """Return the inbox shard of an id: five hex digits of a UUIDv7, ``h`` and two digits of a UUIDv5.

    >>> shard_of("01938f3e-7c00-7000-8000-000000000000"), shard_of("d7a3aa3a-6b47-595d-8a2c-8fa8a8bfb5b4")
    ('01938', 'hd7')
    """
    return text[:5] if parse_id(text).version == 7 else f"h{text[:2]}"  # noqa: PLR2004


def v7_shards_between(first: datetime, last: datetime) -> list[str]:
    """List every UUIDv7 shard that holds ids of the given times, oldest first, both ends included.

    >>> v7_shards_between(datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 11, 6, tzinfo=UTC))
    ['01a19', '01a1a']
    """
    start, stop = (int((moment - _EPOCH) / timedelta(milliseconds=1)) // _SHARD_MS for moment in (first, last))
    return [f"{shard:05x}" for shard in range(start, stop + 1)]
