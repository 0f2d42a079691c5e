import json
from pathlib import Path

import pytest

from comind.distill.checks import Proposal, judge_answer
from comind.distill.contract import Operation
from comind.distill.duplicates import Repeats, StandingReason, fold_duplicates, reason_of, said_in
from comind.distill.proposals import place_key, proposal_id
from comind.embed import static_embedder
from tests.builders.answers import answer, operation
from tests.builders.briefs import REASON, brief

CASES = [json.loads(line) for line in Path(__file__).with_name("cases").joinpath("duplicates.jsonl").read_text().splitlines()]
FIRST = {"title": "Baskets were sold at an old price while the workers run apart"}
AGAIN = {
    "title": "An old price was sold in baskets since the workers run apart",
    "body": "The worker that shows prices does not see the one that sets them.",
}
ROUNDED = "It failed: rounding each line lost a cent, so totals and invoices differ."
OTHER = {
    "title": "Rounding each line lost a cent", "body": "Totals and invoices differ.", "trigger": "Before rounding totals",
    "evidence": [{"span": "E2", "quote": "rounding each line lost a cent"}],
}  # fmt: skip


def proposed(number, reason=f"It did not work. {REASON}", **changes):
    (one,) = judge_answer(brief(number, reason=reason), answer(operation(**changes)))
    return one


def fold(*proposals, standing=(), embedder="static"):
    ids = [proposal_id(one.brief, one.operation.kind, one.places) for one in proposals]
    return fold_duplicates(proposals, ids, standing, embedder=static_embedder() if embedder else None)


def standing(one, **changes):
    said = {
        "record_id": "r", "kind": one.operation.kind, "places": frozenset(map(place_key, one.places)), "sources": frozenset({"elsewhere"}),
        "text": said_in(one.operation.title, one.operation.body),
    }  # fmt: skip
    return StandingReason(**(said | changes))


@pytest.mark.parametrize("embedder", ["static", None])
def test_the_same_reason_in_other_words_is_found_and_another_one_is_not(embedder):
    elsewhere = {"evidence": [{"span": "E2", "quote": AGAIN["title"]}]}
    again = proposed(2, f"It failed: {AGAIN['title']}. {AGAIN['body']}", **AGAIN, **elsewhere)
    first, again, other = fold(proposed(1, **FIRST), again, proposed(3, ROUNDED, **OTHER), embedder=embedder)
    assert first.repeats is None
    assert again.repeats is Repeats.SAME_WORDS
    assert again.record_id == proposal_id(first.proposal.brief, "attempt", first.proposal.places)
    assert other.repeats is None


def test_one_source_states_one_reason_of_a_kind_at_one_place_in_whatever_words():
    one = proposed(1, **FIRST)
    (found,) = fold(one, standing=[standing(one, text="Something else entirely", sources=frozenset({one.brief.commit}))])
    assert (found.repeats, found.record_id) == (Repeats.SAME_SOURCE, "r")


def test_what_a_person_rejected_does_not_come_back():
    one = proposed(1, **AGAIN)
    (found,) = fold(one, standing=[standing(proposed(2, **FIRST), is_rejected=True)])
    assert found.repeats is Repeats.REJECTED
    own = proposal_id(one.brief, "attempt", one.places)
    (found,) = fold(one, standing=[standing(one, record_id=own, sources=frozenset({one.brief.commit}), is_rejected=True)])
    assert found.repeats is Repeats.REJECTED


def test_a_second_run_does_not_take_its_own_records_for_others():
    one = proposed(1)
    own = proposal_id(one.brief, "attempt", one.places)
    (found,) = fold(one, standing=[standing(one, record_id=own, sources=frozenset({one.brief.commit}))])
    assert found.repeats is None


@pytest.mark.parametrize("changes", [{"kind": "gotcha"}, {"places": frozenset({"another"})}])
def test_reasons_of_another_kind_or_place_are_not_compared(changes):
    one = proposed(1)
    (found,) = fold(one, standing=[standing(one, **changes)])
    assert found.repeats is None
    assert not found.near


def test_what_stands_keeps_standing_when_the_sources_are_read_in_another_order():
    first, again = proposed(1, **FIRST), proposed(2, f"It failed again. {REASON}", **AGAIN)
    kept, folded = fold(first, again)
    assert (kept.repeats, folded.repeats) == (None, Repeats.SAME_QUOTE)
    own = reason_of(first, proposal_id(first.brief, "attempt", first.places))
    folded, kept = fold(again, first, standing=[own])
    assert (kept.repeats, folded.repeats, folded.record_id) == (None, Repeats.SAME_QUOTE, own.record_id)


def test_one_answer_that_would_become_one_record_twice_does_so_once():
    one = proposed(1)
    own = reason_of(one, proposal_id(one.brief, "attempt", one.places))
    for standing_now in ([], [own]):
        first, second = fold(one, one, standing=standing_now)
        assert (first.repeats, second.repeats) == (None, Repeats.SAME_SOURCE)


def of_case(number, case, said, quote):
    """A proposal of a planted case: commit `number` says so in the given words, quoted from its own prose."""
    told = brief(number, reason=quote)
    raw = operation(kind=case["kind"], **case[said], evidence=[{"span": "E2", "quote": quote[:160]}])
    return Proposal(
        brief=told, operation=Operation.model_validate(raw), places=told.places, quotes=((told.spans[1], quote),), known=None, outcome="n/a"
    )  # fmt: skip


def planted(case):
    """The same fact twice: of a cherry-pick, of a change that came back with some words more, of another commit in other words."""
    prose = f"{case['one']['title']} as we saw"
    yield "cherry-pick", of_case(1, case, "one", prose), of_case(2, case, "again", prose)
    yield "re-land", of_case(1, case, "one", prose), of_case(2, case, "again", f"Again: {prose.upper()}, twice")
    yield "paraphrase", of_case(1, case, "one", case["one"]["body"]), of_case(2, case, "again", case["again"]["body"])


@pytest.mark.parametrize(("embedder", "missed", "wrong"), [("static", 0, 3), (None, 8, 4)])
def test_few_planted_repetitions_are_missed_and_few_other_facts_are_taken_for_one(embedder, missed, wrong):
    same = [(what, *fold(first, again, embedder=embedder)) for case in CASES for what, first, again in planted(case)]
    others = [
        fold(of_case(1, case, one, case[one]["body"]), of_case(2, case, "other", case["other"]["body"]), embedder=embedder)
        for case in CASES
        for one in ("one", "again")
    ]
    assert len(same) == 96
    assert len(others) == 64
    assert sum(again.repeats is None for _, _, again in same) <= missed
    assert sum(other.repeats is not None for _, other in others) <= wrong


def test_facts_about_different_things_are_told_apart_at_one_place():
    found = fold(*(of_case(number, case | {"kind": "gotcha"}, "one", case["one"]["body"]) for number, case in enumerate(CASES, 1)))
    assert [one.repeats for one in found] == [None] * len(CASES)
