"""What a table says, as one short text: equal content, equal digest, however often the table was compacted.

In: a table. Out: 64 hex digits. Cheap at a million rows, since it reads only what names the content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
from blake3 import blake3

from comind.schemas import TableRole
from comind.tables.catalog import INPUTS, metadata_of
from comind.tables.repository_files import OWN_ROW
from comind.tables.rows import as_frame, sorted_by_key

if TYPE_CHECKING:
    import lance

    from comind.tables.catalog import Table

__all__ = ["digest"]


def digest(table: Table, dataset: lance.LanceDataset | None) -> str:
    """Return the digest of one version of a table; that of no rows where there is none.

    The log is known by its content hashes. A derived table is known by what it was computed from. The code tables are changed in
    parts: they are known by the repositories' own rows, which name the commit that the others describe. A state table is read whole.
    """
    with table.reading():
        parts = _parts(table, dataset) if dataset is not None else []
    said = blake3(f"{table.spec.name}/{table.spec.version}".encode())
    for part in parts:
        said.update(part)
    return said.hexdigest()


def _parts(table: Table, dataset: lance.LanceDataset) -> list[bytes]:
    inputs = metadata_of(dataset).get(INPUTS)
    match table.spec.role:
        case TableRole.LOG:
            return _set_of_hashes(dataset, "content_hash")
        case TableRole.DERIVED if inputs is not None:
            return [inputs.encode()]
        case TableRole.DERIVED if "head_commit" in table.spec.schema.names:
            return [str(dataset.count_rows()).encode(), _rows(table, dataset, OWN_ROW)]
    rows = dataset.count_rows()
    return [_rows(table, dataset)] if rows else []


def _set_of_hashes(dataset: lance.LanceDataset, column: str) -> list[bytes]:
    # 64 bits of each hash: to change the set unseen, one would have to find a record that shares them with another.
    hashes = as_frame(dataset.to_table(columns=[column]))[column]
    numbers = hashes.str.head(16).str.to_integer(base=16, dtype=pl.UInt64).sort()
    return [numbers.to_numpy().tobytes()] if numbers.len() else []


def _rows(table: Table, dataset: lance.LanceDataset, where: str | None = None) -> bytes:
    rows = as_frame(sorted_by_key(dataset.to_table(filter=where), table.spec))
    hexed: Any = pl.col(pl.Binary).bin.encode("hex")
    return rows.with_columns(hexed).write_ndjson().encode()
