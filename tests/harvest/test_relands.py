"""An attempt that came back is found by its lines, whatever the commit says and whenever it is looked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from comind.harvest.relands import WINDOW_SECONDS, find_relands
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

BASE = "".join(f"line {number}\n" for number in range(30))
TRIED = BASE.replace("line 3\n", "cached\nfor an hour\nand asked again\n")


@pytest.fixture
def reverted(repository):
    """An attempt and its revert."""
    repository.write("a", BASE).commit("Start")
    target = repository.write("a", TRIED).commit("Cache")
    repository.revert(target)
    return repository


def pairs(builder, later=None):
    repo = GitRepository.open(builder.path, name="example")
    history = History(repo)
    commits = history.walk(repo.head)[::-1]
    return [(reland.revert, reland.commit) for reland in find_relands(history, [builder.commits[2]], later or commits)]


def test_a_commit_that_says_nothing_of_it_brings_the_attempt_back(reverted):
    again = reverted.write("a", TRIED).commit("Faster permission checks")
    assert pairs(reverted) == [(reverted.commits[2], again)]


def test_nothing_comes_back_with_other_lines(reverted):
    reverted.write("a", BASE.replace("line 3\n", "cached\nby another way\naltogether\n")).commit("Faster permission checks")
    assert pairs(reverted) == []


def test_most_of_the_lines_are_enough(reverted):
    again = reverted.write("a", TRIED.replace("line 9\n", "tuned\n")).commit("Faster")
    assert pairs(reverted) == [(reverted.commits[2], again)]


PART = BASE.replace("line 3\n", "cached\nfor a minute\nand cleared\n").replace("line 9\n", "tuned\n")


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("Cache once more\n\nThis reverts commit {revert}.", True),
        ("cache: revert {revert:.10} for a minute only", True),
        ('Revert "{subject}"', True),
        ('Reapply "{subject}"', True),
        ("Faster permission checks", False),
        ("Faster permission checks, see {revert}", False),
        ("Revert {other}", False),
    ],
)
def test_a_part_is_enough_for_a_commit_that_names_the_revert(reverted, message, found):
    revert = reverted.commits[2]
    subject = reverted.git("log", "-1", "--format=%s", revert)
    again = reverted.write("a", PART).commit(message.format(revert=revert, subject=subject, other=reverted.commits[1]))
    assert pairs(reverted) == ([(revert, again)] if found else [])


def test_nothing_comes_back_with_a_name_alone(reverted):
    reverted.write("b", "1").commit(f"Revert {reverted.commits[2]}")
    assert pairs(reverted) == []


def test_what_comes_back_after_years_is_another_attempt(reverted):
    late = datetime(2024, 1, 1, 2, tzinfo=UTC) + timedelta(seconds=WINDOW_SECONDS + 1)
    reverted.write("a", TRIED).commit("Faster", when=late)
    assert pairs(reverted) == []


def test_a_branch_that_never_knew_the_revert_re_lands_nothing(reverted):
    reverted.git("switch", "-q", "-c", "old", reverted.commits[0])
    reverted.write("b", "1").commit()
    reverted.write("a", TRIED).commit("Faster")
    reverted.switch("main").write("b", "2").commit()
    history = History(GitRepository.open(reverted.path, name="example"))
    assert find_relands(history, [reverted.commits[2]], reverted.commits) == []


def test_of_a_merged_branch_the_commit_counts_and_not_the_merge(reverted):
    again = reverted.branch("again").write("a", TRIED).commit("Faster")
    reverted.switch("main").write("b", "1").commit()
    reverted.merge("again")
    assert pairs(reverted) == [(reverted.commits[2], again)]


def test_a_merge_that_takes_the_attempt_from_a_branch_without_the_revert_brings_it_back(reverted):
    reverted.git("switch", "-q", "-c", "maintenance", reverted.commits[1])
    reverted.write("b", "1").commit()
    reverted.switch("main")
    reverted.git("merge", "-q", "--no-commit", "--no-ff", "maintenance")
    merge = reverted.write("a", TRIED).commit("Merge maintenance")
    assert pairs(reverted) == [(reverted.commits[2], merge)]


def test_looking_at_the_later_half_alone_finds_the_same(reverted):
    reverted.write("b", "1").commit()
    again = reverted.write("a", TRIED).commit("Faster")
    assert pairs(reverted, later=[again]) == pairs(reverted)
