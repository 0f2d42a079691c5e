"""The harvest of reverts is measured on labels; what could not be measured is counted and said."""

from __future__ import annotations

import json
import shutil

import orjson
import pytest

from comind.errors import UsageError
from comind.evaluate.labels import LabelsUnreadableError
from comind.evaluate.reverts import LabelledRevert, Prediction, evaluate_reverts, figures_of
from tests.builders.git import make_repository

SHAS = [digit * 40 for digit in "0123456789"]


def label(number, *, targets=(), by=None, partial=False, repo="o/r"):
    return LabelledRevert(
        repo=repo, commit=SHAS[number], is_revert=bool(targets), reverted_commits=tuple(SHAS[target] for target in targets),
        relanded_by=None if by is None else SHAS[by], partial=partial,
    )  # fmt: skip


def guess(number, *, targets=(), by=None, partial=False):
    return Prediction(
        repo="o/r", commit=SHAS[number], is_revert=bool(targets), reverted_commits=tuple(SHAS[target] for target in targets),
        relanded_by=None if by is None else SHAS[by], partial=partial,
    )  # fmt: skip


@pytest.fixture
def clones(tmp_path):
    """A directory with one clone that has an attempt, its revert, its return and a commit like any other."""
    repository = make_repository(tmp_path / "clones", "service")
    repository.write("a", "1\n").write("b", "1\n").commit("Start")
    target = repository.write("a", "cached\nfor an hour\n").commit("Cache")
    revert = repository.revert(target)
    repository.write("b", "2\n").commit("Add a rollback command")
    repository.revert(revert)
    return repository


def labels_of(repository, repo="owner/service"):
    _, target, revert, other, back = repository.commits
    return [
        {
            "repo": repo,
            "commit": revert,
            "is_revert": True,
            "reverted_commits": [target],
            "relanded_by": back,
            "partial": False,
            "style": "git",
        },
        {"repo": repo, "commit": other, "is_revert": False, "reverted_commits": [], "relanded_by": None, "partial": False},
        {"repo": repo, "commit": back, "is_revert": True, "reverted_commits": [revert], "relanded_by": None, "partial": False},
    ]


def write_labels(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_figures_count_rows_links_sets_relands_and_parts():
    judged = [
        (label(0, targets=[5, 6], by=8), guess(0, targets=[5, 6], by=8)),  # all right
        (label(1, targets=[5], by=8, partial=True), guess(1, targets=[5, 7], by=9)),  # a link too many, another return, part not seen
        (label(2, targets=[6]), guess(2)),  # missed
        (label(3), guess(3, targets=[4], partial=True)),  # false
        (label(4), guess(4)),
    ]
    figures = figures_of("o/r", judged)
    assert (figures.rows, figures.positives) == (5, 3)
    assert (figures.is_revert_precision, figures.is_revert_recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (figures.target_links_precision, figures.target_links_recall) == (pytest.approx(3 / 5), pytest.approx(3 / 4))
    assert figures.exact_target_sets == pytest.approx(1 / 3)
    assert (figures.relanded_by_precision, figures.relanded_by_recall) == (0.5, 0.5)
    assert (figures.partial_precision, figures.partial_recall) == (0.0, 0.0)
    assert figures.wrong == (SHAS[1], SHAS[2], SHAS[3])


@pytest.mark.parametrize("where", ["service", "owner+service", "owner+service/repo", "owner+service/repo/.git", "service.bundle"])
def test_a_clone_is_found_by_any_of_its_names(clones, tmp_path, where):
    directory = tmp_path / "repos"
    directory.mkdir()
    if where.endswith(".bundle"):
        clones.git("bundle", "create", "-q", str(directory / where), "HEAD")
    else:
        clones.clone(directory / where.removesuffix("/.git"), *(["--bare"] if where.endswith("repo") else []))
    figures = evaluate_reverts(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), directory)
    assert figures.all.rows == 3
    assert (figures.all.is_revert_precision, figures.all.is_revert_recall, figures.all.exact_target_sets) == (1.0, 1.0, 1.0)
    assert (figures.all.relanded_by_precision, figures.all.relanded_by_recall) == (1.0, 1.0)
    assert figures.all.wrong == ()
    assert [figure.repo for figure in figures.per_repository] == ["owner/service"]


def test_what_is_not_there_is_counted_and_not_scored(clones, tmp_path):
    rows = [*labels_of(clones), *labels_of(clones, repo="owner/elsewhere"), labels_of(clones)[0] | {"commit": "f" * 40}]
    figures = evaluate_reverts(write_labels(tmp_path / "labels.jsonl", rows), clones.path.parent)
    assert (figures.all.rows, figures.rows_without_repository, figures.rows_without_commit) == (3, 3, 1)
    assert figures.repositories_missing == ("owner/elsewhere",)


def test_a_commit_on_a_branch_is_judged_by_its_own_ancestors(clones, tmp_path):
    clones.git("switch", "-q", "-c", "2.x", clones.commits[0])
    target = clones.write("b", "branch\n").commit("Tune it")
    revert = clones.revert(target)
    clones.switch("main")
    row = {"repo": "owner/service", "commit": revert, "is_revert": True, "reverted_commits": [target]}
    assert evaluate_reverts(write_labels(tmp_path / "labels.jsonl", [row]), clones.path.parent).all.exact_target_sets == 1.0


def test_predictions_have_the_form_that_the_scorer_of_the_data_reads(clones, tmp_path):
    out = tmp_path / "predictions.jsonl"
    evaluate_reverts(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), clones.path.parent, out=out)
    _, target, revert, other, back = clones.commits
    first, second, _ = map(orjson.loads, out.read_bytes().splitlines())
    assert first == {
        "repo": "owner/service", "commit": revert, "is_revert": True, "reverted_commits": [target], "relanded_by": back, "partial": False,
    }  # fmt: skip
    assert second == {
        "repo": "owner/service", "commit": other, "is_revert": False, "reverted_commits": [], "relanded_by": None, "partial": False,
    }  # fmt: skip


def test_the_figures_are_one_object_of_named_figures(clones, tmp_path):
    figures = evaluate_reverts(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), clones.path.parent).as_json()
    assert json.loads(json.dumps(figures))["all"]["is_revert_f1"] == 1.0


@pytest.mark.parametrize(("content", "words"), [(b"", "holds no labelled"), (b'{"repo": 1}\n', "line 1"), (b"\xff\n", "line 1")])
def test_labels_that_are_none_are_named(tmp_path, content, words):
    (tmp_path / "labels.jsonl").write_bytes(content)
    with pytest.raises(LabelsUnreadableError, match=words):
        evaluate_reverts(tmp_path / "labels.jsonl", tmp_path)


def test_labels_and_clones_that_are_missing_are_named(clones, tmp_path):
    with pytest.raises(LabelsUnreadableError, match="cannot be read"):
        evaluate_reverts(tmp_path / "none.jsonl", tmp_path)
    with pytest.raises(UsageError, match="not a directory"):
        evaluate_reverts(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), tmp_path / "none")


def test_a_directory_that_is_no_repository_is_missing(clones, tmp_path):
    shutil.rmtree(clones.path / ".git")
    figures = evaluate_reverts(write_labels(tmp_path / "labels.jsonl", labels_of(clones)), clones.path.parent)
    assert (figures.all.rows, figures.rows_without_repository) == (0, 3)
