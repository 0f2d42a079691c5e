"""The inbox: one immutable object per record, written create-only, listed cheaply.

In: ids and bytes; keys. Out: what became of a write, listings, bytes.
Knows nothing of what a record says and checks no content hash: who folds the bytes does. Never overwrites, never deletes.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from comind.canonical import content_hash
from comind.ids import v7_shards_between
from comind.store.failures import StoreUnreadableError, Trouble
from comind.store.format import check_format, ensure_format
from comind.store.layout import INBOX, BadName, InboxObject, object_key, parse_key
from comind.store.listing import Listing, each, find_keys, list_shards
from comind.store.marks import Marks
from comind.store.objects import ReadFailure
from comind.store.probe import probe_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from comind.store.location import StoreLocation

__all__ = ["Inbox", "PutOutcome"]

_SHARD = timedelta(milliseconds=1 << 28)  # what one UUIDv7 shard spans
_SETTLED_NS = 2_000_000_000  # a directory changed later than this before a look may change again within the same tick of its clock


class PutOutcome(StrEnum):
    """What became of a write."""

    CREATED = "created"
    ALREADY_THERE = "already_there"  # the same bytes under the same id: nothing to do
    TAKEN = "taken"  # other bytes have this id; nothing was written


class Inbox:
    """The inbox of one store, with the rights that the location's credentials give."""

    def __init__(self, location: StoreLocation, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.location = location
        self._store = location.objects()
        self._clock = clock  # compared with modification times of this machine's directories, nothing else
        self._marks = Marks(location.cache if location.is_local else None, location.uri)
        self._writable = self._readable = False
        self._may_list = True

    def put(self, record_id: str, content: bytes) -> PutOutcome:
        """Write one record; see `put_many`."""
        return self.put_many([(record_id, content)])[0]

    def put_many(self, records: Iterable[tuple[str, bytes]]) -> list[PutOutcome]:
        """Write records, each exactly once however many writers try; safe to repeat after any failure.

        The first write of a process probes the store and marks its format. An id that is taken is looked for first;
        an identity that may not list cannot know, and two racing writers of one id can both miss the other: the fold
        settles those by content hash.

        Args:
            records: (id, bytes) pairs.

        Returns:
            One outcome per record, in their order.

        Raises:
            InvalidIdError: before anything is written.
            StoreUnwritableError: the store cannot be written; some of the records may have been.
            StoreNotCreateOnlyError, NewerStoreError, UnknownFormatError: the store must not be written.
        """
        asked = [(record_id, object_key(record_id, content_hash(content)), content) for record_id, content in records]
        if not asked:
            return []
        self._prepare()
        there = self._keys_of([record_id for record_id, _, _ in asked])
        outcomes: list[PutOutcome | None] = []
        for record_id, key, _ in asked:
            known = there.setdefault(record_id, set())
            outcomes.append(PutOutcome.ALREADY_THERE if key in known else PutOutcome.TAKEN if known else None)
            known.add(key)
        new = [(key, content) for (_, key, content), outcome in zip(asked, outcomes, strict=True) if outcome is None]
        won = iter(each(self._store, lambda item: self._store.create(*item), new))
        return [outcome or (PutOutcome.CREATED if next(won) else PutOutcome.ALREADY_THERE) for outcome in outcomes]

    def find(self, record_id: str) -> list[InboxObject]:
        """Return the objects with this id: one, none, or several where writers disagreed."""
        self._check()
        return [InboxObject(key) for key in sorted(find_keys(self._store, [record_id]).get(record_id, set()))]

    def list_all(self) -> Listing:
        """List every shard.

        Raises:
            StoreUnreadableError: something could not be listed.
        """
        self._check()
        seen = self._now_ns()
        level = self._store.level(INBOX)
        return list_shards(self._store, level.folders, level=level, complete=True, marks=_settled(level.folders, seen))

    def list_shard(self, shard: str) -> Listing:
        """List one shard; one that does not exist is empty."""
        self._check()
        return list_shards(self._store, [shard])

    def erased(self) -> frozenset[str]:
        """Return the ids of the records that were erased and must not come back; none for an identity that may not list."""
        if not self._may_list:
            return frozenset()
        try:
            return list_shards(self._store, ()).erased
        except StoreUnreadableError as error:
            if error.trouble is not Trouble.DENIED:
                raise
            self._may_list = False
            return frozenset()

    def list_recent(self, *, now: datetime, hours: int = 24, basis: str = "") -> Listing:
        """List what may be new, at the cost of what is new.

        On a local path these are the shards that gained or lost a name since the listing that was last given to
        `remember`; so it sees late, derived and deleted objects too, and everything where nothing is remembered.
        In a bucket these are the UUIDv7 shards of the last hours and the next one, for writers whose clock runs ahead.

        Args:
            now: the present, UTC.
            hours: how far back a bucket is listed.
            basis: what `remember` was told; another one counts as nothing remembered.
        """
        self._check()
        if not self.location.is_local:
            return list_shards(self._store, v7_shards_between(now - timedelta(hours=hours), now + _SHARD))
        known, seen = self._marks.load(basis), self._now_ns()
        level = self._store.level(INBOX)
        changed = [shard for shard, modified in level.folders.items() if known.get(shard) != modified]
        gone = known.keys() - level.folders.keys()
        settled = _settled({shard: level.folders[shard] for shard in changed}, seen)
        everything = len(changed) == len(level.folders)
        return list_shards(self._store, [*changed, *gone], level=level, complete=everything, marks=settled)

    def remember(self, listing: Listing, *, basis: str = "") -> None:
        """Note on this machine that everything in a listing is dealt with: `list_recent` skips it until it changes.

        Call it after the rows are committed, never before. `basis` names what holds those rows, so that a table that was
        dropped and made anew is filled again.
        """
        if self.location.is_local:
            kept = {shard: time for shard, time in self._marks.load(basis).items() if shard not in listing.shards}
            self._marks.save(basis, kept | dict(listing.marks))

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes | ReadFailure]:
        """Read objects; what is wrong with one (`Missing` where it is gone) keeps no other from being read.

        Raises:
            StoreUnreadableError: the store is at fault, not an object: unreachable, or nothing in it may be read.
        """
        self._check()
        found = dict(zip(keys, each(self._store, self._get, keys), strict=True))
        refusals = [one.why for one in found.values() if isinstance(one, ReadFailure) and one.why and one.why.trouble is Trouble.DENIED]
        if refusals and len(refusals) == len(found):
            raise StoreUnreadableError(self.location.where, refusals[0])
        return found

    def _get(self, key: str) -> bytes | ReadFailure:
        return ReadFailure(key, "is not the key of a record") if isinstance(parse_key(key), BadName) else self._store.read(key)

    def _keys_of(self, record_ids: Sequence[str]) -> dict[str, set[str]]:
        if not self._may_list:
            return {}
        try:
            return find_keys(self._store, record_ids)
        except StoreUnreadableError as error:
            if error.trouble is not Trouble.DENIED:
                raise
            self._may_list = False
            return {}

    def _prepare(self) -> None:
        if self._writable:
            return
        marked = self._is_marked()
        probe_once(self.location)
        if not marked:
            ensure_format(self.location)
        self._writable = True

    def _is_marked(self) -> bool:
        try:
            return check_format(self.location)
        except StoreUnreadableError as error:
            if error.trouble is not Trouble.DENIED:
                raise
            return False  # a writer that may not read cannot know

    def _check(self) -> None:
        if not self._readable:
            self._readable = check_format(self.location)

    def _now_ns(self) -> int:
        return int(self._clock().timestamp() * 1e9)


def _settled(folders: Mapping[str, int], seen_ns: int) -> dict[str, int]:
    return {shard: modified for shard, modified in folders.items() if 0 < modified < seen_ns - _SETTLED_NS}
