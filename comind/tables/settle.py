"""Make records stand, one per id: of several with one id, the one with the smallest content hash.

In: rows of `ledger_records`. Out: how many stand now that did not, and which objects lost.
Whatever others insert meanwhile, in the end the smallest stands and every other one was reported by somebody who saw it lose.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from comind.store.layout import object_key
from comind.tables import merge
from comind.tables.errors import TableBusyError
from comind.tables.fold_rows import Refusal, taken
from comind.tables.rows import as_frame, in_list, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import lance

    from comind.tables.catalog import Table

__all__ = ["Standing", "look_up", "settle"]

_ATTEMPTS: Final = 50
_DIRECT: Final = 4  # of them, those that build on what was looked up; with more writers than that a merge gets through sooner
_DENSE: Final = 64  # ids of one shard
_VERSION_DIGIT: Final = 14  # of a UUID in its 36 characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands under the ids somebody asked about, and perhaps under others."""

    dataset: lance.LanceDataset | None  # the version that says so; None where there is no table
    hashes: dict[str, str]  # record id -> content hash


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """Records beside those of the same ids that stand."""

    new: pa.Table  # nothing stands
    better: pa.Table  # something larger stands
    beaten: list[str]  # the content hashes of those
    refused: list[Refusal]  # the larger one of each unequal pair


def settle(table: Table, records: pa.Table, *, standing: Standing | None = None) -> tuple[int, list[Refusal]]:
    """Insert records, or put them in the place of namesakes with a larger content hash.

    Args:
        table: `ledger_records`.
        records: its rows, one per id.
        standing: what stood under their ids a moment ago, where that is known; it may be out of date.

    Returns:
        How many were inserted or put in a place; the objects that have no place, this time or until now.

    Raises:
        TableBusyError, StoreUnwritableError: some may stand already; doing it again is safe.
    """
    written = 0
    refused: list[Refusal] = []
    pending = records
    for attempt in range(_ATTEMPTS):
        if not pending.num_rows:
            return written, refused
        if standing is None or standing.dataset is None or attempt:
            standing = _standing_in(table, table.open_or_create(), [str(record_id) for record_id in pending["id"].to_pylist()])
        seen = _compared(pending, standing.hashes)
        refused += seen.refused
        inserted = _insert(table, seen.new, standing.dataset if attempt < _DIRECT else None)
        # Only the namesakes that were seen are replaced, so that none goes unreported.
        condition = f"{in_list('target.content_hash', seen.beaten)} AND source.content_hash < target.content_hash"
        replaced = merge.update_where(table, seen.better, condition)
        written += inserted + replaced
        # Where a count falls short somebody else was faster with one of these ids: look again what stands.
        pending = pa.concat_tables(
            [*([seen.new] if inserted < seen.new.num_rows else []), *([seen.better] if replaced < seen.better.num_rows else [])]
            or [records.slice(0, 0)]
        )
    raise TableBusyError(table.spec.name, "the same ids are written again and again")


def look_up(table: Table, ids: Collection[str]) -> Standing:
    """Say what stands under some ids."""
    dataset = table.open() if ids else None
    return Standing(dataset=None, hashes={}) if dataset is None else _standing_in(table, dataset, ids)


def _standing_in(table: Table, dataset: lance.LanceDataset, ids: Collection[str]) -> Standing:
    with table.reading():
        found = as_frame(dataset.to_table(columns=["id", "content_hash"], filter=_about(ids)))
    return Standing(dataset=dataset, hashes=dict(zip(found["id"].to_list(), found["content_hash"].to_list(), strict=True)))


def _insert(table: Table, new: pa.Table, read: lance.LanceDataset | None) -> int:
    """Insert rows whose ids did not stand in `read`; return how many, which is none where that is no longer the newest version.

    A merge makes sure by itself, but reads every id of the table for it: a tenth of a second at a million, or 36 MB from a bucket.
    """
    if not new.num_rows:
        return 0
    if read is None:
        return merge.insert(table, new)
    return new.num_rows if table.extend(read, new) else 0


def _about(ids: Collection[str]) -> str:
    """Write a filter for these ids: where there are many of one shard as a range, which an index answers six times as fast as a list.

    Whoever lists a shard asks about all ids in it, so the range holds little else.
    """
    shards: defaultdict[str, list[str]] = defaultdict(list)
    for record_id in ids:
        shards[record_id[:5] if record_id[_VERSION_DIGIT] == "7" else record_id[:2]].append(record_id)
    dense = [shard for shard in shards.values() if len(shard) >= _DENSE]
    sparse = [record_id for shard in shards.values() if len(shard) < _DENSE for record_id in shard]
    ranges = [f"(id >= {quoted(min(shard))} AND id <= {quoted(max(shard))})" for shard in dense]
    return " OR ".join([*ranges, in_list("id", sparse)] if sparse else ranges)


def _compared(records: pa.Table, standing: Mapping[str, str]) -> _Comparison:
    ours = as_frame(records.select(["id", "content_hash", "object_key"]))
    new: list[int] = []
    better: list[int] = []
    beaten: list[str] = []
    refused: list[Refusal] = []
    for position, (record_id, own, key) in enumerate(ours.iter_rows()):
        other = standing.get(record_id)
        if other is None:
            new.append(position)
        elif own < other:
            better.append(position)
            beaten.append(other)
            refused.append(taken(object_key(record_id, other)))
        elif own > other:
            refused.append(taken(key))
    return _Comparison(new=_taken_out(records, new), better=_taken_out(records, better), beaten=beaten, refused=refused)


def _taken_out(rows: pa.Table, positions: list[int]) -> pa.Table:
    return rows.take(pa.array(positions, pa.int64()))
