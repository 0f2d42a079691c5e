"""The store's format marker: one object that says how everything else is laid out.

In: a location. Out: nothing, or a refusal to use a store that a newer Comind wrote.
Reading never creates the marker; a store without one is empty, or was filled by someone who may only add records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from comind import __version__
from comind.canonical import canonical_bytes
from comind.errors import ComindError
from comind.store.failures import StoreUnreadableError, StoreUnwritableError, Trouble
from comind.store.layout import FORMAT_KEY, FORMAT_VERSION
from comind.store.objects import Missing, ReadFailure

if TYPE_CHECKING:
    from comind.store.location import StoreLocation

__all__ = ["NewerStoreError", "UnknownFormatError", "check_format", "ensure_format"]


class NewerStoreError(ComindError):
    """The store has a format that this version does not know; it is neither read nor written."""

    def __init__(self, where: str, found: int) -> None:
        self.where, self.found, self.known = where, found, FORMAT_VERSION
        super().__init__(f"the store {where} has format {found}, this comind knows up to {FORMAT_VERSION}; upgrade comind-ledger")


class UnknownFormatError(ComindError):
    """The store's format marker cannot be read as one, so nothing else in the store is believed."""

    def __init__(self, where: str, problem: str) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{FORMAT_KEY} of the store {where} {problem}; restore it from a backup or choose another store")


def check_format(location: StoreLocation) -> bool:
    """Say whether the store has a marker; raise if this version must leave it alone.

    Raises:
        NewerStoreError: a newer version laid it out.
        UnknownFormatError: there is a marker, but it says nothing we understand.
        StoreUnreadableError: the store cannot be read.
    """
    found = location.objects().read(FORMAT_KEY)
    if isinstance(found, Missing):
        return False
    if isinstance(found, ReadFailure):
        if found.why:
            raise StoreUnreadableError(location.where, found.why)
        raise UnknownFormatError(location.where, f"cannot be read: {found.reason}")
    version = _version(found)
    if version is None:
        raise UnknownFormatError(location.where, "is damaged")
    if version > FORMAT_VERSION:
        raise NewerStoreError(location.where, version)
    return True


def ensure_format(location: StoreLocation) -> None:
    """Write the marker if the store has none; skipped without a word where this identity may not.

    Raises:
        NewerStoreError, UnknownFormatError: as `check_format`.
        StoreUnwritableError: the store cannot be written, for another reason than permission.
    """
    try:
        if check_format(location):
            return
    except StoreUnreadableError as error:
        if error.trouble is not Trouble.DENIED:
            raise
    try:
        location.objects().create(FORMAT_KEY, canonical_bytes({"created_by": f"comind {__version__}", "format": FORMAT_VERSION}))
    except StoreUnwritableError as error:
        if error.trouble is not Trouble.DENIED:
            raise


def _version(content: bytes) -> int | None:
    try:
        said = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    version = said.get("format") if isinstance(said, dict) else None
    return version if isinstance(version, int) and not isinstance(version, bool) and version > 0 else None
