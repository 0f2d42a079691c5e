import json

import pytest

from comind.cli.main import execute
from comind.distill.asking import ask_all
from comind.distill.brief import Brief
from comind.distill.budget import Budget, Limits
from comind.distill.client import Endpoint
from comind.distill.recorded import RecordedAnswers
from comind.embed import static_embedder
from comind.evaluate.distill_answers import evaluate_answers
from comind.evaluate.distill_gate import Judged, LabelledCommit
from tests.builders.briefs import brief
from tests.builders.git import make_repository
from tests.builders.models import NONE, proposing, scripted_model

CENTS = "Prices are kept as integers, since a float loses a cent in every thousandth basket, and the books then do not add up."
LOCK = "The lock around the stock cannot be dropped: without it two workers sell the last item twice."
TESTS = "The tests are in one file now, since it is easier to find them there than in many."


def judged(number, label, why, fact="", kind=None):
    found = brief(number, reason=why)
    return Judged(LabelledCommit(repo="a/shop", sha=found.source_id, label=label, kind=kind, fact=fact), found)


ROWS = [
    judged(1, "record", CENTS, "Floats lose a cent in a thousand baskets, so prices are integers.", "gotcha"),
    judged(2, "record", LOCK, "Somebody tried Redis.", "constraint"),
    judged(3, "none", TESTS),
    judged(4, "none", "It is shorter, because nothing is said twice in it any more."),
]


def measured(tmp_path, reply, rows=ROWS):
    with scripted_model(reply) as (model, url):
        endpoint, kept = Endpoint(url=url, model="scripted", known_as="here"), RecordedAnswers(tmp_path / "answers.ndjson")

        def asked(briefs):
            return ask_all(briefs, endpoint, kept, Budget(Limits()))

        return evaluate_answers(rows, asked, model="scripted", embedder=static_embedder()), model.calls


def test_figures_say_what_was_answered_kept_and_right(tmp_path):
    def reply(request, number):
        return NONE if "shorter" in request["messages"][-1]["content"] else proposing()(request, number)

    figures, calls = measured(tmp_path, reply)
    assert (figures.asked, figures.answered, calls, figures.calls) == (4, 4, 4, 4)
    assert (figures.others_asked, figures.none_on_others) == (2, 0.5)
    assert (figures.proposals, figures.kept, figures.kept_on_records) == (3, 3, 2)
    assert figures.precision == pytest.approx(2 / 3)
    assert (figures.matching, figures.accept_rate) == (1, pytest.approx(1 / 3))
    assert figures.kind_agrees == 0.5
    assert (figures.quotes, figures.quotes_grounded, figures.kept_quotes_grounded, figures.kept_anchors_resolve) == (3, 3, 1.0, 1.0)
    assert (figures.kept_unsafe, figures.second_run_calls, figures.second_run_records) == (0, 0, 0)


def test_what_is_invented_is_counted_and_not_kept(tmp_path):
    figures, _ = measured(tmp_path, proposing(evidence=[{"span": "E2", "quote": "words that no commit ever said"}]))
    assert (figures.quotes, figures.quotes_grounded, figures.kept) == (4, 0, 0)
    assert figures.refused == {"not_quoted": 4}
    assert (figures.precision, figures.accept_rate) == (0.0, 0.0)


def test_no_json_is_not_the_same_as_none(tmp_path):
    figures, _ = measured(tmp_path, lambda *_: "no JSON at all")
    assert (figures.answered, figures.codes, figures.none_on_others) == (0, {"invalid": 4}, 0.0)


def test_a_reason_that_is_given_twice_is_one(tmp_path):
    rows = [*ROWS, judged(5, "record", f"Again: {CENTS[0].lower()}{CENTS[1:]}", "same")]
    figures, _ = measured(tmp_path, proposing(), rows)
    assert figures.duplicates_in_one_run == 1


def test_the_command_measures_from_recorded_answers_without_a_network(tmp_path, capsys):
    repository = make_repository(tmp_path / "shop", "shop")
    repository.write("shop.py", "def price():\n    return 1\n").commit("Sell")
    sha = repository.write("shop.py", "def price():\n    return 2\n").commit(f"Keep cents\n\n{CENTS}")
    data, file = tmp_path / "labels.jsonl", tmp_path / "answers.ndjson"
    data.write_text(json.dumps({"repo": "a/shop", "sha": sha, "label": "record", "kind": "gotcha", "outcome": None, "fact": CENTS}))
    command = [
        "eval",
        "distill",
        str(data),
        "--repos",
        str(repository.path.parent),
        "--answers",
        str(file),
        "--model",
        "scripted",
        "--json",
    ]
    with scripted_model(proposing()) as (model, url):
        assert execute([*command, "--endpoint", url]) == 0
        assert model.calls == 1
    told = json.loads(capsys.readouterr().out)["answers"]
    assert (told["kept"], told["matching"], told["calls"]) == (1, 1, 1)
    assert execute(["eval", "distill", str(data), "--repos", str(tmp_path / "shop"), "--answers", str(file)]) == 2
    assert "--model NAME" in capsys.readouterr().err


def test_every_row_is_a_brief():
    assert all(isinstance(one.found, Brief) for one in ROWS)
