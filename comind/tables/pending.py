"""Tell what is left to do about some objects of the inbox, by their names and what the tables say of them.

In: a listing, keys. Out: the keys to read, and the rows of `unreadable_objects` that are out of date. Reads no object, writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.store.layout import BadName, InboxObject, parse_key
from comind.tables.fold_rows import RETRIED, Refusal, RefusalCode, misnamed
from comind.tables.settle import Standing, look_up

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from comind.store.listing import Listing
    from comind.tables.lake import Lake

__all__ = ["RECORDS", "UNREADABLE", "Pending", "pending_objects", "refused_objects"]

RECORDS: Final = "ledger_records"
UNREADABLE: Final = "unreadable_objects"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What is left to do."""

    listed: int  # objects looked at
    already: int  # of them, those about which nothing is left to do
    to_read: list[str]  # keys, those of one id side by side
    misnamed: list[Refusal]
    refused: dict[str, str]  # key -> code: all of unreadable_objects
    resolved: set[str]  # of those keys, the ones that stand by now or were erased
    standing: Standing  # of the ids of all these
    erased: frozenset[str]


def refused_objects(lake: Lake) -> dict[str, str]:
    """Return key -> code of every object that is known to be no record."""
    return dict(lake.read(UNREADABLE, columns=["object_key", "code"]).iter_rows())


def pending_objects(lake: Lake, listing: Listing, hand_over: Iterable[str] = (), *, again: AbstractSet[str] = frozenset()) -> Pending:
    """Look at everything that was listed, handed over or refused earlier.

    Args:
        lake: the tables.
        listing: what lies in the inbox, or the part of it that may be new.
        hand_over: keys that are not in the listing, or may not be.
        again: refused keys to judge again whatever they were refused for.
    """
    refused = refused_objects(lake)
    asked = {key: parse_key(key) for key in hand_over} | {listed.key: listed for listed in listing.objects}
    known = {key: parse_key(key) for key in refused if key not in asked} | asked
    named = {key: (one.record_id, one.content_hash) for key, one in known.items() if isinstance(one, InboxObject)}
    standing = look_up(lake.table(RECORDS), {record_id for record_id, _ in named.values()} - listing.erased)
    done = {key for key, (record_id, own) in named.items() if standing.hashes.get(record_id) == own or record_id in listing.erased}
    settled = {key for key in (named.keys() & refused.keys()) - again if _is_settled(refused[key], *named[key], standing.hashes)}
    bad = [*listing.bad_names, *(one for one in asked.values() if isinstance(one, BadName))]
    return Pending(
        listed=len(asked),
        already=len(asked.keys() & (done | settled)),
        to_read=sorted(named.keys() - done - settled),
        misnamed=[misnamed(one) for one in bad],
        refused=refused,
        resolved=done & refused.keys(),
        standing=standing,
        erased=listing.erased,
    )


def _is_settled(code: str, record_id: str, own_hash: str, standing: dict[str, str]) -> bool:
    """Tell a refused object that would be refused again; others may be complete by now, or what beat them is gone."""
    if code == RefusalCode.ID_TAKEN:
        return standing.get(record_id, own_hash) < own_hash
    return code not in RETRIED
