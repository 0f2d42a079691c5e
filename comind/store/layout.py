"""Where every object of a store lies, and what a key of the inbox says by itself.

In: record ids, content hashes, keys. Out: keys; or, for a key that is none of ours, the reason.
Pure: never looks into a store, never reads an object.

<store>/_ledger/format.json                              the version of this layout
<store>/_ledger/inbox/<shard>/<id>-<blake3>.json         one record, written once
<store>/_ledger/inbox/_probe                             shows whether the store keeps its promises; no record
<store>/_ledger/erased/<id>                              a record that was erased and must not come back
<store>/_ledger/tables/<table>.lance                     what is folded and derived
<store>/_private/tables/<table>.lance                    raw texts, with permissions and erasure of their own
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.ids import shard_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ERASED",
    "FORMAT_KEY",
    "FORMAT_VERSION",
    "INBOX",
    "PRIVATE_TABLES",
    "PROBE_KEY",
    "TABLES",
    "BadName",
    "InboxObject",
    "object_key",
    "parse_erased",
    "parse_key",
    "parse_names",
    "printable",
]

FORMAT_VERSION = 1  # of this layout; a store of a newer one is left unread
FORMAT_KEY = "_ledger/format.json"
INBOX = "_ledger/inbox"
PROBE_KEY = f"{INBOX}/_probe"
ERASED = "_ledger/erased"
TABLES = "_ledger/tables"
PRIVATE_TABLES = "_private/tables"

_ID = r"[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_ID_ONLY = re.compile(_ID)
_NAME = re.compile(rf"{_ID}-[0-9a-f]{{64}}\.json")
_VERSION_DIGIT = 14  # of a UUID in its 36 characters
_HASH = slice(-69, -5)  # counted from the end, since a shard's name has no fixed length
_RECORD_ID = slice(-106, -70)


@dataclass(frozen=True, slots=True)
class InboxObject:
    """One object of the inbox as a listing knows it: all is in the key, which follows the grammar."""

    key: str  # from the store's root, `/`-separated

    @property
    def record_id(self) -> str:
        """The record's id, as its name claims it."""
        return self.key[_RECORD_ID]

    @property
    def content_hash(self) -> str:
        """BLAKE3 of its bytes in 64 hex digits, as its name claims it; only the bytes can prove it."""
        return self.key[_HASH]


@dataclass(frozen=True, slots=True)
class BadName:
    """Something lies where records lie but is not named like one; it is reported and never read."""

    key: str  # printable: bytes that are not UTF-8 stand as backslash escapes
    reason: str


def object_key(record_id: str, content_hash: str) -> str:
    """Return the key of a record's object; raises `InvalidIdError` for an id that is none.

    >>> object_key("01938f3e-7c00-7000-8000-000000000000", "ab" * 32)[:65]
    '_ledger/inbox/01938/01938f3e-7c00-7000-8000-000000000000-abababab'
    """
    return f"{INBOX}/{shard_of(record_id)}/{record_id}-{content_hash}.json"


def parse_key(key: str) -> InboxObject | BadName:
    """Read a key from the store's root.

    >>> parse_key("_ledger/inbox/01938/notes.txt").reason
    'is not named <id>-<blake3>.json'
    """
    before, _, rest = key.partition(f"{INBOX}/")
    shard, _, name = rest.partition("/")
    return BadName(printable(key), "lies in no shard") if before or not name else _first(parse_names(shard, [name]))


def parse_names(shard: str, names: Sequence[str]) -> tuple[list[InboxObject], list[BadName]]:
    """Read the names of the objects within a shard; a million of these make a listing.

    >>> objects, bad = parse_names("01939", ["01938f3e-7c00-7000-8000-000000000000-" + "ab" * 32 + ".json"])
    >>> objects, bad[0].reason
    ([], 'lies in shard 01939 but belongs to 01938')
    """
    # The same rule as `shard_of`, asked once per shard: parsing each id would cost eight times as much.
    beginning, version = (shard[1:], "5") if shard.startswith("h") else (shard, "7")
    length = 2 if version == "5" else 5
    whole, fullmatch = f"{INBOX}/{shard}/", _NAME.fullmatch
    good = [name for name in names if fullmatch(name) and name[:length] == beginning and name[_VERSION_DIGIT] == version]
    objects = [InboxObject(whole + name) for name in good]
    if len(good) == len(names):
        return objects, []
    known = set(good)
    return objects, [_bad_name(shard, name) for name in names if name not in known]


def parse_erased(name: str) -> str | BadName:
    """Read the name of a tombstone: the id of the record that was erased."""
    return name if _ID_ONLY.fullmatch(name) else BadName(printable(f"{ERASED}/{name}"), "is not the id of a record")


def _first(parsed: tuple[list[InboxObject], list[BadName]]) -> InboxObject | BadName:
    objects, bad = parsed
    return objects[0] if objects else bad[0]


def _bad_name(shard: str, name: str) -> BadName:
    key = printable(f"{INBOX}/{shard}/{name}")
    if not _NAME.fullmatch(name):
        return BadName(key, "is not named <id>-<blake3>.json")
    return BadName(key, f"lies in shard {shard} but belongs to {shard_of(name[:36])}")


def printable(key: str) -> str:
    r"""Write what is not Unicode text as backslash escapes, so that any table can hold it.

    >>> printable("caf\u00e9-\udcff")  # a byte of a file name that is not UTF-8
    'café-\\xff'
    """
    try:
        return key.encode(errors="surrogateescape").decode(errors="backslashreplace")
    except UnicodeEncodeError:  # half a character that no file name has
        return key.encode(errors="backslashreplace").decode()
