"""What lies in the inbox, by names alone.

In: an object store, shards. Out: a `Listing`. Reads no object, so it says what is claimed, not what is true.
A listing that cannot be finished is an error, never a shorter listing.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from comind.ids import shard_of
from comind.store.layout import ERASED, INBOX, PROBE_KEY, BadName, InboxObject, parse_erased, parse_names, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from comind.store.objects import Level, ObjectStore

__all__ = ["Listing", "each", "find_keys", "list_shards"]

_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a look at the inbox found, in no order."""

    objects: list[InboxObject]
    bad_names: list[BadName]  # things that lie where records or tombstones lie and are neither
    erased: frozenset[str]  # ids that must not come back; complete in every listing
    shards: frozenset[str]  # listed from end to end: what `objects` lacks of these shards does not exist
    complete: bool  # these are all shards there are
    marks: Mapping[str, int] = field(default_factory=dict)  # local: shard -> modification time in ns before it was listed


def list_shards(
    store: ObjectStore,
    shards: Iterable[str],
    *,
    level: Level | None = None,
    complete: bool = False,
    marks: Mapping[str, int] | None = None,
) -> Listing:
    """List shards, in parallel where the store gains by it, and the tombstones.

    Args:
        store: where to look.
        shards: which; one that does not exist is empty.
        level: the top of the inbox where it was listed anyway; strays in it are reported.
        complete: whether these are all shards.
        marks: what the caller wants to find in the listing.

    Raises:
        StoreUnreadableError: something could not be listed.
    """
    wanted = list(shards)
    objects: list[InboxObject] = []
    bad = _strays(level) if level else []
    for shard, found in zip(wanted, each(store, lambda shard: store.names(f"{INBOX}/{shard}"), wanted), strict=True):
        good, misnamed = parse_names(shard, found.names)
        objects += good
        bad += found.odd + misnamed
    erased, odd = _erased(store)
    shown = frozenset(wanted)
    return Listing(objects=objects, bad_names=[*bad, *odd], erased=erased, shards=shown, complete=complete, marks=marks or {})


def find_keys(store: ObjectStore, record_ids: Iterable[str]) -> dict[str, set[str]]:
    """Find the keys under which records stand: one look per shard, from the first id asked for to the last.

    Returns:
        record id -> keys, for those ids alone that have any.

    Raises:
        InvalidIdError: an id is none.
        StoreUnreadableError: a shard could not be listed.
    """
    wanted: dict[str, set[str]] = {}
    for record_id in record_ids:
        wanted.setdefault(shard_of(record_id), set()).add(record_id)
    looks = each(store, lambda shard: store.names(f"{INBOX}/{shard}", beginning=_shared_beginning(wanted[shard])), list(wanted))
    found: dict[str, set[str]] = {}
    for (shard, ids), look in zip(wanted.items(), looks, strict=True):
        for there in parse_names(shard, look.names)[0]:
            if there.record_id in ids:
                found.setdefault(there.record_id, set()).add(there.key)
    return found


def each(store: ObjectStore, ask: Callable[[_In], _Out], questions: Sequence[_In]) -> list[_Out]:
    """Ask a store many things at once, as many at a time as it gains by; answers in the order of the questions."""
    if min(store.parallel, len(questions)) <= 1:
        return [ask(question) for question in questions]
    with ThreadPoolExecutor(min(store.parallel, len(questions))) as pool:
        return list(pool.map(ask, questions))


def _shared_beginning(texts: Collection[str]) -> str:
    first, last = min(texts), max(texts)
    return first[: next((position for position, (one, other) in enumerate(zip(first, last, strict=True)) if one != other), len(first))]


def _strays(level: Level) -> list[BadName]:
    found = (f"{INBOX}/{name}" for name in level.names)
    return [*level.odd, *(BadName(printable(key), "lies in no shard") for key in found if key != PROBE_KEY)]


def _erased(store: ObjectStore) -> tuple[frozenset[str], list[BadName]]:
    found = store.names(ERASED)
    parsed = [parse_erased(name) for name in found.names]
    ids = frozenset(one for one in parsed if isinstance(one, str))
    return ids, [*found.odd, *(one for one in parsed if isinstance(one, BadName))]
