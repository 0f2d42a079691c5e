"""What this machine remembers of a local inbox: until when each shard was seen whole.

In: a cache directory, a store. Out: {shard: modification time in ns}.
Only a hint: a lost, damaged or foreign file reads as nothing remembered, and costs one full scan.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from comind.canonical import content_hash

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Marks"]


@dataclass(frozen=True, slots=True)
class Marks:
    """The hint file of one store; with no cache directory nothing is remembered."""

    cache: Path | None
    store: str  # its absolute path

    def load(self, basis: str) -> dict[str, int]:
        """Return what was remembered against this basis; nothing if it was another."""
        try:
            said = orjson.loads(self._file.read_bytes()) if self._file else None
        except (OSError, orjson.JSONDecodeError):
            return {}
        if not isinstance(said, dict) or (said.get("store"), said.get("basis")) != (self.store, basis):
            return {}
        shards = said.get("shards")
        return shards if isinstance(shards, dict) and all(isinstance(time, int) for time in shards.values()) else {}

    def save(self, basis: str, shards: Mapping[str, int]) -> None:
        """Replace what is remembered; a cache that cannot be written is no reason to fail."""
        if not self._file:
            return
        draft = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            draft.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(orjson.dumps({"basis": basis, "shards": dict(shards), "store": self.store}))
            draft.replace(self._file)

    @property
    def _file(self) -> Path | None:
        return self.cache / f"inbox-{content_hash(self.store.encode(errors='surrogateescape'))[:16]}.json" if self.cache else None
