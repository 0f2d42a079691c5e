"""What this machine keeps of old commits, so that a second question about one costs little: parses, and where anchors were.

In: a folder that may be deleted at any time, or none. Out: a parse cache that writes there alone; locations that are still true.
Never writes to a store: whoever asks may have no right to. A folder that cannot be written is as good as none.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa

from comind.anchors.frames import schema_of
from comind.canonical import content_hash
from comind.errors import ComindError
from comind.fingerprints import FINGERPRINT_VERSION
from comind.index.blobs import MemoryParseCache
from comind.store.location import StoreLocation
from comind.tables.lake import Lake
from comind.tables.parse_cache import LakeParseCache

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from comind.index.blobs import ParseCache

__all__ = ["PastCache"]

_KEPT: Final = 512  # commits
_ANCHOR: Final = "anchor"  # a location is kept beside the anchor that it was worked out for
_LOCATION: Final = "location"


@dataclass(frozen=True, slots=True)
class PastCache:
    """A folder of this machine; None keeps nothing."""

    folder: Path | None

    def parses(self, lake: Lake) -> ParseCache:
        """Return the parses of a store, and beside them those that were made here."""
        if self.folder is None:
            return _Beside(LakeParseCache(lake), MemoryParseCache())
        return _Beside(LakeParseCache(lake), LakeParseCache(Lake(StoreLocation.parse(str(self.folder / "parses"), {}))))

    def located(
        self, name: str, anchors: pl.DataFrame, locate: Callable[[pl.DataFrame], pl.DataFrame]
    ) -> pl.DataFrame:  # fmt: skip
        """Return the locations of anchors, of which those are worked out that are not kept.

        Args:
            name: what the locations depend on besides the anchors: a commit, and how it is indexed.
            anchors: `ledger_anchors`.
            locate: works out `anchor_locations` of some anchors, each by itself.
        """
        kept = self._read(name)
        known = anchors.join(kept.select(pl.col(_ANCHOR).struct.unnest(), _LOCATION), on=anchors.columns, how="inner", nulls_equal=True)
        rest = anchors.join(known, on="anchor_id", how="anti")
        standing = known.select(pl.col(_LOCATION).struct.unnest()).sort("anchor_id")
        if rest.is_empty():
            return standing
        located = pl.concat([standing, locate(rest)]).sort("anchor_id")
        self._write(name, anchors, located)
        return located

    def _read(self, name: str) -> pl.DataFrame:
        empty = _paired(pl.DataFrame(schema=schema_of("ledger_anchors")), pl.DataFrame(schema=schema_of("anchor_locations")))
        if self.folder is None or not (path := self._path(self.folder, name)).is_file():
            return empty
        try:
            found = pl.read_ipc(path)
        except (OSError, pl.exceptions.PolarsError):  # half written, or by another version
            return empty
        return found if found.schema == empty.schema else empty

    def _write(self, name: str, anchors: pl.DataFrame, located: pl.DataFrame) -> None:
        if self.folder is None:
            return
        settled = located.filter(pl.col("matched_by") != "unknown")  # what a deeper clone may tell is asked again
        with suppress(OSError, pl.exceptions.PolarsError):
            path = self._path(self.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(f".{os.getpid()}")
            _paired(anchors.join(settled, on="anchor_id", how="semi").sort("anchor_id"), settled).write_ipc(draft)
            draft.replace(path)
            _thin_out(path.parent)

    @staticmethod
    def _path(folder: Path, name: str) -> Path:
        return folder / "places" / f"{content_hash(f'{FINGERPRINT_VERSION} {name}'.encode())}.arrow"


def _paired(anchors: pl.DataFrame, locations: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({_ANCHOR: anchors.to_struct(), _LOCATION: locations.to_struct()})


def _thin_out(folder: Path) -> None:
    kept = sorted(folder.glob("*.arrow"), key=lambda path: path.stat().st_mtime)
    for path in kept[:-_KEPT]:
        path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _Beside:
    """Reads the cache of the store first, and adds to the one here."""

    store: ParseCache
    here: ParseCache

    def lookup(self, keys: Sequence[str]) -> pa.Table:
        """Return the rows that either has."""
        found = self.store.lookup(keys)
        others = set(keys) - set(found["key"].to_pylist())
        if not others:
            return found
        try:
            return pa.concat_tables([found, self.here.lookup(sorted(others)).cast(found.schema)])
        except ComindError:  # whoever deletes a cache meanwhile loses nothing
            return found

    def add(self, rows: pa.Table) -> None:
        """Keep rows here; where that fails, they are parsed again next time."""
        with suppress(ComindError, OSError):
            self.here.add(rows)
