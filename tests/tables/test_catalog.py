"""What two writers of one table can do to each other, one step at a time."""

import pytest

from comind.tables import merge
from comind.tables.rows import in_list
from tests.tables.builders import refusals

TABLE = "harvest_refusals"


@pytest.fixture
def table(lake):
    lake.upsert(TABLE, refusals(a="1", b="2"))
    return lake.table(TABLE)


def keys(table):
    return sorted(table.open().to_table()["refusal_id"].to_pylist())


OTHERS = {
    "insertion": lambda table: merge.insert(table, refusals(x="theirs")),
    "update": lambda table: merge.update_where(table, refusals(a="theirs"), "true"),
    "deletion": lambda table: merge.delete(table, "refusal_id = 'b'"),
    "extension": lambda table: table.extend(table.open(), refusals(x="theirs")),
    "replacement": lambda table: table.swap(table.open(), table.stored_schema(), []),
}


def test_rows_are_added_to_what_was_read(table):
    version = table.open().version
    assert table.extend(table.open(), refusals(c="3"))
    assert (keys(table), table.open().version) == (["a", "b", "c"], version + 1)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("late", [False, True])
def test_rows_are_not_added_after_any_other_change(table, monkeypatch, other, late):
    read = table.open()
    if late:  # the change comes between looking and committing
        monkeypatch.setattr(type(read), "latest_version", property(lambda dataset: dataset.version))
    OTHERS[other](table)
    standing = keys(table)
    assert not table.extend(read, refusals(x="ours"))
    assert keys(table) == standing


@pytest.mark.parametrize("other", OTHERS)
def test_a_table_is_not_replaced_after_any_other_change(table, other):
    read = table.open()
    OTHERS[other](table)
    standing = keys(table)
    assert table.swap(read, table.stored_schema("ours"), []) is None
    assert keys(table) == standing


def test_of_two_creators_one_is_told_that_it_was_late(lake):
    table = lake.table(TABLE)
    assert table.create() is not None
    merge.insert(table, refusals(a="1"))
    assert table.create() is None
    assert keys(table) == ["a"]


def test_added_rows_are_found_by_an_index_that_knew_files_that_are_gone(table):
    dataset = table.open()
    merge.insert(table, refusals(c="3"))
    dataset = table.open()
    dataset.create_scalar_index("refusal_id", "BTREE")
    merge.delete(table, in_list("refusal_id", ["c"]))  # the whole of the newest file
    assert table.extend(table.open(), refusals(d="4"))
    assert table.open().to_table(filter="refusal_id = 'd'").num_rows == 1
