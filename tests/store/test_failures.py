"""Real failures, of real disks and real sockets, and the one line that each becomes."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from comind.ids import new_id
from comind.store.inbox import Inbox
from comind.store.layout import object_key
from comind.store.location import Patience, StoreLocation, StoreUnreadableError, StoreUnwritableError
from comind.store.objects import ReadFailure
from tests.builders.s3 import Identity, shared_s3_server

KEYS = {"AWS_ACCESS_KEY_ID": "an-id", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_REGION": "us-east-1"}


def refusals(location, *, write=True):
    """Ask a store to read and to write; the lines it refuses with."""
    inbox, key = Inbox(location), object_key(new_id(), "0" * 64)
    questions = {StoreUnreadableError: [inbox.list_all, lambda: inbox.get_many([key]), lambda: inbox.find(new_id())]}
    if write:
        questions[StoreUnreadableError, StoreUnwritableError] = [lambda: inbox.put(new_id(), b"{}")]
    lines = []
    for error, asked in questions.items():
        for ask in asked:
            with pytest.raises(error) as caught:
                ask()
            lines.append(str(caught.value))
    assert all("\n" not in line and "hush" not in line and len(line) < 300 for line in lines), lines
    assert all(location.uri in line and ";" in line for line in lines), lines
    return lines


def test_a_host_that_refuses_is_named_with_its_endpoint():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody else gets the port
        endpoint = f"http://127.0.0.1:{taken.getsockname()[1]}"
        location = StoreLocation.parse("s3://ledger/x", KEYS | {"AWS_ENDPOINT_URL": endpoint}, patience=Patience(retries=1))

        for line in refusals(location):
            assert f"s3://ledger/x at {endpoint}: its host refuses the connection; check AWS_ENDPOINT_URL" in line


def test_a_host_that_accepts_and_stays_silent_is_not_waited_for_long():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(16)
        env = KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        started = time.monotonic()

        with pytest.raises(StoreUnreadableError, match="its host does not answer in time"):
            Inbox(StoreLocation.parse("s3://ledger", env, patience=Patience(request_seconds=1, retries=1))).list_all()

        assert time.monotonic() - started < 8


def test_an_unknown_host_name_says_so():
    location = StoreLocation.parse("s3://ledger", KEYS | {"AWS_ENDPOINT_URL": "http://no-such-host.invalid"}, patience=Patience(retries=0))

    assert all("its host name is unknown" in line or "does not exist" in line for line in refusals(location))


def test_the_usual_patience_ends_within_half_a_minute():
    patience = Patience()

    assert patience.retry_seconds + patience.connect_seconds + patience.request_seconds <= 35


def test_missing_credentials_say_which_variables_to_set():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}"
        env = {"AWS_ENDPOINT_URL": closed, "AWS_METADATA_ENDPOINT": closed}

        for line in refusals(StoreLocation.parse("s3://ledger", env, patience=Patience(retries=0))):
            assert "there are no credentials for it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY" in line


@pytest.mark.s3
@pytest.mark.parametrize("wrong", [{"AWS_SECRET_ACCESS_KEY": "hush"}, {"AWS_ACCESS_KEY_ID": "nobody"}])
def test_credentials_that_are_not_accepted_say_so(s3_store, wrong):
    location = StoreLocation.parse(s3_store().uri, shared_s3_server().env() | wrong)

    assert all("the credentials are not accepted" in line for line in refusals(location))


@pytest.mark.s3
def test_a_missing_bucket_is_an_error_and_no_empty_store():
    location = StoreLocation.parse("s3://no-such-bucket/x", shared_s3_server().env())

    assert all("the bucket does not exist; create it or correct the address" in line for line in refusals(location))


@pytest.mark.s3
def test_an_identity_without_any_right_is_denied(s3_store):
    Inbox(s3_store()).put(new_id(), b"{}")

    assert all("permission denied" in line for line in refusals(s3_store(Identity.STRANGER)))


def test_a_file_where_the_store_should_be_says_to_choose_a_directory(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    location = StoreLocation.parse(str(tmp_path / "file"), {})

    assert all("there is a file where a directory should be; choose a directory with --store" in line for line in refusals(location))


def test_a_path_with_a_line_break_does_not_break_the_line(tmp_path):
    (tmp_path / "a\nb").write_bytes(b"")

    with pytest.raises(StoreUnreadableError, match=r"a\\nb': there is a file") as caught:
        Inbox(StoreLocation.parse(str(tmp_path / "a\nb"), {})).list_all()

    assert str(caught.value).isprintable()


@pytest.fixture
def as_nobody():
    """Run as a user that owns nothing, where the tests run as root; `tmp_path` is closed to it, so give another place."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101
        store = Path(folder) / "store"
        Inbox(StoreLocation.parse(str(store), {})).put(new_id(), b"{}")
        if os.geteuid():
            for path in (store, *store.rglob("*")):
                path.chmod(path.stat().st_mode & 0o555)
        else:
            os.seteuid(65534)
        try:
            yield store
        finally:
            if not os.getuid():
                os.seteuid(0)
            for path in (store, *(one for one in store.rglob("*") if one.is_dir())):
                path.chmod(0o755)


def test_a_store_that_may_not_be_written_is_still_read(as_nobody):
    inbox = Inbox(StoreLocation.parse(str(as_nobody), {"HOME": "/nowhere"}))

    with pytest.raises(StoreUnwritableError, match="permission denied; check who may use it, or choose another store") as caught:
        inbox.put(new_id(), b"{}")

    assert "\n" not in str(caught.value)
    assert len(inbox.list_all().objects) == 1


def test_a_new_store_where_nothing_may_be_made_is_unwritable(as_nobody):
    with pytest.raises(StoreUnwritableError, match="permission denied"):
        Inbox(StoreLocation.parse(str(as_nobody.parent / "another"), {})).put(new_id(), b"{}")


def test_a_shard_that_may_not_be_listed_is_an_error_and_no_shorter_listing(as_nobody):
    inbox = Inbox(StoreLocation.parse(str(as_nobody), {}))
    (shard,) = (as_nobody / "_ledger" / "inbox").glob("0*")
    key = inbox.list_all().objects[0].key
    _as_owner(lambda: shard.chmod(0))

    with pytest.raises(StoreUnreadableError, match="permission denied"):
        inbox.list_all()
    with pytest.raises(StoreUnreadableError, match="permission denied"):
        inbox.get_many([key])


def test_one_object_that_may_not_be_read_keeps_no_other_from_being_read(as_nobody):
    location = StoreLocation.parse(str(as_nobody), {})
    (there,) = Inbox(location).list_all().objects
    closed = object_key(new_id(), "0" * 64)

    def add():
        location.objects().create(closed, b"closed")
        (as_nobody / closed).chmod(0)

    _as_owner(add)

    found = Inbox(location).get_many([there.key, closed])

    assert found[there.key] == b"{}"
    assert isinstance(found[closed], ReadFailure)
    assert found[closed].reason == "permission denied"


def test_a_write_that_the_disk_cuts_short_leaves_no_object(tmp_path):
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); from comind.ids import new_id; from comind.store.inbox import Inbox; from comind.store.location import StoreLocation;"
        "inbox = Inbox(StoreLocation.parse(sys.argv[1], {}))\n"
        "try: inbox.put(new_id(), bytes(5000))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]

    said = subprocess.run(command, capture_output=True, text=True, check=True)

    assert said.stdout == f"StoreUnwritableError cannot write to the store {tmp_path}: file too large; check the disk\n"
    listing = Inbox(StoreLocation.parse(str(tmp_path), {})).list_all()
    assert (listing.objects, listing.bad_names) == ([], [])


def _as_owner(act):
    mine = os.geteuid()
    if not os.getuid():
        os.seteuid(0)
    try:
        act()
    finally:
        os.seteuid(mine)
