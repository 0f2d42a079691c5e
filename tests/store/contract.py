"""What every inbox does, whatever it lies on; `test_inbox` runs it on a local path and on a real S3 server."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from comind.canonical import content_hash
from comind.ids import InvalidIdError, derived_id, id_time, new_id
from comind.store.format import NewerStoreError, UnknownFormatError, ensure_format
from comind.store.inbox import Inbox, PutOutcome
from comind.store.layout import ERASED, FORMAT_KEY, INBOX, PROBE_KEY, InboxObject, object_key
from comind.store.objects import MAX_OBJECT_BYTES, Missing, ReadFailure

WRITERS = 32


class InboxContract:
    """Subclasses give a `location` fixture: a store that does not exist yet, with all rights."""

    rounds = 20  # of a race; a subclass whose server makes losers wait runs fewer

    def test_the_first_put_creates_and_a_second_finds_it_there(self, location):
        inbox, record_id = Inbox(location), new_id()

        assert inbox.put(record_id, b"{}") is PutOutcome.CREATED
        assert inbox.put(record_id, b"{}") is PutOutcome.ALREADY_THERE
        assert Inbox(location).put(record_id, b"{}") is PutOutcome.ALREADY_THERE

    def test_other_bytes_under_a_taken_id_are_not_written(self, location):
        inbox, record_id = Inbox(location), new_id()
        inbox.put(record_id, b"first")

        assert inbox.put(record_id, b"second") is PutOutcome.TAKEN
        assert inbox.find(record_id) == [InboxObject(object_key(record_id, content_hash(b"first")))]

    def test_a_batch_reports_each_record_in_its_order(self, location):
        inbox, old = Inbox(location), derived_id("old")
        inbox.put(old, b"old")
        fresh = [(derived_id("new", str(number)), b"%d" % number) for number in range(50)]

        outcomes = inbox.put_many([(old, b"old"), *fresh, (old, b"other"), fresh[0], (fresh[1][0], b"other")])

        created, already, taken = PutOutcome.CREATED, PutOutcome.ALREADY_THERE, PutOutcome.TAKEN
        assert outcomes == [already, *([created] * 50), taken, already, taken]
        assert len(inbox.list_all().objects) == 51

    def test_an_id_that_is_none_keeps_the_whole_batch_out(self, location):
        inbox = Inbox(location)

        with pytest.raises(InvalidIdError):
            inbox.put_many([(new_id(), b"1"), ("../../escape", b"2")])

        assert inbox.list_all().objects == []

    def test_what_was_put_is_listed_found_and_read(self, location):
        inbox = Inbox(location)
        contents = {new_id(): b"written", derived_id("harvested"): b"\x00\xff" * 5000}
        inbox.put_many(contents.items())

        listing = inbox.list_all()

        assert {(found.record_id, found.content_hash) for found in listing.objects} == {
            (record_id, content_hash(content)) for record_id, content in contents.items()
        }
        assert listing.complete
        assert listing.bad_names == []
        read = inbox.get_many([found.key for found in listing.objects])
        assert {key: content_hash(content) for key, content in read.items()} == {found.key: found.content_hash for found in listing.objects}
        for record_id in contents:
            assert [found.record_id for found in inbox.find(record_id)] == [record_id]

    def test_what_a_writer_just_put_is_in_the_recent_listing(self, location):
        inbox, record_id = Inbox(location), new_id()
        inbox.put(record_id, b"{}")

        recent = inbox.list_recent(now=datetime.now(UTC))

        assert [found.record_id for found in recent.objects] == [record_id]
        assert recent.objects[0].key.split("/")[2] in recent.shards

    def test_a_writer_whose_clock_runs_two_days_ahead_is_in_the_recent_listing(self, location):
        inbox, record_id = Inbox(location), new_id()
        inbox.put(record_id, b"{}")

        recent = inbox.list_recent(now=id_time(record_id) - timedelta(days=2))

        assert [found.record_id for found in recent.objects] == [record_id]

    def test_one_shard_lists_its_own_objects_alone(self, location):
        inbox = Inbox(location)
        ids = [derived_id(str(number)) for number in range(20)]
        inbox.put_many((record_id, b"{}") for record_id in ids)
        shard = f"h{ids[0][:2]}"

        listing = inbox.list_shard(shard)

        assert {found.record_id for found in listing.objects} == {one for one in ids if one[:2] == ids[0][:2]}
        assert listing.shards == {shard}
        assert not listing.complete

    def test_exactly_one_of_32_writers_creates_an_object(self, location):
        for number in range(self.rounds):
            record_id = derived_id("race", str(number))
            outcomes = race(lambda _, record_id=record_id: Inbox(location).put(record_id, b"the same bytes"))

            assert sorted(outcomes) == [*[PutOutcome.ALREADY_THERE] * (WRITERS - 1), PutOutcome.CREATED]

    def test_the_bytes_of_the_one_winner_stand(self, location):
        objects = location.objects()
        for number in range(self.rounds):
            key = object_key(derived_id("race", str(number)), "0" * 64)
            contents = [bytes([writer]) * 100_000 for writer in range(WRITERS)]

            won = race(lambda writer, key=key, contents=contents: objects.create(key, contents[writer]))

            assert won.count(True) == 1
            assert objects.read(key) == contents[won.index(True)]

    def test_a_half_written_object_is_never_seen(self, location):
        inbox, objects, seen = Inbox(location), location.objects(), []
        keys = [object_key(derived_id("large", str(number)), "0" * 64) for number in range(12)]
        content = bytes(range(256)) * 4000
        done = threading.Event()

        def watch():
            while not done.is_set():
                listed = [found.key for found in inbox.list_all().objects]
                seen.extend(inbox.get_many([*listed, *keys]).values())

        watcher = threading.Thread(target=watch)
        watcher.start()
        for key in keys:
            objects.create(key, content)
        done.set()
        watcher.join()

        assert {found if isinstance(found, bytes) else type(found) for found in seen} <= {content, Missing}
        assert inbox.get_many(keys) == dict.fromkeys(keys, content)

    def test_a_store_that_does_not_exist_reads_as_empty(self, location):
        inbox, key = Inbox(location), object_key(new_id(), "0" * 64)

        for listing in (inbox.list_all(), inbox.list_recent(now=datetime.now(UTC)), inbox.list_shard("01938")):
            assert (listing.objects, listing.bad_names, listing.erased) == ([], [], frozenset())
        assert inbox.find(new_id()) == []
        assert inbox.get_many([key]) == {key: Missing(key)}
        assert inbox.get_many([]) == {}

    def test_an_empty_object_comes_back_empty(self, location):
        inbox, key = Inbox(location), object_key(new_id(), "0" * 64)
        location.objects().create(key, b"")

        assert [found.key for found in inbox.list_all().objects] == [key]
        assert inbox.get_many([key]) == {key: b""}

    def test_a_missing_object_keeps_no_other_from_being_read(self, location):
        inbox, record_id = Inbox(location), new_id()
        inbox.put(record_id, b"here")
        there, gone = object_key(record_id, content_hash(b"here")), object_key(new_id(), "0" * 64)

        assert inbox.get_many([gone, there]) == {gone: Missing(gone), there: b"here"}

    def test_an_object_far_larger_than_a_record_is_not_read(self, location):
        inbox, key = Inbox(location), object_key(new_id(), "0" * 64)
        location.objects().create(key, bytes(MAX_OBJECT_BYTES + 1))

        assert "larger than" in inbox.get_many([key])[key].reason

    @pytest.mark.parametrize("key", ["../../etc/passwd", "/etc/passwd", f"{INBOX}/../format.json", PROBE_KEY, ""])
    def test_only_keys_of_records_are_read(self, location, key):
        ensure_format(location)

        assert Inbox(location).get_many([key]) == {key: ReadFailure(key, "is not the key of a record")}

    def test_what_is_not_named_like_a_record_is_reported_and_not_listed(self, location):
        record_id = new_id()
        good = object_key(record_id, "0" * 64)
        name = good.rpartition("/")[2]
        odd = {
            f"{INBOX}/stray.json",
            f"{INBOX}/{name}",
            f"{INBOX}/00000/{name}",
            f"{INBOX}/h01/{name}",
            f"{INBOX}/notes/readme.txt",
            f"{good}.bak",
            good.replace(record_id, record_id.upper()),
            f"{ERASED}/not-an-id",
        }
        for key in {good, *odd}:
            location.objects().create(key, b"x")

        listing = Inbox(location).list_all()

        assert [found.key for found in listing.objects] == [good]
        assert {bad.key for bad in listing.bad_names} == odd
        assert all(bad.reason for bad in listing.bad_names)

    def test_every_listing_says_what_was_erased(self, location):
        inbox, erased = Inbox(location), {new_id(), derived_id("erased")}
        for record_id in erased:
            location.objects().create(f"{ERASED}/{record_id}", b"")

        assert inbox.list_all().erased == erased
        assert inbox.list_recent(now=datetime.now(UTC)).erased == erased
        assert inbox.list_shard("01938").erased == erased

    def test_the_first_put_probes_and_marks_the_store_and_neither_is_a_record(self, location):
        inbox = Inbox(location)
        inbox.put(new_id(), b"{}")

        assert isinstance(location.objects().read(PROBE_KEY), bytes)
        assert location.objects().read(FORMAT_KEY) == b'{"created_by":"comind 0.1.0","format":1}'
        assert len(inbox.list_all().objects) == 1
        assert inbox.list_all().bad_names == []

    def test_a_store_of_a_newer_format_is_neither_read_nor_written(self, location):
        location.objects().create(FORMAT_KEY, b'{"format":2,"created_by":"comind 9"}')
        inbox = Inbox(location)

        with pytest.raises(NewerStoreError, match="has format 2, this comind knows up to 1; upgrade"):
            inbox.put(new_id(), b"{}")
        for question in (inbox.list_all, lambda: inbox.list_recent(now=datetime.now(UTC)), lambda: inbox.find(new_id())):
            with pytest.raises(NewerStoreError):
                question()
        assert isinstance(location.objects().read(PROBE_KEY), Missing)

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"1"', b'{"format":"1"}', b'{"format":true}', b'{"format":0}', b"\xff"])
    def test_a_damaged_format_marker_is_not_guessed_at(self, location, content):
        location.objects().create(FORMAT_KEY, content)

        with pytest.raises(UnknownFormatError, match=r"format\.json of the store .* is damaged"):
            Inbox(location).put(new_id(), b"{}")
        with pytest.raises(UnknownFormatError):
            Inbox(location).list_all()


def race(attempt):
    """Let 32 threads attempt the same thing at the same moment; their answers in the order of the threads."""
    barrier = threading.Barrier(WRITERS)

    def run(number):
        barrier.wait()
        return attempt(number)

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))
