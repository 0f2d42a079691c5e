"""Git itself is asked whether a commit is a revert, and the repository stays as it was."""

from __future__ import annotations

import pytest

from comind.sources.git.repository import GitRepository
from comind.sources.git.revert_proof import GitVerdict, RevertProver
from tests.builders.git import RepositoryBuilder, make_repository

LINES = [f"line {number}\n" for number in range(20)]


@pytest.fixture
def repository(tmp_path):
    builder = make_repository(tmp_path)
    builder.write("a", "".join(LINES)).commit()
    return builder


def edit(repository, number, text):
    lines = (repository.path / "a").read_text().splitlines(keepends=True)
    lines[number] = text
    return repository.write("a", "".join(lines))


def prove(builder, revert, *targets):
    with RevertProver(GitRepository.open(builder.path, name="example")) as prover:
        return prover.prove(revert, targets)


def everything_in(repository):
    return {path: path.read_bytes() for path in (repository.path / ".git").rglob("*") if path.is_file()}


def test_a_revert_by_git_is_proven_and_nothing_is_written(repository):
    target = edit(repository, 3, "changed\n").commit("Change")
    edit(repository, 17, "unrelated\n").commit()
    revert = repository.revert(target)
    before = everything_in(repository)
    assert prove(repository, revert, target).verdict is GitVerdict.SAME_TREE
    assert everything_in(repository) == before


def test_a_commit_that_does_more_gives_another_tree(repository):
    target = edit(repository, 3, "changed\n").commit("Change")
    revert = edit(edit(repository, 3, LINES[3]), 9, "more\n").commit("Revert and more")
    assert prove(repository, revert, target).verdict is GitVerdict.OTHER_TREE


def test_changes_in_between_on_the_same_lines_conflict(repository):
    target = edit(repository, 3, "changed\n").commit("Change")
    edit(repository, 3, "changed again\n").commit()
    revert = edit(repository, 3, LINES[3]).commit("Undo by hand")
    proof = prove(repository, revert, target)
    assert proof.verdict is GitVerdict.CONFLICT
    assert target[:12] in proof.detail


def test_several_targets_are_undone_from_the_latest_on(repository):
    first = edit(repository, 3, "changed\n").commit("Change")
    second = edit(repository, 3, "changed again\n").commit("Change again")
    revert = edit(repository, 3, LINES[3]).commit("Undo both")
    assert prove(repository, revert, first, second).verdict is GitVerdict.SAME_TREE
    assert prove(repository, revert, second, first).verdict is GitVerdict.SAME_TREE
    assert prove(repository, revert, second).verdict is GitVerdict.OTHER_TREE


@pytest.mark.parametrize("onto", ["main", "side"])
def test_a_merge_is_undone_against_the_parent_that_fits(repository, onto):
    repository.branch("side")
    edit(repository, 3, "side\n").commit()
    repository.switch("main")
    edit(repository, 17, "main\n").commit()
    merge = repository.merge("side")
    repository.git("revert", "--no-commit", "-m", {"main": "1", "side": "2"}[onto], merge)
    assert prove(repository, repository.commit("Revert"), merge).verdict is GitVerdict.SAME_TREE


def test_a_worktree_borrows_the_objects_of_its_repository(repository, tmp_path):
    target = edit(repository, 3, "changed\n").commit("Change")
    revert = repository.revert(target)
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    assert prove(RepositoryBuilder(tmp_path / "tree"), revert, target).verdict is GitVerdict.SAME_TREE


def test_a_clone_that_borrows_its_objects_works_too(repository, tmp_path):
    target = edit(repository, 3, "changed\n").commit("Change")
    revert = repository.revert(target)
    assert prove(repository.clone(tmp_path / "shared", "--shared"), revert, target).verdict is GitVerdict.SAME_TREE


def test_what_is_not_in_the_clone_is_said(repository):
    target = edit(repository, 3, "changed\n").commit("Change")
    edit(repository, 17, "unrelated\n").commit()  # so that the merge has to read lines
    revert = repository.revert(target)
    assert prove(repository, revert, "f" * 40).verdict is GitVerdict.MISSING
    assert prove(repository, repository.commits[0], target).verdict is GitVerdict.MISSING
    blob = repository.git("rev-parse", f"{target}:a")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert prove(repository, revert, target).verdict is GitVerdict.MISSING
