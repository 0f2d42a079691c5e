from comind.distill.answers import Usage


def test_usage_adds_up():
    total = Usage(calls=1, input_tokens=10, output_tokens=2, cost=0.5) + Usage(calls=2, input_tokens=1, output_tokens=1, cost=0.25)
    assert total == Usage(calls=3, input_tokens=11, output_tokens=3, cost=0.75)


def test_a_sum_with_an_unknown_price_has_none():
    assert (Usage(cost=1.0) + Usage(cost=None)).cost is None
