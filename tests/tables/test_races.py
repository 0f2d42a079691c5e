"""Eight real processes at once. What each does stands in `racing`."""

import random
from collections import Counter

import pytest

from comind.tables.lake import Lake
from tests.tables.inboxes import mixed_objects, tables_for, tables_of, write
from tests.tables.racing import Racers, fold, fold_everything, publish_next, replace_files, write_state

PROCESSES = 8
OBJECTS = mixed_objects(120)


@pytest.fixture(scope="module")
def racers():
    racers = Racers(PROCESSES)
    yield racers
    racers.stop()


def shares(seed):
    """Eight overlapping parts of the inbox that together are all of it, each in an order of its own."""
    chance = random.Random(seed)
    owners = {key: chance.sample(range(PROCESSES), 3) for key in OBJECTS}
    parts = [[key for key, owned_by in owners.items() if number in owned_by] for number in range(PROCESSES)]
    for part in parts:
        chance.shuffle(part)
    return parts


@pytest.mark.parametrize("seed", [1, 2])
def test_folds_of_overlapping_inboxes_leave_no_duplicate_and_lose_nothing(racers, location, seed):
    write(location, OBJECTS)
    racers.race(fold, [(location, part) for part in shares(seed)])
    assert tables_of(Lake(location)) == tables_for(OBJECTS)


def test_reconciles_at_once_leave_no_duplicate_and_lose_nothing(racers, location):
    write(location, OBJECTS)
    folded = racers.race(fold_everything, [(location,)] * PROCESSES)
    assert sum(folded) == 120
    assert tables_of(Lake(location)) == tables_for(OBJECTS)


@pytest.mark.s3
def test_folds_on_a_server_leave_no_duplicate_and_lose_nothing(racers, s3_location):
    store = s3_location.objects()
    for key, content in OBJECTS.items():
        store.create(key, content)
    racers.race(fold, [(s3_location, part) for part in shares(3)])
    assert tables_of(Lake(s3_location)) == tables_for(OBJECTS)


def test_replacing_files_of_one_repository_doubles_no_row(racers, location):
    racers.race(replace_files, [(location, "r", writer, 3) for writer in range(PROCESSES)])
    assert_no_row_twice(location, {"r"})


def test_first_rows_of_several_repositories_double_no_row(racers, location):
    racers.race(replace_files, [(location, f"r{writer % 3}", writer, 2) for writer in range(PROCESSES)])
    assert_no_row_twice(location, {"r0", "r1", "r2"})


@pytest.mark.s3
def test_replacing_files_on_a_server_doubles_no_row(racers, s3_location):
    racers.race(replace_files, [(s3_location, "r", writer, 1) for writer in range(PROCESSES)])
    assert_no_row_twice(s3_location, {"r"})


def assert_no_row_twice(location, repositories):
    lake = Lake(location)
    rows = lake.read("symbols", columns=["repo_id", "path", "sid", "ordinal", "name"])
    keys = Counter(rows.drop("name").iter_rows())
    assert [key for key, count in keys.items() if count > 1] == []
    assert Counter(rows.filter(rows["path"] == "")["repo_id"]) == dict.fromkeys(repositories, 1)
    written_by = {(row["repo_id"], row["path"]): set() for row in rows.iter_rows(named=True) if row["path"]}
    for row in rows.iter_rows(named=True):
        if row["name"].startswith("w"):
            written_by[row["repo_id"], row["path"]].add(row["name"])
    assert all(len(writers) == 1 for writers in written_by.values())  # the rows of a file are of one writer


def test_publishers_never_replace_what_is_newer_than_what_they_read(racers, location):
    racers.race(publish_next, [(location, 4)] * PROCESSES)
    lake = Lake(location)
    assert lake.inputs_of("anchor_drift") == str(4 * PROCESSES)
    assert lake.count("anchor_drift") == (4 * PROCESSES - 1) % 7 + 1


def test_state_rows_and_parses_of_all_writers_stand_once(racers, location):
    racers.race(write_state, [(location, writer, 3) for writer in range(PROCESSES)])
    lake = Lake(location)
    stand = Counter(lake.read("harvest_refusals")["refusal_id"])
    assert set(stand.values()) == {1}
    assert len(stand) == 20 + 3 * PROCESSES
    assert lake.count("parse_cache") == 2 * 3 * PROCESSES
