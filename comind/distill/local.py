"""A language model on this machine, for as long as somebody asks: nothing to sign up for, nothing leaves.

In: the name of a model that is installed. Out: an endpoint like any other. The server is another process; it ends when the asking ends,
and when this process dies. It is slow, and judges poorly: one thread reads some 40 tokens a second of the larger model.
"""

from __future__ import annotations

import secrets
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Final

from comind.distill.client import Endpoint
from comind.distill.local_models import DEFAULT_LOCAL_MODEL, LOCAL_MODELS, LocalModelError, NoSuchLocalModelError, model_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from comind.distill.local_models import LocalModel

__all__ = ["LOCAL_HOST", "local_endpoint", "local_host"]

LOCAL_HOST: Final = "local"  # instead of a port that is another one each time
_LOADING: Final = 300  # seconds, on a busy machine with a slow disk
_ANSWERING: Final = 900  # seconds
_ENDING: Final = 10  # seconds


@contextmanager
def local_endpoint(name: str = DEFAULT_LOCAL_MODEL, *, cache: Path, threads: int = 1) -> Iterator[Endpoint]:
    """Serve a local model while the context lasts.

    Args:
        name: of a model of `LOCAL_MODELS`.
        cache: directory in which its parts are put together once, 1.1 GB for the default.
        threads: that compute; on a machine that does other things too, more than one can be far slower than one.

    Raises:
        NoSuchLocalModelError: nobody knows the name.
        LocalModelError: the model or its server is not installed, is not what was tested, or does not start.
    """
    model = LOCAL_MODELS.get(name)
    if model is None:
        raise NoSuchLocalModelError(name)
    if find_spec("xllamacpp") is None:
        raise LocalModelError("xllamacpp", "is not installed; pip install 'comind-ledger[local]'")
    with _serving(model, model_file(model, cache), threads) as (address, key):
        yield Endpoint(
            url=f"{address}/v1", model=model.name, key=key, known_as=LOCAL_HOST, concurrency=1, timeout_seconds=_ANSWERING, retries=0
        )


def local_host(name: str = DEFAULT_LOCAL_MODEL) -> Endpoint:
    """Return what names the answers of a local model that runs no more; there is nobody to ask at it."""
    return Endpoint(url="http://127.0.0.1:9/v1", model=name, known_as=LOCAL_HOST, concurrency=1, retries=0)


@contextmanager
def _serving(model: LocalModel, file: Path, threads: int) -> Iterator[tuple[str, str]]:
    key = secrets.token_hex()
    arguments = [sys.executable, "-m", "comind.distill.local_server", str(file), model.name, str(threads)]
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        server = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)  # noqa: S603 - our own module
        try:
            yield _address(server, model.name, key, said), key
        finally:
            _end(server)


def _address(server: subprocess.Popen[str], name: str, key: str, said: IO[str]) -> str:
    """Wait for the server to say where it listens."""
    assert server.stdin is not None  # noqa: S101 - it is a pipe
    assert server.stdout is not None  # noqa: S101
    late = threading.Timer(_LOADING, server.kill)
    late.start()
    try:
        server.stdin.write(f"{key}\n")
        server.stdin.flush()
        address = server.stdout.readline().strip()
    except BrokenPipeError:
        address = ""
    finally:
        late.cancel()
    if not address:
        server.wait()
        raise LocalModelError(name, f"was not loaded: {_last_line(said)}")
    return address


def _last_line(said: IO[str]) -> str:
    said.seek(0)
    lines = [line.strip() for line in said if line.strip()]
    return lines[-1] if lines else "it said nothing"


def _end(server: subprocess.Popen[str]) -> None:
    """Let it go, by closing what it waits on; a server that computes is ended."""
    for pipe in (server.stdin, server.stdout):
        if pipe is not None:
            pipe.close()
    try:
        server.wait(_ENDING)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
