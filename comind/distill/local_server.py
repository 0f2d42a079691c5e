"""Serve a local model until whoever started this goes away: a program of its own, so that it can neither outlive nor break its parent.

In: a model's file, the name and a number of threads as arguments; a key as the first line of standard input. Out: the address, as one
line on standard output, then an OpenAI-compatible interface on the loopback. The only module that imports xllamacpp.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, Final

__all__ = ["main"]

_CONTEXT: Final = 6_144  # tokens: a question, its answer, and both again when it is asked anew


def main() -> None:
    """Load the model, say where it is served, and wait for the end of standard input."""
    file, name, threads = sys.argv[1:]
    key = sys.stdin.readline().strip()
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the server prints must not be taken for the address
    gone = threading.Thread(target=_end_with_parent, daemon=True)  # also while the model loads
    gone.start()
    serving = _serve(file, name, int(threads), key)
    print(serving.listening_address, file=said, flush=True)
    gone.join()


def _serve(file: str, name: str, threads: int, key: str) -> Any:  # noqa: ANN401 - optional, and without types
    from xllamacpp import CommonParams, Server  # noqa: PLC0415 - optional

    told = CommonParams()
    told.model.path = file
    told.model_alias = {name}
    told.hostnames, told.port = ["127.0.0.1"], 0
    told.api_keys = [key]  # without one it answers any page of a browser on this machine
    told.n_ctx, told.n_parallel, told.warmup = _CONTEXT, 1, False
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = threads
    return Server(told)


def _end_with_parent() -> None:
    while sys.stdin.readline():
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
