"""Which ruling of a chain took the place of which, and which simply ended.

In: topics. Out: pairs of (old, new) links, links that ended without a successor, and losses for pointers that lead nowhere or in a circle.
A ruling is taken to have ended only where its own status says so; that another one claims to reverse it is not enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from comind.harvest.interop.fields import entries, word
from comind.harvest.interop.losses import Loss
from comind.harvest.interop.memcontinuum import ENDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from comind.harvest.interop.memcontinuum import Link, Topic

__all__ = ["Chains", "read_chains"]

_POINTERS = ("superseded_by", "promoted_by")


@dataclass(slots=True)
class Chains:
    """How the rulings of a store follow each other; a ruling is named by (topic id, link id)."""

    followed: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)  # by what, for each that was followed
    circular: set[tuple[str, str]] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)


def read_chains(topics: Sequence[Topic]) -> Chains:
    """Work out the successors of every ruling."""
    chains = Chains()
    known = {(topic.id, link.id): (topic, link) for topic in topics for link in topic.links}
    for topic in topics:
        for link in topic.links:
            for old, new in _claims(topic, link, chains):
                _follow(old, new, known, chains)
    for circle in _circles(chains.followed):
        chains.circular.add(circle)
        topic, link = known[circle]
        why = "its successors lead back to it, so none of them can be said to hold"
        chains.losses.append(Loss(f"{topic.path} {link.id}", "cyclic_supersession", why))
    return chains


def _claims(topic: Topic, link: Link, chains: Chains) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield what a link says of its own successors and predecessors, as (old, new)."""
    here = (topic.id, link.id)
    for name in _POINTERS:
        if pointer := link.pointer(name):
            if pointer not in {other.id for other in topic.links}:
                chains.losses.append(_dangling(topic, link, name))
            else:
                yield here, (topic.id, pointer)
    if pointer := link.pointer("reverses"):
        if pointer not in {other.id for other in topic.links}:
            chains.losses.append(_dangling(topic, link, "reverses"))
        else:
            yield (topic.id, pointer), here
    for edge in entries(link.entry, "edges"):
        if isinstance(edge, dict) and word(edge, "rel") == "supersedes":
            target, _, old = word(edge, "to").partition("#")[0].partition("/")
            if target and old:
                yield (target, old), here


def _dangling(topic: Topic, link: Link, name: str) -> Loss:
    return Loss(f"{topic.path} {link.id}", "dangling_pointer", f"its {name} names no link of the chain; the ruling itself was read")


def _follow(old: tuple[str, str], new: tuple[str, str], known: Mapping[tuple[str, str], tuple[Topic, Link]], chains: Chains) -> None:
    if old not in known or new not in known:
        return
    link = known[old][1]
    if link.status in ENDED or link.pointer("promoted_by") == new[1]:
        successors = chains.followed.setdefault(old, [])
        if new not in successors:
            successors.append(new)


def _circles(followed: Mapping[tuple[str, str], Sequence[tuple[str, str]]]) -> list[tuple[str, str]]:
    """Return every ruling from which its successors lead back to itself."""
    return [start for start in followed if start in _reached(start, followed)]


def _reached(start: tuple[str, str], followed: Mapping[tuple[str, str], Sequence[tuple[str, str]]]) -> set[tuple[str, str]]:
    reached: set[tuple[str, str]] = set()
    queue = list(followed.get(start, ()))
    while queue:
        one = queue.pop()
        if one not in reached:
            reached.add(one)
            queue += followed.get(one, ())
    return reached
