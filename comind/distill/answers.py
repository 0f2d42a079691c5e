"""What came back from a model for one brief, and what it cost.

In: nothing. Out: frozen values. A fault is an answer with a code, never an exception that ends a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from comind.distill.brief import Brief
    from comind.distill.contract import Distilled

__all__ = ["Answer", "AnswerCache", "AnswerCode", "CachedAnswer", "Usage"]


class AnswerCode(StrEnum):
    """How asking ended."""

    ANSWERED = "answered"
    REFUSED = "refused"  # the model, or a content filter, declined
    TOO_LONG = "too_long"  # the answer was cut at its limit
    INVALID = "invalid"  # no JSON of the contract, also when asked again
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    DENIED = "denied"  # the endpoint does not take our key, or does not know the model
    NOT_ASKED = "not_asked"  # the budget was spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one question, or many, cost."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0  # in the currency of the price table; None without a price

    def __add__(self, other: Usage) -> Usage:
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(
            calls=self.calls + other.calls, input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens, cost=cost,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of one brief."""

    brief: Brief
    code: AnswerCode
    distilled: Distilled | None = None  # with `ANSWERED` alone
    detail: str = ""
    usage: Usage = Usage()
    request_id: str = ""  # hash of everything that decides the answer
    from_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """One answer as it is kept: raw, so that better checks need no new call."""

    request_id: str
    response: str  # the text of the message, empty for a refusal
    code: AnswerCode  # answered, refused, too_long or invalid: what asking again would bring again
    model: str
    host: str  # of the endpoint
    prompt_version: int
    input_tokens: int
    output_tokens: int


class AnswerCache(Protocol):
    """Keeps answers: in a table, or in a file."""

    def load(self, request_ids: Iterable[str]) -> Mapping[str, CachedAnswer]:
        """Return those of the answers that are kept, by request id."""

    def store(self, answers: Iterable[CachedAnswer]) -> None:
        """Keep answers."""
