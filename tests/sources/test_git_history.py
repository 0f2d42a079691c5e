"""What a commit says and did depends on it and its ancestors alone."""

from __future__ import annotations

import pytest

from comind.sources.git.errors import ObjectUnreadableError
from comind.sources.git.history import History, PathChange
from comind.sources.git.line_diffs import LineDiff, NoDiff
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def open_history(builder, **options):
    return History(GitRepository.open(builder.path, name="example", **options))


def loose_object(builder, oid):
    return builder.path / ".git" / "objects" / oid[:2] / oid[2:]


def test_a_walk_lists_new_commits_first_and_leaves_out_what_is_hidden(repository):
    first, second, third = (repository.write("a", str(number)).commit() for number in range(3))
    history = open_history(repository)
    assert history.walk(third) == [third, second, first]
    assert history.walk(third, hide=[first]) == [third, second]
    assert history.walk(third, hide=["f" * 40]) == [third, second, first]


def test_ancestors_come_latest_first_through_both_sides_of_a_merge_and_once(repository):
    root = repository.write("a", "1").commit()
    repository.branch("side")
    side = repository.write("b", "1").commit()
    repository.switch("main")
    main = repository.write("a", "2").commit()
    merge = repository.merge("side")
    history = open_history(repository)
    assert [text.id for text in history.ancestors(merge)] == [main, side, root]
    assert [text.id for text in history.ancestors(side)] == [root]
    assert history.is_ancestor(side, merge)
    assert not history.is_ancestor(side, main)
    assert not history.is_ancestor(merge, merge)
    assert not history.is_ancestor("f" * 40, merge)


def test_a_subject_of_two_lines_is_one_line(repository):
    commit = repository.write("a", "1").commit("Undo the\ncache\n\nIt was stale.\n")
    assert open_history(repository).text(commit).subject == "Undo the cache"


def test_a_message_in_another_encoding_is_read_in_it(repository):
    repository.write("a", "1").git("config", "i18n.commitEncoding", "ISO-8859-1")
    (repository.path / "message").write_bytes("Rückgängig".encode("latin-1"))
    repository.git("add", "a")
    repository.git("commit", "-q", "-F", "message")
    assert open_history(repository).text(repository.head).subject == "Rückgängig"


def test_changes_name_what_came_went_and_differs(repository):
    repository.write("kept", "1").write("gone", "1").commit()
    commit = repository.remove("gone").write("kept", "2").write("new", "1").commit()
    changes = {change.path: change for change in open_history(repository).changes(commit)}
    assert set(changes) == {"gone", "kept", "new"}
    assert changes["gone"].new_blob is None
    assert changes["new"].old_blob is None
    assert changes["kept"] == PathChange("kept", changes["gone"].old_blob, changes["kept"].new_blob)


def test_the_changes_of_a_merge_are_those_against_its_first_parent(repository):
    root = repository.write("a", "1").commit()
    repository.branch("side").write("b", "1").commit()
    repository.switch("main").write("c", "1").commit()
    merge = repository.merge("side")
    history = open_history(repository)
    assert [change.path for change in history.changes(merge)] == ["b"]
    assert [file.path for file in history.line_diff(merge, 1).files] == ["c"]
    assert history.changes(root) == ()


def test_a_path_that_is_not_utf8_is_escaped(repository):
    repository.write("a", "1").commit()
    commit = repository.write(b"gr\xf6\xdfe", "1\n").commit()
    assert open_history(repository).line_diff(commit).lines_by_path == {"gr\\xf6\\xdfe": 1}


def test_attributes_of_a_work_tree_do_not_change_what_counts_as_a_line(repository, tmp_path):
    repository.write("a.po", "1\n").commit()
    commit = repository.write("a.po", "2\n").commit()
    repository.write(".gitattributes", "*.po binary\n")
    bare = repository.clone(tmp_path / "bare.git", "--bare")
    assert open_history(repository).line_diff(commit) == open_history(bare).line_diff(commit)
    assert open_history(repository).line_diff(commit).size == 2


def test_a_missing_content_is_said_and_not_raised(repository):
    repository.write("a", "1\n").commit()
    commit = repository.write("a", "2\n").commit()
    blob = repository.git("rev-parse", "HEAD:a")
    loose_object(repository, blob).unlink()
    history = open_history(repository)
    found = history.line_diff(commit)
    assert isinstance(found, NoDiff)
    assert found.code == "missing_content"
    assert history.content(blob) is None
    assert [change.path for change in history.changes(commit)] == ["a"]


def test_a_missing_directory_changes_nothing_that_can_be_told(repository):
    repository.write("d/a", "1\n").commit()
    commit = repository.write("d/a", "2\n").commit()
    loose_object(repository, repository.git("rev-parse", "HEAD:d")).unlink()
    assert open_history(repository).changes(commit) == ()


def test_a_missing_commit_stops_a_walk_with_the_next_step(repository):
    first, second = (repository.write("a", str(number)).commit() for number in range(2))
    history = open_history(repository)
    loose_object(repository, first).unlink()
    with pytest.raises(ObjectUnreadableError, match="git fsck"):
        history.walk(second)


def test_a_change_of_too_many_files_is_not_compared_line_by_line(repository):
    repository.write("a", "1").commit()
    for number in range(3_001):
        repository.write(f"d/{number}", "x\n")
    found = open_history(repository).line_diff(repository.commit())
    assert isinstance(found, NoDiff)
    assert found.code == "too_large"


def test_the_first_commit_of_a_shallow_clone_has_no_parent(repository, tmp_path):
    for number in range(3):
        repository.write("a", f"{number}\n").commit()
    history = open_history(repository.clone(tmp_path / "shallow", "--depth=2"))
    boundary = repository.commits[1]
    assert history.text(boundary).parents == ()
    assert history.walk(repository.head) == [repository.head, boundary]
    assert isinstance(history.line_diff(repository.head), LineDiff)
    assert not history.holds(repository.commits[0])


def test_a_directory_is_told_from_a_file_and_from_nothing(repository):
    commit = repository.write("d/e/a", "1").commit()
    history = open_history(repository)
    assert [history.has_directory(commit, path) for path in ("d", "d/e", "d/e/a", "x", "")] == [True, True, False, False, False]
