import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from comind.canonical import content_hash
from comind.ids import derived_id, id_time, new_id
from comind.store.inbox import Inbox, PutOutcome
from comind.store.layout import FORMAT_KEY, PROBE_KEY, object_key
from comind.store.location import StoreUnreadableError, StoreUnwritableError
from tests.builders.s3 import Identity, shared_s3_server
from tests.store.contract import InboxContract


class TestLocalInbox(InboxContract):
    @pytest.fixture
    def location(self, local_location):
        return local_location


@pytest.mark.s3
class TestS3Inbox(InboxContract):
    rounds = 2  # SeaweedFS lets the losers of a race wait a second each

    @pytest.fixture
    def location(self, s3_store):
        return s3_store()


def test_reading_a_local_store_that_does_not_exist_creates_nothing(local_location, tmp_path):
    inbox = Inbox(local_location)
    inbox.list_all()
    inbox.list_recent(now=datetime.now(UTC))
    inbox.find(new_id())
    inbox.get_many([object_key(new_id(), "0" * 64)])

    assert list(tmp_path.iterdir()) == []


def test_exactly_one_of_four_processes_creates_each_object(local_location):
    script = (
        "import sys; from comind.ids import derived_id; from comind.store.inbox import Inbox; from comind.store.location import StoreLocation;"
        "inbox = Inbox(StoreLocation.parse(sys.argv[1], {})); sys.stdin.readline();"
        "print(*[inbox.put(derived_id(str(number)), b'same') for number in range(100)])"
    )
    command = [sys.executable, "-c", script, local_location.uri]
    writers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    outcomes = [writer.communicate()[0].split() for writer in writers]

    for each in zip(*outcomes, strict=True):
        assert sorted(each) == ["already_there", "already_there", "already_there", "created"]
    assert len(outcomes[0]) == len(Inbox(local_location).list_all().objects) == 100


def test_a_second_process_writes_no_new_object(local_location, tmp_path):
    record_id = new_id()
    Inbox(local_location).put(record_id, b"{}")
    before = _files(tmp_path)
    script = (
        "import sys; from comind.store.inbox import Inbox; from comind.store.location import StoreLocation;"
        "print(Inbox(StoreLocation.parse(sys.argv[1], {})).put(sys.argv[2], b'{}'))"
    )

    done = subprocess.run([sys.executable, "-c", script, local_location.uri, record_id], capture_output=True, text=True, check=True)

    assert done.stdout == "already_there\n"
    assert _files(tmp_path) == before


@pytest.mark.s3
def test_a_bucket_lists_the_shards_of_the_last_hours_alone(s3_store):
    inbox, old, late = Inbox(s3_store()), "01800000-0000-7000-8000-000000000000", new_id()
    inbox.put_many([(old, b"1"), (late, b"2"), (derived_id("harvested"), b"3")])

    recent = inbox.list_recent(now=id_time(late) + timedelta(hours=20))

    assert [found.record_id for found in recent.objects] == [late]
    assert not recent.complete
    assert {found.record_id for found in inbox.list_recent(now=id_time(old)).objects} == {old}


@pytest.mark.s3
def test_a_listing_of_several_pages_is_whole(s3_store):
    inbox = Inbox(s3_store())
    first = new_id()
    ids = [f"{first[:24]}{number:012x}" for number in range(2300)]
    inbox.put_many((record_id, b"%d" % number) for number, record_id in enumerate(ids))

    assert {found.record_id for found in inbox.list_all().objects} == set(ids)
    assert {found.record_id for found in inbox.list_recent(now=id_time(first)).objects} == set(ids)
    assert [found.record_id for found in inbox.find(ids[1700])] == [ids[1700]]


@pytest.mark.s3
@pytest.mark.parametrize("identity", [Identity.WRITER, Identity.INBOX_WRITER])
def test_an_identity_that_may_only_write_puts_and_probes_but_neither_lists_nor_reads(s3_store, identity):
    admin, writer, record_id = Inbox(s3_store()), Inbox(s3_store(identity)), new_id()

    assert writer.put(record_id, b"{}") is PutOutcome.CREATED
    assert writer.put(record_id, b"{}") is PutOutcome.ALREADY_THERE
    for question in (
        writer.list_all,
        lambda: writer.get_many([object_key(record_id, content_hash(b"{}"))]),
        lambda: writer.find(record_id),
    ):
        with pytest.raises(StoreUnreadableError, match="permission denied"):
            question()

    assert [found.record_id for found in admin.list_all().objects] == [record_id]
    assert isinstance(s3_store().objects().read(PROBE_KEY), bytes)


@pytest.mark.s3
def test_a_writer_confined_to_the_inbox_leaves_the_format_to_others(s3_store):
    Inbox(s3_store(Identity.INBOX_WRITER)).put(new_id(), b"{}")
    admin = s3_store().objects()
    assert admin.names("_ledger").names.count("format.json") == 0

    Inbox(s3_store()).put(new_id(), b"{}")

    assert isinstance(admin.read(FORMAT_KEY), bytes)


@pytest.mark.s3
def test_a_writer_that_may_not_list_cannot_see_that_an_id_is_taken(s3_store):
    record_id = new_id()
    Inbox(s3_store()).put(record_id, b"first")

    assert Inbox(s3_store(Identity.WRITER)).put(record_id, b"second") is PutOutcome.CREATED
    assert len(Inbox(s3_store()).find(record_id)) == 2


@pytest.mark.s3
def test_a_reader_reads_but_cannot_put(s3_store):
    record_id = new_id()
    Inbox(s3_store()).put(record_id, b"{}")
    reader = Inbox(s3_store(Identity.READER))

    with pytest.raises(StoreUnwritableError, match="permission denied; ask for the right"):
        reader.put(new_id(), b"{}")

    assert [found.record_id for found in reader.list_all().objects] == [record_id]
    assert reader.get_many([object_key(record_id, content_hash(b"{}"))]) == {object_key(record_id, content_hash(b"{}")): b"{}"}


@pytest.mark.s3
def test_two_stores_in_one_bucket_do_not_see_each_other(s3_store):
    other = type(s3_store()).parse(s3_store().uri + "-2", shared_s3_server().env())
    Inbox(s3_store()).put(new_id(), b"{}")

    assert Inbox(other).list_all().objects == []


def _files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def test_opening_an_inbox_loads_no_library_for_tables():
    script = "import sys, comind.store.inbox, comind.store.location; print(sorted({'pyarrow', 'polars', 'lance', 'pydantic'} & set(sys.modules)))"

    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert said.stdout == "[]\n"
