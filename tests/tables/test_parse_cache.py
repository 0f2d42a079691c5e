import pyarrow as pa

from comind.tables import merge
from comind.tables.parse_cache import LakeParseCache
from tests.tables.builders import rows_of

DEFINITION = {
    "descriptors": "f().",
    "name": "f",
    "kind": "function",
    "ordinal": 0,
    "start_line": 1,
    "end_line": 2,
    "body_hash": b"x" * 16,
    "n_tokens": 3,
}


def parses(*keys):
    return rows_of("parse_cache", [{"key": key, "blob": key, "definitions": [DEFINITION]} for key in keys])


def test_what_was_added_is_found_whole(lake):
    cache = LakeParseCache(lake)
    cache.add(parses("a", "b"))
    cache.add(parses("c"))
    found = cache.lookup(["c", "a", "absent"]).sort_by("key")
    assert found.equals(parses("a", "c"))


def test_looking_up_creates_nothing(lake, tmp_path):
    cache = LakeParseCache(lake)
    assert cache.lookup(["a"]).num_rows == cache.lookup([]).num_rows == 0
    assert cache.lookup(["a"]).schema.equals(parses().schema)
    assert not (tmp_path / "store").exists()


def test_adding_nothing_writes_no_version(lake):
    cache = LakeParseCache(lake)
    cache.add(parses())
    assert lake.version("parse_cache") == 0


def test_a_parse_that_was_added_twice_is_returned_once(lake):
    cache = LakeParseCache(lake)
    cache.add(pa.concat_tables([parses("a"), parses("a")]))
    cache.add(parses("a", "b"))
    assert lake.count("parse_cache") == 3
    assert sorted(cache.lookup(["a", "b"])["key"].to_pylist()) == ["a", "b"]


def test_many_keys_are_looked_up_at_once(lake, monkeypatch):
    monkeypatch.setattr(merge, "_MANY", 3)
    cache = LakeParseCache(lake)
    cache.add(parses(*(f"k{number}" for number in range(20))))
    found = cache.lookup([f"k{number}" for number in range(5, 30)])
    assert sorted(found["key"].to_pylist()) == sorted(f"k{number}" for number in range(5, 20))
    assert found["definitions"].to_pylist()[0][0]["body_hash"] == b"x" * 16
