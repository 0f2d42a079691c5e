"""The builder itself: what other tests take for granted."""

from __future__ import annotations

from tests.builders.git import make_repository


def test_the_same_calls_give_the_same_commit_ids(tmp_path):
    first, second = (make_repository(tmp_path, name).write("a.py", "x = 1\n").commit("Start") for name in ("one", "two"))
    assert first == second


def test_a_revert_gives_back_the_old_file(tmp_path):
    repository = make_repository(tmp_path)
    repository.write("a.py", "x = 1\n").commit("Start")
    changed = repository.write("a.py", "x = 2\n").commit("Change x")
    repository.revert(changed)
    assert (repository.path / "a.py").read_text() == "x = 1\n"
    assert repository.git("log", "-1", "--format=%s") == 'Revert "Change x"'


def test_renames_branches_and_merges_are_real(tmp_path):
    repository = make_repository(tmp_path)
    repository.write("a.py", "x = 1\n").commit("Start")
    repository.branch("side").rename("a.py", "lib/b.py").commit("Move")
    repository.switch("main").write("c.py", "").commit("Other")
    merged = repository.merge("side")
    assert repository.git("ls-files").split() == ["c.py", "lib/b.py"]
    assert len(repository.git("rev-list", "--parents", "-1", merged).split()) == 3
