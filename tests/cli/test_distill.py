import pytest

from tests.builders.models import Reply, proposing, scripted_model

WHY = "Prices are kept as integers, since a float loses a cent in every thousandth basket and the books then do not add up."


@pytest.fixture
def reasoned(ledger):
    """The repository of the ledger, with a commit that gives a reason."""
    path = ledger.repository.path / "prices.py"
    path.write_text("def price_in_cents(item):\n    return item.cents\n")
    ledger.repository.commit(f"Keep cents\n\n{WHY}")
    return ledger


def distill(comind, url, *arguments):
    return comind("distill", "git", "--endpoint", url, "--model", "scripted", *arguments)


def test_a_dry_run_shows_what_would_be_asked_and_asks_nothing(comind, reasoned):
    with scripted_model(proposing()) as (model, url):
        ran = distill(comind, url, "--dry-run")
        assert model.calls == 0
    assert ran.code == 0
    assert "1 worth a question" in ran.out
    assert "would ask    1 calls" in ran.out
    assert "cost unknown: no prices are configured" in ran.out
    assert "no language model is configured" in comind("distill", "git", "--dry-run").out
    assert "no language model is configured" not in comind("distill", "git", "--dry-run", "--local").out
    told = comind("distill", "git", "--dry-run", "--json").json
    assert WHY in told[0]["asked"][0]["question"]
    assert told[0]["over_budget"] is False


def test_drafts_are_written_once_and_wait_for_review(comind, reasoned):
    with scripted_model(proposing()) as (model, url):
        ran = distill(comind, url)
        assert (ran.code, model.calls) == (0, 1)
        assert "1 kept (1 new records)" in ran.out
        assert "comind review" in ran.out
        again = distill(comind, url)
        assert (again.code, again.out.strip(), model.calls) == (0, "nothing new to ask about", 1)
    waiting = comind("review", "--drafts")
    assert WHY[:60] in waiting.out


def test_a_budget_that_is_spent_is_said_and_the_exit_code_tells(comind, reasoned):
    with scripted_model(proposing()) as (model, url):
        ran = distill(comind, url, "--max-calls", "0")
        assert (ran.code, model.calls) == (3, 0)
    assert "the budget of 0 calls" in ran.err
    assert "goes on from there" in ran.err


def test_a_question_without_an_answer_is_no_success(comind, reasoned):
    with scripted_model(lambda *_: Reply("{}", status=400)) as (_, url):
        ran = distill(comind, url, "--json")
    assert ran.code == 3
    assert ran.json[0]["answers"] == {"server_error": 1}
    assert ran.json[0]["proposals"][0]["verdict"] == "unanswered"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("git",), "no language model is configured"),
        (("git", "--endpoint", "http://127.0.0.1:9/v1"), "no language model is configured"),
        (("sessions",), "'sessions' is not one of"),
        (("git", "--repo", "nowhere", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m"), "nowhere"),
    ],
)
def test_what_cannot_be_done_is_one_line(comind, reasoned, arguments, said):
    ran = comind("distill", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
