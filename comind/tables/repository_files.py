"""Replace the rows of some files of one repository in one step.

In: the files, their rows, and the repository's own row, which has an empty path. Out: how many rows were written.
The repository's own row is rewritten every time, so that two writers of one repository always change something in common:
one of them conflicts and starts again from what stands then, and no row can stand twice. Readers see all of it or nothing.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import lance
import polars as pl
import pyarrow as pa

from comind.tables.catalog import is_conflict
from comind.tables.errors import SchemaMismatchError, TableBusyError
from comind.tables.rows import Rows, as_frame, conform, in_list, quoted, sorted_by_key, with_unique_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.tables.catalog import Table

__all__ = ["OWN_ROW", "replace_repository_files"]

OWN_ROW: Final = "path = ''"  # the filter for repositories' own rows
_WHOLE_FROM: Final = 0.1  # share of a repository's rows from which all of them are written anew, side by side
_FEW: Final = 1_000  # rows that are never worth that
_ADDRESSES: Final = 2_000  # rows deleted by address; beyond, the filter is cheaper than so long a list
_ATTEMPTS: Final = 200
_LONGEST_WAIT: Final = 0.5  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The rows that a filter names in one version of a table, in the order of their keys."""

    dataset: lance.LanceDataset
    where: str
    rows: pa.Table
    addresses: pl.Series  # fragment << 32 | row within it


def replace_repository_files(table: Table, repo_id: str, paths: Sequence[str] | None, rows: Rows) -> int:
    """Make these rows the rows of some files of a repository.

    Args:
        table: one whose rows belong to files: `code_files`, `symbols`, `edges`.
        repo_id: the repository.
        paths: the files that changed, those that are gone included; None for all of them.
        rows: all rows of those files that exist, and the repository's own row.

    Returns:
        Rows written; 0 where they stood already.

    Raises:
        SchemaMismatchError: rows of another repository or file, no own row, or two rows with one key.
        TableBusyError: others kept changing the same rows.
    """
    wanted = _checked(table, repo_id, paths, rows)
    of_repository = f"repo_id = {quoted(repo_id)}"
    where = of_repository if paths is None else f"{of_repository} AND {in_list('path', ['', *paths])}"
    for attempt in range(_ATTEMPTS):
        standing = _standing(table, where)
        if standing.rows.equals(wanted):
            return 0
        complete = wanted
        if paths is not None and _is_large_part(standing, of_repository):
            standing = _standing(table, of_repository)
            complete = _with_other_files(table, standing.rows, paths, wanted)
        if _replaced(table, standing, complete):
            return complete.num_rows
        time.sleep(random.uniform(0, min(_LONGEST_WAIT, 0.01 * 2**attempt)))  # noqa: S311 - spreads writers, guards nothing
    raise TableBusyError(table.spec.name, f"the rows of {repo_id}")


def _checked(table: Table, repo_id: str, paths: Sequence[str] | None, rows: Rows) -> pa.Table:
    wanted = sorted_by_key(with_unique_key(conform(rows, table.spec), table.spec), table.spec)
    found = {str(path) for path in wanted["path"].to_pylist()}
    if set(wanted["repo_id"].to_pylist()) != {repo_id} or "" not in found:
        raise SchemaMismatchError(table.spec.name, "repo_id", f"must be {repo_id!r} in every row, the repository's own one among them")
    for path in sorted(found - {"", *paths}) if paths is not None else ():
        raise SchemaMismatchError(table.spec.name, "path", f"{path!r} is not one of the files to replace")
    return wanted


def _standing(table: Table, where: str) -> _Standing:
    dataset = table.open_or_create()
    with table.reading():
        found = sorted_by_key(dataset.to_table(filter=where, with_row_address=True), table.spec)
    rows = found.drop_columns(["_rowaddr"])
    return _Standing(dataset=dataset, where=where, rows=rows, addresses=as_frame(found.select(["_rowaddr"]))["_rowaddr"])


def _is_large_part(standing: _Standing, of_repository: str) -> bool:
    count = standing.rows.num_rows
    return bool(count > _FEW and count > _WHOLE_FROM * standing.dataset.count_rows(filter=of_repository))


def _with_other_files(table: Table, standing: pa.Table, paths: Sequence[str], wanted: pa.Table) -> pa.Table:
    kept = ~as_frame(standing.select(["path"]))["path"].is_in(["", *paths])
    return sorted_by_key(pa.concat_tables([standing.filter(kept.to_arrow()), wanted]), table.spec)


def _replaced(table: Table, standing: _Standing, rows: pa.Table) -> bool:
    """Commit deletion and insertion as one step; False where somebody else was faster."""
    dataset = standing.dataset
    if not standing.addresses.len():
        # Not even an own row, so nothing that another first writer would change too: this must not pass over any change.
        return table.extend(dataset, rows)
    with table.writing():
        try:
            new = lance.fragment.write_fragments(rows.cast(dataset.schema), dataset, max_rows_per_file=table.rows_per_file)
            lance.LanceDataset.commit(dataset, _update(standing, new), read_version=dataset.version)
        except OSError as error:
            if is_conflict(error):
                return False
            raise
    return True


def _update(standing: _Standing, new: list[lance.FragmentMetadata]) -> lance.LanceOperation.Update:
    touched = standing.addresses.to_frame("address").group_by(fragment=pl.col("address") // 2**32, maintain_order=True).all()
    fragments = {fragment.fragment_id: fragment for fragment in standing.dataset.get_fragments()}
    changed, emptied = [], []
    for fragment_id, listed in touched.iter_rows():
        where = f"_rowaddr IN ({','.join(map(str, listed))})" if len(listed) <= _ADDRESSES else standing.where
        left = fragments[fragment_id].delete(where)
        if left is None:
            emptied.append(fragment_id)
        else:
            changed.append(left)
    return lance.LanceOperation.Update(removed_fragment_ids=emptied, updated_fragments=changed, new_fragments=new)
