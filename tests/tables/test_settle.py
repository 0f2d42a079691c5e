import pytest

from comind.canonical import content_hash
from comind.records.codec import encode
from comind.store.layout import object_key
from comind.tables import merge
from comind.tables.catalog import Table
from comind.tables.fold_rows import record_rows
from comind.tables.settle import look_up, settle
from tests.builders.records import gotcha, harvested, v7
from tests.tables.inboxes import key_of


def versions_of(number, count=3):
    """Rows of `count` records with one id, the smallest content hash first."""
    contents = sorted((encode(gotcha(id=v7(number), title=f"title {title}")) for title in range(count)), key=content_hash)
    return [record_rows({key_of(content, v7(number)): content}).records for content in contents]


def key_in(rows):
    return rows["object_key"][0].as_py()


@pytest.fixture
def table(lake):
    return lake.table("ledger_records")


def test_a_new_record_is_inserted(table):
    [row, *_] = versions_of(1)
    assert settle(table, row) == (1, [])
    assert look_up(table, [v7(1), v7(2)]).hashes == {v7(1): row["content_hash"][0].as_py()}


def test_a_smaller_namesake_takes_the_place_and_the_larger_is_reported(table):
    small, large, _ = versions_of(1)
    settle(table, large)
    written, refused = settle(table, small)
    assert (written, [one.object_key for one in refused]) == (1, [key_in(large)])
    assert table.open().to_table().equals(small)


def test_a_larger_namesake_is_reported_and_changes_nothing(table, lake):
    small, large, _ = versions_of(1)
    settle(table, small)
    version = lake.version("ledger_records")
    written, refused = settle(table, large)
    assert (written, [one.object_key for one in refused]) == (0, [key_in(large)])
    assert lake.version("ledger_records") == version


def test_what_stands_is_settled(table, lake):
    [row, *_] = versions_of(1)
    settle(table, row)
    version = lake.version("ledger_records")
    assert settle(table, row) == (0, [])
    assert lake.version("ledger_records") == version


@pytest.mark.parametrize("theirs", [0, 2])
@pytest.mark.parametrize("way", [(9, Table, "extend"), (0, merge, "insert")])
def test_a_namesake_inserted_meanwhile_is_seen(table, monkeypatch, theirs, way):
    direct, owner, name = way
    monkeypatch.setattr("comind.tables.settle._DIRECT", direct)
    rows = versions_of(1)
    insert, write = merge.insert, getattr(owner, name)
    table.open_or_create()

    def overtaken(*arguments):
        monkeypatch.setattr(owner, name, write)
        insert(table, rows[theirs])
        return write(*arguments)

    monkeypatch.setattr(owner, name, overtaken)
    _, refused = settle(table, rows[1])
    assert [one.object_key for one in refused] == [key_in(rows[max(theirs, 1)])]
    assert table.open().to_table().equals(rows[min(theirs, 1)])


def test_a_namesake_replaced_meanwhile_is_reported_too(table, monkeypatch):
    small, middle, large = versions_of(1)
    settle(table, large)
    update = merge.update_where

    def overtaken(*arguments):
        monkeypatch.undo()
        assert settle(table, middle)[0] == 1
        return update(*arguments)

    monkeypatch.setattr(merge, "update_where", overtaken)
    written, refused = settle(table, small)
    assert (written, {one.object_key for one in refused}) == (1, {key_in(large), key_in(middle)})
    assert table.open().to_table().equals(small)


def test_many_ids_of_one_shard_are_looked_up_with_few_of_others(table, monkeypatch):
    monkeypatch.setattr("comind.tables.settle._DENSE", 3)
    records = [*(gotcha(id=v7(number)) for number in range(6)), gotcha(id=v7(0, ms=1_800_000_000_000)), harvested()]
    contents = [encode(record) for record in records]
    settle(table, record_rows({key_of(content, record.id): content for record, content in zip(records, contents, strict=True)}).records)
    asked = {record.id for record in records} - {v7(5)} | {v7(9), v7(1, ms=1_800_000_000_000)}
    found = look_up(table, asked).hashes
    assert {record_id: found.get(record_id) for record_id in asked} == {
        record_id: next((content_hash(content) for content in contents if record_id.encode() in content), None) for record_id in asked
    }


def test_what_was_looked_up_may_be_out_of_date(table):
    small, large, _ = versions_of(1)
    before = look_up(table, [v7(1)])
    settle(table, large)
    assert settle(table, small, standing=before)[0] == 1
    assert table.open().to_table().equals(small)


def test_nothing_to_settle_creates_nothing(table, tmp_path):
    assert settle(table, versions_of(1)[0].slice(0, 0)) == (0, [])
    assert not (tmp_path / "store").exists()


def test_the_key_of_what_stands_follows_from_its_id_and_hash():
    [row, *_] = versions_of(1)
    assert key_in(row) == object_key(v7(1), row["content_hash"][0].as_py())
