from dataclasses import replace

import pytest

from comind.distill.brief import KnownRecord, Span, SpanRole
from comind.distill.checks import Proposal, judge_answer
from comind.distill.proposals import records_of
from comind.records.codec import decode, encode
from comind.records.vocabulary import AuthorKind, Kind, Source
from tests.builders.answers import QUOTE, answer, operation
from tests.builders.briefs import REASON, brief

KNOWN = KnownRecord(
    record_id="0192e8a0-1c00-7000-8000-000000000001", kind=Kind.GOTCHA, title="Sales run apart", trigger="t", is_human_backed=False
)


def proposed(source=None, **changes):
    source = source or brief(
        reason=f"It did not work. {REASON}",
        known=(KNOWN,),
        evidence=({"kind": "commit", "repo": "example.com/shop", "commit": f"{0:040x}"},),
    )
    (one,) = judge_answer(source, answer(operation(**changes)))
    assert isinstance(one, Proposal), one
    return one


def test_a_proposal_becomes_a_record_that_says_who_worded_it_and_shows_the_source():
    (record,) = records_of(proposed(), model="small-1")
    assert decode(encode(record)) == record
    assert (record.kind, record.fields.outcome) == ("attempt", "failed")
    assert record.provenance.author_kind is AuthorKind.DISTILLED
    assert (record.provenance.model, record.provenance.harvester, record.lamport) == ("small-1", "distill/1", 0)
    assert record.provenance.source_time == "2023-11-14T22:13:20Z"
    assert [anchor.symbol for anchor in record.anchors] == ["comind pypi shop . `shop.prices`/price_of()."]
    assert [(one.kind, one.quote) for one in record.evidence] == [("commit", None), ("commit", QUOTE)]
    assert set(record.authority.values()) == {"agent_inference"}
    assert "small-1" in record.body


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("decision", {"chosen", "alternatives"}),
        ("constraint", {"rule", "severity"}),
        ("gotcha", {"symptom", "cause"}),
        ("attempt", {"approach", "outcome"}),
    ],
)
def test_every_kind_has_its_own_fields(kind, fields):
    alternatives = [{"option": "prices set by the worker", "why_not": "baskets were sold at an old price"}]
    (record,) = records_of(proposed(kind=kind, alternatives=alternatives), model="m")
    assert record.kind == kind
    assert set(record.fields.model_dump(exclude_none=True)) == fields


def test_the_id_is_that_of_the_reason_whatever_a_model_words():
    (one,) = records_of(proposed(), model="a")
    (other,) = records_of(proposed(title="An old price was sold by a worker", body=""), model="b")
    assert one.id == other.id
    assert records_of(proposed(kind="gotcha"), model="a")[0].id != one.id


def test_a_confirmation_a_supersession_and_a_dispute_cite_the_known_record():
    (confirms,) = records_of(proposed(op="confirm", known="K1"), model="m")
    assert (confirms.kind, confirms.fields.id, confirms.fields.at_commit) == ("confirms", KNOWN.record_id, f"{0:040x}")
    reason, supersedes = records_of(proposed(op="supersede", known="K1"), model="m")
    assert (supersedes.fields.old, supersedes.fields.new) == (KNOWN.record_id, reason.id)
    (disputes,) = records_of(proposed(op="dispute", known="K1", reason="The worker sets prices apart"), model="m")
    assert (disputes.fields.id, disputes.fields.reason) == (KNOWN.record_id, "The worker sets prices apart")
    for record in (confirms, reason, supersedes, disputes):
        assert record.provenance.author_kind is AuthorKind.DISTILLED
        assert decode(encode(record)) == record


def test_what_a_review_says_is_quoted_with_its_address():
    url = "https://gitlab.com/shop/shop/-/merge_requests/7#note_1"
    source = brief(
        source=Source.MR, source_id="gitlab.com/shop/shop!7", evidence=({"kind": "merge_request", "url": url.partition("#")[0]},),
        spans=(Span(SpanRole.SUBJECT, "Cache prices"), Span(SpanRole.COMMENT, f"It failed. {REASON}", url)),
    )  # fmt: skip
    (record,) = records_of(proposed(source), model="m")
    assert [(one.kind, one.url) for one in record.evidence] == [("merge_request", url.partition("#")[0]), ("review", url)]
    assert record.provenance.source is Source.MR


def test_what_a_document_says_is_quoted_from_its_file():
    source = brief(
        source=Source.DOCUMENT, source_id=f"docs/prices.md@{'b' * 40}",
        evidence=({"kind": "document", "repo": "example.com/shop", "path": "docs/prices.md", "commit": "a" * 40},),
        reason=f"It failed. {REASON}",
    )  # fmt: skip
    (record,) = records_of(proposed(source), model="m")
    assert [(one.kind, one.path, one.quote) for one in record.evidence] == [("document", "docs/prices.md", QUOTE)]


def test_the_undone_change_is_what_was_tried():
    source = brief(
        reason=REASON, evidence=({"kind": "revert", "repo": "r", "commit": "a" * 40}, {"kind": "reverted", "repo": "r", "commit": "b" * 40})
    )
    source = replace(source, spans=(*source.spans, Span(SpanRole.UNDONE, "Cache prices for a minute")))
    (record,) = records_of(proposed(source), model="m")
    assert (record.fields.approach, record.fields.outcome) == ("Cache prices for a minute", "reverted")
