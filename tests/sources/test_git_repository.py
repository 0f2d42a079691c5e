"""Opening repositories of every kind, and the sentence for each that cannot be opened."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest

from comind.errors import ComindError, ExitCode
from comind.sources.git import GitRepository, Unreadable
from comind.sources.git.errors import (
    CommitNotFoundError,
    EmptyRepositoryError,
    NotARepositoryError,
    ObjectUnreadableError,
    RefNotFoundError,
    RepositoryUnreadableError,
)
from tests.builders.git import make_repository, run_git


@pytest.fixture
def builder(tmp_path):
    made = make_repository(tmp_path)
    made.write("a.py", "x = 1\n").commit("Start", when=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC))
    return made


def damage(builder, object_id):
    path = builder.path / ".git" / "objects" / object_id[:2] / object_id[2:]
    path.chmod(0o644)
    path.write_bytes(b"not zlib")


def refusal(error, path, **options):
    with pytest.raises(error) as caught:
        GitRepository.open(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_head_and_its_time_are_read(builder):
    repository = GitRepository.open(builder.path)
    assert (repository.head, repository.ref) == (builder.head, "refs/heads/main")
    assert repository.head_time == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def test_a_detached_head_is_indexed_where_it_stands(builder):
    builder.write("a.py", "x = 2\n").commit("Go on")
    builder.git("checkout", "-q", builder.commits[0])
    repository = GitRepository.open(builder.path)
    assert (repository.head, repository.ref) == (builder.commits[0], "HEAD")


def test_a_bare_repository_opens(builder, tmp_path):
    bare = builder.clone(tmp_path / "bare.git", "--bare")
    repository = GitRepository.open(bare.path)
    assert [file.path for file in repository.files(repository.head)] == ["a.py"]


def test_origin_head_goes_before_the_local_head_and_the_configured_ref_before_both(builder, tmp_path):
    clone = builder.clone(tmp_path / "clone")
    clone.write("a.py", "x = 3\n").commit("Local only")
    assert GitRepository.open(clone.path).head == builder.head
    assert GitRepository.open(clone.path).ref == "refs/remotes/origin/main"
    assert GitRepository.open(clone.path, ref="main").head == clone.head
    assert GitRepository.open(clone.path, ref="HEAD").head == clone.head


def test_a_configured_branch_that_only_the_origin_has_is_found_there(builder, tmp_path):
    builder.branch("release").write("a.py", "x = 4\n").commit("Release")
    builder.switch("main")
    clone = builder.clone(tmp_path / "clone")
    repository = GitRepository.open(clone.path, ref="release")
    assert (repository.ref, repository.head) == ("refs/remotes/origin/release", builder.commits[-1])


def test_a_directory_outside_any_repository_is_a_usage_error(tmp_path):
    assert "is not inside a git repository" in refusal(NotARepositoryError, tmp_path)
    assert NotARepositoryError.exit_code is ExitCode.USAGE


def test_a_missing_path_and_a_file_say_so(builder):
    assert "is not a directory" in refusal(NotARepositoryError, builder.path / "nowhere")
    assert "a bundle must be cloned first" in refusal(NotARepositoryError, builder.path / "a.py")


def test_a_repository_without_a_commit_is_empty(tmp_path):
    assert "has no commit yet" in refusal(EmptyRepositoryError, make_repository(tmp_path).path)


def test_a_head_without_a_commit_beside_other_branches_names_the_ref(builder):
    builder.git("switch", "-q", "--orphan", "other")
    assert "'HEAD'" in refusal(RefNotFoundError, builder.path)
    assert GitRepository.open(builder.path, ref="main").head == builder.commits[0]


def test_a_ref_that_is_missing_or_no_commit_is_refused(builder):
    assert "'no-such-branch'" in refusal(RefNotFoundError, builder.path, ref="no-such-branch")
    assert "'HEAD:a.py'" in refusal(RefNotFoundError, builder.path, ref="HEAD:a.py")


def test_sha256_object_ids_are_named_as_the_reason(tmp_path):
    run_git(tmp_path, "init", "-q", "--object-format=sha256", "new")
    message = refusal(RepositoryUnreadableError, tmp_path / "new")
    assert "sha256" in message
    assert "SHA-1" in message
    assert RepositoryUnreadableError.exit_code is ExitCode.COULD_NOT_FIND_OUT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_repository_of_another_user_names_safe_directory(builder):
    for place in (builder.path, builder.path / ".git"):
        os.chown(place, 12345, 12345)
    assert "safe.directory" in refusal(RepositoryUnreadableError, builder.path)


def test_a_submodule_that_is_not_checked_out_is_not_taken_for_the_repository_around_it(builder, tmp_path):
    outer = make_repository(tmp_path, "outer").submodule("inner", builder.path)
    outer.commit("Add submodule")
    outer.git("submodule", "-q", "deinit", "-f", "inner")
    assert "git submodule update --init" in refusal(NotARepositoryError, outer.path / "inner")


def test_commits_are_found_by_id_beginning_branch_and_tag(builder):
    builder.git("tag", "-a", "v1", "-m", "One")
    repository = GitRepository.open(builder.path)
    assert {repository.resolve(text) for text in (builder.head, builder.head[:8], "main", "v1", "HEAD")} == {builder.head}


@pytest.mark.parametrize("text", ["1" * 40, "nothing", "HEAD~5", "", "HEAD:a.py", "a b", "--all", "\n"])
def test_a_commit_that_does_not_exist_is_a_usage_error_of_one_line(builder, text):
    with pytest.raises(CommitNotFoundError) as caught:
        GitRepository.open(builder.path).resolve(text)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code is ExitCode.USAGE


def test_a_commit_beyond_a_shallow_clone_names_unshallow(builder, tmp_path):
    builder.write("a.py", "x = 2\n").commit("Go on")
    shallow = builder.clone(tmp_path / "shallow", "--depth=1")
    with pytest.raises(CommitNotFoundError, match="git fetch --unshallow"):
        GitRepository.open(shallow.path, name="x").resolve(builder.commits[0])


def test_a_damaged_blob_is_unreadable_and_the_others_are_read(builder):
    builder.write("b.py", "y = 1\n").commit("Second")
    repository = GitRepository.open(builder.path)
    damage(builder, repository.blob_at(repository.head, "a.py"))
    repository = GitRepository.open(builder.path)
    blobs = {file.path: repository.read(file.blob) for file in repository.files(repository.head)}
    assert blobs["b.py"] == b"y = 1\n"
    assert isinstance(blobs["a.py"], Unreadable)
    assert "git fsck" in blobs["a.py"].reason


def test_a_damaged_directory_is_an_error_not_a_shorter_list(builder):
    builder.write("lib/b.py", "").commit("Directory")
    damage(builder, builder.git("rev-parse", "HEAD:lib"))
    repository = GitRepository.open(builder.path)
    with pytest.raises(ObjectUnreadableError, match="git fsck"):
        list(repository.files(repository.head))
    with pytest.raises(ObjectUnreadableError):
        repository.blob_at(repository.head, "lib/b.py")


def test_a_blob_that_a_partial_clone_left_out_is_unreadable(builder, tmp_path):
    builder.git("config", "uploadpack.allowFilter", "true")
    partial = builder.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    repository = GitRepository.open(partial.path)
    (file,) = repository.files(repository.head)
    assert file.size is None
    assert "partial clone" in repository.read(file.blob).reason


def test_a_missing_history_is_told_apart_from_an_unknown_repository(builder):
    builder.write("a.py", "x = 2\n").commit("Go on")
    damage(builder, builder.commits[0])
    with pytest.raises(ComindError, match="git fsck"):
        GitRepository.open(builder.path)


def test_reading_changes_nothing_in_the_repository(builder):
    def everything():
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in builder.path.rglob("*")}

    before = everything()
    repository = GitRepository.open(builder.path)
    for file in repository.files(repository.head):
        repository.read(file.blob)
    repository.names_in_tree(repository.head, ["x"])
    assert everything() == before
