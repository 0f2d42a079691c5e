"""The rows of `dependencies` describe a commit; after the next one, only the manifests that changed are read."""

from __future__ import annotations

import pytest

from comind.index.dependencies import index_dependencies
from comind.sources.git import GitRepository
from tests.builders.git import make_repository
from tests.builders.lockfiles import SAMPLES


@pytest.fixture
def repository(tmp_path):
    return (
        make_repository(tmp_path, "shop")
        .write("Cargo.lock", SAMPLES["Cargo.lock"])
        .write("web/package.json", '{"dependencies": {"a": "^1"}}')
        .write("a.py", "")
    )


def index(repository, *, old=None):
    git = GitRepository.open(repository.path, name="shop")
    return index_dependencies(git, git.head, old=old)


def rows(indexed):
    return {(row["path"], row["package"], row["use"]): row for row in indexed.rows.to_pylist()}


def test_every_package_of_every_manifest_is_a_row_and_the_repository_one_more(repository):
    head = repository.commit("Start")
    found = rows(index(repository))
    assert {path for path, _, _ in found} == {"", "Cargo.lock", "web/package.json"}
    assert found["Cargo.lock", "syn", "direct"]["versions"] == ["2.0.0"]
    assert found["web/package.json", "a", "direct"] | {"blob": None} == {
        "repo_id": "shop", "path": "web/package.json", "ecosystem": "npm", "package": "a", "use": "direct", "versions": [],
        "declared_ranges": ["^1"], "excluded_versions": [], "scope": "runtime", "blob": None, "problem": None, "reader_version": "1",
        "head_commit": None,
    }  # fmt: skip
    assert found["", "", ""]["head_commit"] == head


def test_after_a_commit_only_the_manifests_that_changed_are_read(repository):
    old = repository.commit("Start")
    repository.write("a.py", "x = 1\n").write("web/package.json", '{"dependencies": {"a": "^2"}}').commit("Raise a")
    indexed = index(repository, old=old)
    assert (indexed.read_files, indexed.paths) == (1, ("web/package.json",))
    assert rows(indexed)["web/package.json", "a", "direct"]["declared_ranges"] == ["^2"]


def test_a_manifest_that_is_gone_is_named_so_that_its_rows_go(repository):
    old = repository.commit("Start")
    repository.git("rm", "-q", "Cargo.lock")
    repository.commit("Drop it")
    indexed = index(repository, old=old)
    assert (indexed.paths, set(rows(indexed))) == (("Cargo.lock",), {("", "", "")})


def test_a_commit_without_manifests_changes_the_own_row_alone(repository):
    old = repository.commit("Start")
    head = repository.write("a.py", "y = 1\n").commit("Code")
    indexed = index(repository, old=old)
    assert (indexed.read_files, indexed.paths, indexed.rows["head_commit"].to_pylist()) == (0, (), [head])


def test_an_old_commit_that_is_gone_means_all_of_them(repository):
    repository.commit("Start")
    assert index(repository, old="0" * 40).paths is None


def test_changes_put_in_the_place_of_old_rows_give_the_rows_of_the_new_commit(repository):
    old = repository.commit("Start")
    before = index(repository).rows.to_pylist()
    repository.write("go.mod", SAMPLES["go.mod"]).write("Cargo.lock", "broken").git("rm", "-q", "web/package.json")
    repository.commit("Move")
    changed = index(repository, old=old)
    kept = [row for row in before if row["path"] not in {"", *changed.paths}]

    def ordered(found):
        return sorted(found, key=lambda row: (row["path"], row["package"], row["use"]))

    assert ordered(kept + changed.rows.to_pylist()) == ordered(index(repository).rows.to_pylist())


def test_what_cannot_be_read_is_a_row_that_says_why(repository, tmp_path):
    repository.write("Cargo.lock", "[[package]").write("requirements.txt", "a==1\n???\n").write("yarn.lock", "x" * 20_000_001)
    (repository.path / "go.mod").symlink_to("elsewhere")
    repository.commit("Break")
    problems = {path: row["problem"] for (path, _, _), row in rows(index(repository)).items() if row["problem"]}
    assert set(problems) == {"Cargo.lock", "requirements.txt", "yarn.lock", "go.mod"}
    assert problems["yarn.lock"] == "20,000,001 bytes are too many for a manifest"
    assert rows(index(repository))["requirements.txt", "a", "direct"]["versions"] == ["1"]
