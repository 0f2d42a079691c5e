import dataclasses
import os
import subprocess
import sys

import pytest

from comind.schemas import TABLES
from comind.store.location import StoreLocation, StoreUnreadableError, StoreUnwritableError
from comind.tables.errors import NewerTableError, OlderTableError
from comind.tables.lake import Lake
from comind.tables.parse_cache import LakeParseCache
from tests.builders.s3 import Identity, shared_s3_server
from tests.tables.builders import drifts, refusals, rows_of, symbols


@pytest.fixture
def with_version(monkeypatch):
    """Let a table have another schema version from now on."""

    def change(name, version):
        monkeypatch.setitem(TABLES, name, dataclasses.replace(TABLES[name], version=version))

    return change


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_that_does_not_exist_reads_as_empty_and_stays_absent(lake, tmp_path, name):
    assert not lake.exists(name)
    assert (lake.count(name), lake.version(name), lake.inputs_of(name)) == (0, 0, None)
    assert lake.read(name).columns == TABLES[name].schema.names
    assert lake.read(name, columns=[TABLES[name].key[0]], where="true").height == 0
    assert len(lake.digest(name)) == 64
    lake.tidy(name)
    lake.maintain(name)
    assert not (tmp_path / "store").exists()


def test_reading_projects_and_filters(lake):
    lake.upsert("harvest_refusals", refusals(a="1", b="2"))
    assert lake.read("harvest_refusals", columns=["detail"], where="refusal_id = 'b'").rows() == [("2",)]
    assert lake.count("harvest_refusals", "detail = '1'") == 1


def test_a_head_that_was_never_indexed_is_none(lake):
    lake.replace_repository_files("symbols", "r", None, symbols("r", {}))
    assert lake.head_of("symbols", "it's") is None


def test_descriptions_of_columns_are_stored_with_the_table(lake):
    lake.publish("anchor_drift", drifts("a"), inputs="one")
    stored = lake.table("anchor_drift").open().schema
    assert stored.equals(TABLES["anchor_drift"].schema)
    assert stored.field("drift").metadata == TABLES["anchor_drift"].schema.field("drift").metadata


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("anchor_drift", lambda lake: lake.publish("anchor_drift", drifts("a"), inputs="one")),
        ("symbols", lambda lake: lake.replace_repository_files("symbols", "r", None, symbols("r", {}))),
        ("parse_cache", lambda lake: LakeParseCache(lake).add(rows_of("parse_cache", [{"key": "a"}]))),
        ("harvest_refusals", lambda lake: lake.upsert("harvest_refusals", refusals(a="1"))),
    ],
)
def test_a_table_of_a_newer_comind_is_neither_read_nor_written(lake, with_version, name, write):
    with_version(name, 3)
    write(lake)
    with_version(name, 2)
    version = lake.version(name)
    for ask in (lake.read, lake.count, lake.exists, lake.digest, lake.inputs_of):
        with pytest.raises(NewerTableError, match=f"table {name} has schema version 3, this Comind reads up to 2"):
            ask(name)
    with pytest.raises(NewerTableError):
        write(lake)
    assert lake.version(name) == version


def test_a_derived_table_of_an_older_version_reads_as_empty_and_is_rebuilt(lake, with_version):
    lake.publish("anchor_drift", drifts("old"), inputs="one")
    with_version("anchor_drift", 2)
    assert (lake.count("anchor_drift"), lake.inputs_of("anchor_drift"), lake.exists("anchor_drift")) == (0, None, False)
    published = lake.publish("anchor_drift", drifts("old"), inputs="one")
    assert (published.changed, lake.count("anchor_drift"), lake.inputs_of("anchor_drift")) == (True, 1, "one")


def test_code_tables_and_caches_of_an_older_version_start_anew(lake, with_version):
    cache = LakeParseCache(lake)
    cache.add(rows_of("parse_cache", [{"key": "a"}]))
    lake.replace_repository_files("symbols", "r", None, symbols("r", {"a.py": ["f"]}))
    with_version("parse_cache", 2)
    with_version("symbols", 2)
    cache = LakeParseCache(lake)
    assert (cache.lookup(["a"]).num_rows, lake.head_of("symbols", "r")) == (0, None)
    cache.add(rows_of("parse_cache", [{"key": "b"}]))
    lake.replace_repository_files("symbols", "r2", None, symbols("r2", {"b.py": ["g"]}))
    assert (lake.count("parse_cache"), lake.count("symbols")) == (1, 2)


def test_a_table_with_other_columns_is_rebuilt_whatever_version_it_claims(lake, monkeypatch):
    spec = TABLES["anchor_drift"]
    lake.publish("anchor_drift", drifts("a"), inputs="one")
    monkeypatch.setitem(TABLES, "anchor_drift", dataclasses.replace(spec, schema=spec.schema.remove(spec.schema.get_field_index("commit"))))
    assert not lake.exists("anchor_drift")
    lake.publish("anchor_drift", drifts("a"), inputs="one")
    assert "commit" not in lake.read("anchor_drift").columns


def test_a_state_table_of_an_older_version_says_what_to_do(lake, with_version):
    lake.upsert("harvest_refusals", refusals(a="1"))
    with_version("harvest_refusals", 2)
    with pytest.raises(OlderTableError, match=r"delete .*harvest_refusals\.lance and run `comind run`"):
        lake.read("harvest_refusals")


def test_a_damaged_table_is_said_to_be_unreadable(lake, tmp_path):
    lake.upsert("harvest_refusals", refusals(a="1"))
    for manifest in (tmp_path / "store" / "_ledger" / "tables" / "harvest_refusals.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nothing of the kind")
    with pytest.raises(StoreUnreadableError):
        Lake(lake.location).read("harvest_refusals")


def test_lance_gets_enough_memory_to_index_unless_the_user_decided():
    show = "import os, comind.tables; print(os.environ['LANCE_MEM_POOL_SIZE'])"
    without = {key: value for key, value in os.environ.items() if key != "LANCE_MEM_POOL_SIZE"}
    for env, expected in ((without, str(2 << 30)), (without | {"LANCE_MEM_POOL_SIZE": "77"}, "77")):
        said = subprocess.run([sys.executable, "-c", show], env=env, capture_output=True, text=True, check=True)
        assert said.stdout.strip() == expected


@pytest.mark.s3
def test_an_identity_that_may_do_nothing_learns_that_and_not_that_there_is_nothing(s3_location):
    Lake(s3_location).upsert("harvest_refusals", refusals(a="1"))
    stranger = StoreLocation.parse(s3_location.uri, shared_s3_server().env(Identity.STRANGER))
    with pytest.raises(StoreUnreadableError):
        Lake(stranger).read("harvest_refusals")


@pytest.mark.s3
def test_a_reader_reads_tables_and_cannot_write_them(s3_location):
    Lake(s3_location).upsert("harvest_refusals", refusals(a="1"))
    reader = Lake(StoreLocation.parse(s3_location.uri, shared_s3_server().env(Identity.READER)))
    assert reader.count("harvest_refusals") == 1
    with pytest.raises(StoreUnwritableError):
        reader.upsert("harvest_refusals", refusals(b="1"))
    assert reader.count("harvest_refusals") == 1
    with pytest.raises(StoreUnwritableError):
        reader.publish("anchor_drift", drifts("a"), inputs="one")
