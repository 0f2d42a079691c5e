import pytest

from comind.distill.answers import Usage
from comind.distill.budget import Budget, Limits, Prices


def test_what_calls_on_their_way_may_use_counts_until_they_are_settled():
    budget = Budget(Limits(output_tokens=1_000))
    first = budget.reserve(100, 600)
    assert first is not None
    assert budget.reserve(100, 600) is None
    assert budget.exhausted_by(100, 600) is None, "there is room once the other has settled"
    budget.settle(first, input_tokens=90, output_tokens=10)
    assert budget.reserve(100, 600) is not None
    assert budget.spent == Usage(calls=1, input_tokens=90, output_tokens=10, cost=None)


def test_a_call_without_an_answer_costs_nothing():
    budget = Budget(Limits(calls=1), Prices(input_tokens=1, output_tokens=1))
    reserved = budget.reserve(100, 100)
    assert reserved is not None
    budget.release(reserved)
    assert budget.spent == Usage()
    assert budget.reserve(1, 1) is not None


@pytest.mark.parametrize("limits", [Limits(calls=0), Limits(input_tokens=9), Limits(output_tokens=9), Limits(cost=0.000_001)])
def test_every_limit_holds_by_itself(limits):
    budget = Budget(limits, Prices(input_tokens=1, output_tokens=1))
    assert budget.reserve(10, 10) is None
    assert "budget" in str(budget.exhausted_by(10, 10))


def test_without_prices_money_limits_nothing():
    assert Budget(Limits(cost=0.0)).reserve(10, 10) is not None
