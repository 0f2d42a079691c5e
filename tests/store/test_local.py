import os
import signal
import subprocess
import sys
import time

import pytest

from comind.canonical import content_hash
from comind.ids import new_id
from comind.store.inbox import Inbox
from comind.store.layout import INBOX, object_key
from comind.store.objects import ReadFailure


@pytest.fixture
def shard(local_location, tmp_path):
    """The directory of the shard that new ids go to."""
    Inbox(local_location).put(new_id(), b"{}")
    (found,) = (tmp_path / "store" / INBOX).glob("0*")
    return found


def test_what_a_killed_writer_left_is_neither_listed_nor_reported(local_location, shard):
    (shard / (object_key(new_id(), "0" * 64).rpartition("/")[2] + "#1")).write_bytes(b'{"half')
    (shard / "anything#17").write_bytes(b"")
    (shard.parent / "_probe#2").write_bytes(b"")

    listing = Inbox(local_location).list_all()

    assert len(listing.objects) == 1
    assert listing.bad_names == []


def test_a_writer_killed_at_any_moment_leaves_nothing_that_passes_for_a_record(local_location):
    script = (
        "import sys; from comind.ids import new_id; from comind.store.inbox import Inbox; from comind.store.location import StoreLocation;"
        "inbox = Inbox(StoreLocation.parse(sys.argv[1], {})); print('ready', flush=True)\n"
        "while True: inbox.put(new_id(), bytes(900_000))"
    )
    whole = content_hash(bytes(900_000))
    for moment in range(6):
        writer = subprocess.Popen([sys.executable, "-c", script, local_location.uri], stdout=subprocess.PIPE)
        writer.stdout.readline()
        time.sleep(0.03 + moment * 0.007)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()

    inbox = Inbox(local_location)
    listing = inbox.list_all()
    contents = inbox.get_many([found.key for found in listing.objects])

    assert listing.objects
    assert listing.bad_names == []
    assert {content_hash(content) for content in contents.values()} == {whole}
    assert all(found.content_hash == whole for found in listing.objects)


@pytest.mark.usefixtures("shard")
def test_a_link_a_pipe_and_a_directory_are_reported_and_never_opened(local_location, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"not in the store")
    keys = {kind: object_key(new_id(), "0" * 64) for kind in ("link", "pipe", "directory")}
    link, pipe, directory = (tmp_path / "store" / key for key in keys.values())
    link.symlink_to(secret)
    os.mkfifo(pipe)
    directory.mkdir()
    inbox = Inbox(local_location)

    assert {bad.key: bad.reason for bad in inbox.list_all().bad_names} == dict.fromkeys(keys.values(), "is not a regular file")
    assert inbox.get_many(list(keys.values())) == {key: ReadFailure(key, "is not a regular file") for key in keys.values()}


def test_a_link_in_place_of_a_shard_is_reported_and_not_followed(local_location, shard, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / object_key("01800000-0000-7000-8000-000000000000", "0" * 64).rpartition("/")[2]).write_bytes(b"x")
    (shard.parent / "01800").symlink_to(elsewhere)

    listing = Inbox(local_location).list_all()

    assert [bad.key for bad in listing.bad_names] == [f"{INBOX}/01800"]
    assert len(listing.objects) == 1


def test_a_file_name_that_is_not_utf8_is_reported_in_printable_form(local_location, shard):
    (shard / os.fsdecode(b"\xff\xfe.json")).touch()

    (bad,) = Inbox(local_location).list_all().bad_names

    assert bad.key == f"{INBOX}/{shard.name}/\\xff\\xfe.json"
    assert bad.key.encode()
