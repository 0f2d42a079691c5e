"""Which decision documents of a repository take the place of which, by what each says of the others.

In: documents with what they say, by link or by number. Out: pairs that are sure, and what is not: names of nothing, numbers that two
files have, circles. A pair that only one of the two tells of counts; nothing is guessed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from comind.harvest.decision_folders import log_folder, number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["Linked", "Links", "Succession", "find_links", "shared_numbers"]


class Linked(Protocol):
    """A document, and what it says of others: names of files, or numbers."""

    @property
    def path(self) -> str:
        """Its path."""

    @property
    def supersedes(self) -> Sequence[str]:
        """Whose place it takes."""

    @property
    def superseded_by(self) -> Sequence[str]:
        """What takes its place."""

    @property
    def amends(self) -> Sequence[str]:
        """What it adds to."""

    @property
    def amended_by(self) -> Sequence[str]:
        """What adds to it."""


@dataclass(frozen=True, slots=True, order=True)
class Succession:
    """One document takes the place of another, or amends it, and which of them says so."""

    old: str  # paths
    new: str
    said_by: str  # the old one where it says so, since it is the one that was changed for it


@dataclass(frozen=True, slots=True)
class Links:
    """What documents say of each other."""

    successions: tuple[Succession, ...]
    amendments: tuple[Succession, ...]
    unknown: tuple[tuple[str, str], ...]  # (document, what it names that is no decision record here, or several)
    circles: tuple[tuple[str, ...], ...]  # documents that take each other's places; none of their pairs is a succession

    def doubts_of(self, path: str) -> list[tuple[str, str]]:
        """Return what is not sure about the supersessions of one document: codes, and in words."""
        circle = next((circle for circle in self.circles if path in circle), ())
        others = ", ".join(other for other in circle if other != path) or "itself"
        doubts = [("cyclic_supersession", f"it and {others} take each other's place, so neither does")] if circle else []
        names = [name for document, name in self.unknown if document == path]
        return doubts + [("unknown_document", f"names {name}, which is not one decision that was made here") for name in names]


def find_links(documents: Sequence[Linked]) -> Links:
    """Resolve what documents say of each other."""
    paths = [document.path for document in documents]
    unknown: list[tuple[str, str]] = []
    amendments = _pairs(((one.path, one.amended_by, one.amends) for one in documents), paths, unknown)
    pairs = _pairs(((one.path, one.superseded_by, one.supersedes) for one in documents), paths, unknown)
    circles = _circles(pairs)
    turning = {path: number for number, circle in enumerate(circles) for path in circle}
    sure = {pair: said_by for pair, said_by in pairs.items() if pair[0] not in turning or turning[pair[0]] != turning.get(pair[1])}
    return Links(_sorted(sure), _sorted(amendments), tuple(unknown), circles)


def _pairs(
    documents: Iterable[tuple[str, Sequence[str], Sequence[str]]], paths: Sequence[str], unknown: list[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """Return (old, new) and which of the two says so; add to `unknown` what names nothing."""
    pairs: dict[tuple[str, str], str] = {}
    for path, newer, older in documents:
        for name in (*newer, *older):
            other = _resolve(path, name, paths)
            if other is None:
                unknown.append((path, name))
            elif name in newer:
                pairs[path, other] = path
            else:
                pairs.setdefault((other, path), path)
    return pairs


def _sorted(pairs: Mapping[tuple[str, str], str]) -> tuple[Succession, ...]:
    return tuple(sorted(Succession(old, new, said_by) for (old, new), said_by in pairs.items() if old != new))


def shared_numbers(paths: Iterable[str]) -> dict[tuple[str, int], list[str]]:
    """Return the numbers that several files of one folder have: (folder, number) -> paths."""
    found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for path in sorted(paths):
        if (number := number_of(path)) is not None:
            found[path.rpartition("/")[0], number].append(path)
    return {key: several for key, several in found.items() if len(several) > 1}


def _resolve(document: str, name: str, paths: Sequence[str]) -> str | None:
    """Return the one document of that file name or number: in the same folder, else in the same log, else anywhere."""
    folder, log = document.rpartition("/")[0], log_folder(document)
    same = [path for path in paths if _is_called(path, name)]
    for near in (
        [path for path in same if path.rpartition("/")[0] == folder],
        [path for path in same if log_folder(path) == log],
        same if name.endswith(".md") else [],
    ):
        if near:
            return near[0] if len(near) == 1 else None
    return None


def _is_called(path: str, name: str) -> bool:
    return number_of(path) == int(name) if name.isdecimal() else path.rpartition("/")[2] == name


def _circles(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of documents each of which leads to every other one of its group."""
    onward: defaultdict[str, set[str]] = defaultdict(set)
    for old, new in pairs:
        onward[old].add(new)
    reached = {start: set(_reached(start, onward)) for start in list(onward)}
    groups = {tuple(sorted(other for other in ends if start in reached.get(other, ()))) for start, ends in reached.items() if start in ends}
    return tuple(sorted(groups))


def _reached(start: str, onward: dict[str, set[str]]) -> Iterator[str]:
    """Yield everything that can be reached from a document, itself where it is on a circle."""
    seen: set[str] = set()
    open_ = list(onward[start])
    while open_:
        here = open_.pop()
        if here not in seen:
            seen.add(here)
            yield here
            open_ += onward.get(here, ())
