"""A real S3 server (SeaweedFS) for tests: started, given buckets and identities, stopped hard.

In: a directory for its data. Out: an endpoint and, per bucket, the environment of each identity.
Every start takes its own free ports, so workers run side by side; nothing outside the directory is written.
"""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Self

import obstore
from obstore.store import S3Store

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Identity", "S3Server", "S3ServerFailedError", "shared_s3_server"]

REGION = "us-east-1"
_PORTS = (
    "s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc",
)  # fmt: skip
_START_SECONDS = 60
_ATTEMPTS = 3  # a free port can be taken between looking and binding


class S3ServerFailedError(RuntimeError):
    """The server did not come up; the message ends with the end of its log."""


class Identity(StrEnum):
    """Who may do what in the server's buckets."""

    ADMIN = "admin"
    WRITER = "writer"  # put objects anywhere in a bucket; neither get nor list
    INBOX_WRITER = "inbox-writer"  # put objects under `<store>/_ledger/inbox/` alone, for any store one level deep
    READER = "reader"  # get and list; no put
    STRANGER = "stranger"  # known to the server, allowed nothing


@dataclass
class S3Server:
    """One running server; `with S3Server.start(path) as server: ...` stops it at the end."""

    directory: Path
    buckets: tuple[str, ...]
    ports: dict[str, int]
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, directory: Path, *, buckets: Sequence[str] = ("ledger",)) -> Self:
        """Start a server with empty buckets and wait until each takes and returns an object."""
        directory.mkdir(parents=True, exist_ok=True)
        for attempt in range(1, _ATTEMPTS + 1):
            data = directory / f"data-{attempt}"
            data.mkdir()
            ports = dict(zip(_PORTS, _free_ports(len(_PORTS)), strict=True))
            process = _launch(data, ports, buckets)
            server = cls(data, tuple(buckets), ports, process)
            try:
                server._wait()
            except S3ServerFailedError:
                server.stop()
                if attempt == _ATTEMPTS:
                    raise
            else:
                return server
        raise AssertionError

    @property
    def endpoint(self) -> str:
        """Where the S3 protocol is spoken: ``http://127.0.0.1:<port>``."""
        return f"http://127.0.0.1:{self.ports['s3.port']}"

    def env(self, identity: Identity = Identity.ADMIN) -> dict[str, str]:
        """Return the ``AWS_*`` variables with which a client is this identity."""
        return {
            "AWS_ACCESS_KEY_ID": _access_key(identity),
            "AWS_SECRET_ACCESS_KEY": _secret_key(identity),
            "AWS_REGION": REGION,
            "AWS_ENDPOINT_URL": self.endpoint,
        }

    def objects(self, bucket: str = "ledger", identity: Identity = Identity.ADMIN) -> S3Store:
        """Return a plain client of one bucket, for looking behind the code under test."""
        return _client(self.endpoint, bucket, identity)

    def stop(self) -> None:
        """Kill the server and delete what it wrote; safe to call twice."""
        self.process.kill()
        self.process.wait()
        for name, port in self.ports.items():
            if name.endswith(".grpc"):  # the server insists on /tmp for these sockets, and a killed one leaves them
                Path(f"/tmp/seaweedfs-{name.split('.')[0]}-grpc-{port}.sock").unlink(missing_ok=True)
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def _wait(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        last: Exception | None = None
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                for bucket in self.buckets:
                    _create_bucket(self.endpoint, bucket)
                    store = self.objects(bucket)
                    obstore.put(store, ".ready", b"ready")
                    obstore.delete(store, ".ready")
            except (OSError, obstore.exceptions.BaseError) as error:
                last = error
                time.sleep(0.1)
            else:
                return
        log = (self.directory / "log").read_text(errors="replace")[-2000:]
        message = f"the S3 server did not come up ({last}); its log ends with:\n{log}"
        raise S3ServerFailedError(message)


@functools.cache
def shared_s3_server() -> S3Server:
    """Return this process's one server, started at the first call and stopped at exit.

    Starting takes seconds, so tests share it; each takes a store of its own, ``s3://ledger/<something unique>``.
    """
    # Not below pytest's tmp_path: the server's sockets need a short path, and it outlives any one test.
    directory = Path(tempfile.mkdtemp(prefix="s3-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    server = S3Server.start(directory)
    atexit.register(server.stop)
    return server


def _launch(data: Path, ports: dict[str, int], buckets: Sequence[str]) -> subprocess.Popen[bytes]:
    config = data / "s3.json"
    config.write_text(json.dumps({"identities": [_identity(identity, buckets) for identity in Identity]}))
    flags = {
        "dir": data,
        "ip": "127.0.0.1",
        "ip.bind": "127.0.0.1",
        "s3": "true",
        "s3.config": config,
        "s3.autoCreateBucket": "false",  # a missing bucket must be missing
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "s3.localSocket": data / "s3.sock",
        "filer.localSocket": data / "filer.sock",
        "master.volumeSizeLimitMB": 64,
        "master.telemetry": "false",  # a test tells nobody about itself
        "volume.max": 0,  # as many as the disk holds: every bucket takes several
        "volume.minFreeSpace": "10MiB",
        "volume.preStopSeconds": 0,
        **ports,
    }
    program = shutil.which("weed", path=str(Path(sys.executable).parent)) or "weed"
    with (data / "log").open("wb") as log:
        command = [program, "server", *(f"-{name}={value}" for name, value in flags.items())]
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=data)


def _identity(identity: Identity, buckets: Sequence[str]) -> dict[str, object]:
    credentials = [{"accessKey": _access_key(identity), "secretKey": _secret_key(identity)}]
    return {"name": str(identity), "credentials": credentials, "actions": _actions(identity, buckets)}


def _actions(identity: Identity, buckets: Sequence[str]) -> list[str]:
    match identity:
        case Identity.ADMIN:
            return ["Admin", "Read", "List", "Tagging", "Write"]
        case Identity.WRITER:
            return [f"Write:{bucket}" for bucket in buckets]
        case Identity.INBOX_WRITER:
            return [f"Write:{bucket}/*/_ledger/inbox/*" for bucket in buckets]
        case Identity.READER:
            return [f"{action}:{bucket}" for bucket in buckets for action in ("Read", "List")]
        case Identity.STRANGER:
            return ["Read:another-bucket"]


def _access_key(identity: Identity) -> str:
    return f"{identity}-key"


def _secret_key(identity: Identity) -> str:
    return f"{identity}-secret"


def _client(endpoint: str, bucket: str, identity: Identity) -> S3Store:
    return S3Store(
        bucket,
        endpoint=endpoint,
        region=REGION,
        access_key_id=_access_key(identity),
        secret_access_key=_secret_key(identity),
        client_options={"allow_http": True, "timeout": "10s"},
        retry_config={"max_retries": 0},
    )


def _create_bucket(endpoint: str, bucket: str) -> None:
    # The client cannot create a bucket, but it can sign the request that does: a PUT of the bucket itself.
    url = obstore.sign(_client(endpoint, bucket, Identity.ADMIN), "PUT", "", timedelta(minutes=5))
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="PUT"), timeout=10):
            pass
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != 409:  # it exists already
            raise


def _free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
