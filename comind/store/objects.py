"""The port between the ledger and storage: six questions that a local path and a bucket both answer.

In: keys from the store's root, bytes. Out: names, bytes, or why there are none.
Never knows what a record is; never overwrites and never deletes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from comind.store.failures import Explanation
    from comind.store.layout import BadName

__all__ = ["MAX_OBJECT_BYTES", "Level", "Missing", "Names", "ObjectStore", "ReadFailure"]

MAX_OBJECT_BYTES = 1 << 20  # a record is a few kilobytes; what is far larger is not read into memory


@dataclass(frozen=True, slots=True)
class ReadFailure:
    """One object could not be read, others could."""

    key: str
    reason: str
    why: Explanation | None = None  # where the system or the server refused; None where we did


@dataclass(frozen=True, slots=True)
class Missing(ReadFailure):
    """There is no such object: it was erased, or never written."""

    reason: str = "does not exist"


@dataclass(slots=True)
class Names:
    """What lies directly under a prefix."""

    names: list[str] = field(default_factory=list)  # last segment alone, in no order
    odd: list[BadName] = field(default_factory=list)  # what cannot be an object of ours, whatever its name


@dataclass(slots=True)
class Level(Names):
    """What lies directly under a prefix, and the folders there."""

    folders: dict[str, int] = field(default_factory=dict)  # name -> modification time in ns; 0 where a store has none


class ObjectStore(Protocol):
    """Objects under one root. Every failure is a `StoreUnreadableError` or `StoreUnwritableError`."""

    parallel: int  # requests worth having in flight at once

    def create(self, key: str, content: bytes) -> bool:
        """Write an object unless its key is taken; say whether it was written. Never visible half-written."""

    def read(self, key: str, *, limit: int = MAX_OBJECT_BYTES) -> bytes | ReadFailure:
        """Return an object's bytes; `ReadFailure` for what concerns this object alone."""

    def names(self, folder: str, *, beginning: str = "") -> Names:
        """List the names in a folder that begin so; a folder that does not exist is empty."""

    def level(self, folder: str) -> Level:
        """List the names and the folders in a folder; one that does not exist is empty."""
