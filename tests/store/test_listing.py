"""What a local inbox remembers between two looks: cheap, and never at the price of missing something."""

import os
from datetime import UTC, datetime, timedelta

import orjson
import pytest

from comind.ids import derived_id, new_id
from comind.store.inbox import Inbox
from comind.store.layout import INBOX, object_key

NOW = datetime.now(UTC)


@pytest.fixture
def inbox(local_location, tmp_path):
    """An inbox with 20 objects in several shards that were all dealt with an hour ago."""
    inbox = Inbox(local_location)
    inbox.put_many((derived_id(str(number)), b"{}") for number in range(20))
    for shard in (tmp_path / "store" / INBOX).iterdir():
        _age(shard)
    inbox.remember(inbox.list_recent(now=NOW))
    return inbox


def test_nothing_is_listed_twice_once_it_was_dealt_with(inbox):
    recent = inbox.list_recent(now=NOW)

    assert (recent.objects, recent.shards, recent.complete) == ([], frozenset(), False)
    assert len(inbox.list_all().objects) == 20


def test_what_was_listed_but_not_dealt_with_is_listed_again(inbox):
    record_id = new_id()
    inbox.put(record_id, b"{}")

    for _ in range(2):
        assert [found.record_id for found in inbox.list_recent(now=NOW).objects] == [record_id]


def test_a_late_draft_and_a_derived_id_are_seen(inbox):
    late, harvested = "01800000-0000-7000-8000-000000000000", derived_id("another")
    inbox.put_many([(late, b"{}"), (harvested, b"{}")])

    recent = inbox.list_recent(now=NOW)

    assert {late, harvested} <= {found.record_id for found in recent.objects}
    assert recent.shards == {"01800", f"h{harvested[:2]}"}


def test_a_removed_object_shows_as_a_shard_that_lacks_it(inbox, tmp_path):
    gone = inbox.list_all().objects[0]
    (tmp_path / "store" / gone.key).unlink()

    recent = inbox.list_recent(now=NOW)

    assert recent.shards == {gone.key.split("/")[2]}
    assert gone not in recent.objects


def test_a_removed_shard_shows_as_an_empty_one(inbox, tmp_path):
    (shard,) = {inbox.list_all().objects[0].key.split("/")[2]}
    folder = tmp_path / "store" / INBOX / shard
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()

    recent = inbox.list_recent(now=NOW)
    inbox.remember(recent)

    assert (recent.objects, recent.shards) == ([], {shard})
    assert inbox.list_recent(now=NOW).shards == frozenset()


def test_a_shard_that_changed_within_the_last_two_seconds_is_not_trusted_to_be_finished(inbox, local_location):
    record_id = new_id()
    inbox.put(record_id, b"{}")
    inbox.remember(inbox.list_recent(now=NOW))
    assert [found.record_id for found in inbox.list_recent(now=NOW).objects] == [record_id]

    later = Inbox(local_location, clock=lambda: datetime.now(UTC) + timedelta(seconds=3))
    later.remember(later.list_recent(now=NOW))

    assert later.list_recent(now=NOW).objects == []


def test_a_write_that_does_not_move_the_directory_s_time_is_seen_while_the_time_is_fresh(inbox, tmp_path):
    inbox.put("01800000-0000-7000-8000-000000000000", b"{}")
    shard = tmp_path / "store" / INBOX / "01800"
    fresh = shard.stat().st_mtime_ns
    inbox.remember(inbox.list_recent(now=NOW))
    inbox.put("01800000-0000-7000-8000-000000000001", b"{}")
    os.utime(shard, ns=(fresh, fresh))  # a file system with a coarse clock

    assert len(inbox.list_recent(now=NOW).objects) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"shards":{}}', b'{"shards":[1]}', b"\xff", None])
def test_a_lost_or_damaged_hint_costs_a_full_scan_and_nothing_else(inbox, tmp_path, damage):
    (hint,) = (tmp_path / "cache" / "comind").iterdir()
    if damage is None:
        hint.unlink()
    else:
        hint.write_bytes(damage)

    recent = inbox.list_recent(now=NOW)

    assert len(recent.objects) == 20
    assert recent.complete


def test_a_hint_with_foreign_values_is_not_believed(inbox, tmp_path):
    (hint,) = (tmp_path / "cache" / "comind").iterdir()
    said = orjson.loads(hint.read_bytes())
    for shards in ({shard: str(time) for shard, time in said["shards"].items()}, dict.fromkeys(said["shards"])):
        hint.write_bytes(orjson.dumps(said | {"shards": shards}))
        assert len(inbox.list_recent(now=NOW).objects) == 20


def test_another_basis_counts_as_nothing_remembered(inbox):
    assert len(inbox.list_recent(now=NOW, basis="a table made anew").objects) == 20

    inbox.remember(inbox.list_recent(now=NOW, basis="a table made anew"), basis="a table made anew")

    assert inbox.list_recent(now=NOW, basis="a table made anew").objects == []
    assert len(inbox.list_recent(now=NOW).objects) == 20


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(tmp_path, local_location):
    (tmp_path / "cache").write_bytes(b"a file")
    inbox = Inbox(local_location)
    inbox.put(derived_id("x"), b"{}")
    _age(next((tmp_path / "store" / INBOX).glob("h*")))

    inbox.remember(inbox.list_recent(now=NOW))

    assert len(inbox.list_recent(now=NOW).objects) == 1


def test_remembering_one_shard_forgets_no_other(inbox):
    objects = inbox.list_all().objects
    inbox.remember(inbox.list_shard(objects[0].key.split("/")[2]))

    assert len(inbox.list_recent(now=NOW).shards) <= 1


def test_tombstones_are_listed_where_no_shard_has_changed(inbox, local_location):
    erased = new_id()
    local_location.objects().create(f"_ledger/erased/{erased}", b"")

    assert inbox.list_recent(now=NOW).erased == {erased}


def test_a_stray_is_reported_by_the_cheap_listing_too(inbox, local_location):
    local_location.objects().create(f"{INBOX}/readme.txt", b"")

    assert [bad.key for bad in inbox.list_recent(now=NOW).bad_names] == [f"{INBOX}/readme.txt"]


def test_many_shards_are_all_listed(local_location):
    inbox = Inbox(local_location)
    ids = [derived_id(str(number)) for number in range(1500)]
    inbox.put_many((record_id, b"{}") for record_id in ids)

    listing = inbox.list_all()

    assert {found.key for found in listing.objects} == {object_key(one, listing.objects[0].content_hash) for one in ids}
    assert len(listing.shards) == len({one[:2] for one in ids})


def _age(folder):
    long_ago = folder.stat().st_mtime_ns - 3_600_000_000_000
    os.utime(folder, ns=(long_ago, long_ago))
