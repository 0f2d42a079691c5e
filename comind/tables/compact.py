"""Fold the inbox into tables.

In: an inbox, a lake. Out: `ledger_records` and `unreadable_objects` that say what lies in the inbox, and a report.
The objects alone are the truth. Any number of folds may run at once, be killed at any point or run twice: once one has run to its
end undisturbed, the rows are those of a single fold over everything. Only `reconcile` deletes the rows of objects that are gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

import polars as pl

from comind.store.layout import INBOX
from comind.store.listing import Listing
from comind.tables import merge
from comind.tables.catalog import TABLE_ID, metadata_of
from comind.tables.fold_rows import FoldedObjects, RefusalCode, record_rows, refusal_rows
from comind.tables.pending import RECORDS, UNREADABLE, Pending, pending_objects, refused_objects
from comind.tables.rows import as_frame, in_list
from comind.tables.settle import Standing, look_up, settle

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from comind.store.objects import ReadFailure
    from comind.tables.lake import Lake

__all__ = ["FoldReport", "FoldedObjects", "InboxReader", "Unfolded", "fast_fold", "ledger_now", "reconcile", "record_rows", "unfolded"]

_AT_ONCE: Final = 2_000  # keys of one filter that deletes
_Item = TypeVar("_Item")


class InboxReader(Protocol):
    """What the fold needs of an inbox; `comind.store.inbox.Inbox` has it."""

    def list_recent(self, *, now: datetime, hours: int = 24, basis: str = "") -> Listing:
        """List what may be new."""

    def list_all(self) -> Listing:
        """List everything."""

    def list_shard(self, shard: str) -> Listing:
        """List one shard."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes | ReadFailure]:
        """Read objects."""

    def remember(self, listing: Listing, *, basis: str = "") -> None:
        """Note that everything in a listing is dealt with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldReport:
    """What one fold did."""

    listed: int  # objects looked at by name
    already: int  # of them, those about which nothing was left to do
    folded: int  # records inserted, or put in the place of a namesake
    unreadable: int  # objects that this fold found it cannot trust
    erased: int  # rows deleted because their record was erased
    gone: int = 0  # rows deleted because their object is gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolded:
    """What lies in the inbox and not in the tables yet."""

    records: pl.DataFrame  # rows of ledger_records; one may take the place of a row of the same id
    unreadable: pl.DataFrame  # rows of unreadable_objects
    erased: frozenset[str]  # ids whose rows, if they still stand, are to be shown to nobody


def fast_fold(lake: Lake, inbox: InboxReader, *, now: datetime, hand_over: Sequence[str] = ()) -> FoldReport:
    """Fold what is new, at the cost of what is new; delete nothing but what was erased.

    Args:
        lake: where the rows go.
        inbox: where the objects lie.
        now: the present, UTC.
        hand_over: keys that a writer knows it wrote; they are found without listing.

    Raises:
        StoreUnreadableError, StoreUnwritableError, TableBusyError: some records may have been folded; doing it again is safe.
    """
    basis = _basis(lake)
    listing = inbox.list_recent(now=now, basis=basis)
    report = _fold(lake, inbox, pending_objects(lake, listing, hand_over))
    if basis in {"", _basis(lake)}:  # a table that was dropped meanwhile must be filled again
        inbox.remember(listing, basis=_basis(lake))
    return report


def reconcile(lake: Lake, inbox: InboxReader, *, shards: Collection[str] | None = None) -> FoldReport:
    """Make the tables say exactly what lies in the inbox, or in some of its shards: insert what is missing, delete what is gone.

    Objects that were refused before are judged again.

    Args:
        lake: where the rows go.
        inbox: where the objects lie.
        shards: those to compare; None for all.

    Raises:
        StoreUnreadableError: something could not be listed; nothing was deleted.
        StoreUnwritableError, TableBusyError: some of it is done; doing it again is safe.
    """
    # Before the listing: what others insert after it is not in these, and so never taken for gone.
    standing = lake.read(RECORDS, columns=["id", "object_key"])
    refused = refused_objects(lake)
    listing = inbox.list_all() if shards is None else _joined([inbox.list_shard(shard) for shard in sorted(shards)])
    gone = _delete_gone(lake, _in_scope(standing, listing), listing)
    compared = set(_in_scope(pl.DataFrame({"object_key": list(refused)}, schema={"object_key": pl.String}), listing)["object_key"])
    pending = pending_objects(lake, listing, again=compared)
    misnamed = {bad.object_key for bad in pending.misnamed}
    pending.resolved.update(key for key in compared - misnamed if refused[key] == RefusalCode.BAD_NAME)
    return _fold(lake, inbox, pending, gone=gone)


def unfolded(lake: Lake, inbox: InboxReader, *, now: datetime, hand_over: Sequence[str] = ()) -> Unfolded:
    """Return what the next fast fold would add; writes nothing.

    Raises:
        StoreUnreadableError: the store cannot be read.
    """
    listing = inbox.list_recent(now=now, basis=_basis(lake))
    pending = pending_objects(lake, listing, hand_over)
    found = record_rows(inbox.get_many(pending.to_read))
    records = as_frame(found.records)
    standing = look_up(lake.table(RECORDS), records["id"].to_list()).hashes
    best = [standing.get(record_id, own) >= own for record_id, own in records.select("id", "content_hash").iter_rows()]
    unreadable = pl.concat([as_frame(found.unreadable), as_frame(refusal_rows(pending.misnamed))])
    return Unfolded(records=records.filter(pl.Series(best, dtype=pl.Boolean)), unreadable=unreadable, erased=listing.erased)


def ledger_now(lake: Lake, inbox: InboxReader, *, now: datetime) -> pl.DataFrame:
    """Return the rows of `ledger_records` as they would stand after a fast fold; writes nothing."""
    new = unfolded(lake, inbox, now=now)
    hidden = [*new.records["id"], *new.erased]
    return pl.concat([lake.read(RECORDS).filter(~pl.col("id").is_in(hidden)), new.records])


def _fold(lake: Lake, inbox: InboxReader, pending: Pending, *, gone: int = 0) -> FoldReport:
    erased = sum(lake.delete(RECORDS, in_list("id", ids)) for ids in _slices(sorted(pending.erased), _AT_ONCE))
    folded, refusals = 0, pending.misnamed
    lake.upsert(UNREADABLE, refusal_rows(refusals))
    unreadable = len(refusals)
    standing: Standing | None = pending.standing
    for keys in _slices(pending.to_read, merge.BATCH):
        found = record_rows(inbox.get_many(keys))
        written, beaten = settle(lake.table(RECORDS), found.records, standing=standing)
        standing = None  # out of date by now
        refused = pl.concat([as_frame(found.unreadable), as_frame(refusal_rows(beaten))]).unique("object_key")
        lake.upsert(UNREADABLE, refused)
        folded, unreadable = folded + written, unreadable + refused.height
        pending.resolved.update((set(keys) & pending.refused.keys()) - set(refused["object_key"]))
    for keys in _slices(sorted(pending.resolved), _AT_ONCE):
        lake.delete(UNREADABLE, in_list("object_key", keys))
    lake.tidy(RECORDS)
    return FoldReport(listed=pending.listed, already=pending.already, folded=folded, unreadable=unreadable, erased=erased, gone=gone)


def _delete_gone(lake: Lake, standing: pl.DataFrame, listing: Listing) -> int:
    listed = pl.DataFrame({"object_key": [one.key for one in listing.objects]}, schema={"object_key": pl.String})
    gone = standing.join(listed, on="object_key", how="anti")
    # By key too: another object may have taken the id meanwhile.
    return sum(
        lake.delete(RECORDS, f"{in_list('id', part['id'])} AND {in_list('object_key', part['object_key'])}")
        for part in gone.iter_slices(_AT_ONCE)
    )


def _in_scope(keyed: pl.DataFrame, listing: Listing) -> pl.DataFrame:
    """Keep the rows of whose objects the listing says whether they exist."""
    if listing.complete:
        return keyed
    return keyed.filter(pl.col("object_key").str.extract(rf"^{INBOX}/([^/]+)/").is_in(sorted(listing.shards)))


def _joined(listings: Sequence[Listing]) -> Listing:
    return Listing(
        objects=[one for listing in listings for one in listing.objects],
        bad_names=[bad for listing in listings for bad in listing.bad_names],
        erased=frozenset().union(*(listing.erased for listing in listings)),
        shards=frozenset().union(*(listing.shards for listing in listings)),
        complete=False,
    )


def _basis(lake: Lake) -> str:
    dataset = lake.table(RECORDS).open()
    return "" if dataset is None else metadata_of(dataset).get(TABLE_ID, "")


def _slices(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))
