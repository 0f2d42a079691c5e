"""Replace a derived table as a whole, together with the digest of what it was computed from.

In: all its rows, the digest, the version that stood when the inputs were read. Out: what became of it.
One commit, so no reader ever sees half of it or rows under a digest that is not theirs. Equal content is never written twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import lance

from comind.tables.catalog import INPUTS, TABLE_ID, metadata_of
from comind.tables.errors import PublishConflictError
from comind.tables.rows import Rows, conform, sorted_by_key, with_unique_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from comind.tables.catalog import Table

__all__ = ["Published", "publish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What became of a publication."""

    changed: bool  # other rows stand than before
    rows: int
    version: int  # of the table now; unchanged where nothing at all was written


def publish(table: Table, rows: Rows, *, inputs: str, expected_version: int | None = None) -> Published:
    """Make these the rows of the table.

    Args:
        table: a derived table.
        rows: all of them, in any order; one per key.
        inputs: digest of everything they were computed from.
        expected_version: the table's version before its inputs were read, 0 for none; None asks only that it stands still
            while this function works.

    Raises:
        PublishConflictError: somebody published since then; compute again from what stands now.
        SchemaMismatchError: the rows do not fit.
        StoreUnwritableError: nothing was changed.
    """
    ordered = sorted_by_key(with_unique_key(conform(rows, table.spec), table.spec), table.spec)
    standing = table.standing()
    version = standing.version if standing is not None else 0
    if expected_version not in {None, version}:
        raise PublishConflictError(table.spec.name, expected_version or 0, version)
    if standing is None:  # not `or`: an empty dataset is false
        standing = _unless_overtaken(table, table.create(), version)
    with table.reading():
        same = table.is_current(standing) and _holds(standing, ordered)
    if same and metadata_of(standing).get(INPUTS) == inputs:
        return Published(changed=False, rows=ordered.num_rows, version=version)
    schema = table.stored_schema(inputs, table_id=metadata_of(standing).get(TABLE_ID))
    fragments = _kept(standing) if same else []
    if not fragments and ordered.num_rows:
        with table.writing():
            fragments = lance.fragment.write_fragments(
                ordered.cast(schema), standing, mode="overwrite", max_rows_per_file=table.rows_per_file
            )
    written = _unless_overtaken(table, table.swap(standing, schema, fragments), version)
    return Published(changed=not same, rows=ordered.num_rows, version=written.version)


def _unless_overtaken(table: Table, written: lance.LanceDataset | None, version: int) -> lance.LanceDataset:
    if written is None:
        raise PublishConflictError(table.spec.name, version)
    return written


def _holds(standing: lance.LanceDataset, rows: pa.Table) -> bool:
    return bool(standing.count_rows() == rows.num_rows and standing.to_table().equals(rows))


def _kept(standing: lance.LanceDataset) -> Sequence[lance.FragmentMetadata]:
    """The files that stand, to be kept under new metadata; none if any holds deleted rows, which an overwrite refuses."""
    fragments = [fragment.metadata for fragment in standing.get_fragments()]
    return [] if any(fragment.deletion_file for fragment in fragments) else fragments
