import json
import time
from dataclasses import replace

import pytest

from comind.distill import asking
from comind.distill.answers import AnswerCode
from comind.distill.asking import ask_all
from comind.distill.budget import Budget, Limits, Prices
from comind.distill.client import Endpoint
from comind.distill.recorded import RecordedAnswers
from tests.builders.briefs import REASON, brief
from tests.builders.models import NONE, Reply, completion, scripted_model

RECORD = json.dumps(
    {
        "verdict": "record",
        "ops": [
            {
                "op": "new", "known": None, "kind": "attempt", "title": "A price cache sold baskets at an old price", "body": "",
                "trigger": "Before caching prices", "outcome": "reverted", "alternatives": [], "anchors": ["S1"],
                "evidence": [{"span": "E2", "quote": REASON[:100]}], "reason": None,
            }
        ],
    }
)  # fmt: skip


def ask(briefs, url, path, *, limits=None, prices=None, **changes):
    endpoint = Endpoint(**({"url": url, "model": "scripted", "retries": 2, "timeout_seconds": 5} | changes))
    budget = Budget(limits or Limits(), prices)
    return list(ask_all(briefs, endpoint, RecordedAnswers(path), budget)), budget


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "answers.ndjson"


def test_every_brief_gets_its_answer_in_the_order_of_the_briefs(kept):
    def reply(request, _):
        number = int(request["messages"][-1]["content"].split("cache ")[1].split()[0])
        return Reply(completion(RECORD if number % 2 else NONE), delay=0.05 * (number % 3))

    briefs = [brief(number) for number in range(1, 30)]
    with scripted_model(reply) as (model, url):
        answers, budget = ask(briefs, url, kept, concurrency=8)
    assert [answer.brief for answer in answers] == briefs
    assert [answer.distilled.verdict for answer in answers] == ["record" if number % 2 else "none" for number in range(1, 30)]
    assert 2 <= model.most_at_once <= 8
    assert budget.spent.calls == model.calls == 29
    assert (budget.spent.input_tokens, budget.spent.output_tokens) == (29 * 500, 29 * 10)


def test_a_second_run_asks_nothing_and_answers_the_same_the_negative_ones_too(kept):
    def reply(_, number):
        return [NONE, RECORD, Reply(completion(None, refusal="no")), Reply(completion('{"verdict"', finish="length"))][number % 4]

    briefs = [brief(number) for number in range(1, 9)]
    with scripted_model(reply) as (model, url):
        first, _ = ask(briefs, url, kept, concurrency=1)
        calls = model.calls
        second, budget = ask(briefs, url, kept, concurrency=1)
        assert model.calls == calls
    assert budget.spent.calls == 0
    assert all(answer.from_cache for answer in second)
    assert [(one.code, one.distilled) for one in second] == [(one.code, one.distilled) for one in first]
    assert {one.code for one in first} == {AnswerCode.ANSWERED, AnswerCode.REFUSED, AnswerCode.TOO_LONG}


def test_another_model_is_asked_anew(kept):
    with scripted_model(lambda *_: NONE) as (model, url):
        ask([brief()], url, kept)
        ask([brief()], url, kept, model="another")
        assert model.calls == 2


def test_what_is_sent_asks_for_strict_answers_of_the_contract_and_holds_nothing_of_the_machine(kept):
    with scripted_model(lambda *_: NONE) as (model, url):
        ask([brief()], url, kept, key="secret")
    request = model.requests[0]
    schema = request["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["required"] == ["verdict", "ops"]
    assert (request["temperature"], request["max_tokens"], request["model"]) == (0, 420, "scripted")
    assert request["authorization"] == "Bearer secret"
    assert [turn["role"] for turn in request["messages"]][:2] == ["system", "user"]
    assert "secret" not in kept.read_text()


FAULTS = {
    "limited without a word": (lambda *_: Reply("{}", status=429), AnswerCode.RATE_LIMITED),
    "an error of the server": (lambda *_: Reply("{}", status=500), AnswerCode.SERVER_ERROR),
    "too slow": (lambda *_: Reply(completion(NONE), delay=1.5), AnswerCode.TIMEOUT),
    "a cut body": (lambda *_: Reply(completion(NONE), cut=40), AnswerCode.UNREACHABLE),
    "a page": (lambda *_: Reply("<html>Sign in</html>", content_type="text/html"), AnswerCode.SERVER_ERROR),
    "half a body": (lambda *_: Reply('{"choices": ['), AnswerCode.SERVER_ERROR),
    "no choices": (lambda *_: Reply('{"choices": []}'), AnswerCode.SERVER_ERROR),
    "a refusal": (lambda *_: Reply(completion(None, refusal="I cannot")), AnswerCode.REFUSED),
    "a filter": (lambda *_: Reply(completion("", finish="content_filter")), AnswerCode.REFUSED),
    "cut at the limit": (lambda *_: Reply(completion('{"verdict": "rec', finish="length")), AnswerCode.TOO_LONG),
    "prose": (lambda *_: "I found no reason worth recording.", AnswerCode.INVALID),
    "another contract": (lambda *_: '{"verdict": "record", "ops": [{"op": "delete"}]}', AnswerCode.INVALID),
    "a tool": (
        lambda *_: Reply(completion(None, tool_calls=[{"id": "t", "type": "function", "function": {"name": "x", "arguments": "{}"}}])),
        AnswerCode.INVALID,
    ),
    "half a character": (lambda *_: '{"verdict": "none", "ops": [], "x": "\\ud800"}', AnswerCode.INVALID),
    "half a character in the text itself": (lambda *_: '{"verdict": "none", \ud800}', AnswerCode.INVALID),
    "choices that are none": (lambda *_: Reply('{"choices": "none"}'), AnswerCode.SERVER_ERROR),
    "a choice without a message": (lambda *_: Reply('{"choices": [{"message": null}]}'), AnswerCode.SERVER_ERROR),
    "a message of parts": (lambda *_: Reply(completion([{"type": "text", "text": NONE}])), AnswerCode.SERVER_ERROR),
    "a list": (lambda *_: Reply("[]"), AnswerCode.SERVER_ERROR),
    "a question it does not take": (lambda *_: Reply('{"error": {"message": "no schema"}}', status=400), AnswerCode.SERVER_ERROR),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_the_code_of_one_answer_and_the_next_question_is_asked(kept, fault):
    reply, code = FAULTS[fault]

    def first_only(request, number):
        about_the_first = any("cache 1\n" in str(turn["content"]) for turn in request["messages"])
        return reply(request, number) if about_the_first else NONE

    with scripted_model(first_only) as (_, url):
        answers, _ = ask([brief(1), brief(2)], url, kept, concurrency=1, timeout_seconds=0.5, retries=1)
    assert [answer.code for answer in answers] == [code, AnswerCode.ANSWERED]
    assert answers[0].distilled is None
    assert answers[0].detail
    assert "cannot" not in answers[0].detail


def test_what_is_limited_is_asked_again_when_the_endpoint_says(kept):
    def reply(_, number):
        return Reply("{}", status=429, headers={"Retry-After": "1"}) if number == 0 else NONE

    started = time.monotonic()
    with scripted_model(reply) as (model, url):
        answers, budget = ask([brief()], url, kept)
    assert answers[0].code is AnswerCode.ANSWERED
    assert model.calls == 2
    assert budget.spent.calls == 1, "a call that was turned away costs nothing"
    assert time.monotonic() - started >= 1


def test_an_answer_that_breaks_the_contract_is_asked_for_once_more(kept):
    with scripted_model(lambda _, number: "no JSON" if number == 0 else NONE) as (model, url):
        answers, budget = ask([brief()], url, kept)
    assert answers[0].code is AnswerCode.ANSWERED
    assert model.calls == budget.spent.calls == 2
    assert answers[0].usage.input_tokens == 1_000


def test_asking_again_needs_room_in_the_budget_too(kept):
    with scripted_model(lambda *_: "no JSON") as (model, url):
        answers, budget = ask([brief()], url, kept, limits=Limits(calls=1))
    assert model.calls == budget.spent.calls == answers[0].usage.calls == 1
    assert answers[0].code is AnswerCode.NOT_ASKED
    assert answers[0].detail == "the budget leaves no room to ask it again"
    assert not kept.exists(), "a run with more room asks it again"


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "many", "completion_tokens": -1}])
def test_an_endpoint_that_does_not_count_is_counted_by_estimate(kept, usage):
    body = json.dumps(json.loads(completion(NONE)) | {"usage": usage})
    with scripted_model(lambda *_: Reply(body)) as (_, url):
        answers, budget = ask([brief()], url, kept)
    assert answers[0].code is AnswerCode.ANSWERED
    assert 1_000 < budget.spent.input_tokens < 3_000
    assert 5 < budget.spent.output_tokens < 30


def test_what_nobody_waited_for_counts_as_the_most_it_may_have_cost(kept):
    with scripted_model(lambda *_: Reply(completion(NONE), delay=0.5)) as (_, url):
        answers, budget = ask([brief()], url, kept, timeout_seconds=0.1, retries=0)
    assert answers[0].code is AnswerCode.TIMEOUT
    assert (budget.spent.calls, budget.spent.output_tokens) == (1, 420)
    assert budget.spent.input_tokens > 1_000


def test_an_endpoint_that_knows_other_parameters_is_asked_in_its_words(kept):
    def reply(request, _):
        for name in ("max_tokens", "temperature", "seed"):
            if name in request:
                return Reply(json.dumps({"error": {"message": "Unsupported parameter", "param": name}}), status=400)
        return NONE

    with scripted_model(reply) as (model, url):
        answers, budget = ask([brief(number) for number in range(12)], url, kept, concurrency=3)
    assert {answer.code for answer in answers} == {AnswerCode.ANSWERED}
    assert budget.spent.calls == 12, "what is refused for a parameter costs nothing"
    assert model.calls <= 12 + 3 * 3
    assert model.requests[-1]["max_completion_tokens"] == 420


def test_a_parameter_that_cannot_be_left_out_is_a_fault(kept):
    with scripted_model(lambda *_: Reply('{"error": {"message": "no", "param": "messages"}}', status=400)) as (model, url):
        answers, _ = ask([brief()], url, kept)
    assert (answers[0].code, model.calls) == (AnswerCode.SERVER_ERROR, 1)


def test_the_same_question_twice_in_a_run_is_put_once(kept):
    copy = replace(brief(1), source_id="f" * 40)
    with scripted_model(lambda *_: Reply(completion(RECORD), delay=0.05)) as (model, url):
        answers, budget = ask([brief(1), copy, brief(2)], url, kept)
    assert model.calls == budget.spent.calls == 2
    assert [answer.brief for answer in answers] == [brief(1), copy, brief(2)]
    assert answers[1].distilled == answers[0].distilled
    assert [answer.from_cache for answer in answers] == [False, True, False]


def test_the_same_question_is_put_again_when_the_first_got_no_answer(kept):
    with scripted_model(lambda _, number: NONE if number else Reply("{}", status=500)) as (model, url):
        answers, _ = ask([brief(1), replace(brief(1), source_id="f" * 40)], url, kept, retries=0, concurrency=1)
    assert [answer.code for answer in answers] == [AnswerCode.SERVER_ERROR, AnswerCode.ANSWERED]
    assert model.calls == 2


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_a_model_that_is_not_taken_ends_the_asking(kept, status):
    with scripted_model(lambda *_: Reply('{"error": {"message": "bad key"}}', status=status)) as (model, url):
        answers, _ = ask((brief(number) for number in range(100)), url, kept, concurrency=2)
    assert [answer.code for answer in answers] == [AnswerCode.DENIED]
    assert f"HTTP {status}" in answers[0].detail
    assert model.calls < 40


def test_an_endpoint_that_is_not_there_ends_the_asking_after_a_few_questions(kept):
    answers, _ = ask((brief(number) for number in range(100)), "http://127.0.0.1:9/v1", kept, retries=0)
    assert [answer.code for answer in answers] == [AnswerCode.UNREACHABLE] * 4 + [AnswerCode.NOT_ASKED]
    assert "5 questions on end" in answers[-1].detail


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(calls=7), "7 calls"),
        (Limits(input_tokens=20_000), "20,000 input tokens"),
        (Limits(output_tokens=600), "600 output tokens"),
        (Limits(cost=0.004), "0.00 for cost"),
    ],
)
def test_the_budget_is_never_exceeded_and_the_rest_is_asked_by_the_next_run(kept, limits, said):
    prices = Prices(input_tokens=1.0, output_tokens=2.0)
    briefs = [brief(number) for number in range(40)]
    with scripted_model(lambda *_: Reply(completion(NONE), delay=0.02)) as (model, url):
        answers, budget = ask(briefs, url, kept, limits=limits, prices=prices)
        asked = model.calls
        again, _ = ask(briefs, url, kept)
        assert model.calls == 40
    assert 0 < asked < 40
    assert answers[-1].code is AnswerCode.NOT_ASKED
    assert said in answers[-1].detail
    assert all(answer.code is AnswerCode.ANSWERED for answer in answers[:-1])
    spent = budget.spent
    for used, most in (
        (spent.calls, limits.calls),
        (spent.input_tokens, limits.input_tokens),
        (spent.output_tokens, limits.output_tokens),
        (spent.cost, limits.cost),
    ):
        assert most is None or used <= most
    assert [answer.code for answer in again] == [AnswerCode.ANSWERED] * 40


def test_briefs_are_read_only_as_fast_as_they_are_asked(kept):
    read = []

    def briefs():
        for number in range(1_000):
            read.append(number)
            yield brief(number)

    with scripted_model(lambda *_: NONE) as (_, url):
        endpoint = Endpoint(url=url, model="scripted", concurrency=2)
        answers = ask_all(briefs(), endpoint, RecordedAnswers(kept), Budget(Limits()))
        next(answers)
        answers.close()
    assert len(read) < 100


def test_calls_on_their_way_are_waited_for_and_kept_when_the_reader_goes_away(kept):
    budget = Budget(Limits(calls=20))
    with scripted_model(lambda _, number: Reply(completion(NONE), delay=0.3 if number else 0)) as (model, url):
        endpoint = Endpoint(url=url, model="scripted", concurrency=4)
        answers = ask_all([brief(number) for number in range(16)], endpoint, RecordedAnswers(kept), budget)
        next(answers)
        answers.close()
        asked = model.calls
    assert 4 <= asked < 16
    assert len(kept.read_text().splitlines()) == budget.spent.calls == asked
    assert budget.reserve(1, 1) is not None
    assert all(budget.reserve(1, 1) for _ in range(19 - asked)), "what was not asked after all is not set aside any longer"


def test_a_slow_models_answers_are_kept_while_it_is_asked(kept, monkeypatch):
    monkeypatch.setattr(asking, "_KEEP_AFTER", 0)
    with scripted_model(lambda *_: NONE) as (_, url):
        endpoint = Endpoint(url=url, model="scripted", concurrency=1)
        answers = ask_all([brief(number) for number in range(16)], endpoint, RecordedAnswers(kept), Budget(Limits()))
        for _ in range(3):
            next(answers)
        assert len(kept.read_text().splitlines()) >= 3
        answers.close()


def test_what_was_answered_is_kept_when_the_reader_goes_away(kept):
    with scripted_model(lambda *_: NONE) as (model, url):
        endpoint = Endpoint(url=url, model="scripted", concurrency=2)
        answers = ask_all([brief(number) for number in range(30)], endpoint, RecordedAnswers(kept), Budget(Limits()))
        for _ in range(10):
            next(answers)
        answers.close()
        before = model.calls
        ask([brief(number) for number in range(10)], url, kept)
        assert model.calls == before
