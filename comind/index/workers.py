"""Parser processes: started, fed, and replaced when a file kills one.

In: requests for blobs of one repository. Out: one `ParsedBlob` per request, in any order.
A file that hangs or kills its process costs one answer with a problem; every other file is parsed.
Processes are started anew, never forked: Lance and the pipeline's threads do not survive a fork. They do not import the
caller's main module either, as `multiprocessing` would: under the pipeline that alone costs seconds of processor time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections import Counter, deque
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

import comind
from comind.errors import ComindError
from comind.index.parsing import unparsed
from comind.index.worker import READY, ParserTask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection
    from typing import Any

    from comind.index.parsing import BlobRequest, ParsedBlob

__all__ = ["ParserProcessError", "parse_in_processes"]

_CHUNK_BYTES = 200_000  # small enough that the processes finish together, large enough that asking costs nothing
_CHUNK_FILES = 64
_TRIES = 2
_OUT_OF_TIME = frozenset({-signal.SIGPROF, -signal.SIGALRM})


class ParserProcessError(ComindError):
    """A parser process did not start."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(
            f"a parser process did not start: {words}; `python -m comind.index.worker` shows whether the installation is whole"
        )


def parse_in_processes(task: ParserTask, requests: Sequence[BlobRequest], workers: int) -> Iterator[ParsedBlob]:
    """Parse blobs in `workers` processes and yield each answer as it comes.

    Raises:
        ParserProcessError: a process did not start at all.
    """
    waiting = deque(_chunks(requests))
    crew = [_Worker(task) for _ in range(min(workers, len(waiting)))]
    tries: Counter[BlobRequest] = Counter()
    try:
        while waiting or any(worker.asked for worker in crew):
            for worker in crew:
                if waiting and not worker.asked:
                    worker.give(waiting.popleft())
            ready = wait([worker.connection for worker in crew if worker.asked])
            for position, worker in enumerate(crew):
                if worker.connection not in ready:
                    continue
                try:
                    yield from worker.receive()
                except (EOFError, ConnectionResetError):
                    crew[position] = _Worker(task)
                    yield from _bury(worker, waiting, tries)
    finally:
        for worker in crew:
            worker.stop()


def _bury(worker: _Worker, waiting: deque[list[BlobRequest]], tries: Counter[BlobRequest]) -> Iterator[ParsedBlob]:
    """Put back what a dead process had not come to; yield the answer for the blob it died of."""
    culprit, *rest = worker.asked
    if rest:
        waiting.appendleft(rest)
    out_of_time, problem = worker.how_it_died()
    tries[culprit] += 1
    if out_of_time or tries[culprit] == _TRIES:
        yield unparsed(culprit, problem)
    else:  # it may have died of something else, such as the memory of the machine
        waiting.appendleft([culprit])


class _Worker:
    """One parser process and what it was asked."""

    def __init__(self, task: ParserTask) -> None:
        self._task = task
        ours, theirs = Pipe()
        self.connection: Connection[Any, Any] = ours
        self.asked: deque[BlobRequest] = deque()
        self._process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
            # -P: a file in the working directory must not stand in for a module, it may belong to the repository that is read.
            [sys.executable, "-P", "-m", "comind.index.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": _module_path()},
        )  # fmt: skip
        theirs.close()
        self._started = False
        self._send(task)

    def give(self, chunk: list[BlobRequest]) -> None:
        """Ask for some blobs more."""
        self.asked.extend(chunk)
        self._send(chunk)

    def receive(self) -> Iterator[ParsedBlob]:
        """Read one message, which is an answer or says that the process has started; raises EOFError when it has died."""
        message = self.connection.recv()
        if message == READY:
            self._started = True
        else:
            self.asked.popleft()
            yield message

    def how_it_died(self) -> tuple[bool, str]:
        """Return whether its time was up, and the reason in words; raises `ParserProcessError` when it never started."""
        self.connection.close()
        _, output = self._process.communicate()
        code, words = self._process.returncode, " ".join(output.decode(errors="replace").split())[-200:]
        if not self._started:
            raise ParserProcessError(words or f"exit code {code}")
        if code in _OUT_OF_TIME:
            return True, f"parsing took longer than {self._task.seconds:g} s"
        end = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return False, f"parsing ended its process with {end}{': ' if words else ''}{words}"

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        self._process.kill()
        self._process.communicate()

    def _send(self, message: object) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died; receiving will say so
            self.connection.send(message)


def _chunks(requests: Sequence[BlobRequest]) -> Iterator[list[BlobRequest]]:
    """Cut requests into lists of similar cost, the largest files first, so that none is left for the end."""
    chunk: list[BlobRequest] = []
    size = 0
    for request in sorted(requests, key=lambda request: (-(request.size or 0), request.blob)):
        chunk.append(request)
        size += request.size or 0
        if size >= _CHUNK_BYTES or len(chunk) >= _CHUNK_FILES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _module_path() -> str:
    here = str(Path(comind.__file__).parent.parent)
    return os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
