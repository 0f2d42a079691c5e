"""Rows in the shape their table keeps them: its columns, types and order.

In: Arrow or Polars rows. Out: Arrow rows of the table's schema; or a `SchemaMismatchError` that names the column.
Pure; never opens a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

import polars as pl
import pyarrow as pa

from comind.tables.errors import SchemaMismatchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.schemas import TableSpec

__all__ = ["Rows", "as_frame", "conform", "in_list", "last_per_key", "quoted", "rows_not_in", "sorted_by_key", "with_unique_key"]

Rows: TypeAlias = "pa.Table | pl.DataFrame"


def conform(rows: Rows, spec: TableSpec) -> pa.Table:
    """Return the rows with exactly the columns and types of a table.

    Raises:
        SchemaMismatchError: a column is missing or unknown, has another type, or is null where it must not be.
    """
    table = rows.to_arrow() if isinstance(rows, pl.DataFrame) else rows
    for column in sorted(set(spec.schema.names) ^ set(table.column_names)):
        raise SchemaMismatchError(spec.name, column, "is missing" if column in spec.schema.names else "is not a column of it")
    columns = [_cast(table[field.name], field, spec) for field in spec.schema]
    return pa.Table.from_arrays(columns, schema=spec.schema)


def _cast(column: pa.ChunkedArray[Any], field: pa.Field[Any], spec: TableSpec) -> pa.ChunkedArray[Any]:
    if not field.nullable and column.null_count:
        raise SchemaMismatchError(spec.name, field.name, "must not be null")
    try:
        return column.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise SchemaMismatchError(spec.name, field.name, f"is {column.type}, not {field.type}: {error}") from error


def sorted_by_key(rows: pa.Table, spec: TableSpec) -> pa.Table:
    """Order rows by their key, so that equal content is equal bytes."""
    return rows.sort_by([(column, "ascending") for column in spec.key])


def with_unique_key(rows: pa.Table, spec: TableSpec) -> pa.Table:
    """Return the rows unchanged; raises `SchemaMismatchError` where two of them have one key."""
    keys = as_frame(rows.select(list(spec.key)))
    if doubled := keys.filter(keys.is_duplicated()).head(1).rows():
        raise SchemaMismatchError(spec.name, "+".join(spec.key), f"{doubled[0]!r} stands twice; a row per key")
    return rows


def last_per_key(rows: pa.Table, spec: TableSpec) -> pa.Table:
    """Keep the last row of each key: a merge would insert both, silently."""
    keys = as_frame(rows.select(list(spec.key))).with_row_index("position")
    keep = keys.group_by(spec.key).agg(pl.col("position").max())["position"].sort()
    return rows.take(keep.to_arrow()) if keep.len() < rows.num_rows else rows


def rows_not_in(rows: pa.Table, standing: pa.Table) -> pa.Table:
    """Return the rows that do not stand already, equal in every column."""
    ours = as_frame(rows).with_row_index("position")
    new = ours.join(as_frame(standing), on=rows.column_names, how="anti", nulls_equal=True)["position"].sort()
    return rows.take(new.to_arrow()) if new.len() < rows.num_rows else rows


def as_frame(rows: pa.Table) -> pl.DataFrame:
    """Return the same rows for Polars."""
    return cast("pl.DataFrame", pl.from_arrow(rows))


def quoted(text: str) -> str:
    """Write text as a literal of a filter.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def in_list(column: str, texts: Iterable[str]) -> str:
    """Write a filter for rows whose column is one of some texts; false where there are none.

    >>> in_list("id", ["a", "b"]), in_list("id", [])
    ("id IN ('a','b')", 'false')
    """
    listed: Sequence[str] = [quoted(text) for text in texts]
    return f"{column} IN ({','.join(listed)})" if listed else "false"
