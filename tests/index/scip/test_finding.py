import pytest

from comind.index.scip import finding
from comind.index.scip.finding import find_indexes
from comind.sources.git import GitRepository
from tests.builders.git import make_repository, run_git
from tests.builders.scip import document, index

INDEX, NEWER = index(document("a.py", "")), index(document("b.py", ""))


@pytest.fixture
def builder(tmp_path):
    return make_repository(tmp_path, "shop").write("a.py", "x = 1\n")


def found(builder, *named):
    return find_indexes(GitRepository.open(builder.path), named)


def paths(one):
    return [document.relative_path for document in one.source.documents()]


def test_a_repository_without_an_index_has_none(builder):
    builder.commit()
    assert found(builder) == []


def test_what_a_tool_has_just_written_is_taken_before_what_is_committed(builder):
    builder.write("index.scip", INDEX).commit()
    builder.write("index.scip", NEWER)
    (one,) = found(builder)
    assert (one.path, paths(one)) == ("index.scip", ["b.py"])


def test_a_bare_repository_has_its_committed_index(builder, tmp_path):
    builder.write("index.scip.gz", INDEX).commit()
    run_git(tmp_path, "clone", "-q", "--bare", str(builder.path), "bare.git")
    (one,) = find_indexes(GitRepository.open(tmp_path / "bare.git"))
    assert (one.path, paths(one)) == ("index.scip.gz", ["a.py"])


def test_a_digest_changes_with_the_bytes_alone(builder):
    builder.write("index.scip", INDEX).commit()
    before = found(builder)[0].digest
    builder.write("index.scip", INDEX)
    assert found(builder)[0].digest == before
    builder.write("index.scip", NEWER)
    assert found(builder)[0].digest != before


def test_a_named_index_may_start_from_its_own_directory(builder, tmp_path):
    builder.write("web/out.scip", INDEX).commit()
    (tmp_path / "else.scip").write_bytes(INDEX)
    outside, inside = found(builder, builder.path / "web" / "out.scip", tmp_path / "else.scip")
    assert (outside.path, outside.directories) == ("else.scip", ("",))
    assert (inside.path, inside.directories) == ("web/out.scip", ("", "web"))


def test_a_named_index_that_is_not_there_or_a_directory_is_told(builder, tmp_path):
    builder.commit()
    problems = sorted(one.problem for one in found(builder, tmp_path / "none.scip", tmp_path))
    assert problems == ["cannot be read (Is a directory)", "cannot be read (No such file or directory)"]


def test_a_committed_index_that_git_would_have_to_give_whole_is_told(builder, monkeypatch):
    builder.write("index.scip", INDEX).commit()
    (builder.path / "index.scip").unlink()
    monkeypatch.setattr(finding, "_MAX_BLOB", 10)
    (one,) = found(builder)
    assert (one.source, one.problem) == (None, f"{len(INDEX):,} bytes are too many for a committed index; name it in comind.toml")
