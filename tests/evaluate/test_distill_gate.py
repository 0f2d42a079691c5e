"""The figures of the gate before the model, on a repository whose labels are known."""

from __future__ import annotations

import json

import pytest

from comind.errors import UsageError
from comind.evaluate.distill_gate import evaluate_gate
from comind.evaluate.labels import LabelsUnreadableError
from tests.builders.git import make_repository

REASON = "It kept stale rows after a sale, because nobody invalidates it."


@pytest.fixture
def labelled(tmp_path):
    """Two commits that say something, of which one is no sign; two that do not, of which one looks as if."""
    shop = make_repository(tmp_path / "clones", "shop")
    shop.write("shop.py", "a = 1\n").commit("Start")
    messages = {
        f"Drop the cache\n\n{REASON}": "record", "Ask each time\n\nPrices change.": "record", "Add a command": "none",
        f"Add a page\n\n{REASON}": "none",
    }  # fmt: skip
    rows = []
    for number, (message, label) in enumerate(messages.items()):
        sha = shop.write("shop.py", f"a = {number}\n").commit(message)
        rows.append({"repo": "ada/shop", "sha": sha, "label": label, "fact": message.partition("\n")[0]})
    rows += [
        {"repo": "ada/shop", "sha": "0" * 40, "label": "none"},
        {"repo": "ada/gone", "sha": "1" * 40, "label": "record"},
    ]
    data = tmp_path / "labels.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return data, tmp_path / "clones"


def test_recall_and_what_passes_besides_are_counted_and_named(labelled):
    figures, _ = evaluate_gate(*labelled)
    assert (figures.recall, figures.others_passed, figures.rows) == (0.5, 0.5, 4)
    assert (len(figures.missed), len(figures.passed)) == (1, 1)
    assert figures.missed[0].endswith("no_reason: Ask each time")
    assert figures.passed[0].endswith("Add a page")
    [shop] = figures.repositories
    assert (shop.records, shop.records_passed, shop.others, shop.others_passed) == (2, 1, 2, 1)


def test_what_cannot_be_judged_is_said_and_not_scored(labelled):
    figures, _ = evaluate_gate(*labelled)
    assert (figures.rows_without_commit, figures.rows_without_repository, figures.repositories_missing) == (1, 1, ("ada/gone",))


@pytest.mark.parametrize("content", [None, "", "{", '{"repo": "a/b", "sha": "main", "label": "record"}'])
def test_labels_that_are_none_are_an_error_in_words(tmp_path, content):
    data = tmp_path / "labels.jsonl"
    if content is not None:
        data.write_text(content)
    with pytest.raises(LabelsUnreadableError, match="give one JSON object per line"):
        evaluate_gate(data, tmp_path)


def test_clones_that_are_no_directory_are_an_error_in_words(labelled):
    with pytest.raises(UsageError, match="is not a directory"):
        evaluate_gate(labelled[0], labelled[0])
