import json

import pytest

from comind.cli.main import execute
from tests.builders.git import make_repository


@pytest.fixture
def measured(tmp_path, capsys):
    def measure(*examples, repos=None):
        data = tmp_path / "examples.jsonl"
        data.write_text("\n".join(map(json.dumps, examples)))
        code = execute(["eval", "trailers", str(data), *(["--repos", str(repos)] if repos else []), "--json"])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else err

    return measure


def _example(name, message, *expected):
    return {"name": name, "message": message, "expected": expected}


def test_each_example_that_is_read_otherwise_is_named_by_what_differs(measured):
    code, figures = measured(
        _example("right", "S\n\nA: 1\n", ["A", "1"]),
        _example("few", "S\n\nA: 1\n", ["A", "1"], ["B", "2"]),
        _example("many", "S\n\nA: 1\n"),
        _example("other", "S\n\nA: 1\n", ["A", "2"]),
    )
    examples = figures["examples"]
    assert code == 0
    assert (examples["messages"], examples["trailers"]) == (4, 4)
    assert (examples["missed"], examples["invented"], examples["different"]) == (["few"], ["many"], ["other"])


def test_every_commit_of_a_clone_is_compared_with_git(measured, tmp_path):
    repository = make_repository(tmp_path / "clones", "shop")
    repository.write("a", "1").commit("One\n\nRejected: x | y\n")
    repository.write("a", "2").commit("Two")
    _, figures = measured(_example("right", "S"), repos=tmp_path / "clones")
    (shop,) = figures["repositories"]
    assert (shop["name"], shop["messages"], shop["trailers"]) == ("shop", 2, 1)
    assert not shop["missed"] + shop["invented"] + shop["different"]


def test_a_directory_without_clones_and_examples_that_are_none_are_one_line(measured, tmp_path):
    (tmp_path / "empty").mkdir()
    code, err = measured(_example("right", "S"), repos=tmp_path / "empty")
    assert (code, "holds no clone" in err) == (2, True)
    code, err = measured({"name": "x"})
    assert (code, "has no example in line 1" in err) == (2, True)
