"""The gate after the model: what of an answer may become a record, in a fixed order of checks, each with a code.

In: an answer and the brief that it answers. Out: one judgement per operation: what is proposed, or why nothing is. A detail never repeats
words that were refused. Some things are put right instead, where the source itself decides them: a quote names the span that it stands in;
a new record cites no known one; what a revert takes back was reverted; a body that does not pass is left away, and for such a title stands
the sentence that is quoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from comind.distill.addressed import speaks_to_reader
from comind.distill.brief import SpanRole
from comind.distill.grounds import flipped_words, in_source, names_missing, sentence_around, share_of_words, words_of
from comind.distill.opposites import opposite_words
from comind.distill.phrasing import (
    as_sentence,
    copied_words,
    has_name,
    is_order,
    is_personal,
    is_reference,
    is_whole,
    names_people,
    tells_of_trying,
    unsafe_code,
)
from comind.distill.standing import in_their_spans
from comind.harvest.revert_text import shorten
from comind.harvest.wording import trigger_of
from comind.records.limits import MAX_TITLE_CHARS
from comind.records.vocabulary import EvidenceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from comind.distill.brief import Brief, KnownRecord, Span
    from comind.distill.contract import Distilled, Operation, Option
    from comind.harvest.touched import Place

__all__ = ["CHECKS_VERSION", "Check", "Proposal", "Refusal", "judge_answer"]

CHECKS_VERSION: Final = 2
_QUOTED: Final = 15  # letters and blanks of a quote, white space and marks collapsed
_ALIKE: Final = 92  # percent, from which a title is the subject line again
_TITLE_WORDS, _BODY_WORDS = 0.6, 0.5  # share of content words that stand in the source
_OPTION_WORDS, _TRIGGER_WORDS, _KNOWN_WORDS = 0.5, 0.34, 0.25
_SENTENCE: Final = 25  # characters of a sentence that may stand for a title
_WEAK: Final = frozenset({SpanRole.SUBJECT, SpanRole.UNDONE})  # what shows nothing by itself
_BOILERPLATE: Final = "this reverts commit"


class Check(StrEnum):
    """What an operation failed."""

    UNKNOWN_ANCHOR = "unknown_anchor"
    UNKNOWN_SPAN = "unknown_span"
    UNKNOWN_RECORD = "unknown_record"
    UNRELATED = "unrelated"  # the known record that it cites speaks of something else
    GONE = "gone"  # all of its anchors are gone after the change
    UNSAFE = "unsafe"  # secret, person, hidden character, orders
    NAMES_PEOPLE = "names_people"
    NOT_QUOTED = "not_quoted"
    SHORT_QUOTE = "short_quote"
    WEAK_EVIDENCE = "weak_evidence"  # the subject line, or what an undone change said, alone
    NO_OUTCOME = "no_outcome"
    UNSUPPORTED_OUTCOME = "unsupported_outcome"
    NO_REASON = "no_reason"  # a dispute without one
    IS_SUBJECT = "is_subject"  # the title is the subject line again
    ORDER = "order"
    FIRST_PERSON = "first_person"
    COPIED = "copied"  # from the instructions
    INVENTED_NAME = "invented_name"
    UNGROUNDED = "ungrounded"
    FLIPPED = "flipped"  # it denies what its source says, or the other way round
    REPEATED = "repeated"  # the same answer proposes it twice


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An operation that passed, with everything that its ids name."""

    brief: Brief
    operation: Operation
    places: tuple[Place, ...]
    quotes: tuple[tuple[Span, str], ...]  # as they stand in the span
    known: KnownRecord | None
    outcome: str  # of an attempt; n/a otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An operation that did not pass."""

    brief: Brief
    operation: Operation
    check: Check
    detail: str = ""


def judge_answer(brief: Brief, answer: Distilled) -> list[Proposal | Refusal]:
    """Judge every operation of an answer, in its order; none where its verdict is that there is nothing."""
    judged: list[Proposal | Refusal] = []
    seen: set[tuple[str, str, frozenset[str]]] = set()
    for answered in answer.ops if answer.verdict == "record" else ():
        operation = in_their_spans(brief, answered)
        one = _judge(brief, operation)
        key = (operation.op, operation.kind, frozenset(operation.anchors))
        if isinstance(one, Proposal) and (key in seen or any(_says_again(one, before) for before in judged)):
            one = Refusal(brief=brief, operation=operation, check=Check.REPEATED)
        seen |= {key} if isinstance(one, Proposal) else set()
        judged.append(one)
    return judged


def _says_again(one: Proposal, before: Proposal | Refusal) -> bool:
    """Say whether two operations of one answer would become two records that say one thing."""
    if not isinstance(before, Proposal) or not {one.operation.op, before.operation.op} <= {"new", "supersede"}:
        return False
    titles = (" ".join(words_of(each.operation.title)) for each in (one, before))
    return fuzz.ratio(*titles) >= _ALIKE or (one.operation.kind == before.operation.kind and one.quotes == before.quotes)


def _judge(brief: Brief, operation: Operation) -> Proposal | Refusal:
    for check in _CHECKS:
        for failed, detail in check(brief, operation):
            return Refusal(brief=brief, operation=operation, check=failed, detail=detail)
    worded = _in_words_of_the_source(brief, operation)
    for failed, detail in (*_title_failures(brief, worded, worded.title), *_names(brief, worded)):
        return Refusal(brief=brief, operation=operation, check=failed, detail=detail)
    named = [place for one in operation.anchors if (place := brief.place(one)) is not None and not place.gone]
    known = brief.known_record(operation.known) if operation.known and operation.op != "new" else None
    return Proposal(
        brief=brief, operation=worded, places=tuple(dict.fromkeys(named)), quotes=tuple(_quotes(brief, operation)), known=known,
        outcome=_outcome(brief, operation),
    )  # fmt: skip


def _in_words_of_the_source(brief: Brief, operation: Operation) -> Operation:
    """Return an operation without a body that does not pass, and with a sentence that it quotes for a title that does not."""
    body = operation.body.strip()
    if any(_failures(brief, operation, body, _BODY_WORDS)) or not is_whole(body):
        body = ""
    title = operation.title
    if any(_title_failures(brief, operation, title)):
        quoted = [sentence_around(text, span.text) for span, text in _quotes(brief, operation) if span.role not in _WEAK]
        told = [shorten(as_sentence(one), MAX_TITLE_CHARS) for one in quoted if len(one) >= _SENTENCE]
        title = next((one for one in told if not any(_title_failures(brief, operation, one))), title)
    update: dict[str, object] = {"title": title, "body": body if body != title else ""}
    update["alternatives"] = tuple(one for one in operation.alternatives if _is_founded(brief, operation, one))
    if not _is_occasion(brief, operation.trigger):
        update["trigger"] = trigger_of([place for one in operation.anchors if (place := brief.place(one)) and not place.gone], title)
    return operation.model_copy(update=update)


def _is_founded(brief: Brief, operation: Operation, option: Option) -> bool:
    """Say whether the source tells of an alternative; it is named like an order, often, and speaks against what was chosen."""
    told = _around(brief)
    grounded = all(not names_missing(one, told) and share_of_words(one, told) >= _OPTION_WORDS for one in (option.option, option.why_not))
    return grounded and not is_personal(option.option) and not any(_failures(brief, operation, option.why_not, _OPTION_WORDS))


def _is_occasion(brief: Brief, trigger: str) -> bool:
    """Say whether a trigger names an occasion in the source's words."""
    told = _around(brief)
    is_odd = is_order(trigger) or is_personal(trigger) or is_reference(trigger) or names_missing(trigger, told)
    return not is_odd and share_of_words(trigger, told) >= _TRIGGER_WORDS


def _ids(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    places = [brief.place(one) for one in operation.anchors]
    if None in places:
        yield Check.UNKNOWN_ANCHOR, f"there are {len(brief.places)} places"
    if all(place.gone for place in places if place):
        yield Check.GONE, "what it is about is gone after the change"
    if any(brief.span(quote.span) is None for quote in operation.evidence):
        yield Check.UNKNOWN_SPAN, f"there are {len(brief.spans)} spans"
    if operation.op != "new" and (operation.known is None or brief.known_record(operation.known) is None):
        yield Check.UNKNOWN_RECORD, f"{operation.op} names none of the {len(brief.known)} known records"


def _relates(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    known = brief.known_record(operation.known) if operation.op != "new" and operation.known else None
    if known is None:
        return
    if share_of_words(known.title, _around(brief)) < _KNOWN_WORDS:
        yield Check.UNRELATED, "the record that it cites speaks of something else"
    if operation.op == "confirm" and _flipped(brief, operation, known.title):
        yield Check.FLIPPED, "its source says the opposite of what it confirms"
    if operation.op == "dispute" and operation.reason:
        yield from _failures(brief, operation, operation.reason, _BODY_WORDS)


def _safety(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    for text in _texts(operation):
        if code := unsafe_code(text):
            yield Check.UNSAFE, code
        if names_people(text, brief.names):
            yield Check.NAMES_PEOPLE, "a person, a handle or a channel"
    if any(speaks_to_reader(span.text) for span, _ in _quotes(brief, operation)):
        yield Check.UNSAFE, "what it cites speaks to its reader"


def _names(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    """Look for names in the words of the source, which are clean unless something went wrong before."""
    undone = [span.text for span in brief.spans if span.role is SpanRole.UNDONE]  # what an attempt tried
    if has_name("\n".join([operation.title, *undone, *(text for _, text in _quotes(brief, operation))]), brief.names):
        yield Check.NAMES_PEOPLE, "a person, in words of the source"


def _quoted(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    for quote in operation.evidence:
        span = brief.span(quote.span)
        if span is None or in_source(quote.quote, span.text) is None:
            yield Check.NOT_QUOTED, f"{quote.span} does not say so"
        if len(" ".join(words_of(quote.quote))) < _QUOTED:
            yield Check.SHORT_QUOTE, f"a quote of {quote.span} is too short to show anything"
    roles = {span.role for span, text in _quotes(brief, operation) if _BOILERPLATE not in text.casefold()}
    if roles <= _WEAK:
        yield Check.WEAK_EVIDENCE, "it cites nothing but the subject line, or what an undone change said of itself"


def _ends(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    if operation.op == "dispute" and not (operation.reason or "").strip():
        yield Check.NO_REASON, "a dispute says why"
    if operation.kind != "attempt":
        return
    if _outcome(brief, operation) == "n/a":
        yield Check.NO_OUTCOME, "an attempt says how it ended"
    if not _is_revert(brief) and not tells_of_trying(" ".join(span.text for span, _ in _quotes(brief, operation))):
        yield Check.UNSUPPORTED_OUTCOME, "what it cites tells of nothing that was tried and did not stay"


def _copied(brief: Brief, operation: Operation) -> Iterator[tuple[Check, str]]:
    if copied_words(" ".join(_texts(operation)), [span.text for span in brief.spans]):
        yield Check.COPIED, "it repeats the instructions"


def _title_failures(brief: Brief, operation: Operation, text: str) -> Iterator[tuple[Check, str]]:
    title = " ".join(words_of(text))
    subjects = [span.text for span in brief.spans if span.role in _WEAK]
    if any(_is_said_in(title, " ".join(words_of(subject))) for subject in subjects):
        yield Check.IS_SUBJECT, "its title is the subject line again"
    if is_reference(text):
        yield Check.IS_SUBJECT, "its title names an issue and no reason"
    yield from _failures(brief, operation, text, _TITLE_WORDS)


def _is_said_in(title: str, subject: str) -> bool:
    """Say whether a title is the subject line, or the subject line with some words around it."""
    return fuzz.ratio(title, subject) >= _ALIKE or (len(subject) >= _QUOTED and fuzz.partial_ratio(subject, title) >= _ALIKE)


def _failures(brief: Brief, operation: Operation, text: str, share: float) -> Iterator[tuple[Check, str]]:
    """Yield what is wrong with how one text says something, and with what it says."""
    if is_order(text):
        yield Check.ORDER, "it tells somebody to do something"
    if is_personal(text):
        yield Check.FIRST_PERSON, "it speaks of its writer"
    around = _around(brief)
    if missing := names_missing(text, around):
        yield Check.INVENTED_NAME, f"{len(missing)} names or numbers stand nowhere in the source"
    if share_of_words(text, around) < share:
        yield Check.UNGROUNDED, "too many of its words stand nowhere in the source"
    if flipped := _flipped(brief, operation, text):
        yield Check.FLIPPED, f"what is said of {len(flipped)} words is the opposite in the source"


def _flipped(brief: Brief, operation: Operation, text: str) -> list[str]:
    cited = [span.text for span, _ in _quotes(brief, operation)]
    return flipped_words(text, " ".join(cited)) or opposite_words(text, cited)


def _around(brief: Brief) -> list[str]:
    return [*(span.text for span in brief.spans), *(f"{place.name} {place.path}" for place in brief.places)]


_CHECKS: Final[Sequence[Callable[[Brief, Operation], Iterator[tuple[Check, str]]]]] = (_ids, _safety, _quoted, _relates, _ends, _copied)


def _outcome(brief: Brief, operation: Operation) -> str:
    if operation.kind != "attempt":
        return "n/a"
    return "reverted" if _is_revert(brief) else operation.outcome


def _is_revert(brief: Brief) -> bool:
    return any(one.get("kind") == EvidenceKind.REVERT for one in brief.evidence)


def _quotes(brief: Brief, operation: Operation) -> Iterator[tuple[Span, str]]:
    for quote in operation.evidence:
        span = brief.span(quote.span)
        text = in_source(quote.quote, span.text) if span else None
        if span is not None and text is not None:
            yield span, text


def _texts(operation: Operation) -> list[str]:
    """Return every text that a model worded and that would be kept."""
    options = [text for option in operation.alternatives for text in (option.option, option.why_not)]
    return [text for text in (operation.title, operation.body, operation.trigger, operation.reason, *options) if text]
