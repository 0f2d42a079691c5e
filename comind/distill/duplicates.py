"""Whether a proposal says what is recorded already: by its source, its code and its kind first, then by its words.

In: proposals in their order, what stands and what a person rejected. Out: for each proposal the record that it repeats, if any.
Only records of one kind that share an anchor are compared. What a person rejected counts as standing, so that it does not come back.

Thresholds measured of the static embedder and `rapidfuzz` on 30 paraphrases, 30 pairs with one subject and two facts, 870 unrelated pairs:
at a mean of 0.60, or a cosine of 0.70, no two facts were taken for one. Another embedder needs its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from comind.distill.proposals import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np

    from comind.distill.checks import Proposal
    from comind.embed import Embedder

__all__ = ["Folded", "Repeats", "StandingReason", "fold_duplicates", "reason_of"]

_SAME_MEAN, _SAME_COSINE, _NEAR_MEAN = 0.60, 0.70, 0.48


class Repeats(StrEnum):
    """How a proposal came to be taken for a repetition."""

    SAME_SOURCE = "same_source"  # evidence, code and kind are one
    SAME_WORDS = "same_words"
    REJECTED = "rejected"  # a person did not want it


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingReason:
    """A record, as far as it can be repeated."""

    record_id: str
    kind: str
    places: frozenset[str]  # canonical keys of symbols, paths of the rest
    sources: frozenset[str]  # commits, addresses and documents that it cites
    text: str  # title, trigger and body
    is_rejected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """One proposal, and what it repeats."""

    proposal: Proposal
    repeats: Repeats | None = None
    record_id: str | None = None  # of what it repeats, or comes near to
    near: bool = False  # not the same, but close enough for a person to look at both


@dataclass(slots=True)
class _Known:
    embedder: Embedder | None
    by_place: dict[tuple[str, str], list[StandingReason]] = field(default_factory=dict)
    vectors: dict[str, np.ndarray] = field(default_factory=dict)

    def add(self, reason: StandingReason) -> None:
        for place in reason.places:
            self.by_place.setdefault((reason.kind, place), []).append(reason)

    def beside(self, reason: StandingReason) -> Iterator[StandingReason]:
        found = {one.record_id: one for place in reason.places for one in self.by_place.get((reason.kind, place), ())}
        yield from (found[record_id] for record_id in sorted(found))

    def likeness(self, one: StandingReason, other: StandingReason) -> tuple[float, float]:
        """Return the mean of cosine and shared words, and the cosine; 0 to 1."""
        tokens = fuzz.token_set_ratio(one.text.casefold(), other.text.casefold()) / 100
        if self.embedder is None:
            return tokens, 0.0
        cosine = float(self._vector(one) @ self._vector(other))
        return (cosine + tokens) / 2, cosine

    def _vector(self, reason: StandingReason) -> np.ndarray:
        if reason.record_id not in self.vectors:
            assert self.embedder is not None  # noqa: S101 - `likeness` has looked
            self.vectors[reason.record_id] = self.embedder.encode([reason.text])[0]
        return self.vectors[reason.record_id]


def fold_duplicates(
    proposals: Sequence[Proposal], ids: Sequence[str], standing: Iterable[StandingReason], *, embedder: Embedder | None
) -> list[Folded]:
    """Find what repeats what stands, or what an earlier one of the proposals says.

    Args:
        proposals: new reasons, in the order in which they are to count.
        ids: of the record that each would become.
        standing: records that stand, and those that a person rejected; one with the id of a proposal is the proposal itself.
        embedder: None compares words alone, by a threshold of its own.
    """
    known = _Known(embedder)
    own = set(ids)
    for one in standing:
        if one.record_id not in own or one.is_rejected:
            known.add(one)
    folded = []
    for proposal, record_id in zip(proposals, ids, strict=True):
        reason = reason_of(proposal, record_id)
        found = _compared(proposal, reason, known)
        folded.append(found)
        if found.repeats is None:
            known.add(reason)
    return folded


def reason_of(proposal: Proposal, record_id: str) -> StandingReason:
    """Return a proposal as what it would be if it stood."""
    operation = proposal.operation
    return StandingReason(
        record_id=record_id, kind=operation.kind, places=frozenset(map(place_key, proposal.places)),
        sources=frozenset(_sources(proposal)), text=f"{operation.title}\n{operation.trigger}\n{operation.body}",
    )  # fmt: skip


def _sources(proposal: Proposal) -> Iterator[str]:
    yield proposal.brief.source_id
    for one in proposal.brief.evidence:
        for name in ("commit", "url"):
            if isinstance(value := one.get(name), str):
                yield value


def _compared(proposal: Proposal, reason: StandingReason, known: _Known) -> Folded:
    near: tuple[float, str] | None = None
    for other in known.beside(reason):
        if other.sources & reason.sources:
            return Folded(proposal=proposal, repeats=_way(other, Repeats.SAME_SOURCE), record_id=other.record_id)
        mean, cosine = known.likeness(reason, other)
        if mean >= _SAME_MEAN or cosine >= _SAME_COSINE:
            return Folded(proposal=proposal, repeats=_way(other, Repeats.SAME_WORDS), record_id=other.record_id)
        if mean >= _NEAR_MEAN and (near is None or mean > near[0]):
            near = mean, other.record_id
    return Folded(proposal=proposal, record_id=near[1] if near else None, near=near is not None)


def _way(other: StandingReason, way: Repeats) -> Repeats:
    return Repeats.REJECTED if other.is_rejected else way
