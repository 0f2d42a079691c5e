import pytest

from comind.sources.git.arrivals import Trail, find_arrivals
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def arrive(builder, path, same=lambda _path, _blob: False):
    repo = GitRepository.open(builder.path, name="example")
    (found,) = find_arrivals(repo, History(repo), [Trail(path, repo.blob_at(repo.head, path), same)])
    return found


def content_of(builder, blob):
    return builder.git("cat-file", "blob", blob)


def test_a_file_arrived_in_the_last_commit_that_changed_it(repository):
    repository.write("docs/a.md", "one").commit()
    changed = repository.write("docs/a.md", "two").commit()
    repository.write("docs/b.md", "other").commit()
    assert arrive(repository, "docs/a.md").commit == changed


def test_a_content_that_counts_as_the_same_is_followed_back(repository):
    first = repository.write("docs/a.md", "one").commit()
    repository.write("docs/a.md", "ONE").commit()
    found = arrive(repository, "docs/a.md", same=lambda _path, blob: content_of(repository, blob).lower() == "one")
    assert (found.commit, content_of(repository, found.blob)) == (first, "one")


def test_a_file_that_moved_is_followed_to_where_it_was(repository):
    first = repository.write("doc/adr/a.md", "one").commit()
    repository.rename("doc/adr/a.md", "docs/decisions/a.md").commit()
    found = arrive(repository, "docs/decisions/a.md", same=lambda *_: True)
    assert (found.path, found.commit) == ("doc/adr/a.md", first)


def test_a_file_that_came_while_others_went_did_not_move(repository):
    repository.write("docs/a.md", "one").commit()
    repository.remove("docs/a.md")
    came = repository.write("docs/b.md", "two").commit()
    assert arrive(repository, "docs/b.md", same=lambda *_: True).commit == came


def test_a_merge_is_followed_into_the_side_that_has_the_content(repository):
    repository.write("a.md", "one").commit()
    repository.branch("topic")
    changed = repository.write("a.md", "two").commit()
    repository.switch("main").write("b.md", "other").commit()
    repository.merge("topic")
    repository.write("b.md", "more").commit()
    assert arrive(repository, "a.md").commit == changed


def test_a_later_merge_does_not_move_an_arrival(repository):
    repository.write("a.md", "one").commit()
    changed = repository.write("a.md", "two").commit()
    before = arrive(repository, "a.md")
    repository.branch("topic").write("b.md", "other").commit()
    repository.switch("main").write("c.md", "other").commit()
    repository.switch("topic")
    repository.merge("main")
    assert arrive(repository, "a.md") == before
    assert before.commit == changed


def test_a_file_at_the_root_of_history_arrived_there(repository):
    first = repository.write("a.md", "one").commit()
    found = arrive(repository, "a.md", same=lambda *_: True)
    assert (found.commit, found.cut_off) == (first, False)


def test_where_a_shallow_clone_ends_is_not_where_a_file_arrived(repository, tmp_path):
    repository.write("a.md", "one").commit()
    repository.write("b.md", "other").commit()
    assert arrive(repository.clone(tmp_path / "clone", "--depth=1"), "a.md").cut_off


def test_many_trails_are_followed_in_one_walk_and_answered_in_their_order(repository):
    commits = {name: repository.write(f"docs/{name}.md", name).commit() for name in "abc"}
    repo = GitRepository.open(repository.path, name="example")
    trails = [Trail(f"docs/{name}.md", repo.blob_at(repo.head, f"docs/{name}.md"), lambda *_: False) for name in "cab"]
    assert [found.commit for found in find_arrivals(repo, History(repo), trails)] == [commits[name] for name in "cab"]
    assert find_arrivals(repo, History(repo), []) == []
