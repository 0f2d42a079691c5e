import pyarrow as pa
import pytest

from comind.tables import merge
from comind.tables.errors import SchemaMismatchError
from tests.tables.builders import refusals

TABLE = "harvest_refusals"


def details(lake):
    return dict(lake.read(TABLE, columns=["refusal_id", "detail"]).sort("refusal_id").iter_rows())


def test_rows_are_inserted_and_replaced_by_key(lake):
    assert lake.upsert(TABLE, refusals(a="1", b="2")) == 2
    assert lake.upsert(TABLE, refusals(b="3", c="4")) == 2
    assert details(lake) == {"a": "1", "b": "3", "c": "4"}


def test_rows_that_stand_already_write_no_version(lake):
    lake.upsert(TABLE, refusals(a="1", b="2"))
    version = lake.version(TABLE)
    assert lake.upsert(TABLE, refusals(b="2", a="1")) == 0
    assert lake.version(TABLE) == version


def test_only_what_differs_is_written(lake):
    lake.upsert(TABLE, refusals(a="1", b="2"))
    assert lake.upsert(TABLE, refusals(a="1", b="3")) == 1


def test_no_rows_create_no_table(lake, tmp_path):
    assert lake.upsert(TABLE, refusals()) == 0
    assert lake.insert(TABLE, refusals()) == 0
    assert lake.delete(TABLE, "true") == 0
    assert not (tmp_path / "store").exists()


def test_a_key_that_comes_twice_in_a_batch_stands_once(lake):
    lake.insert(TABLE, pa.concat_tables([refusals(a="1"), refusals(a="2")]))
    assert details(lake) == {"a": "2"}


def test_insertion_leaves_what_stands(lake):
    lake.insert(TABLE, refusals(a="1"))
    assert lake.insert(TABLE, refusals(a="2", b="3")) == 1
    assert details(lake) == {"a": "1", "b": "3"}


def test_large_writes_go_in_batches(lake, monkeypatch):
    monkeypatch.setattr(merge, "BATCH", 3)
    assert lake.upsert(TABLE, refusals(**{f"k{number}": "" for number in range(10)})) == 10
    assert lake.count(TABLE) == 10


def test_deletion_takes_what_the_filter_names(lake):
    lake.upsert(TABLE, refusals(a="1", b="2"))
    assert lake.delete(TABLE, "refusal_id = 'a'") == 1
    assert details(lake) == {"b": "2"}


def test_deleting_nothing_writes_no_version(lake):
    lake.upsert(TABLE, refusals(a="1"))
    version = lake.version(TABLE)
    assert lake.delete(TABLE, "refusal_id = 'z'") == 0
    assert lake.version(TABLE) == version


def test_a_conditional_update_replaces_what_the_condition_names(lake):
    lake.upsert(TABLE, refusals(a="1", b="5"))
    assert merge.update_where(lake.table(TABLE), refusals(a="3", b="3", c="3"), "source.detail > target.detail") == 1
    assert details(lake) == {"a": "3", "b": "5"}


def test_rows_that_do_not_fit_change_nothing(lake):
    with pytest.raises(SchemaMismatchError):
        lake.upsert(TABLE, refusals(a="1").drop_columns(["detail"]))
    assert not lake.exists(TABLE)


@pytest.mark.parametrize("many", [0, 10_000])
def test_rows_are_found_by_key_however_many_are_asked_for(lake, monkeypatch, many):
    monkeypatch.setattr(merge, "_MANY", many)
    lake.upsert(TABLE, refusals(**{f"k{number}": str(number) for number in range(9)}))
    lake.delete(TABLE, "refusal_id = 'k1'")
    found = merge.rows_with(lake.table(TABLE).open(), "refusal_id", ["k0", "k1", "k5", "absent", "it's"], columns=["detail"])
    assert sorted(found["detail"].to_pylist()) == ["0", "5"]
