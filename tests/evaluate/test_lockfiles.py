"""The readers of lockfiles are measured on labels; what could not be measured is counted and said."""

from __future__ import annotations

import json

import pytest

from comind.errors import UsageError
from comind.evaluate.labels import LabelsUnreadableError
from comind.evaluate.lockfiles import evaluate_lockfiles
from tests.builders.git import make_repository


def lock(version):
    return f'[[package]]\nname = "a"\nversion = "{version}"\nsource = "x"\n'


@pytest.fixture
def clone(tmp_path):
    repository = make_repository(tmp_path / "clones", "owner+service")
    repository.write("Cargo.lock", lock("1.0.0")).commit("Start")
    repository.write("Cargo.lock", lock("1.1.0")).commit("Raise a")
    return repository


def label(repository, **changed):
    commit = repository.commits[-1]
    return {
        "ecosystem": "cargo", "repo": "owner/service", "commit": commit, "path": "Cargo.lock", "n_entries": 1,
        "facts": [{"package": "a", "versions": ["1.1.0"]}], "move": {"package": "a", "from": "1.0.0", "to": "1.1.0", "commit": commit},
    } | changed  # fmt: skip


def measure(tmp_path, *labels, **options):
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)))
    return evaluate_lockfiles(tmp_path / "labels.jsonl", tmp_path / "clones", **({"repos": True} | options))


def test_right_facts_and_moves_are_counted(clone, tmp_path):
    figures = measure(tmp_path, label(clone))
    assert (figures.files, figures.facts, figures.facts_right, figures.moves, figures.moves_seen, figures.wrong) == (1, 1, 1, 1, 1, ())
    assert json.loads(json.dumps(figures.as_json()))["moves_seen"] == 1


def test_wrong_facts_and_moves_are_named(clone, tmp_path):
    move = {"package": "a", "from": "1.0.0", "to": "1.2.0", "commit": clone.commits[-1]}
    figures = measure(tmp_path, label(clone, facts=[{"package": "a", "versions": ["1.0.0"]}], move=move))
    assert (figures.facts_right, figures.moves_seen, len(figures.wrong)) == (0, 0, 2)
    assert figures.wrong[0] == "owner/service Cargo.lock: a is ['1.0.0'], read ['1.1.0']"


def test_a_version_that_stands_before_and_after_has_not_moved(clone, tmp_path):
    both = clone.write("Cargo.lock", lock("1.1.0") + lock("1.2.0")).commit("Add another a")
    figures = measure(tmp_path, label(clone, facts=[], move={"package": "a", "from": "1.1.0", "to": "1.2.0", "commit": both}))
    assert (figures.moves, figures.moves_seen) == (1, 0)


def test_what_is_not_there_is_said_and_not_scored(clone, tmp_path):
    first = {"package": "a", "from": "1.0.0", "to": "1.1.0", "commit": clone.commits[0]}
    figures = measure(
        tmp_path,
        label(clone, repo="owner/none"),
        label(clone, path="b/Cargo.lock"),
        label(clone, commit="0" * 40),
        label(clone, move=first),
    )
    assert (figures.files, figures.facts, figures.moves, len(figures.files_missing), len(figures.moves_missing)) == (1, 1, 0, 3, 1)


def test_files_may_lie_beside_each_other_without_git(clone, tmp_path):
    commit = clone.commits[-1]
    for name, version in ((commit, "1.1.0"), (f"{commit}.parent", "1.0.0")):
        file = tmp_path / "clones" / "owner+service" / name / "Cargo.lock"
        file.parent.mkdir()
        file.write_text(lock(version))
    assert measure(tmp_path, label(clone), repos=False).moves_seen == 1


@pytest.mark.parametrize(("content", "words"), [(b"", "holds no labelled"), (b'{"repo": 1}\n', "line 1")])
def test_labels_that_are_none_are_named(tmp_path, content, words):
    (tmp_path / "labels.jsonl").write_bytes(content)
    with pytest.raises(LabelsUnreadableError, match=words):
        evaluate_lockfiles(tmp_path / "labels.jsonl", tmp_path, repos=True)


def test_a_directory_that_is_none_is_named(clone, tmp_path):
    (tmp_path / "labels.jsonl").write_text(json.dumps(label(clone)))
    with pytest.raises(UsageError, match="not a directory"):
        evaluate_lockfiles(tmp_path / "labels.jsonl", tmp_path / "none", repos=True)
