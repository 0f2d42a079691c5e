"""How far a long stage has come, for whoever watches.

In: counts from the stages. Out: calls to the watcher that `comind run` sets; nobody watches under the daemon.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Watcher", "progress_of", "watched_by"]


class Watcher(Protocol):
    """Something that shows progress to a person."""

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Show that `done` of `total` units of a stage are finished."""


_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Let a watcher see the progress of every stage that runs inside."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


def progress_of(stage: str) -> Callable[[int, int], None]:
    """Return the callback that one stage reports to."""
    watcher = _watcher.get()
    if watcher is None:
        return lambda _done, _total: None
    return lambda done, total: watcher(stage, done, total)
