"""Follow one declaration from commit to commit, to where it is now or to where it went.

In: a repository, a place and two commits. Out: a `Followed`, which says how and at which commits it moved.
Looks at the target first and reads history only where the declaration is not there; a commit is matched once for all anchors.
Never guesses: what cannot be read, or has no way through history, is `unknown` with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from comind.anchors.assignment import Verdict
from comind.anchors.changes import Place, gave_up_its_name, may_have_left, resembles
from comind.anchors.matches import CommitMatches
from comind.anchors.outlines import Outliner, UnreadableError
from comind.errors import ComindError
from comind.fingerprints import parse_source
from comind.sources.git.lineage import Lineage
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.anchors.outlines import Declaration
    from comind.fingerprints import Definition
    from comind.sources.git import GitRepository

__all__ = ["SURE", "Followed", "Follower"]

SURE = 0.95
_MAX_MOVES = 24
_MAX_SIDES = 6  # merges within merges
_KEPT_PARSES = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """Where a declaration came to be."""

    matched_by: str  # same | file_moved | container | body | params | similar | merged | ambiguous | deleted | unknown
    place: Place | None = None
    p: float = 1.0  # of the weakest step
    moves: tuple[str, ...] = ()  # commits in which it moved or went, in order
    places: tuple[Place | None, ...] = ()  # where each of them took it
    candidates: tuple[Place, ...] = ()  # as good; nothing was guessed
    forwarder: bool = False  # its old name survives and calls it
    problem: str = ""  # why it is unknown

    @property
    def level(self) -> str | None:
        """`sure` or `likely`; None when it was not located."""
        return None if self.place is None else "sure" if self.p >= SURE else "likely"


class Follower:
    """Follows declarations of one repository; not safe to share between threads."""

    def __init__(self, repository: GitRepository) -> None:
        self.lineage = Lineage(repository)
        self.outliner = Outliner(self.lineage.read)
        self._definitions = lru_cache(_KEPT_PARSES)(self._parse)
        self.matches = CommitMatches(self.lineage, self.outliner)

    def follow(self, place: Place, start: str, end: str) -> Followed:
        """Return where the declaration at a place of one commit is at another, which may be older or on another branch."""
        for commit in (start, end):
            if not self.lineage.holds(commit):
                return Followed(matched_by="unknown", problem=f"commit {commit[:12]} is not in this clone{self._shallow()}")
        try:
            if self.at(place, start) is None:
                return Followed(matched_by="unknown", problem=f"{place.path} at {start[:12]} has no definition of {place.descriptors}")
            way = self.lineage.way(start, end)
            if way is None:
                return Followed(matched_by="unknown", problem=f"no history leads from {start[:12]} to {end[:12]}{self._shallow()}")
            return self._along(place, way, _MAX_SIDES)
        except (UnreadableError, ComindError, KeyError) as error:
            return Followed(matched_by="unknown", problem=str(error))

    def at(self, place: Place, commit: str) -> Declaration | None:
        """Return the declaration at a place of a commit; None when there is none.

        Raises:
            UnreadableError: the file is there and cannot be read.
        """
        blob, language = self.lineage.blob(commit, place.path), language_of(place.path)
        if blob is None or language is None or not self.outliner.may_define(blob, language, place.descriptors):
            return None
        return self.outliner(blob, language).by_key.get((place.descriptors, place.ordinal))

    def place_of(self, commit: str, path: str, canonical_key: str, ordinal: int) -> Place | str:
        """Return the place of an anchored symbol at its commit, or why there is none, in words."""
        if not self.lineage.holds(commit):
            return f"commit {commit[:12]} is not in this clone{self._shallow()}"
        language = language_of(path)
        if language is None:
            return f"{path} is in no language that is read"
        try:
            blob = self.lineage.blob(commit, path)
            declared = self.outliner(blob, language).declarations if blob else ()
        except (UnreadableError, ComindError) as error:
            return f"{path} at {commit[:12]}: {error}"
        # The key begins with package and module, which may have been called otherwise then; what it ends with is the address in the file.
        fitting = [one for one in declared if one.ordinal == ordinal and canonical_key.endswith(one.descriptors)]
        if not fitting:
            return f"{path} at {commit[:12]} has no definition of {canonical_key}"
        return Place(path, *max(fitting, key=lambda one: len(one.descriptors)).key)

    def line_of(self, place: Place, commit: str) -> int | None:
        """Return the line in which the name of a declaration stands: what stands before it may be attributes."""
        blob, declared = self.lineage.blob(commit, place.path), self.at(place, commit)
        source = self.lineage.read(blob) if blob else None
        if declared is None or not isinstance(source, bytes):
            return None
        lines = source.split(b"\n")[declared.first_line - 1 : declared.last_line]
        name = re.compile(rb"(?<!\w)%b(?!\w)" % re.escape(declared.name.encode("utf-8", "replace")))
        named = (number for number, text in enumerate(lines) if name.search(text) and not text.lstrip().startswith(b"#["))
        return declared.first_line + next(named, 0)

    def definition(self, place: Place, commit: str) -> Definition | None:
        """Return the fingerprints of the declaration at a place of a commit; None when there is none, or it cannot be read."""
        blob, language = self.lineage.blob(commit, place.path), language_of(place.path)
        if blob is None or language is None:
            return None
        return self._definitions(blob, language).get((place.descriptors, place.ordinal))

    def find(self, commit: str, path: str, name: str, group: str, line: int) -> Place | None:
        """Return the innermost declaration of a name and group that a line of a file belongs to."""
        blob, language = self.lineage.blob(commit, path), language_of(path)
        if blob is None or language is None:
            return None
        around = [
            one
            for one in self.outliner(blob, language).declarations
            if one.name == name and one.group == group and one.first_line <= line <= one.last_line
        ]
        return Place(path, *max(around, key=lambda one: one.first_line).key) if around else None

    def _parse(self, blob: str, language: str) -> dict[tuple[str, int], Definition]:
        source = self.lineage.read(blob)
        definitions = parse_source(source, language).definitions if isinstance(source, bytes) else ()
        return {(one.descriptors, one.ordinal): one for one in definitions}

    def _shallow(self) -> str:
        return "; it is shallow, run `git fetch --unshallow` there" if self.lineage.is_shallow else ""

    def _along(self, place: Place, way: Sequence[str], sides: int) -> Followed:
        """Follow a declaration along a way, from the commit in which it is lost to the next."""
        here, found = 0, Followed(matched_by="same", place=place)
        for _ in range(_MAX_MOVES):
            lost = self._lost_at(place, way, here)
            if lost is None:
                return found
            verdict = self._step(place, way[lost - 1], way[lost], sides)
            if verdict.place != place:
                found = _after(found, verdict, way[lost])
            if verdict.place is None:
                return found
            place, here = verdict.place, lost
        return Followed(matched_by="unknown", problem=f"it moved more than {_MAX_MOVES} times", moves=found.moves)

    def _lost_at(self, place: Place, way: Sequence[str], here: int) -> int | None:
        """Return the first step in which a place no longer holds its declaration; None when it holds it to the end."""
        was, now = self.at(place, way[here]), self.at(place, way[-1])
        if was is None or here == len(way) - 1:
            return None
        if now is not None:
            return None if _stays(was, now) and not may_have_left(was, now) else self._replaced_at(place, way, here)
        low, high = here, len(way) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.at(place, way[middle]) is not None else (low, middle)
        return high

    def _replaced_at(self, place: Place, way: Sequence[str], here: int) -> int | None:
        """Return the first step in which another body stands there all at once, rather than after many edits."""
        was = self.at(place, way[here])
        for step in range(here + 1, len(way)):
            if self.lineage.blob(way[step], place.path) != self.lineage.blob(way[step - 1], place.path):
                now = self.at(place, way[step])
                if was is None or now is None or not _stays(was, now):
                    return step
                was = now
        return None

    def _step(self, place: Place, before: str, after: str, sides: int) -> Verdict:
        if sides:
            aside = self._aside(place, before, after, sides)
            if aside is not None:
                return aside
        found = self.matches.match(place, before, after).get(place)
        if found is None:
            there = self.at(place, after)
            return Verdict("deleted") if there is None else Verdict("same", place)
        return found

    def _aside(self, place: Place, before: str, after: str, sides: int) -> Verdict | None:
        """Follow a merge into the side that brought the change; None where no side tells."""
        parents = self.lineage.parents(after)
        if before not in parents:
            return None
        for parent in parents:
            base = self.lineage.base(before, parent) if parent != before else None
            if base is None or base == parent or self.at(place, base) is None:
                continue
            way = self.lineage.way(base, parent)
            found = self._along(place, way, sides - 1) if way else None
            if found is None or found.place == place:
                continue
            if found.place is None or self.at(found.place, after) is not None:
                return Verdict(found.matched_by, found.place, found.p, found.candidates, found.forwarder)
        return None


def _stays(was: Declaration, now: Declaration) -> bool:
    return was.group == now.group and resembles(was, now) and not gave_up_its_name(was, now)


def _after(found: Followed, verdict: Verdict, commit: str) -> Followed:
    """Add a step; the rung is that of the weakest one, and of several as strong the last."""
    weakest = verdict.place is None or found.matched_by == "same" or verdict.p <= found.p
    return replace(
        found,
        matched_by=verdict.rung if weakest else found.matched_by,
        place=verdict.place,
        p=min(found.p, verdict.p) if verdict.place else verdict.p,
        moves=(*found.moves, commit),
        places=(*found.places, verdict.place),
        candidates=verdict.candidates,
        forwarder=found.forwarder or verdict.forwarder,
    )
