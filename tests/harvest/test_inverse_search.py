"""The commit that made the lines which are taken back is found without its name, and cheaply."""

from __future__ import annotations

import pytest

from comind.harvest.inverse_search import COMMITS_ON_PATHS, find_inverse, is_swap, probes_of
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

BASE = [f"line {number}\n" for number in range(300)]


@pytest.fixture
def repository(repository):
    repository.write("a", "".join(BASE)).commit("Start")
    return repository


def search(repository, commit, least=0.7):
    history = History(GitRepository.open(repository.path, name="example"))
    return find_inverse(history, commit, history.line_diff(commit), least=least)


def replaced(*changes):
    lines = BASE.copy()
    for number, text in changes:
        lines[number] = text
    return "".join(lines)


def test_the_commit_that_made_the_lines_is_found_through_many_others(repository):
    target = repository.write("a", replaced((3, "cached\n"), (4, "for an hour\n"))).commit()
    for number in range(COMMITS_ON_PATHS - 1):
        repository.write("a", replaced((3, "cached\n"), (4, "for an hour\n"), (100 + number, "other\n"))).commit()
    last = COMMITS_ON_PATHS - 2
    commit = repository.write("a", replaced((100 + last, "other\n"))).commit()
    assert search(repository, commit)[0] == target


def test_a_commit_beyond_the_last_eighty_on_its_paths_is_not_found(repository):
    repository.write("a", replaced((3, "cached\n"), (4, "for an hour\n"))).commit()
    for number in range(COMMITS_ON_PATHS):
        repository.write("a", replaced((3, "cached\n"), (4, "for an hour\n"), (100 + number, "other\n"))).commit()
    commit = repository.write("a", replaced((100 + COMMITS_ON_PATHS - 1, "other\n"))).commit()
    assert search(repository, commit) is None


def test_commits_on_other_paths_do_not_count(repository):
    target = repository.write("a", replaced((3, "cached\n"))).commit()
    for number in range(COMMITS_ON_PATHS + 5):
        repository.write("b", f"{number}\n").commit()
    assert search(repository, repository.write("a", "".join(BASE)).commit())[0] == target


def test_lines_that_only_moved_are_found_without_a_line_to_follow(repository):
    target = repository.write("a", "".join(sorted(BASE))).commit()
    commit = repository.write("a", "".join(BASE)).commit()
    history = History(GitRepository.open(repository.path, name="example"))
    assert probes_of(history, history.line_diff(commit)) == []
    assert is_swap(history, target, commit)
    assert search(repository, commit)[0] == target


def test_a_change_that_is_half_the_inverse_is_not_enough(repository):
    repository.write("a", replaced(*((number, f"cached {number}\n") for number in range(10)))).commit()
    commit = repository.write("a", replaced(*((number, f"other {number}\n") for number in range(10)))).commit()
    assert search(repository, commit) is None


def test_a_file_that_came_and_went_is_found(repository):
    target = repository.write("new", "fresh\ncontent\n").commit()
    assert search(repository, repository.remove("new").commit())[0] == target


def test_a_binary_file_is_found_by_its_contents(repository):
    repository.write("image", b"\0one").commit()
    target = repository.write("image", b"\0two").commit()
    assert search(repository, repository.write("image", b"\0one").commit())[0] == target
