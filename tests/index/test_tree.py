"""A commit as rows: every file has one, and what changed gives the rows that the whole gives."""

from __future__ import annotations

from itertools import pairwise

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comind.index.blobs import MemoryParseCache
from comind.index.exclusions import ExclusionRules
from comind.index.publish import publish_symbols
from comind.index.tree import index_changes, index_tree
from comind.schemas import TABLES
from comind.sources.git import GitRepository
from comind.sources.git.errors import CommitNotFoundError
from tests.builders.git import make_repository, run_git

LIMITS = {"workers": 0, "max_file_bytes": 1_000_000}
FUNCTION = "def {0}():\n    return {0}\n"
PYPROJECT = '[project]\nname = "{}"\n'


@pytest.fixture
def builder(tmp_path):
    return make_repository(tmp_path)


def indexed(builder, commit=None, cache=None, **limits):
    repository = GitRepository.open(builder.path)
    return index_tree(repository, commit or repository.head, cache or MemoryParseCache(), **(LIMITS | limits))


def rows_of(builder, **limits):
    return {row["path"]: row for row in indexed(builder, **limits).code_files.to_pylist()}


def outcome(row):
    return row["status"], row["problem"]


def test_every_file_has_a_row_and_the_repository_one_of_its_own(builder):
    builder.write("pyproject.toml", PYPROJECT.format("Acme")).write("src/acme/app.py", FUNCTION.format("run")).write("README.md", "Hi")
    head = builder.commit()
    table = indexed(builder).code_files
    assert table.schema.equals(TABLES["code_files"].schema)
    rows = {row["path"]: row for row in table.to_pylist()}
    assert list(rows) == ["", "README.md", "pyproject.toml", "src/acme/app.py"]
    assert rows[""] | {"repo_id": None} == {
        "repo_id": None, "path": "", "blob": builder.git("rev-parse", "HEAD^{tree}"), "language": None, "status": "repository", "problem": None,
        "size_bytes": None, "n_symbols": 0, "package": "pypi acme", "module": None, "head_commit": head,
        "selected_by": ExclusionRules().digest(LIMITS["max_file_bytes"]),
    }  # fmt: skip
    app = rows["src/acme/app.py"]
    assert (app["language"], app["status"], app["n_symbols"], app["module"]) == ("python", "parsed", 1, "`acme.app`/")
    assert (app["package"], app["head_commit"], app["size_bytes"]) == ("pypi acme", None, len(FUNCTION.format("run")))
    assert outcome(rows["README.md"]) == ("not_code", None)


def test_links_loops_and_submodules_are_rows_that_say_so(builder, tmp_path):
    inner = make_repository(tmp_path, "inner")
    inner.write("deep.py", FUNCTION.format("deep")).commit()
    builder.write("a.py", FUNCTION.format("a")).symlink("link.py", "a.py").symlink("x/loop.py", "../y/loop.py").symlink(
        "y/loop.py", "../x/loop.py"
    )
    builder.submodule("vendor/inner", inner.path).commit()
    rows = rows_of(builder)
    for path in ("link.py", "x/loop.py", "y/loop.py"):
        assert outcome(rows[path]) == ("skipped", "a symbolic link; not followed")
    assert outcome(rows["vendor/inner"]) == ("skipped", "a submodule; a repository of its own")
    assert "vendor/inner/deep.py" not in rows
    assert indexed(builder).symbols()["name"].to_pylist().count("deep") == 0


def test_a_file_of_fifty_megabytes_is_a_row_and_is_never_read(builder, monkeypatch):
    builder.write("big.py", b"x = 1\n" * 9_000_000).write("small.py", FUNCTION.format("small")).commit()
    repository = GitRepository.open(builder.path)
    big = repository.blob_at(repository.head, "big.py")
    read = type(repository.objects).read
    monkeypatch.setattr(
        type(repository.objects), "read", lambda self, blob: pytest.fail("it was read") if blob == big else read(self, blob)
    )
    table = index_tree(repository, repository.head, MemoryParseCache(), workers=0, max_file_bytes=10**12).code_files
    rows = {row["path"]: row for row in table.to_pylist()}
    assert outcome(rows["big.py"]) == ("skipped", "54,000,000 bytes, more than the limit of 50,000,000")
    assert rows["big.py"]["size_bytes"] == 54_000_000
    assert rows["small.py"]["status"] == "parsed"


def test_a_file_above_the_configured_limit_is_skipped_even_when_its_parse_is_known(builder):
    builder.write("a.py", FUNCTION.format("a")).commit()
    cache = MemoryParseCache()
    indexed(builder, cache=cache)
    small = indexed(builder, cache=cache, max_file_bytes=10)
    (row,) = [row for row in small.code_files.to_pylist() if row["path"] == "a.py"]
    assert outcome(row) == ("skipped", f"{len(FUNCTION.format('a'))} bytes, more than the limit of 10")
    assert small.symbols()["kind"].to_pylist() == ["package"]


def test_binary_content_under_a_source_name_is_skipped(builder):
    builder.write("clip.ts", b"\0\0\1\xff" * 2_000).commit()
    assert outcome(rows_of(builder)["clip.ts"]) == ("skipped", "binary: it holds NUL bytes")


def test_a_file_that_is_not_utf8_is_a_row_that_says_so(builder):
    builder.write("latin.py", "# größe\n".encode("latin-1") + FUNCTION.format("kept").encode()).commit()
    tree = indexed(builder)
    (row,) = [row for row in tree.code_files.to_pylist() if row["path"] == "latin.py"]
    assert row["status"] == "partial"
    assert "not UTF-8" in row["problem"]
    assert "kept" in tree.symbols()["name"].to_pylist()


ODD_NAMES = ["with space.py", "quo\"te's.py", "new\nline.py", "größe.py", "日本/ü.py", "back\\slash.py", "tick`.py", "-dash.py"]


def test_files_of_any_name_are_indexed_under_it(builder):
    for number, name in enumerate(ODD_NAMES):
        builder.write(name, FUNCTION.format(f"f{number}"))
    builder.commit()
    tree = indexed(builder)
    rows = {row["path"]: row for row in tree.code_files.to_pylist()}
    assert {name: outcome(rows[name]) for name in ODD_NAMES} == dict.fromkeys(ODD_NAMES, ("parsed", None))
    assert {row["path"]: row["name"] for row in tree.symbols().to_pylist() if row["path"]} == {
        name: f"f{i}" for i, name in enumerate(ODD_NAMES)
    }


def test_a_name_that_is_not_utf8_is_indexed_escaped_and_reported(builder):
    builder.write("größe.py".encode("latin-1"), FUNCTION.format("kept")).commit()
    tree = indexed(builder)
    row = tree.code_files.to_pylist()[1]
    assert (row["path"], row["status"], row["n_symbols"]) == ("gr\\xf6\\xdfe.py", "parsed", 1)
    assert "not UTF-8" in row["problem"]
    assert "kept" in tree.symbols()["name"].to_pylist()


def test_two_names_that_are_one_text_give_one_row(builder):
    builder.write(b"a\xff.py", FUNCTION.format("escaped")).write("a\\xff.py", FUNCTION.format("spelled")).commit()
    tree = indexed(builder)
    assert tree.code_files["path"].to_pylist() == ["", "a\\xff.py"]
    assert tree.symbols()["name"].to_pylist()[1:] == ["spelled"]


def test_a_missing_blob_is_an_unreadable_row_and_the_others_are_parsed(builder, tmp_path):
    builder.write("a.py", FUNCTION.format("a")).commit()
    builder.git("config", "uploadpack.allowFilter", "true")
    partial = builder.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    row = rows_of(partial)["a.py"]
    assert row["status"] == "unreadable"
    assert "partial clone" in row["problem"]


def test_a_broken_manifest_says_so_in_its_row(builder):
    builder.write("sub/package.json", "{").write("sub/a.js", "").commit()
    rows = rows_of(builder)
    assert rows["sub/package.json"]["status"] == "not_code"
    assert rows["sub/package.json"]["problem"].startswith("not a readable package.json")
    assert rows["sub/a.js"]["package"] == rows[""]["package"]


def test_an_empty_commit_is_the_row_of_the_repository(builder):
    builder.commit()
    assert indexed(builder).code_files["path"].to_pylist() == [""]
    assert indexed(builder).symbols()["kind"].to_pylist() == ["package"]


def test_bare_and_shallow_clones_give_the_rows_of_their_origin(builder, tmp_path):
    builder.write("a.py", FUNCTION.format("a")).commit()
    builder.write("b.py", FUNCTION.format("b")).commit()
    bare, shallow = builder.clone(tmp_path / "bare", "--bare"), builder.clone(tmp_path / "shallow", "--depth=1")
    named = GitRepository.open(shallow.path, name=builder.commits[0])
    assert indexed(bare).code_files.equals(indexed(builder).code_files)
    assert index_tree(named, named.head, MemoryParseCache(), **LIMITS).code_files.equals(indexed(builder).code_files)


def test_a_commit_that_does_not_exist_is_refused(builder):
    builder.commit()
    with pytest.raises(CommitNotFoundError):
        indexed(builder, "1" * 40)
    with pytest.raises(CommitNotFoundError):
        index_changes(GitRepository.open(builder.path), builder.head, "1" * 40, MemoryParseCache(), **LIMITS)


def test_a_second_commit_costs_its_changed_blobs_and_a_second_index_none(builder):
    builder.write("a.py", FUNCTION.format("a")).write("copy.py", FUNCTION.format("a")).write("b.py", FUNCTION.format("b")).commit()
    cache = MemoryParseCache()
    assert indexed(builder, cache=cache).parsed_blobs == 2
    assert indexed(builder, cache=cache).parsed_blobs == 0
    builder.write("b.py", FUNCTION.format("c")).commit()
    assert indexed(builder, cache=cache).parsed_blobs == 1
    assert indexed(builder, builder.commits[0], cache=cache).parsed_blobs == 0


def test_progress_tells_how_many_blobs_are_parsed(builder):
    builder.write("a.py", FUNCTION.format("a")).write("b.py", FUNCTION.format("b")).write("c.md", "").commit()
    calls = []
    indexed(builder, progress=lambda *counts: calls.append(counts))
    assert calls == [(1, 2), (2, 2)]


def changed(builder, old, new):
    return index_changes(GitRepository.open(builder.path), old, new, MemoryParseCache(), **LIMITS)


def test_a_change_gives_the_rows_of_the_changed_files_and_names_the_gone_ones(builder):
    builder.write("a.py", FUNCTION.format("a")).write("b.py", FUNCTION.format("b")).write("c.py", FUNCTION.format("c")).commit()
    builder.remove("b.py").write("c.py", FUNCTION.format("d")).write("e.py", FUNCTION.format("e")).commit()
    change = changed(builder, *builder.commits)
    assert change.paths == ("b.py", "c.py", "e.py")
    assert change.code_files["path"].to_pylist() == ["", "c.py", "e.py"]
    assert change.parsed_blobs == 2


def test_a_changed_manifest_names_the_files_below_it_again_and_no_others(builder):
    builder.write("web/package.json", '{"name": "old"}').write("web/a.js", "").write("other.py", "").commit()
    builder.write("web/package.json", '{"name": "new"}').commit()
    builder.write("web/package.json", '{"name": "new", "version": "2"}').commit()
    first, second, third = builder.commits
    assert changed(builder, first, second).paths == ("web/a.js", "web/package.json")
    assert changed(builder, second, third).paths == ("web/package.json",)


def test_a_changed_manifest_at_the_root_gives_every_row(builder):
    builder.write("pyproject.toml", PYPROJECT.format("old")).write("a.py", "").commit()
    builder.write("pyproject.toml", PYPROJECT.format("new")).commit()
    change = changed(builder, *builder.commits)
    assert change.paths is None
    assert change.code_files["path"].to_pylist() == ["", "a.py", "pyproject.toml"]


def test_an_old_commit_that_is_gone_gives_every_row(builder):
    builder.write("a.py", "").commit()
    assert changed(builder, "1" * 40, builder.head).paths is None


def test_an_old_commit_whose_directories_are_gone_gives_every_row(builder):
    builder.write("lib/a.py", "").commit()
    builder.write("lib/a.py", FUNCTION.format("a")).commit()
    tree = builder.git("rev-parse", "HEAD~1:lib")
    (builder.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    assert changed(builder, *builder.commits).paths is None


def test_no_change_gives_the_row_of_the_repository_alone(builder):
    builder.write("a.py", "").commit()
    builder.commit("Nothing")
    change = changed(builder, *builder.commits)
    assert change.paths == ()
    assert change.code_files["head_commit"].to_pylist() == [builder.head]


def quoted(path):
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def write_history(path, states):
    """Commit each state, a map of path to content, one after the other; a content that starts with -> is a symbolic link."""
    lines = []
    for number, state in enumerate(states):
        lines += ["commit refs/heads/main", f"committer A <a@example.invalid> {1_700_000_000 + number} +0000", "data 1", "x", "deleteall"]
        for name, content in state.items():
            mode = "120000" if content.startswith("->") else "100644"
            lines += [f"M {mode} inline {quoted(name)}", f"data {len(content.encode())}", content]
    run_git(path, "fast-import", "--quiet", content=("\n".join(lines) + "\n").encode())
    return run_git(path, "rev-list", "--reverse", "main").split()


PATHS = st.sampled_from(
    [
        "pyproject.toml", "web/package.json", "web/setup.py", "src/__init__.py", "web/src/__init__.py", "a.py", "src/b.py", "web/src/c.py",
        "web/src/d.ts", "web/go.mod", "web/e.go", "web/src/deep/f.js", 'odd "name"\n.py', "gone/g.py",
    ]
)  # fmt: skip
CONTENTS = st.sampled_from(
    [
        "", "{", FUNCTION.format("one"), FUNCTION.format("two"), PYPROJECT.format("left"), PYPROJECT.format("right"), '{"name": "web"}',
        'setup(name="legacy", package_dir={"": "src"})', "module example.org/m\n", "->a.py", "\0\1\2\3",
    ]
)  # fmt: skip
STATES = st.lists(st.dictionaries(PATHS, CONTENTS, max_size=9), min_size=2, max_size=4)


def applied(before, rows, paths):
    """The rows after a change: those of the changed paths and of the repository replaced."""
    if paths is None:
        return rows
    kept = pl.from_arrow(before).filter(~pl.col("path").is_in(["", *paths]))
    return pl.concat([kept, pl.from_arrow(rows)]).to_arrow().cast(before.schema)


def in_order(table):
    return table.sort_by([(name, "ascending") for name in ("path", "ordinal", "sid") if name in table.column_names])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(states=STATES)
def test_changes_applied_one_after_the_other_give_the_rows_of_the_whole(tmp_path_factory, states):
    builder = make_repository(tmp_path_factory.mktemp("history"))
    commits = write_history(builder.path, states)
    repository = GitRepository.open(builder.path)
    cache = MemoryParseCache()
    before = index_tree(repository, commits[0], cache, **LIMITS)
    files, symbols = before.code_files, before.symbols()
    for old, new in pairwise(commits):
        change = index_changes(repository, old, new, cache, **LIMITS)
        files, symbols = applied(files, change.code_files, change.paths), applied(symbols, change.symbols(), change.paths)
        whole = index_tree(repository, new, MemoryParseCache(), **LIMITS)
        assert in_order(files).equals(in_order(whole.code_files))
        assert in_order(symbols).equals(in_order(whole.symbols()))


def test_tables_of_several_repositories_are_published_together(builder, tmp_path):
    builder.write("a.py", FUNCTION.format("a")).commit()
    other = make_repository(tmp_path, "other")
    other.write("a.py", FUNCTION.format("a")).write("b.py", FUNCTION.format("b")).commit()
    one, two = indexed(builder), indexed(other)
    together = publish_symbols(pa.concat_tables([one.code_files, two.code_files]), pa.concat_tables([one.parses, two.parses]))
    apart = pa.concat_tables([one.symbols(), two.symbols()])
    assert together.num_rows == apart.num_rows == 5
    assert together.sort_by([("repo_id", "ascending"), ("path", "ascending")]).equals(
        apart.sort_by([("repo_id", "ascending"), ("path", "ascending")])
    )


def test_what_nobody_here_wrote_is_listed_with_the_reason_and_gives_no_symbols(builder):
    builder.write("vendor/x/deep.py", FUNCTION.format("deep")).write(
        "api.go", "// Code generated by x. DO NOT EDIT.\npackage p\nfunc f() {}\n"
    )
    builder.write("app.py", FUNCTION.format("app")).commit()
    table = indexed(builder)
    rows = {row["path"]: row for row in table.code_files.to_pylist()}
    assert outcome(rows["vendor/x/deep.py"]) == ("excluded", "vendored: vendor/")
    assert outcome(rows["api.go"]) == ("excluded", "generated: it says so itself")
    assert functions_in(table) == {"app"}
    assert functions_in(indexed(builder, rules=ExclusionRules(keep=("vendor/**",)))) == {"app", "deep"}


def functions_in(tree):
    return {row["name"] for row in tree.symbols().to_pylist() if row["kind"] == "function"}
