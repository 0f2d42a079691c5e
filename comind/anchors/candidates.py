"""Which pairs of what went and what came are worth a close look.

In: places on both sides of a change. Out: pairs with the likeness of their bodies, and by how much it is the greatest.
Never compares everything with everything: a mass of declarations is paired by name, body and replaced identifiers only.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from comind.anchors.changes import SMALL, Place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from comind.anchors.likeness import Surroundings
    from comind.anchors.outlines import Declaration

    Candidate: TypeAlias = tuple[Place, Place, float, float]

__all__ = ["pairs_to_score"]

_SIMILAR = 0.3  # of bodies
_FEW = 12  # tokens; shorter bodies say little
_MAX_PAIRS = 60_000
_MAX_EQUAL = 50  # declarations of one name, or with one body, that are looked at


def pairs_to_score(olds: list[Place], news: list[Place], around: Surroundings) -> Iterator[Candidate]:
    """Yield pairs with the likeness of their bodies and its lead over the next best pair of either."""
    if not olds or not news:
        return
    was, now = [around.change.before(place) for place in olds], [around.change.after(place) for place in news]
    if len(olds) * len(news) > _MAX_PAIRS:
        yield from _of_many(olds, news, (was, now), around)
        return
    table = cdist([one.body for one in was], [one.body for one in now], scorer=Indel.normalized_similarity, score_cutoff=_SIMILAR)
    rows, columns = [_two_best(row) for row in table.tolist()], [_two_best(column) for column in table.T.tolist()]
    alike = _Alike(news, now, around)
    for row, (old, likenesses) in enumerate(zip(olds, table.tolist(), strict=True)):
        for column in alike.to(old, was[row], likenesses):
            likeness = likenesses[column] if was[row].size and now[column].size else 0.0
            yield old, news[column], likeness, _lead(likeness, rows[row], columns[column])


class _Alike:
    """What came, by the signs that make it worth a look: name, file, container and size."""

    def __init__(self, news: list[Place], now: list[Declaration], around: Surroundings) -> None:
        self._around, self._now = around, now
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        self._by_path: defaultdict[str, list[int]] = defaultdict(list)
        self._by_container: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        self._long = [number for number, one in enumerate(now) if one.size >= _FEW]
        for number, (new, one) in enumerate(zip(news, now, strict=True)):
            self._by_name[around.characters.of(one.name)].append(number)
            self._by_path[new.path].append(number)
            self._by_container[new.path, one.container].append(number)
        self._replaced: defaultdict[str, set[str]] = defaultdict(set)
        for before, after in around.change.substitutions:
            self._replaced[before].add(after)

    def to(self, old: Place, was: Declaration, likenesses: list[float]) -> list[int]:
        """Return the numbers of those that one declaration may have become, in order."""
        name = self._around.characters.of(was.name)
        found = {number for other in (name, *self._replaced[name]) for number in self._by_name.get(other, ())}
        if was.size >= _FEW:
            found.update(number for number in self._long if likenesses[number] >= _SIMILAR)
        elif was.size >= SMALL:
            found.update(number for number, likeness in enumerate(likenesses) if likeness == 1)
        moved = self._around.change.moved.get(old.path, old.path)
        near = [*self._by_path[old.path], *self._by_path[moved], *self._by_container[self._around.container(old)]]
        found.update(number for number in near if was.size < _FEW or self._now[number].size < _FEW)
        return sorted(found)


def _of_many(
    olds: list[Place], news: list[Place], declared: tuple[list[Declaration], list[Declaration]], around: Surroundings
) -> Iterator[Candidate]:
    """Of a mass of declarations, yield only pairs with an equal name, an equal body or a name that took the other's place."""
    was, now = declared
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    by_body: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(now):
        by_name[around.characters.of(one.name)].append(number)
        if one.size >= SMALL:
            by_body[one.body].append(number)
    replaced: defaultdict[str, set[str]] = defaultdict(set)
    for before, after in around.change.substitutions:
        replaced[before].add(after)
    for old, one in zip(olds, was, strict=True):
        name = around.characters.of(one.name)
        named = [number for other in (name, *sorted(replaced[name])) for number in by_name.get(other, ())[:_MAX_EQUAL]]
        equal = by_body.get(one.body, ())[:_MAX_EQUAL] if one.size >= SMALL else ()
        for number in dict.fromkeys([*named, *equal]):
            likeness = Indel.normalized_similarity(one.body, now[number].body) if one.size and now[number].size else 0.0
            yield old, news[number], likeness, 0.0


def _two_best(likenesses: list[float]) -> tuple[float, float]:
    best = nlargest(2, likenesses)
    return best[0], best[1] if len(best) > 1 else 0.0


def _lead(likeness: float, *others: tuple[float, float]) -> float:
    """Return by how much a likeness is more than any other in its row and column; 0 where it is not."""
    if not likeness:
        return 0.0
    return max(0.0, min(likeness - (second if likeness == best else best) for best, second in others))
