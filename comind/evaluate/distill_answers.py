"""Measure what a model answered about labelled commits, and what the checks after it leave.

In: judged commits, somebody who asks, or only kept answers. Out: figures: valid JSON, none on commits that say nothing, quotes, proposals
that pass, that match the labelled fact, whose kind and outcome agree; duplicates in one run and across two; what must never be kept.
A commit without an answer counts as not answered, never as none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from comind.distill.answers import AnswerCode
from comind.distill.brief import Brief
from comind.distill.checks import Proposal, judge_answer
from comind.distill.duplicates import fold_duplicates
from comind.distill.grounds import in_source
from comind.distill.passes import Verdict, distill
from comind.distill.phrasing import names_people, unsafe_code
from comind.distill.proposals import proposal_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from comind.distill.answers import Answer
    from comind.distill.passes import Pass
    from comind.embed import Embedder
    from comind.evaluate.distill_gate import Judged

__all__ = ["AnswerFigures", "evaluate_answers"]

_MATCHING: Final = 0.55  # mean of cosine and shared words; between paraphrases and other facts about one subject
_MATCHING_WORDS: Final = 0.55  # shared words alone


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFigures:
    """What was measured; shares are between 0 and 1, and 0 of nothing."""

    model: str
    asked: int
    answered: int
    codes: dict[str, int]  # questions by how asking them ended
    calls: int  # made now; the others were answered before
    none_on_others: float  # of commits that say nothing and reached the model, the share that it left alone
    others_asked: int
    quotes: int
    quotes_grounded: int  # of all quotes of the model, those that stand in their span
    proposals: int
    kept: int
    kept_on_records: int  # of those kept, on commits that say something
    refused: dict[str, int]
    precision: float  # of those kept, the share on commits that say something
    matching: int  # of those kept, those close to the labelled fact
    accept_rate: float  # matching of kept
    kind_agrees: float  # of those kept on commits that say something
    outcome_agrees: float  # of attempts kept where the label has an outcome
    kept_quotes_grounded: float
    kept_anchors_resolve: float
    kept_unsafe: int  # people, secrets, hidden characters or orders in kept words
    duplicates_in_one_run: int
    second_run_calls: int
    second_run_records: int  # that the first run did not make

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_answers(
    judged: Sequence[Judged], ask: Callable[[Iterable[Brief]], Iterator[Answer]], *, model: str, embedder: Embedder | None
) -> AnswerFigures:
    """Ask about the labelled commits that pass the gate, twice, and count.

    Args:
        judged: labelled commits as the gate judged them.
        ask: puts questions, and keeps answers, so that the second time costs nothing.
        model: what is asked.
        embedder: compares proposals with labelled facts, and with each other.
    """
    answers: list[Answer] = []

    def remembered(briefs: Iterable[Brief]) -> Iterator[Answer]:
        for answer in ask(briefs):
            answers.append(answer)
            yield answer

    found = distill(_briefs(judged), remembered, lambda _: (), model=model, embedder=embedder)
    again = distill(_briefs(judged), ask, lambda _: (), model=model, embedder=embedder)
    return _figures(judged, answers, found, again, model, embedder)


def _briefs(judged: Sequence[Judged]) -> Iterator[Brief]:
    return (one.found for one in judged if isinstance(one.found, Brief))


def _figures(  # noqa: PLR0913, PLR0917 - what two runs brought
    judged: Sequence[Judged], answers: Sequence[Answer], found: Pass, again: Pass, model: str, embedder: Embedder | None
) -> AnswerFigures:
    labels = {one.label.sha: one.label for one in judged}
    kept = _kept(answers, embedder)
    on_records = [one for one in kept if labels[one.brief.source_id].label == "record"]
    matching = [one for one in on_records if _matches(one, labels[one.brief.source_id].fact, embedder)]
    others = [one for one in answers if labels[one.brief.source_id].label == "none" and one.distilled is not None]
    quotes = [(one.brief, quote) for one in answers if one.distilled for op in one.distilled.ops for quote in op.evidence]
    attempts = [one for one in on_records if one.operation.kind == "attempt" and labels[one.brief.source_id].outcome]
    return AnswerFigures(
        model=model,
        asked=len(answers),
        answered=sum(one.code is AnswerCode.ANSWERED for one in answers),
        codes=dict(Counter(str(one.code) for one in answers).most_common()),
        calls=found.usage.calls,
        none_on_others=_share(one.distilled is not None and one.distilled.verdict == "none" for one in others),
        others_asked=len(others),
        quotes=len(quotes),
        quotes_grounded=sum((span := brief.span(q.span)) is not None and in_source(q.quote, span.text) is not None for brief, q in quotes),
        proposals=len([one for one in found.outcomes if one.op is not None]),
        kept=found.count(Verdict.KEPT),
        kept_on_records=len(on_records),
        refused=dict(Counter(str(one.code) for one in found.outcomes if one.verdict == Verdict.REFUSED).most_common()),
        precision=_share(one in on_records for one in kept),
        matching=len(matching),
        accept_rate=_share(one in matching for one in kept),
        kind_agrees=_share(one.operation.kind == labels[one.brief.source_id].kind for one in on_records),
        outcome_agrees=_share(one.outcome == labels[one.brief.source_id].outcome for one in attempts),
        kept_quotes_grounded=_share(text in span.text for one in kept for span, text in one.quotes),
        kept_anchors_resolve=_share(place.path != "" or place.symbol is not None for one in kept for place in one.places),
        kept_unsafe=sum(_is_unsafe(one) for one in kept),
        duplicates_in_one_run=found.count(Verdict.DUPLICATE),
        second_run_calls=again.usage.calls,
        second_run_records=len({one.id for one in again.records} - {one.id for one in found.records}),
    )


def _kept(answers: Sequence[Answer], embedder: Embedder | None) -> list[Proposal]:
    passed = [
        one for answer in answers if answer.distilled for one in judge_answer(answer.brief, answer.distilled) if isinstance(one, Proposal)
    ]
    ids = [proposal_id(one.brief, one.operation.kind, one.places) for one in passed]
    return [one.proposal for one in fold_duplicates(passed, ids, (), embedder=embedder) if one.repeats is None]


def _matches(proposal: Proposal, fact: str, embedder: Embedder | None) -> bool:
    said = f"{proposal.operation.title}. {proposal.operation.body}".strip()
    words = fuzz.token_set_ratio(said.casefold(), fact.casefold()) / 100
    if embedder is None:
        return words >= _MATCHING_WORDS
    one, other = embedder.encode([said, fact])
    return (words + float(one @ other)) / 2 >= _MATCHING


def _is_unsafe(proposal: Proposal) -> bool:
    operation = proposal.operation
    texts = [operation.title, operation.body, operation.trigger, *(text for _, text in proposal.quotes)]
    return any(unsafe_code(text) is not None or names_people(text, proposal.brief.names) for text in texts)


def _share(found: Iterable[bool]) -> float:
    every = list(found)
    return sum(every) / len(every) if every else 0.0
