"""Keep a table quick: index what is new, join small files, forget old versions.

In: a table. Out: what was done. Never changes a row, and may be killed or preempted at any point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from comind.tables.catalog import is_conflict

if TYPE_CHECKING:
    import lance

    from comind.tables.catalog import Table

__all__ = ["Upkeep", "maintain", "tidy"]

_SMALL_FILES: Final = 32  # lookups cost 1 ms more for every few of them; joining them costs 0.1 s
_INDEX_FROM: Final = 50_000  # rows below which a scan is as quick
_KEEP: Final = timedelta(days=1)  # versions that a reader, or a curious person, may still hold
_INDEXES: Final[dict[str, dict[str, Literal["BTREE", "BITMAP"]]]] = {
    "ledger_records": {"id": "BTREE"},
    "parse_cache": {"key": "BTREE"},
    "code_files": {"repo_id": "BITMAP", "path": "BTREE"},
    "packages": {"repo_id": "BITMAP", "name": "BTREE"},
    "dependencies": {"repo_id": "BITMAP", "package": "BTREE"},
    "symbols": {"repo_id": "BITMAP", "path": "BTREE", "sid": "BTREE", "name": "BTREE"},
    "edges": {"repo_id": "BITMAP", "path": "BTREE", "src": "BTREE", "dst": "BTREE"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What was done to one table."""

    indexed: tuple[str, ...] = ()  # columns whose index was made or brought up to date
    joined: int = 0  # files that were joined into others
    forgotten: int = 0  # old versions that are gone
    preempted: bool = False  # a writer was faster; nothing is lost, the next time does it


def tidy(table: Table) -> Upkeep:
    """Do what is due, and nothing if little is: cheap enough to call after every write."""
    dataset = table.open()
    if dataset is None or not (_missing_indexes(table, dataset) or _small_files(table, dataset) > _SMALL_FILES):
        return Upkeep()
    return _preemptible(table, dataset, all_segments=False)


def maintain(table: Table, *, keep: timedelta = _KEEP) -> Upkeep:
    """Do all there is to do, and forget the versions that are older than `keep`."""
    dataset = table.open()
    if dataset is None:
        return Upkeep()
    done = _preemptible(table, dataset, all_segments=True)
    with table.writing():
        newest = table.open_or_create()
        forgotten = newest.cleanup_old_versions(older_than=keep, error_if_tagged_old_versions=False).old_versions
    return replace(done, forgotten=forgotten)


def _preemptible(table: Table, dataset: lance.LanceDataset, *, all_segments: bool) -> Upkeep:
    with table.writing():
        try:
            indexed = _index(table, dataset)
            joined = dataset.optimize.compact_files(target_rows_per_fragment=table.rows_per_file).fragments_removed
            if all_segments:
                _join_segments(dataset)
        except OSError as error:
            if is_conflict(error):
                return Upkeep(preempted=True)
            raise
    return Upkeep(indexed=indexed, joined=joined)


def _index(table: Table, dataset: lance.LanceDataset) -> tuple[str, ...]:
    """Bring the indexes up to date, before files are joined: only files with the same coverage are joined with each other.

    The first time a delta of its own is made for what is new. Merging it into the main index at once would put small and large
    files into one group, and joining would rewrite the large ones.
    """
    missing = _missing_indexes(table, dataset)
    for column in missing:
        dataset.create_scalar_index(column, _INDEXES[table.spec.name][column])
    existing = dataset.describe_indices()
    if existing and not missing:
        main_alone = any(len(index.segments) == 1 for index in existing)
        dataset.optimize.optimize_indices(num_indices_to_merge=0 if main_alone else 1)
    return tuple(name for index in existing for name in index.field_names)


def _join_segments(dataset: lance.LanceDataset) -> None:
    segments = max((len(index.segments) for index in dataset.describe_indices()), default=1)
    if segments > 1:
        dataset.optimize.optimize_indices(num_indices_to_merge=segments)


def _missing_indexes(table: Table, dataset: lance.LanceDataset) -> list[str]:
    wanted = _INDEXES.get(table.spec.name, {})
    if not wanted or dataset.count_rows() < _INDEX_FROM:
        return []
    existing = {name for index in dataset.describe_indices() for name in index.field_names}
    return [column for column in wanted if column not in existing]


def _small_files(table: Table, dataset: lance.LanceDataset) -> int:
    return sum(fragment.metadata.physical_rows < table.rows_per_file // 2 for fragment in dataset.get_fragments())
