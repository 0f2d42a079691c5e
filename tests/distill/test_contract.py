import pytest
from pydantic import ValidationError

from comind.distill.contract import Distilled


def _answer(**changes):
    op = {
        "op": "new", "kind": "gotcha", "title": "Sessions outlive the fork", "trigger": "Before forking a worker",
        "anchors": ["S1"], "evidence": [{"span": "E2", "quote": "the session outlives the fork"}],
    }  # fmt: skip
    return {"verdict": "record", "ops": [op | changes]}


def test_the_usual_answer_is_a_verdict_alone():
    assert Distilled.model_validate({"verdict": "none"}).ops == ()


def test_a_whole_proposal_is_read():
    assert Distilled.model_validate(_answer()).ops[0].evidence[0].span == "E2"


@pytest.mark.parametrize(
    "changes",
    [
        {"anchors": []},
        {"anchors": ["S9"]},
        {"evidence": []},
        {"evidence": [{"span": "E13", "quote": "long enough"}]},
        {"kind": "summary"},
        {"title": "x" * 121},
        {"author": "me"},
    ],
)
def test_what_the_contract_does_not_allow_is_refused(changes):
    with pytest.raises(ValidationError):
        Distilled.model_validate(_answer(**changes))


def test_more_than_three_proposals_are_refused():
    one = _answer()["ops"][0]
    with pytest.raises(ValidationError):
        Distilled.model_validate({"verdict": "record", "ops": [one] * 4})
