from datetime import timedelta

import pytest
from lance.commit import CommitConflictError

from comind.tables import upkeep
from tests.tables.builders import refusals, rows_of


def write_many(lake, count, first=0):
    for number in range(first, first + count):
        lake.insert("harvest_refusals", refusals(**{f"k{number:04}": ""}))


def files(lake, name="harvest_refusals"):
    return len(lake.table(name).open().get_fragments())


def records(*numbers):
    return rows_of("ledger_records", [{"id": f"{number:036}", "content_hash": f"{number:064}"} for number in numbers])


def test_a_few_small_files_are_left_alone(lake):
    write_many(lake, 5)
    version = lake.version("harvest_refusals")
    assert lake.tidy("harvest_refusals") == upkeep.Upkeep()
    assert lake.version("harvest_refusals") == version


def test_many_small_files_are_joined(lake, monkeypatch):
    monkeypatch.setattr(upkeep, "_SMALL_FILES", 4)
    write_many(lake, 6)
    before = lake.read("harvest_refusals").sort("refusal_id")
    assert lake.tidy("harvest_refusals").joined == 6
    assert files(lake) == 1
    assert lake.read("harvest_refusals").sort("refusal_id").equals(before)


def test_writing_again_and_again_keeps_the_files_few(lake, monkeypatch):
    monkeypatch.setattr(upkeep, "_SMALL_FILES", 4)
    for number in range(12):
        lake.upsert("harvest_refusals", refusals(**{f"k{number}": ""}))
    assert files(lake) <= 5
    assert lake.count("harvest_refusals") == 12


@pytest.fixture
def indexed(lake, monkeypatch):
    monkeypatch.setattr(upkeep, "_INDEX_FROM", 3)
    monkeypatch.setattr(upkeep, "_SMALL_FILES", 2)
    lake.insert("ledger_records", records(*range(3)))
    assert lake.tidy("ledger_records").indexed == ("id",)
    return lake


def test_an_index_is_made_once_it_pays(indexed):
    [index] = indexed.table("ledger_records").open().describe_indices()
    assert index.field_names == ["id"]


def test_new_rows_get_an_index_of_their_own_before_files_are_joined(indexed):
    for number in range(3, 6):
        indexed.insert("ledger_records", records(number))
    assert indexed.tidy("ledger_records").indexed == ("id",)
    dataset = indexed.table("ledger_records").open()
    [index] = dataset.describe_indices()
    assert len(index.segments) == 2
    assert index.num_rows_indexed == dataset.count_rows() == 6
    assert len(dataset.get_fragments()) == 2  # the old one untouched, the new ones joined


def test_maintenance_leaves_one_index_and_no_old_version(indexed):
    for number in range(3, 6):
        indexed.insert("ledger_records", records(number))
    indexed.tidy("ledger_records")
    done = upkeep.maintain(indexed.table("ledger_records"), keep=timedelta(0))
    dataset = indexed.table("ledger_records").open()
    assert done.forgotten > 0
    assert len(dataset.versions()) == 1
    assert [len(index.segments) for index in dataset.describe_indices()] == [1]
    assert indexed.count("ledger_records") == 6


def test_yesterdays_versions_are_kept(lake):
    write_many(lake, 3)
    lake.maintain("harvest_refusals")
    assert len(lake.table("harvest_refusals").open().versions()) >= 3


def test_upkeep_that_a_writer_preempts_is_no_failure(lake, monkeypatch):
    write_many(lake, 3)
    table = lake.table("harvest_refusals")

    def overtaken(*_):
        raise CommitConflictError

    monkeypatch.setattr(upkeep, "_index", overtaken)
    assert upkeep.maintain(table).preempted
