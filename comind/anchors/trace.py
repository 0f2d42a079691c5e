"""What became of one declaration from commit to commit: where it stood, and whether it still was what it had been.

In: a `Follower`, a place, two commits of which the first leads to the second. Out: a `Trace`: intervals of commits, in order.
Each version is compared with the first one, as drift compares an anchor: a change that is taken back later ends its interval.
Merges count as one step: what a side branch did happens in the merge that brought it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from comind.errors import ComindError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.anchors.changes import Place
    from comind.anchors.follow import Followed, Follower
    from comind.fingerprints import Definition

__all__ = ["Stretch", "Trace", "trace"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """An interval of commits in which a declaration was in one state at one place."""

    state: str  # unchanged | moved | signature | body | deleted | ambiguous | unknown, against the code at the start
    start: str  # the commit that made it so
    place: Place | None
    edits: int = 0  # further commits within it that changed the declaration


@dataclass(frozen=True, slots=True)
class Trace:
    """The stretches of a declaration up to some commit; each ends where the next one starts."""

    stretches: tuple[Stretch, ...] = ()
    problem: str = ""  # why there is none, or why the last one is not known


def trace(follower: Follower, place: Place, start: str, end: str) -> Trace:
    """Return the stretches of the declaration at a place of one commit, up to another that it leads to."""
    try:
        found = follower.follow(place, start, end)
        if found.matched_by == "unknown":
            return Trace(problem=found.problem)
        way = follower.lineage.way(start, end) or ()
        if follower.lineage.base(start, end) != start:
            return Trace(problem=f"{start[:12]} does not lead to {end[:12]}; only where it is there is known")
        return Trace(tuple(_merged(_stretches(follower, place, way, found))))
    except (ComindError, KeyError) as error:
        return Trace(problem=str(error))


def _stretches(follower: Follower, place: Place, way: Sequence[str], found: Followed) -> Iterator[tuple[Stretch, Definition | None]]:
    first = follower.definition(place, way[0])
    yield Stretch("unchanged", way[0], place), first
    moves = dict(zip(found.moves, found.places, strict=True))
    here: Place | None = place
    for before, after in pairwise(way):
        if after in moves:
            here = moves[after]
            if here is None:
                yield Stretch(found.matched_by, after, None), None
                return
        elif here is None or follower.lineage.blob(before, here.path) == follower.lineage.blob(after, here.path):
            continue
        now = follower.definition(here, after)
        yield Stretch(_state(first, now, moved=here != place), after, here), now


def _state(was: Definition | None, now: Definition | None, *, moved: bool) -> str:
    if was is None or now is None:
        return "unknown"
    if was.body_hash != now.body_hash:
        return "body"
    if was.sig_hash != now.sig_hash:
        return "signature"
    return "moved" if moved else "unchanged"


def _merged(found: Iterator[tuple[Stretch, Definition | None]]) -> Iterator[Stretch]:
    """Join neighbours in one state at one place, and count the edits between them."""
    open_, last = next(found)
    for stretch, now in found:
        edited = _text(now) != _text(last)
        last = now
        if (stretch.state, stretch.place) != (open_.state, open_.place):
            yield open_
            open_ = stretch
        elif edited:
            open_ = Stretch(open_.state, open_.start, open_.place, open_.edits + 1)
    yield open_


def _text(one: Definition | None) -> tuple[bytes | None, ...]:
    return (one.sig_hash, one.body_hash) if one else ()
