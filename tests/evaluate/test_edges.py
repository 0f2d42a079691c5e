"""Call edges are measured against what a type checker says; what it does not say is counted, not judged."""

import json

import polars as pl
import pytest

from comind.errors import UsageError
from comind.evaluate.edge_run import evaluate_edges, index_organisation
from comind.evaluate.edge_truth import read_truth
from comind.evaluate.edges import judge_calls
from comind.index.blobs import MemoryParseCache
from comind.index.edges import PLACES
from comind.index.scip.stream import ScipIndexError, ScipSource
from tests.builders.clocks import CLOCK, CLOCK_MARKS, SHOP, SHOP_MARKS, make_clocks
from tests.builders.scip import document, index, mentioned

CLOCK_INDEX = index(document("src/clock/clock.py", CLOCK, *CLOCK_MARKS))
SHOP_INDEX = index(document("shop.py", SHOP, *SHOP_MARKS))


@pytest.fixture(scope="module")
def clones(tmp_path_factory):
    return {name: builder.path for name, builder in make_clocks(tmp_path_factory.mktemp("organisation")).items()}


@pytest.fixture(scope="module")
def code(clones):
    return index_organisation([clones["clock"], clones["shop"]], MemoryParseCache())


def judged(code, *places, clock=CLOCK_INDEX, shop=SHOP_INDEX):
    """Judge places, each given as repository, line, name, key of what is called and how that is known."""
    ids = {one.path.name: one.repo_id for one in code.repositories}
    sids = {key.rpartition(" . ")[2]: sid for key, sid in code.symbols.select("canonical_key", "sid").iter_rows()}
    paths = {"clock": "src/clock/clock.py", "shop": "shop.py"}
    rows = [(ids[repo], paths[repo], line, name, "calls", 1, sids[key], how) for repo, line, name, key, how in places]
    sources = [ScipSource.of_bytes("clock", clock), ScipSource.of_bytes("shop", shop)]
    truth = read_truth(code, list(zip(sources, code.repositories, strict=True)))
    return judge_calls(pl.DataFrame(rows, schema=PLACES, orient="row"), truth, code)


def score(figures, name="all"):
    one = figures.scores[name]
    return one.right, one.wrong, one.found, one.wanted


NEW, TICK, START, FAR = (
    ("clock", 10, "Clock", "`clock.clock`/Clock#__init__().", "import"),
    ("clock", 11, "tick", "`clock.clock`/Clock#tick().", "typed"),
    ("clock", 15, "start", "`clock.clock`/start().", "import"),
    ("shop", 7, "start", "`clock.clock`/start().", "unique_name"),
)


def test_right_calls_are_counted_by_how_they_were_resolved_and_a_constructor_is_its_class(code):
    figures = judged(code, NEW, TICK, START, FAR)
    assert (figures.calls, figures.calls_across_repositories, figures.wrong) == (4, 1, ())
    assert {name: score(figures, name) for name in figures.scores} == {
        "import, typed": (3, 0, 3, 4), "all": (4, 0, 4, 4), "import": (2, 0, 2, 4), "typed": (1, 0, 1, 4), "unique_name": (1, 0, 1, 4),
    }  # fmt: skip
    assert figures.across_repositories["all"].recall == 1
    assert [(one.cause, one.where) for one in figures.missed] == [("after nothing", "shop:shop.py:7 start")]


def test_a_wrong_call_has_a_cause_and_is_missed_too(code):
    outside = ("shop", 7, "dumps", "`clock.clock`/start().", "unique_name")
    figures = judged(code, ("clock", 11, "tick", "shop/Watch#tick().", "typed"), outside)
    assert score(figures) == (0, 2, 0, 4)
    assert [(one.cause, one.where) for one in figures.wrong] == [
        ("typed: another definition", "clock:src/clock/clock.py:11 tick"),
        ("unique_name: outside of the repositories", "shop:shop.py:7 dumps"),
    ]
    assert "after a name" in {one.cause for one in figures.missed}


def test_places_where_the_index_does_not_say_what_is_called_are_not_judged(code):
    marks = [*CLOCK_MARKS[:5], mentioned("Clock", "local 3", nth=1), mentioned("tick", "clock `clock.clock`/start().(tick)", nth=1)]
    figures = judged(code, NEW, TICK, START, clock=index(document("src/clock/clock.py", CLOCK, *marks)))
    assert (figures.local, figures.held, figures.unmentioned, figures.wrong) == (1, 1, 1, ())
    assert figures.scores == {}


def test_a_parameter_of_another_package_makes_an_answer_wrong(code):
    marks = [mentioned("tick", "other x/f().(tick)", nth=1)]
    figures = judged(code, TICK, clock=index(document("src/clock/clock.py", CLOCK, *marks)))
    assert [one.cause for one in figures.wrong] == ["typed: outside of the repositories"]


def test_a_document_of_another_state_is_no_truth_and_is_told(code):
    figures = judged(code, NEW, clock=index(document("src/clock/clock.py", "\n" + CLOCK, *CLOCK_MARKS)))
    assert (figures.stale_files, figures.files, figures.calls) == (("clock:src/clock/clock.py",), 1, 1)
    assert figures.scores == {}


def written(tmp_path, **indexes):
    for name, content in indexes.items():
        (tmp_path / f"{name}.scip").write_bytes(content)
    return [tmp_path / f"{name}.scip" for name in indexes]


def test_our_own_resolver_finds_the_calls_of_two_repositories(clones, tmp_path):
    paths = written(tmp_path, clock=CLOCK_INDEX, shop=SHOP_INDEX)
    figures = evaluate_edges(paths, [clones["clock"], clones["shop"]])
    assert score(figures, "import, typed") == (4, 0, 4, 4)
    assert (figures.across_repositories["import, typed"].wanted, figures.missed) == (1, ())
    assert json.loads(json.dumps(figures.as_json()))["scores"]["all"]["precision"] == 1


def test_a_repository_without_an_index_is_there_to_be_called(clones, tmp_path):
    figures = evaluate_edges(written(tmp_path, shop=SHOP_INDEX), [clones["shop"], clones["clock"]])
    assert (figures.calls, figures.calls_across_repositories) == (1, 1)


@pytest.mark.parametrize(("count", "names"), [(0, ["clock"]), (2, ["clock"]), (1, ["clock", "clock"])])
def test_indexes_and_repositories_must_fit(clones, tmp_path, count, names):
    paths = written(tmp_path, clock=CLOCK_INDEX, shop=SHOP_INDEX)[:count]
    with pytest.raises(UsageError, match=r"index for each|give each once"):
        evaluate_edges(paths, [clones[name] for name in names])


def test_an_index_that_is_cut_off_measures_nothing(clones, tmp_path):
    with pytest.raises(ScipIndexError, match="cut off"):
        evaluate_edges(written(tmp_path, clock=CLOCK_INDEX[:-1]), [clones["clock"]])
