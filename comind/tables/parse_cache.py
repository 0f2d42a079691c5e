"""What blobs parse to, kept for ever: looked up by key, only ever added to.

In: keys, parses. Out: the parses that are known. Two writers may add the same key; their rows say the same, and one is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import lance

from comind.tables.merge import rows_with
from comind.tables.rows import conform, last_per_key
from comind.tables.upkeep import tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from comind.tables.lake import Lake

__all__ = ["LakeParseCache"]

_NAME: Final = "parse_cache"


class LakeParseCache:
    """The table `parse_cache` of one lake."""

    def __init__(self, lake: Lake) -> None:
        self._table = lake.table(_NAME)

    def lookup(self, keys: Sequence[str]) -> pa.Table:
        """Return one row of `parse_cache` for each key that is known, in no order."""
        dataset = self._table.open() if keys else None
        if dataset is None:
            return self._table.spec.schema.empty_table()
        with self._table.reading():
            return last_per_key(rows_with(dataset, "key", list(keys)).cast(self._table.spec.schema), self._table.spec)

    def add(self, rows: pa.Table) -> None:
        """Append parses; an empty table writes nothing.

        Raises:
            SchemaMismatchError: the rows do not fit.
            StoreUnwritableError: nothing was added.
        """
        new = last_per_key(conform(rows, self._table.spec), self._table.spec)
        if not new.num_rows:
            return
        dataset = self._table.open_or_create()
        with self._table.writing():
            lance.write_dataset(new.cast(dataset.schema), dataset, mode="append", max_rows_per_file=self._table.rows_per_file)
        tidy(self._table)
