import obstore
import pytest

from tests.builders.s3 import Identity, S3Server, shared_s3_server

pytestmark = pytest.mark.s3


def test_two_servers_run_side_by_side_and_a_stopped_one_leaves_nothing(tmp_path):
    shared = shared_s3_server()
    obstore.put(shared.objects(), "only-here", b"1")
    other = S3Server.start(tmp_path, buckets=("another", "and-a-third"))
    assert obstore.list(other.objects("another")).collect() == []

    other.stop()

    assert other.process.poll() is not None
    assert not other.directory.exists()
    assert bytes(obstore.get(shared.objects(), "only-here").bytes()) == b"1"


def test_each_identity_may_do_exactly_what_its_name_says():
    server = shared_s3_server()
    obstore.put(server.objects(), "store/_ledger/inbox/old", b"1")

    allowed = {identity: _allowed(server.objects(identity=identity), name=identity) for identity in Identity}

    assert allowed == {
        Identity.ADMIN: {"get", "list", "put", "put in the inbox"},
        Identity.WRITER: {"put", "put in the inbox"},
        Identity.INBOX_WRITER: {"put in the inbox"},
        Identity.READER: {"get", "list"},
        Identity.STRANGER: set(),
    }


def _allowed(store, *, name):
    attempts = {
        "get": lambda: obstore.get(store, "store/_ledger/inbox/old").bytes(),
        "list": lambda: obstore.list(store).collect(),
        "put": lambda: obstore.put(store, f"store/{name}", b"1"),
        "put in the inbox": lambda: obstore.put(store, f"store/_ledger/inbox/{name}", b"1"),
    }
    return {what for what, attempt in attempts.items() if _works(attempt)}


def _works(attempt):
    try:
        attempt()
    except obstore.exceptions.BaseError:
        return False
    return True
