"""Ask a forge politely: one question at a time, waiting as long as it says, asking again what was cut off.

In: a question as a function that returns an `Answer`, or raises `CutOffError`. Out: the answer, or a `ForgeError`.
Time comes from outside, so that nobody has to wait in order to test waiting. Knows no client and no forge's words but HTTP's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from comind.sources.forges.errors import ForgeBusyError, ForgeRefusedError, ForgeUnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from comind.sources.forges.model import ForgeProject

__all__ = ["Answer", "Courtesy", "CutOffError", "Patience"]

_FORBIDDEN, _MISSING, _TOO_MANY, _ERRORS = 403, 404, 429, 400
_SERVER_ERRORS = range(500, 600)
_LIMITED = ("rate limit", "abuse", "too quickly", "slow down")
_UNKNOWN_PAUSE = 60.0  # seconds; what GitHub asks for when it names no time


class CutOffError(Exception):
    """A connection failed before the answer was whole."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a forge answered."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: Any  # parsed JSON
    limited: bool = False  # the body says so: a forge's own way to say "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often to ask again, how long to wait, and by which clock."""

    tries: int = 5
    longest_wait: float = 900.0  # seconds that a forge may ask for in one go
    wait: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time  # seconds since 1970, UTC


class Courtesy:
    """Asks the questions of one client."""

    def __init__(self, project: ForgeProject, patience: Patience) -> None:
        self._project, self._patience = project, patience
        self._pause = 0.0  # that the last answer asked for before the next question

    def ask(self, question: Callable[[], Answer], *, missing: bool = False) -> Answer:
        """Ask until there is an answer.

        Args:
            question: sends it once.
            missing: whether a 404 is an answer.

        Raises:
            ForgeRefusedError: the token may not, or there is nothing.
            ForgeBusyError: the forge asks for too long a break.
            ForgeUnreachableError: it was cut off, or failed, too many times.
        """
        why = ""
        for attempt in range(self._patience.tries):
            self._rest(self._pause)
            self._pause = 0.0
            try:
                answer = question()
            except CutOffError as cut:
                why, pause = str(cut), 2.0**attempt
            else:
                if _is_limited(answer):
                    why, pause = "it asks for fewer questions", self._asked_pause(answer, attempt)
                elif answer.status in _SERVER_ERRORS:
                    why, pause = f"it answered {answer.status}", 2.0**attempt
                else:
                    return self._judged(answer, missing=missing)
            self._pause = pause
        raise ForgeUnreachableError(self._project.host, self._patience.tries, why)

    def _judged(self, answer: Answer, *, missing: bool) -> Answer:
        if answer.status >= _ERRORS and not (missing and answer.status == _MISSING):
            raise ForgeRefusedError(self._project.origin, self._project.token_variable, answer.status)
        if _remaining(answer) == "0":  # the next question would be refused
            self._pause = self._until_reset(answer) or 0.0
        return answer

    def _asked_pause(self, answer: Answer, attempt: int) -> float:
        told = _retry_after(answer.headers.get("retry-after"), self._patience.now())
        if told is None and _remaining(answer) == "0":
            told = self._until_reset(answer)
        return _UNKNOWN_PAUSE * 2.0**attempt if told is None else told

    def _until_reset(self, answer: Answer) -> float | None:
        told = answer.headers.get("x-ratelimit-reset") or answer.headers.get("ratelimit-reset") or ""
        return max(0.0, float(told) - self._patience.now()) + 1 if told.isdecimal() else None

    def _rest(self, seconds: float) -> None:
        if seconds > self._patience.longest_wait:
            raise ForgeBusyError(self._project.host, seconds)
        if seconds > 0:
            self._patience.wait(seconds)


def _is_limited(answer: Answer) -> bool:
    if answer.limited or answer.status == _TOO_MANY:
        return True
    if answer.status != _FORBIDDEN:
        return False
    words = str(answer.body.get("message", "")).lower() if isinstance(answer.body, dict) else ""
    return "retry-after" in answer.headers or _remaining(answer) == "0" or any(sign in words for sign in _LIMITED)


def _remaining(answer: Answer) -> str | None:
    return answer.headers.get("x-ratelimit-remaining") or answer.headers.get("ratelimit-remaining")


def _retry_after(told: str | None, now: float) -> float | None:
    """Read a Retry-After: seconds, or a date."""
    if told is None:
        return None
    if told.strip().isdecimal():
        return float(told)
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - now)
    except ValueError:
        return None
