"""Rows put in, replaced or taken out by key, by any number of processes at once.

In: rows of a table with one marked key, or a filter. Out: how many rows changed; nothing changes, nothing is written.

Lance merges without an error and without protection unless all of this holds: the key is a string marked as primary key when
the table is created, the merge does not use an index on it, no key stands twice in the batch, and a batch is small enough
for its filter of keys. All merges are made here, so that it holds for every one.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.tables.rows import Rows, as_frame, conform, in_list, last_per_key, rows_not_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import lance
    import pyarrow as pa

    from comind.tables.catalog import Table

__all__ = ["BATCH", "delete", "insert", "rows_with", "update_where", "upsert"]

BATCH: Final = 8_000  # rows of one merge
_MANY: Final = 20_000  # keys beyond which reading the whole key column is cheaper than asking for each
_RETRIES: Final = 20
_PATIENCE: Final = timedelta(seconds=60)


def upsert(table: Table, rows: Rows) -> int:
    """Make these rows stand, one per key; return how many stood differently or not at all.

    Raises:
        SchemaMismatchError: the rows do not fit.
        TableBusyError, StoreUnwritableError: some batches may have been written; doing it again is safe.
    """
    wanted = last_per_key(conform(rows, table.spec), table.spec)
    standing = table.open()
    if standing is not None:
        [key] = table.spec.key
        with table.reading():
            wanted = rows_not_in(wanted, rows_with(standing, key, as_frame(wanted)[key].to_list()))
    for batch in _batches(wanted):
        merge = _merge(table).when_matched_update_all().when_not_matched_insert_all()
        with table.writing():
            merge.execute(batch)
    return wanted.num_rows


def insert(table: Table, rows: pa.Table) -> int:
    """Insert the rows whose key does not stand yet; return how many that were."""
    inserted = 0
    for batch in _batches(last_per_key(rows, table.spec)):
        merge = _merge(table).when_not_matched_insert_all()
        with table.writing():
            inserted += merge.execute(batch)["num_inserted_rows"]
    return inserted


def update_where(table: Table, rows: pa.Table, condition: str) -> int:
    """Replace the rows of these keys for which a condition on `source` and `target` holds; return how many that were."""
    updated = 0
    for batch in _batches(last_per_key(rows, table.spec)):
        merge = _merge(table).when_matched_update_all(condition)
        with table.writing():
            updated += merge.execute(batch)["num_updated_rows"]
    return updated


def delete(table: Table, where: str) -> int:
    """Delete the rows that a filter names; return how many that were."""
    standing = table.open()
    if standing is None or not standing.count_rows(filter=where):
        return 0
    with table.writing():
        return int(standing.delete(where, conflict_retries=_RETRIES, retry_timeout=_PATIENCE)["num_deleted_rows"])


def rows_with(dataset: lance.LanceDataset, column: str, texts: Sequence[str], *, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the rows whose column is one of these texts, in no order.

    Args:
        dataset: an open table.
        column: a text column.
        texts: any number of them.
        columns: those to read; None for all.
    """
    wanted_columns = list(columns) if columns is not None else None
    if len(texts) <= _MANY:
        return dataset.to_table(columns=wanted_columns, filter=in_list(column, texts))
    everything = as_frame(dataset.to_table(columns=[column])).with_row_index("position")
    wanted = pl.DataFrame({column: texts}, schema={column: pl.String})
    positions = everything.join(wanted, on=column, how="semi")["position"].sort()
    return dataset.take(positions.to_list(), columns=wanted_columns)


def _merge(table: Table) -> lance.MergeInsertBuilder:
    [key] = table.spec.key
    builder = table.open_or_create().merge_insert(key)
    return builder.use_index(False).conflict_retries(_RETRIES).retry_timeout(_PATIENCE)  # noqa: FBT003 - Lance's own signature


def _batches(rows: pa.Table) -> Iterator[pa.Table]:
    for start in range(0, rows.num_rows, BATCH):
        yield rows.slice(start, BATCH)
