"""A parser process: reads requests from one connection and answers each at once. Run as ``python -m comind.index.worker FD``.

In: a task (git directory, parser, limit), then lists of requests. Out: one `ParsedBlob` per request, in order.
A parse that takes too long ends this process by a signal of the kernel, since native code cannot be interrupted from Python.
"""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from comind.fingerprints import parse_source
from comind.index.parsing import parse_blob
from comind.sources.git.objects import ObjectReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from comind.index.parsing import BlobRequest, Parser

__all__ = ["PARSE_SECONDS", "READY", "ParserTask", "main"]

READY = "ready"
PARSE_SECONDS = 20.0  # of processor time for one blob; a megabyte of source takes a third of one
_WALL_FACTOR = 10  # a busy machine may give a parse this little of a processor before it counts as stuck


class ParserTask(NamedTuple):
    """What a parser process needs to know before its first request."""

    git_dir: Path  # where the objects are; each process opens it for itself
    parser: Parser = parse_source  # a function of a module, since it travels by name
    seconds: float = PARSE_SECONDS  # of processor time that one blob may take


def main(arguments: Sequence[str]) -> None:
    """Serve until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears the keyboard and hangs up
    connection: Connection[Any, Any] = Connection(int(arguments[0]))
    try:
        task: ParserTask = connection.recv()
        reader = ObjectReader(task.git_dir)
        connection.send(READY)
        while (requests := connection.recv()) is not None:
            for request in requests:
                connection.send(_within_limit(task, reader, request))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def _within_limit(task: ParserTask, reader: ObjectReader, request: BlobRequest) -> object:
    signal.setitimer(signal.ITIMER_PROF, task.seconds)
    signal.setitimer(signal.ITIMER_REAL, task.seconds * _WALL_FACTOR)
    try:
        return parse_blob(reader, request, task.parser)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1:])
    else:
        sys.exit("the installation is whole; this module is started by `comind run`")
