import pytest

from comind.distill.checks import judge_answer
from comind.distill.duplicates import Repeats, StandingReason, fold_duplicates
from comind.distill.proposals import place_key, proposal_id
from comind.embed import static_embedder
from tests.builders.answers import answer, operation
from tests.builders.briefs import REASON, brief

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
        "text": f"{one.operation.title}\n{one.operation.trigger}\n{one.operation.body}",
    }  # fmt: skip
    return StandingReason(**(said | changes))


@pytest.mark.parametrize("embedder", ["static", None])
def test_the_same_reason_in_other_words_is_found_and_another_one_is_not(embedder):
    first, again, other = fold(proposed(1, **FIRST), proposed(2, **AGAIN), proposed(3, ROUNDED, **OTHER), embedder=embedder)
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
