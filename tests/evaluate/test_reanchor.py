"""Re-anchoring is measured on labels as the data set's own scorer measures it; what could not be measured is counted and said."""

from __future__ import annotations

import json

import orjson
import pytest

from comind.errors import UsageError
from comind.evaluate.labels import LabelsUnreadableError
from comind.evaluate.reanchor import evaluate_reanchor
from comind.evaluate.reanchor_figures import LabelledDeclaration, Prediction, figures_of
from tests.builders.git import make_repository

HALVE = "def {name}(x):\n    if x % 2:\n        raise ValueError(x)\n    return [x // 2, round(x / 2)]\n"


@pytest.fixture
def clones(tmp_path):
    """A directory with one clone, in which a function is renamed and another is deleted."""
    repository = make_repository(tmp_path / "clones", "service")
    repository.write("a.py", HALVE.format(name="half") + "\n\ndef gone(a):\n    return a\n\n\nprint(half(2), half(4))\n").commit()
    repository.write("a.py", HALVE.format(name="halve") + "\n\nprint(halve(2), halve(4))\n").commit()
    return repository


def label(number=0, *, after="a.py", name="halve", **changes):
    return {
        "id": f"row-{number}", "repo": "owner/service", "lang": "python", "kind": "method", "commit_before": "0" * 40, "commit_after": "1" * 40,
        "file_before": "a.py", "name_before": "half", "qname_before": "half", "line_before": 1, "drift": "signature",
        "file_after": after, "name_after": name, "qname_after": name, "start_after": 1, "line_after": 1,
    } | changes  # fmt: skip


def labels_of(clones):
    ends = {"commit_before": clones.commits[0], "commit_after": clones.commits[1]}
    gone = {"name_before": "gone", "qname_before": "gone", "line_before": 7, "drift": "deleted", "row_type": "deleted-hard"}
    return [label(0, **ends), label(1, after=None, name=None, **ends, **gone)]


def write_labels(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_rename_and_a_deletion_are_followed_and_scored(clones, tmp_path):
    out = tmp_path / "predictions.jsonl"
    figures = evaluate_reanchor(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), clones.path.parent, out=out)
    assert (figures.rows, figures.wrong) == (2, [])
    assert [figures.groups[name].right for name in ("all", "hard", "hard python")] == [1, 1, 1]
    assert (figures.orphans.right, figures.siblings, figures.siblings_right, figures.drift) == (1, 1, 1, {"method": [True, True]})
    first, second = map(orjson.loads, out.read_bytes().splitlines())
    assert {name: first[name] for name in ("file", "name", "line", "drift")} == {
        "file": "a.py",
        "name": "halve",
        "line": 1,
        "drift": "signature",
    }
    assert (second["file"], second["drift"]) == (None, "deleted")


@pytest.mark.parametrize(
    ("guess", "counted"),
    [
        ({"file": "a.py", "name": "halve", "line": 1}, (1, 0, 0)),
        ({"file": "a.py", "name": "halve", "line": 9}, (0, 1, 1)),
        ({"file": "b.py", "name": "halve", "line": 1}, (0, 1, 1)),
        ({}, (0, 0, 1)),
    ],
)  # fmt: skip
def test_a_wrong_place_is_both_wrong_and_missed(guess, counted):
    figures = figures_of([(LabelledDeclaration(**label()), Prediction(id="row-0", **guess))])
    found = figures.groups["hard"]
    assert (found.right, found.wrong, found.missed) == counted


def test_a_place_for_what_is_gone_is_wrong_and_a_missed_orphan():
    gone = LabelledDeclaration(**label(after=None, name=None))
    figures = figures_of([(gone, Prediction(id="row-0", file="a.py", name="half", line=1))])
    assert (figures.groups["all"].wrong, figures.orphans.missed, figures.groups["hard"].wrong) == (1, 1, 0)


@pytest.mark.parametrize(
    ("after", "guess", "cause"),
    [
        ("a.py", {"file": "b.py", "name": "halve", "line": 1}, "another place was given"),
        ("a.py", {"matched_by": "deleted"}, "it was called gone"),
        ("a.py", {"matched_by": "ambiguous"}, "several places were listed"),
        ("a.py", {}, "it was not followed"),
        (None, {"file": "a.py", "name": "half", "line": 1}, "a place was given to what is gone"),
    ],
)
def test_what_is_wrong_is_grouped_by_what_was_said_instead(after, guess, cause):
    figures = figures_of([(LabelledDeclaration(**label(after=after)), Prediction(id="row-0", **guess))])
    assert (figures.causes, figures.wrong) == ({cause: ["row-0"]}, ["row-0"])


def test_what_is_not_there_is_counted_and_not_scored(clones, tmp_path):
    rows = [*labels_of(clones), label(2), labels_of(clones)[0] | {"repo": "owner/elsewhere"}]
    figures = evaluate_reanchor(write_labels(tmp_path / "labels.jsonl", rows), clones.path.parent)
    assert (figures.rows, figures.rows_without_commit, figures.rows_without_repository) == (2, 1, 1)
    assert figures.repositories_missing == ["owner/elsewhere"]


def test_rows_whose_target_is_older_and_other_repositories_are_left_out(clones, tmp_path):
    rows = [*labels_of(clones), labels_of(clones)[0] | {"time_reversed": True}]
    path = write_labels(tmp_path / "labels.jsonl", rows)
    assert evaluate_reanchor(path, clones.path.parent, every=2).rows == 1
    assert evaluate_reanchor(path, clones.path.parent, only="flask").rows == 0


def test_labels_and_clones_that_are_missing_are_named(clones, tmp_path):
    with pytest.raises(LabelsUnreadableError, match="commit_before"):
        evaluate_reanchor(write_labels(tmp_path / "labels.jsonl", [{"id": 1}]), clones.path.parent)
    with pytest.raises(UsageError, match="not a directory"):
        evaluate_reanchor(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), tmp_path / "none")
