"""Which repository a clone is, wherever it lies and however it was cloned."""

from __future__ import annotations

import pytest

from comind.sources.git import GitRepository, normalise_origin
from comind.sources.git.errors import ShallowHistoryError
from tests.builders.git import make_repository, run_git

FLASK = "github.com/pallets/flask"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/pallets/flask",
        "https://github.com/pallets/flask.git",
        "https://GitHub.com/pallets/flask.git/",
        "https://user:ghp_secret@github.com:443/pallets/flask.git",
        "http://github.com//pallets/flask",
        "git://github.com/pallets/flask.git",
        "ssh://git@github.com/pallets/flask.git",
        "ssh://git@github.com:22/pallets/flask",
        "ssh://git@ssh.github.com:443/pallets/flask.git",
        "git+ssh://git@github.com/pallets/flask.git",
        "git@github.com:pallets/flask.git",
        "git@github.com:/pallets/flask.git",
        "github.com:pallets/flask",
        "  git@github.com:pallets/flask.git\n",
        "https://github.com/pallets/flask.git?token=secret#main",
    ],
)
def test_every_form_of_a_url_is_one_repository(url):
    assert normalise_origin(url) == FLASK


@pytest.mark.parametrize(
    "url",
    [
        "", "/srv/git/flask.git", "../flask", "./flask", "flask.bundle", "/srv/flask.bundle", "file:///srv/git/flask.git", r"C:\git\flask",
        "C:/git/flask", "https://github.com", "https://github.com/", "https://[broken/flask", "ext::ssh host flask",
        "https://github.com/a/../b", "git@github.com:a\nb/c", "git@github.com:",
    ],
)  # fmt: skip
def test_what_is_not_on_a_network_is_no_identity(url):
    assert normalise_origin(url) is None


def test_both_forms_of_an_azure_url_are_one_repository():
    assert normalise_origin("git@ssh.dev.azure.com:v3/org/team/api") == normalise_origin("https://org@dev.azure.com/org/team/_git/api")


def test_paths_keep_their_case():
    assert normalise_origin("https://git.example.org/Team/API.git") == "git.example.org/Team/API"


@pytest.fixture
def origin(tmp_path):
    builder = make_repository(tmp_path, "origin")
    builder.write("src/a.py", "x = 1\n").commit("Start")
    builder.write("src/a.py", "x = 2\n").commit("Go on")
    return builder


def repo_id(path, **options):
    return GitRepository.open(path, **options).repo_id


def test_without_an_origin_the_first_commit_identifies(origin):
    identity = GitRepository.open(origin.path).identity
    assert (identity.repo_id, identity.identified_by, identity.origin) == (origin.commits[0], "root_commit", None)


def test_clones_worktrees_and_subdirectories_are_the_same_repository(origin, tmp_path):
    clone = origin.clone(tmp_path / "clone")
    bare = origin.clone(tmp_path / "bare", "--bare")
    origin.git("worktree", "add", "-q", "--detach", str(tmp_path / "worktree"))
    places = [origin.path, clone.path, bare.path, tmp_path / "worktree", origin.path / "src", tmp_path / "worktree" / "src"]
    assert {repo_id(place) for place in places} == {origin.commits[0]}


def test_a_clone_of_a_clone_has_the_network_origin_of_the_first(origin, tmp_path):
    origin.git("remote", "add", "origin", "git@github.com:pallets/flask.git")
    first = origin.clone(tmp_path / "first")
    second = first.clone(tmp_path / "second")
    assert {repo_id(place) for place in (origin.path, first.path, second.path)} == {FLASK}


def test_two_repositories_that_name_each_other_as_origin_end_at_the_first_commit(origin, tmp_path):
    clone = origin.clone(tmp_path / "clone")
    origin.git("remote", "add", "origin", str(clone.path))
    assert repo_id(clone.path) == origin.commits[0]


def test_a_bundle_is_no_identity(origin, tmp_path):
    origin.git("bundle", "create", "-q", str(tmp_path / "flask.bundle"), "main")
    run_git(tmp_path, "clone", "-q", "flask.bundle", "clone", "-b", "main")
    assert repo_id(tmp_path / "clone") == origin.commits[0]


def test_the_origin_goes_before_the_first_commit_and_the_configured_name_before_both(origin):
    origin.git("remote", "add", "origin", "https://user:secret@github.com/pallets/flask.git")
    identity = GitRepository.open(origin.path).identity
    assert (identity.repo_id, identity.identified_by, identity.root_commit) == (FLASK, "origin", origin.commits[0])
    named = GitRepository.open(origin.path, name="flask").identity
    assert (named.repo_id, named.identified_by, named.origin) == ("flask", "configured", FLASK)


def test_a_mirror_of_one_machine_does_not_enter_the_identity_but_a_shorthand_is_spelled_out(origin):
    origin.git("remote", "add", "origin", "https://github.com/pallets/flask")
    origin.git("config", "url.https://mirror.internal.example/.insteadOf", "https://github.com/")
    assert repo_id(origin.path) == FLASK
    origin.git("config", "remote.origin.url", "gh:pallets/flask")
    origin.git("config", "url.https://github.com/.insteadOf", "gh:")
    assert repo_id(origin.path) == FLASK


def test_a_worktree_on_an_orphan_branch_is_still_the_repository(origin, tmp_path):
    origin.git("worktree", "add", "-q", "--detach", str(tmp_path / "pages"))
    run_git(tmp_path / "pages", "switch", "-q", "--orphan", "gh-pages")
    run_git(tmp_path / "pages", "commit", "-q", "--allow-empty", "-m", "Pages")
    assert repo_id(tmp_path / "pages") == origin.commits[0]


def test_merging_a_foreign_history_keeps_the_identity(origin):
    origin.git("switch", "-q", "--orphan", "foreign")
    origin.write("b.py", "").commit("Older", when=None)
    origin.switch("main")
    origin.git("merge", "-q", "--allow-unrelated-histories", "-m", "Import", "foreign")
    assert repo_id(origin.path) == origin.commits[0]


def test_a_submodule_is_its_own_repository(origin, tmp_path):
    outer = make_repository(tmp_path, "outer").submodule("vendor/inner", origin.path)
    outer.commit("Add submodule")
    assert repo_id(outer.path) == outer.commits[0]
    assert repo_id(outer.path / "vendor" / "inner") == origin.commits[0]


def test_a_shallow_clone_without_a_network_origin_says_what_to_do(origin, tmp_path):
    shallow = origin.clone(tmp_path / "shallow", "--depth=1")
    with pytest.raises(ShallowHistoryError, match=r"git fetch --unshallow.*comind\.toml"):
        GitRepository.open(shallow.path)


def test_a_worktree_of_a_shallow_clone_is_shallow_too(origin, tmp_path):
    shallow = origin.clone(tmp_path / "shallow", "--depth=1")
    shallow.git("worktree", "add", "-q", "--detach", str(tmp_path / "worktree"))
    with pytest.raises(ShallowHistoryError):
        GitRepository.open(tmp_path / "worktree")
    assert GitRepository.open(tmp_path / "worktree", name="flask").is_shallow


def test_a_shallow_clone_with_an_origin_or_a_name_is_known_without_its_first_commit(origin, tmp_path):
    shallow = origin.clone(tmp_path / "shallow", "--depth=1")
    named = GitRepository.open(shallow.path, name="flask")
    assert (named.repo_id, named.identity.root_commit, named.is_shallow) == ("flask", None, True)
    shallow.git("remote", "set-url", "origin", "https://github.com/pallets/flask")
    assert repo_id(shallow.path) == FLASK
