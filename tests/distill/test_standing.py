from comind.distill.brief import Span, SpanRole
from comind.distill.checks import Check, Proposal, judge_answer
from comind.distill.contract import Operation
from comind.distill.standing import in_their_spans
from tests.builders.answers import QUOTE, answer, operation
from tests.builders.briefs import REASON, brief

SPANS = (
    Span(SpanRole.SUBJECT, "Undo the price cache"),
    Span(SpanRole.UNDONE, f"Cache prices. {REASON}"),
    Span(SpanRole.PARAGRAPH, "Caching prices was tried and did not work."),
    Span(SpanRole.PARAGRAPH, REASON),
)


def spans_of(*quotes, spans=SPANS):
    told = Operation.model_validate(operation(evidence=[{"span": name, "quote": text} for name, text in quotes]))
    return [(quote.span, quote.quote) for quote in in_their_spans(brief(spans=spans), told).evidence]


def test_a_quote_under_a_wrong_number_is_found_where_it_stands():
    assert spans_of(("E3", QUOTE)) == [("E4", QUOTE)]
    assert spans_of(("E12", QUOTE)) == [("E12", QUOTE)], "there is no such span, and it is refused for that"


def test_what_an_undone_change_said_is_the_last_place_to_look():
    assert spans_of(("E1", QUOTE), spans=SPANS[:3]) == [("E2", QUOTE)]
    assert spans_of(("E2", QUOTE)) == [("E2", QUOTE)], "a quote that stands where it says stays there"


def test_a_quote_that_stands_nowhere_stays_as_it_is_and_is_refused():
    invented = "nobody has ever written these words"
    assert spans_of(("E3", invented)) == [("E3", invented)]
    (judged,) = judge_answer(brief(spans=SPANS), answer(operation(evidence=[{"span": "E3", "quote": invented}])))
    assert judged.check is Check.NOT_QUOTED


def test_a_proposal_cites_the_span_that_says_so():
    evidence = [{"span": "E4", "quote": "Caching prices was tried and did not work"}, {"span": "E3", "quote": QUOTE}]
    (judged,) = judge_answer(brief(spans=SPANS), answer(operation(evidence=evidence)))
    assert isinstance(judged, Proposal)
    assert [span.text for span, _ in judged.quotes] == [SPANS[2].text, SPANS[3].text]
    assert [quote.span for quote in judged.operation.evidence] == ["E3", "E4"]
