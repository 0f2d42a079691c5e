"""Definitions at any commit: the same names and fingerprints as at the head, and a reason where there are none."""

from __future__ import annotations

import polars as pl
import pytest

from comind.index import past
from comind.index.blobs import MemoryParseCache
from comind.index.past import SymbolsAt, definitions_at, symbols_at
from comind.index.tree import index_tree
from comind.sources.git import GitRepository
from tests.builders.git import make_repository

BOX = "class Box:\n    def open(self):\n        return {}\n"


@pytest.fixture
def builder(tmp_path):
    made = make_repository(tmp_path)
    made.write("pyproject.toml", '[project]\nname = "old"\n').write("src/box.py", BOX.format(1)).commit()
    made.write("pyproject.toml", '[project]\nname = "new"\n').write("src/box.py", BOX.format(2)).write("README.md", "").commit()
    return made


@pytest.fixture
def repository(builder):
    return GitRepository.open(builder.path)


def test_the_past_of_the_head_is_the_index_of_the_head(repository):
    published = pl.from_arrow(index_tree(repository, repository.head, MemoryParseCache(), workers=0, max_file_bytes=1_000_000).symbols())
    past_rows = definitions_at(repository, [(repository.head, "src/box.py")], MemoryParseCache(), workers=0)
    columns = [name for name in published.columns if name != "head_commit"]
    assert past_rows.select(columns).equals(published.filter(pl.col("path") == "src/box.py").select(columns))
    assert past_rows["commit"].unique().to_list() == [repository.head]
    assert past_rows["problem"].to_list() == [None, None]


def test_an_old_commit_has_the_package_and_the_fingerprints_of_its_time(builder, repository):
    old, new = builder.commits
    rows = definitions_at(repository, [(old, "src/box.py"), (new, "src/box.py")], MemoryParseCache(), workers=0)
    open_rows = rows.filter(pl.col("name") == "open")
    keys = dict(open_rows.select("commit", "canonical_key").rows())
    assert keys == {old: "pypi old . box/Box#open().", new: "pypi new . box/Box#open()."}
    assert open_rows["body_hash"].n_unique() == 2
    assert open_rows["sig_hash"].n_unique() == 1


def test_what_gave_nothing_says_why(builder, repository):
    builder.write("big.py", "x = 1\n" * 100).write("data.py", b"\0\1\2\xff").commit()
    head = builder.head
    places = [("1" * 40, "a.py"), (head, "gone.py"), (head, "src"), (head, "big.py"), (head, "data.py"), (head, "src/box.py")]
    rows = definitions_at(repository, places, MemoryParseCache(), workers=0, max_file_bytes=500)
    problems = {(commit, path): problem for commit, path, problem in rows.select("commit", "path", "problem").rows() if problem}
    assert problems == {
        ("1" * 40, "a.py"): "the commit is not in this clone",
        (head, "gone.py"): "there is no such file at that commit",
        (head, "src"): "there is no such file at that commit",
        (head, "big.py"): "600 bytes, more than the limit of 500",
        (head, "data.py"): "binary: it holds NUL bytes",
    }
    assert rows.filter(pl.col("problem").is_not_null())["canonical_key"].null_count() == 5


def test_nothing_asked_gives_no_rows_with_all_columns(repository):
    rows = definitions_at(repository, [], MemoryParseCache(), workers=0)
    assert rows.height == 0
    assert {"repo_id", "commit", "path", "canonical_key", "body_hash", "problem"} <= set(rows.columns)


def test_one_file_after_the_other_gives_the_same_symbols(builder, repository):
    old, new = builder.commits
    rows = definitions_at(repository, [(old, "src/box.py"), (new, "src/box.py")], MemoryParseCache(), workers=0)
    with SymbolsAt(repository) as ask:
        for commit in (old, new, old):
            found = ask(commit, "src/box.py")
            expected = rows.filter(pl.col("commit") == commit)
            for name in ("symbol", "canonical_key", "sid", "name", "qualified_name", "kind", "ordinal", "start_line", "end_line"):
                assert [getattr(symbol, name) for symbol in found] == expected[name].to_list()
    assert symbols_at(repository, old, "src/box.py") == SymbolsAt(repository)(old, "src/box.py")


def test_a_file_that_is_missing_or_no_code_has_no_symbols(repository):
    ask = SymbolsAt(repository)
    assert ask(repository.head, "gone.py") == []
    assert ask(repository.head, "README.md") == []
    assert ask("1" * 40, "src/box.py") == []


def test_each_content_is_parsed_once_and_kept_in_the_cache(builder, repository, monkeypatch):
    builder.write("copy.py", BOX.format(1)).commit()
    counts = []
    real = past.parse_missing

    def counting(*arguments, **options):
        rows, parsed = real(*arguments, **options)
        counts.append(parsed)
        return rows, parsed

    monkeypatch.setattr(past, "parse_missing", counting)
    cache = MemoryParseCache()
    with SymbolsAt(repository, cache) as ask:
        for _ in range(3):
            ask(builder.commits[0], "src/box.py")
            ask(builder.commits[2], "copy.py")
            ask(builder.commits[1], "src/box.py")
    assert counts == [1, 1]
    assert cache.rows().num_rows == 2
    with SymbolsAt(repository, cache) as ask:
        ask(builder.commits[0], "src/box.py")
    assert counts == [1, 1, 0]


def test_what_is_remembered_is_bounded(repository, builder, monkeypatch):
    monkeypatch.setattr(past, "_REMEMBERED", 16)
    for number in range(40):
        builder.write("src/box.py", BOX.format(number)).commit()
    ask = SymbolsAt(repository)
    for commit in builder.commits:
        assert len(ask(commit, "src/box.py")) == 2
    assert len(ask._definitions) == 16
    assert len(ask._files._packages) == 1
