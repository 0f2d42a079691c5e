"""Where the declarations that a commit removed went: one mutual assignment for the whole commit, containers before members.

In: a `Change`. Out: a `Verdict` for every declaration that went. Depends on the change alone, so anchors share it.
Never gives one new declaration to two old ones, except where several were merged into one of their name.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.anchors.bodies import Bodies
from comind.anchors.candidates import pairs_to_score
from comind.anchors.changes import SMALL, Change, Place, gave_up_its_name, resembles
from comind.anchors.inlining import take_in
from comind.anchors.likeness import Surroundings, features, logit, probability
from comind.anchors.support import Support, is_enough, is_near, support_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from comind.anchors.outlines import Characters, Declaration

    Telling = Callable[[Place, Declaration], object]  # what tells a declaration apart; None where nothing does
    Observer = Callable[[str, Place, Place, Mapping[str, float]], None]

__all__ = ["Verdict", "assign"]

_MARGIN = 0.4  # in logits, to the best other candidate that nobody else has a better claim to
_TWIN_MARGIN = 1.0
_SWAP_MARGIN = 0.1  # by which two declarations and their homes must score more than with the homes exchanged
_WORTH_LISTING = 0.3
_LIKELY = 0.94  # of what only likeness tells; below what is called sure
_BETTER_HOME = 0.6
_LISTED = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one declaration in one commit."""

    rung: str  # file_moved | container | body | params | similar | merged | same | ambiguous | deleted
    place: Place | None = None
    p: float = 1.0
    candidates: tuple[Place, ...] = ()  # as good, for `ambiguous`
    forwarder: bool = False  # the old name survives and calls the new one


@dataclass(frozen=True, slots=True)
class _Pair:
    """One candidate, with its score in logits."""

    score: float
    old: Place
    new: Place
    values: Mapping[str, float]  # its features


def assign(change: Change, characters: Characters, observe: Observer | None = None) -> dict[Place, Verdict]:
    """Return what became of every declaration that went, or stayed with another body.

    Args:
        change: the commit's change.
        characters: those that its outlines were made with.
        observe: told the features of every pair that is scored.
    """
    return _Assignment(change, characters, observe).run()


class _Assignment:
    def __init__(self, change: Change, characters: Characters, observe: Observer | None) -> None:
        self.change, self.characters, self.observe = change, characters, observe
        self.bodies = Bodies(change, characters)
        self.homes: dict[Place, Place] = {}
        self.taken: dict[Place, Place] = {}
        self.verdicts: dict[Place, Verdict] = {}
        self.scores: dict[tuple[Place, Place], float] = {}  # of the group that is settled
        self._renamed_types: dict[str, set[str]] = defaultdict(set)
        self._around = Surroundings(change, characters, self.homes, self.container_of)

    def run(self) -> dict[Place, Verdict]:
        gone, came = _by_group(self.change.gone, self.change.before), _by_group(self.change.came, self.change.after)
        weak = _by_group(self.change.weak, self.change.before)
        for group in ("class", "method", "field"):
            self._settle(group, gone[group], came[group], weak[group])
        return self.verdicts

    def container_of(self, old: Place) -> tuple[str, str]:
        """Return where the members of a place's container are now: path and container."""
        container = self.change.before(old).container
        path = self.change.moved.get(old.path, old.path)
        if not container:
            return path, ""
        outline = self.change.old[old.path]
        prefix = container
        while prefix:
            home = self.homes.get(Place(old.path, prefix, 0))
            if home is not None:
                return home.path, home.descriptors + container[len(prefix) :]
            parent = outline.by_key.get((prefix, 0))
            prefix = parent.container if parent else ""
        first, mark, rest = container.partition("#")
        names = self._renamed_types.get(first, set()) if mark else set()
        return path, f"{next(iter(names))}#{rest}" if len(names) == 1 else container

    def _settle(self, group: str, gone: list[Place], came: list[Place], weak: list[Place]) -> None:
        gone = sorted(gone, key=lambda place: (len(place.descriptors), place))
        for find in (self._in_container, self._by_body, self._by_params):
            find(gone, came)
        pairs = self._pairs(group, [*self._open(gone), *weak], [*self._free(came), *weak])
        self._lock_weak(weak, pairs)
        if any(self.homes.get(place, place) != place for place in weak):  # what left its name makes room, and is no rival any more
            pairs = self._pairs(group, [*self._open(gone), *self._open(weak)], self._free([*came, *weak]))
        by_old = _grouped(pairs)
        self.scores = {(pair.old, pair.new): pair.score for pair in pairs}
        for pair in pairs:
            if pair.old not in self.homes and pair.new not in self.taken and probability(pair.score) >= _WORTH_LISTING:
                self._give(pair.old, pair.new)
        for old in [*self._open_verdict(gone), *self._open_verdict(weak)]:
            self.verdicts[old] = self._judge(group, old, by_old.get(old, []))

    def _open(self, places: Iterable[Place]) -> list[Place]:
        return [place for place in places if place not in self.homes]

    def _open_verdict(self, places: Iterable[Place]) -> list[Place]:
        return [place for place in places if place not in self.verdicts]

    def _free(self, places: Iterable[Place]) -> list[Place]:
        return [place for place in places if place not in self.taken]

    def _give(self, old: Place, new: Place, verdict: Verdict | None = None) -> None:
        self.homes[old], self.taken[new] = new, old
        if verdict:
            self.verdicts[old] = verdict
        was, now = self.change.before(old), self.change.after(new)
        if was.group == "class" and was.name != now.name:
            self._renamed_types[was.name].add(now.name)

    def _in_container(self, gone: list[Place], came: list[Place]) -> None:
        """Give members of a moved file or a renamed class the place of the same name there."""
        there = set(came)
        for old in gone:
            was = self.change.before(old)
            path, container = self.container_of(old)
            new = Place(path, container + was.descriptors[len(was.container) :], old.ordinal)
            if new in there and new not in self.taken and resembles(was, self.change.after(new)):
                is_file = container == was.container
                self._give(old, new, Verdict("file_moved" if is_file else "container", new))

    def _by_body(self, gone: list[Place], came: list[Place]) -> None:
        """Pair equal bodies, names and parameters that occur once on both sides."""
        for old, new in self._unique(gone, came, _content):
            self._give(old, new, Verdict("body", new))

    def _by_params(self, gone: list[Place], came: list[Place]) -> None:
        """Pair what has the same name in the same container, if one is left on both sides and is the other, edited.

        That its body went elsewhere has to be as clear as for a declaration whose parameters are the same.
        """
        for old, new in self._unique(gone, came, _address):
            was, now = self.change.before(old), self.change.after(new)
            edited = min(was.size, now.size) >= SMALL and resembles(was, now) and not gave_up_its_name(was, now)
            if was.size and (was.body == now.body or edited):
                self._give(old, new, Verdict("params", new))

    def _unique(self, gone: list[Place], came: list[Place], told_by: Telling) -> Iterator[tuple[Place, Place]]:
        olds: defaultdict[object, list[Place]] = defaultdict(list)
        news: defaultdict[object, list[Place]] = defaultdict(list)
        for places, side, into in ((self._open(gone), self.change.before, olds), (self._free(came), self.change.after, news)):
            for place in places:
                if (sign := told_by(place, side(place))) is not None:
                    into[sign].append(place)
        for sign, places in olds.items():
            if len(places) == 1 and len(news[sign]) == 1:
                yield places[0], news[sign][0]

    def _pairs(self, group: str, olds: list[Place], news: list[Place]) -> list[_Pair]:
        """Score the pairs that may be the same declaration, best first."""
        found = {(old, new): (likeness, lead) for old, new, likeness, lead in pairs_to_score(olds, news, self._around)}
        if group == "method":
            take_in(found, self._open(olds), self._around)
        pairs = []
        for (old, new), (likeness, lead) in found.items():
            values = features(old, new, likeness, lead, self._around)
            pairs.append(_Pair(logit(group, values), old, new, values))
            if self.observe:
                self.observe(group, old, new, values)
        return sorted(pairs, key=lambda pair: (-pair.score, pair.old, pair.new))

    def _lock_weak(self, weak: list[Place], pairs: list[_Pair]) -> None:
        """Keep what stays under its name with another body, unless it has a better home and somebody else wants its place."""
        own = {pair.old: pair.score for pair in pairs if pair.old == pair.new and pair.old in self.change.weak}
        wanted: dict[Place, _Pair] = {}
        better: dict[Place, _Pair] = {}
        for pair in pairs:
            if pair.old != pair.new:
                wanted.setdefault(pair.new, pair)
                if pair.new not in self.taken:
                    better.setdefault(pair.old, pair)
        for place in weak:
            score, home = own.get(place, float("-inf")), better.get(place)
            leaves = home is not None and home.score > score and probability(home.score) >= _BETTER_HOME
            if home is not None and home.new not in self.taken and self.bodies.left_its_name(place, home.new):
                self._give(
                    place, home.new, Verdict("similar", home.new, probability(home.score), forwarder=self.bodies.forwards(place, home.new))
                )
                continue
            rival = wanted.get(place)
            if leaves and home is not None and ((rival is not None and rival.score > score) or self.bodies.forwards(place, home.new)):
                continue
            if rival is not None and self.bodies.is_taken_over(place, rival.old):
                continue
            self._give(place, place, Verdict("same", place, probability(score)))

    def _judge(self, group: str, old: Place, pairs: list[_Pair]) -> Verdict:
        home = self.homes.get(old)
        mine = next((pair for pair in pairs if pair.new == home), None)
        if mine is None:
            return self._merged(old, pairs)
        p = probability(mine.score)
        if old in self.change.weak and home == old:
            return Verdict("same", home, p)
        forwarder = old in self.change.weak and self.bodies.forwards(old, mine.new)
        enough = is_enough(group, mine.values, p) or (forwarder and p >= _BETTER_HOME)
        if not enough or self.bodies.are_strangers(old, mine.new):
            return Verdict("deleted", p=1 - p)
        rivals = [pair for pair in pairs if not _overlap(pair.new, mine.new) and self._rivals(pair, mine)]
        if rivals:
            return Verdict("ambiguous", p=p, candidates=tuple(pair.new for pair in [mine, *rivals][:_LISTED]))
        if support_of(mine.values) < Support.PLACE:
            p = min(p, _LIKELY)
        return Verdict("similar", home, p, forwarder=forwarder)

    def _as_good(self, rival: _Pair, mine: _Pair) -> bool:
        """Tell whether a rival is too close; of equal bodies the names must tell them apart clearly."""
        one, other = self.change.after(mine.new), self.change.after(rival.new)
        twins = one.size >= SMALL and one.body == other.body and self.change.before(mine.old).name != one.name
        return mine.score - rival.score < (_TWIN_MARGIN if twins else _MARGIN)

    def _rivals(self, pair: _Pair, mine: _Pair) -> bool:
        """Tell whether a candidate is too close to be left out; one that another declaration took, if both might as well change homes."""
        owner = self.taken.get(pair.new)
        if owner is None or owner == pair.old:
            return self._as_good(pair, mine)
        its, swapped = self.scores.get((owner, pair.new)), self.scores.get((owner, mine.new))
        return its is not None and swapped is not None and mine.score + its - pair.score - swapped < _SWAP_MARGIN

    def _merged(self, old: Place, pairs: list[_Pair]) -> Verdict:
        """Recognise a declaration that was pulled up into one that another of its name became."""
        if old in self.change.weak and old not in self.taken:
            return Verdict("same", old, 0.5)
        best = pairs[0] if pairs else None
        if best is None:
            return Verdict("deleted")
        was, now, p = self.change.before(old), self.change.after(best.new), probability(best.score)
        owner = self.taken.get(best.new)
        other = owner is not None and (owner.path, self.change.before(owner).container) != (old.path, was.container)
        if other and now.name == was.name and p >= _BETTER_HOME and is_near(best.values):
            return Verdict("merged", best.new, min(p, _LIKELY))
        return Verdict("deleted", p=1 - p if p < _WORTH_LISTING else 0.7)


def _overlap(one: Place, other: Place) -> bool:
    """Tell whether two places are one, or one of them stands within the other."""
    return one.path == other.path and (one.descriptors.startswith(other.descriptors) or other.descriptors.startswith(one.descriptors))


def _content(_: Place, one: Declaration) -> object:
    return (one.body, one.name, one.params) if one.size >= SMALL else None


def _address(place: Place, one: Declaration) -> object:
    return place.path, one.container, one.name


def _by_group(places: Iterable[Place], declaration: Callable[[Place], Declaration]) -> dict[str, list[Place]]:
    found: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places:
        found[declaration(place).group].append(place)
    return found


def _grouped(pairs: Iterable[_Pair]) -> dict[Place, list[_Pair]]:
    found: defaultdict[Place, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        found[pair.old].append(pair)
    return found
