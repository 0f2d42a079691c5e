"""Whether a proposal says what is recorded already: by its source, its code and its kind first, then by its words.

In: proposals in their order, what stands and what a person rejected. Out: for each proposal the record that it repeats, if any.
Only records of one kind that share an anchor are compared. What a person rejected counts as standing, so that it does not come back.

A trigger is not compared: it says when, not what, and two facts about one piece of code have the same. The thresholds were measured of the
static embedder and `rapidfuzz`, on pairs that say one fact twice and pairs with one subject and two facts (`tests/distill/cases`); another
embedder needs its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from comind.distill.grounds import words_of
from comind.distill.proposals import place_key
from comind.harvest.wording import fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np

    from comind.distill.checks import Proposal
    from comind.embed import Embedder

__all__ = ["Folded", "Repeats", "StandingReason", "fold_duplicates", "quotes_of", "reason_of", "said_in"]

_SAME_MEAN, _SAME_COSINE, _NEAR_MEAN = 0.60, 0.70, 0.48
_SAME_TOKENS, _NEAR_TOKENS = 0.65, 0.55  # words alone, without vectors
_TELLING: Final = 6  # words of a quote that two sources do not share by chance
_SAID: Final = 600  # bytes of a record's text that are compared; a body that quotes a whole message holds every word
_ORIGIN: Final = "Proposed by a language model"


class Repeats(StrEnum):
    """How a proposal came to be taken for a repetition."""

    SAME_SOURCE = "same_source"  # evidence, code and kind are one
    SAME_QUOTE = "same_quote"  # another source, such as a cherry-pick, has the words that are quoted
    SAME_WORDS = "same_words"
    REJECTED = "rejected"  # a person did not want it


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingReason:
    """A record, as far as it can be repeated."""

    record_id: str
    kind: str
    places: frozenset[str]  # canonical keys of symbols, paths of the rest
    sources: frozenset[str]  # commits, addresses and documents that it cites
    text: str  # `said_in` its title and body
    quotes: frozenset[str] = frozenset()  # `quotes_of` its evidence
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

    def likeness(self, one: StandingReason, other: StandingReason) -> tuple[float, bool, bool]:
        """Return how like two texts are, 0 to 1, whether they say the same, and whether they may."""
        tokens = fuzz.token_set_ratio(one.text.casefold(), other.text.casefold()) / 100
        if self.embedder is None:
            return tokens, tokens >= _SAME_TOKENS, tokens >= _NEAR_TOKENS
        cosine = float(self._vector(one) @ self._vector(other))
        mean = (cosine + tokens) / 2
        return mean, mean >= _SAME_MEAN or cosine >= _SAME_COSINE, mean >= _NEAR_MEAN

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
        embedder: None compares words alone, by thresholds of its own.

    Returns:
        One per proposal. One that stands already repeats nothing, whatever else came to stand beside it, and the others are compared with
        it: so a second run over the same sources finds what the first one found, in whatever order.
    """
    known = _Known(embedder)
    stands = set()
    for one in standing:
        known.add(one)
        stands |= {one.record_id} - ({one.record_id} if one.is_rejected else set())
    folded = []
    for proposal, record_id in zip(proposals, ids, strict=True):
        reason = reason_of(proposal, record_id)
        found = Folded(proposal=proposal) if record_id in stands else _compared(proposal, reason, known)
        folded.append(found)
        if found.repeats is None:
            known.add(reason)
            stands.discard(record_id)  # a second operation that would become the same record repeats the first
    return folded


def reason_of(proposal: Proposal, record_id: str) -> StandingReason:
    """Return a proposal as what it would be if it stood."""
    operation = proposal.operation
    return StandingReason(
        record_id=record_id, kind=operation.kind, places=frozenset(map(place_key, proposal.places)),
        sources=frozenset(_sources(proposal)), text=said_in(operation.title, operation.body),
        quotes=quotes_of(text for _, text in proposal.quotes),
    )  # fmt: skip


def said_in(title: str, body: str) -> str:
    r"""Return what a record says, without the paragraph that says where it comes from.

    >>> said_in("Prices are old", "Nobody updates them.\n\nProposed by a language model (small) from commit `1f`.")
    'Prices are old\nNobody updates them.'
    """
    told = "\n".join(part for part in body.split("\n\n") if not part.startswith(_ORIGIN))
    return fit(f"{title}\n{told}".strip(), _SAID)


def quotes_of(texts: Iterable[str]) -> frozenset[str]:
    """Return quotes as they can be compared, those that are long enough to be nobody else's words.

    >>> sorted(quotes_of(["It lies.", "The *cache* lies, when the disk is full"]))
    ['the cache lies when the disk is full']
    """
    return frozenset(" ".join(words) for words in map(words_of, texts) if len(words) >= _TELLING)


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
        if any(one in theirs or theirs in one for one in reason.quotes for theirs in other.quotes):
            return Folded(proposal=proposal, repeats=_way(other, Repeats.SAME_QUOTE), record_id=other.record_id)
        likeness, is_same, is_near = known.likeness(reason, other)
        if is_same:
            return Folded(proposal=proposal, repeats=_way(other, Repeats.SAME_WORDS), record_id=other.record_id)
        if is_near and (near is None or likeness > near[0]):
            near = likeness, other.record_id
    return Folded(proposal=proposal, record_id=near[1] if near else None, near=near is not None)


def _way(other: StandingReason, way: Repeats) -> Repeats:
    return Repeats.REJECTED if other.is_rejected else way
