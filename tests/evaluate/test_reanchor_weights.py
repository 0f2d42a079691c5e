"""Weights are fitted to labelled pairs, near the standing ones, and judged on repositories that they have not seen."""

from __future__ import annotations

import json

import pytest

from comind.anchors.likeness import standing_weights
from comind.evaluate.reanchor_weights import ScoredPair, fit_group, fit_weights
from tests.builders.git import make_repository

HALVE = "def {name}(x):\n    if x % 2:\n        raise ValueError(x)\n    return [x // 2, round(x / 2)]\n"


def pairs(repo, row, *, sign):
    """A right and a wrong candidate that one feature alone tells apart."""
    return [
        ScoredPair(repo, row, "method", is_right=True, features={"bias": 1.0, "doc": sign}),
        ScoredPair(repo, row, "method", is_right=False, features={"bias": 1.0, "doc": -sign}),
    ]


def test_a_feature_that_tells_right_from_wrong_gains_weight():
    rows = [pair for number in range(20) for pair in pairs(f"owner/{number % 4}", f"row-{number}", sign=-1.0)]
    fit = fit_group("method", rows, pull=1.0)
    assert fit.weights["doc"] < 0 < standing_weights()["method"]["doc"]
    assert (fit.rows, fit.best_before, fit.best_after) == (20, 0, 20)


def test_a_feature_that_no_pair_shows_keeps_its_weight():
    fit = fit_group("method", pairs("owner/a", "row", sign=1.0), pull=1.0)
    assert fit.weights["name_eq"] == pytest.approx(standing_weights()["method"]["name_eq"], abs=0.01)


def test_without_any_pair_the_weights_are_the_standing_ones():
    fit = fit_group("class", [], pull=1.0)
    assert fit.weights == pytest.approx(standing_weights()["class"], abs=0.01)


def test_a_labelled_rename_gives_pairs_of_its_commit(tmp_path):
    repository = make_repository(tmp_path / "clones", "service")
    old = repository.write("a.py", HALVE.format(name="half")).commit()
    new = repository.write("a.py", HALVE.format(name="halve") + "\n\ndef other(y):\n    return y\n").commit()
    row = {
        "id": "row", "repo": "owner/service", "lang": "python", "kind": "method", "gap": 1, "commit_before": old, "commit_after": new,
        "file_before": "a.py", "name_before": "half", "qname_before": "half", "line_before": 1, "drift": "signature",
        "file_after": "a.py", "name_after": "halve", "qname_after": "halve", "start_after": 1, "line_after": 1,
    }  # fmt: skip
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    fits = fit_weights(tmp_path / "labels.jsonl", tmp_path / "clones")
    assert (fits["method"].rows, fits["method"].best_before, fits["field"].rows) == (1, 1, 0)
