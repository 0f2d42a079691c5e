"""One pass over sources: what may be asked is asked, what is answered is judged, what is new becomes records.

In: briefs and skips as the gate yields them, a way to ask, what stands. Out: records, a row per proposal, counts, and where it stopped.
Reads and writes nothing itself; the same answers give the same records, whatever else was asked in between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from comind.distill.answers import Answer, AnswerCode, Usage
from comind.distill.brief import Brief
from comind.distill.checks import CHECKS_VERSION, Proposal, Refusal, judge_answer
from comind.distill.contract import CONTRACT_VERSION
from comind.distill.duplicates import Folded, StandingReason, fold_duplicates, reason_of
from comind.distill.prompt import PROMPT_VERSION
from comind.distill.proposals import RULES, proposal_id, records_of
from comind.records.problems import RecordInvalidError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from comind.distill.brief import Skip
    from comind.embed import Embedder
    from comind.records.record import AnyRecord

__all__ = ["DISTILLER_VERSION", "Outcome", "Pass", "Verdict", "distill"]

DISTILLER_VERSION: Final = f"{RULES} prompt {PROMPT_VERSION} contract {CONTRACT_VERSION} checks {CHECKS_VERSION}"
_NEW: Final = {"new", "supersede"}  # operations that say something new
_LAST: Final = {AnswerCode.NOT_ASKED, AnswerCode.DENIED}


class Verdict:
    """What became of a proposal; the words of the table."""

    KEPT = "kept"
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one proposal, or of a question without an answer."""

    brief: Brief
    request_id: str
    position: int  # in its answer, 0-based; -1 for a question without an answer
    verdict: str
    op: str | None = None
    kind: str | None = None
    code: str | None = None
    detail: str = ""
    title: str | None = None  # of kept and duplicate ones alone
    record_id: str | None = None


@dataclass(slots=True)
class Pass:
    """What a pass brought."""

    read: list[str] = field(default_factory=list)  # `source_id` of each source that it came to
    skipped: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    from_cache: int = 0
    usage: Usage = field(default_factory=Usage)
    records: list[AnyRecord] = field(default_factory=list)
    reasons: list[StandingReason] = field(default_factory=list)  # what the new ones say, for passes after this one
    outcomes: list[Outcome] = field(default_factory=list)
    stopped: str | None = None  # why it ended before the end
    stopped_at: str | None = None  # the first source that was not asked about

    def count(self, verdict: str) -> int:
        """Count the proposals with a verdict."""
        return sum(one.verdict == verdict for one in self.outcomes)


def distill(
    sources: Iterable[Brief | Skip],
    ask: Callable[[Iterable[Brief]], Iterator[Answer]],
    standing: Callable[[Sequence[Proposal]], Iterable[StandingReason]],
    *,
    model: str,
    embedder: Embedder | None,
) -> Pass:
    """Ask about sources and judge the answers.

    Args:
        sources: in the order in which they are to be asked about.
        ask: puts questions; ends with an answer ``NOT_ASKED`` or ``DENIED`` when no more may be asked.
        standing: returns the records at the places of some proposals.
        model: what words the proposals.
        embedder: compares texts; None compares words alone.
    """
    found = Pass()
    judged: list[tuple[Answer, int, Proposal | Refusal]] = []
    for answer in ask(_briefs(sources, found)):
        if answer.code in _LAST:
            found.stopped, found.stopped_at = f"{answer.code}: {answer.detail}", answer.brief.source_id
            break
        _note(answer, found)
        if answer.distilled is not None:
            judged += [(answer, position, one) for position, one in enumerate(judge_answer(answer.brief, answer.distilled))]
        else:
            found.outcomes.append(_unanswered(answer))
    _settle(judged, standing, found, model=model, embedder=embedder)
    if found.stopped_at in found.read:
        del found.read[found.read.index(found.stopped_at) :]
    return found


def _briefs(sources: Iterable[Brief | Skip], found: Pass) -> Iterator[Brief]:
    for source in sources:
        found.read.append(source.source_id)
        if isinstance(source, Brief):
            yield source
        else:
            found.skipped[source.code] += 1


def _note(answer: Answer, found: Pass) -> None:
    found.answers[answer.code] += 1
    found.from_cache += answer.from_cache
    found.usage += answer.usage


def _unanswered(answer: Answer) -> Outcome:
    return Outcome(
        brief=answer.brief, request_id=answer.request_id, position=-1, verdict=Verdict.UNANSWERED, code=answer.code, detail=answer.detail
    )  # fmt: skip


def _settle(
    judged: Sequence[tuple[Answer, int, Proposal | Refusal]],
    standing: Callable[[Sequence[Proposal]], Iterable[StandingReason]],
    found: Pass,
    *,
    model: str,
    embedder: Embedder | None,
) -> None:
    """Compare what says something new with what stands, and make records of what is left."""
    new = [one for _, _, one in judged if isinstance(one, Proposal) and one.operation.op in _NEW]
    ids = [proposal_id(one.brief, one.operation.kind, one.places) for one in new]
    folded = iter(fold_duplicates(new, ids, standing(new) if new else (), embedder=embedder))
    for answer, position, one in judged:
        if isinstance(one, Refusal):
            found.outcomes.append(_outcome(answer, position, Verdict.REFUSED, code=one.check, detail=one.detail))
            continue
        repeats = next(folded) if one.operation.op in _NEW else Folded(proposal=one)
        found.outcomes.append(_recorded(answer, position, repeats, found, model))


def _recorded(answer: Answer, position: int, folded: Folded, found: Pass, model: str) -> Outcome:
    title = folded.proposal.operation.title
    if folded.repeats is not None:
        return _outcome(answer, position, Verdict.DUPLICATE, code=folded.repeats, title=title, record_id=folded.record_id)
    try:
        records = records_of(folded.proposal, model=model)
    except RecordInvalidError as error:
        return _outcome(answer, position, Verdict.REFUSED, code="invalid_record", detail=str(error))
    found.records += records
    found.reasons += [reason_of(folded.proposal, record.id) for record in records[:1] if folded.proposal.operation.op in _NEW]
    code, detail = ("near", f"close to {folded.record_id}") if folded.near else (None, "")
    return _outcome(answer, position, Verdict.KEPT, code=code, detail=detail, title=title, record_id=records[0].id)


def _outcome(answer: Answer, position: int, verdict: str, **told: str | None) -> Outcome:
    assert answer.distilled is not None  # noqa: S101 - only answers with operations come here
    operation = answer.distilled.ops[position]
    return Outcome(
        brief=answer.brief, request_id=answer.request_id, position=position, verdict=verdict, op=operation.op, kind=operation.kind,
        **{name: value for name, value in told.items() if value is not None},
    )  # fmt: skip
