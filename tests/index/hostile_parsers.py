"""Parsers that do to their process what hostile source could do to a real one; worker processes import them by name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from comind.fingerprints import Parse, parse_source

__all__ = ["obey"]


def obey(source: bytes, language: str) -> Parse:
    """Do what the source says, else parse it."""
    if b"HANG" in source:
        while True:
            pass
    if b"SLEEP" in source:
        time.sleep(1_000)
    if b"KILL ONCE" in source:
        marker = Path(source.decode().split()[3])
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    elif b"KILL" in source:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"EXIT" in source:
        os._exit(7)
    if b"RAISE" in source:
        words = "too deep\nreally"
        raise RecursionError(words)
    return parse_source(source, language)
