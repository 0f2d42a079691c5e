import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from comind.ids import new_id
from comind.store.inbox import Inbox
from comind.store.layout import PROBE_KEY
from comind.store.location import StoreLocation
from comind.store.probe import StoreNotCreateOnlyError, probe_once
from tests.builders.s3 import Identity


@pytest.fixture
def careless_server():
    """An S3-like server that ignores ``If-None-Match``, as some do: every PUT wins."""
    stored = {}

    class Careless(BaseHTTPRequestHandler):
        def do_PUT(self):
            assert self.headers["If-None-Match"] == "*"
            stored.setdefault(self.path, []).append(self.rfile.read(int(self.headers["Content-Length"])))
            self._answer(200)

        def do_GET(self):
            self._answer(404)

        def _answer(self, status):
            self.send_response(status)
            self.send_header("ETag", '"x"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Careless)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    server.stored = stored
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_server_that_lets_the_second_writer_win_is_refused_before_any_record(careless_server):
    env = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{careless_server.server_port}"}
    inbox = Inbox(StoreLocation.parse("s3://ledger/store", env))

    for _ in range(2):  # a refusal is not remembered as a success
        with pytest.raises(StoreNotCreateOnlyError, match="overwrites objects although told not to; use one that honours If-None-Match"):
            inbox.put(new_id(), b"{}")

    assert set(careless_server.stored) == {f"/ledger/store/{PROBE_KEY}"}


def test_a_process_probes_a_store_once(local_location, tmp_path):
    probe_once(local_location)
    probe = tmp_path / "store" / PROBE_KEY
    probe.unlink()

    probe_once(local_location)

    assert not probe.exists()


@pytest.mark.s3
def test_an_identity_that_may_only_write_probes_what_another_probed_before(s3_store):
    probe_once(s3_store())
    probe_once(s3_store(Identity.INBOX_WRITER))

    assert s3_store().objects().names("_ledger/inbox").names == ["_probe"]
