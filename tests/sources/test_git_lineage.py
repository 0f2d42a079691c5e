"""The way between two commits goes over first parents, and over another parent only where the first does not lead there."""

from __future__ import annotations

import pytest

from comind.sources.git.errors import ObjectUnreadableError
from comind.sources.git.lineage import Lineage
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def lineage(repository):
    return Lineage(GitRepository.open(repository.path))


def test_the_way_from_a_side_branch_goes_through_its_merge(repository):
    repository.write("a", "1").commit()
    repository.branch("side")
    side = [repository.write("b", str(number)).commit() for number in range(2)]
    repository.switch("main").write("a", "2").commit()
    merge = repository.merge("side")
    after = repository.write("a", "3").commit()
    assert lineage(repository).way(side[0], after) == (*side, merge, after)


def test_the_way_between_branches_goes_over_the_common_ancestor_and_backwards_is_the_same(repository):
    base = repository.write("a", "1").commit()
    repository.branch("side")
    one = repository.write("b", "1").commit()
    repository.switch("main")
    other = repository.write("a", "2").commit()
    there = lineage(repository)
    assert there.way(one, other) == (one, base, other)
    assert there.way(other, base) == (other, base)


def test_histories_without_a_common_commit_have_no_way(repository):
    one = repository.write("a", "1").commit()
    repository.git("checkout", "-q", "--orphan", "other")
    other = repository.write("a", "2").commit()
    assert lineage(repository).way(one, other) is None


def test_a_directory_that_is_missing_is_named(repository):
    commit = repository.write("lib/a", "1").commit()
    tree = repository.git("rev-parse", f"{commit}:lib")
    (repository.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(ObjectUnreadableError):
        lineage(repository).blob(commit, "lib/a")
