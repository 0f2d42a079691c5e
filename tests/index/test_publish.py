"""The published join: names, keys, and one row per definition."""

from __future__ import annotations

import pyarrow as pa

from comind.index.blobs import MemoryParseCache
from comind.index.names import sid_of
from comind.index.publish import publish_symbols
from comind.index.tree import index_tree
from comind.schemas import TABLES
from comind.sources.git import GitRepository
from tests.builders.git import make_repository

TWICE = "class Box:\n    def open(self):\n        return 1\n\n    def open(self):\n        return 2\n"


def indexed(builder):
    repository = GitRepository.open(builder.path)
    return index_tree(repository, repository.head, MemoryParseCache(), workers=0, max_file_bytes=1_000_000)


def built(tmp_path, **files):
    builder = make_repository(tmp_path, "-".join(files))
    for name, content in files.items():
        builder.write(name.replace("__", "/") + ".py", content)
    builder.commit()
    return builder


def test_a_symbol_carries_its_names_place_and_fingerprints(tmp_path):
    builder = built(tmp_path, src__box=TWICE)
    tree = indexed(builder)
    table = tree.symbols()
    assert table.schema.equals(TABLES["symbols"].schema)
    (method,) = [row for row in table.to_pylist() if row["name"] == "open" and row["ordinal"] == 0]
    package = f"repo {builder.commits[0]}"
    assert method["canonical_key"] == f"{package} . box/Box#open()."
    assert method["symbol"] == f"comind {package} . box/Box#open()."
    assert method["sid"] == sid_of(method["canonical_key"])
    assert (method["qualified_name"], method["kind"], method["language"]) == ("Box.open", "method", "python")
    assert (method["path"], method["start_line"], method["end_line"]) == ("src/box.py", 2, 3)
    assert len(method["body_hash"]) == 16
    assert method["head_commit"] is None
    assert method["blob"] in tree.code_files["blob"].to_pylist()


def test_definitions_under_one_name_are_told_apart_by_their_ordinal(tmp_path):
    rows = [row for row in indexed(built(tmp_path, box=TWICE)).symbols().to_pylist() if row["name"] == "open"]
    assert [(row["ordinal"], row["start_line"]) for row in rows] == [(0, 2), (1, 5)]
    assert len({row["sid"] for row in rows}) == 1


def test_the_package_symbol_holds_the_head(tmp_path):
    builder = make_repository(tmp_path)
    builder.write("package.json", '{"name": "@acme/web app"}').commit()
    (row,) = indexed(builder).symbols().to_pylist()
    assert row["canonical_key"] == "npm @acme/web  app . package:"
    assert (row["path"], row["kind"], row["name"], row["qualified_name"]) == ("", "package", "@acme/web app", "@acme/web app")
    assert (row["head_commit"], row["ordinal"], row["start_line"], row["blob"]) == (builder.head, 0, None, None)


def test_the_key_of_every_row_is_unique(tmp_path):
    table = indexed(built(tmp_path, a=TWICE, b=TWICE, src__a=TWICE)).symbols()
    keys = list(zip(*(table[name].to_pylist() for name in TABLES["symbols"].key), strict=True))
    assert len(set(keys)) == len(keys) == 10


def test_parses_of_other_contents_versions_and_twice_kept_ones_change_nothing(tmp_path):
    tree = indexed(built(tmp_path, box=TWICE))
    other = indexed(built(tmp_path, other="def other():\n    return 1\n"))
    position = tree.parses.schema.get_field_index("fingerprint_version")
    old = tree.parses.set_column(position, tree.parses.schema.field(position), pa.array(["older"] * tree.parses.num_rows))
    crowd = pa.concat_tables([old, tree.parses, other.parses, tree.parses])
    assert publish_symbols(tree.code_files, crowd).equals(tree.symbols())


def test_the_order_of_rows_does_not_matter(tmp_path):
    tree = indexed(built(tmp_path, a=TWICE, b=TWICE))
    backwards = list(range(tree.code_files.num_rows))[::-1]
    assert publish_symbols(tree.code_files.take(backwards), tree.parses.take([1, 0]) if tree.parses.num_rows > 1 else tree.parses).equals(
        tree.symbols()
    )


def test_nothing_gives_an_empty_table():
    files, parses = (TABLES[name].schema.empty_table() for name in ("code_files", "parse_cache"))
    empty = publish_symbols(files, parses)
    assert empty.num_rows == 0
    assert empty.schema.equals(TABLES["symbols"].schema)
