"""What a run may cost: asked before each call, settled after it.

In: limits, prices, what a call may use and what it used. Out: yes or no, and what was spent. Safe between threads.
A call reserves the most it can use, so that no number of calls at once spends more than there is.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.distill.answers import Usage

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Budget", "Limits", "Prices"]

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, in whatever currency the limits are in."""

    input_tokens: float
    output_tokens: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return what a call costs.

        >>> Prices(input_tokens=2.0, output_tokens=8.0).of(500_000, 250_000)
        3.0
        """
        return (input_tokens * self.input_tokens + output_tokens * self.output_tokens) / _MILLION


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most that a run may use; None where there is no limit."""

    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class Budget:
    """Counts what is spent and what calls on their way may still spend."""

    def __init__(self, limits: Limits, prices: Prices | None = None) -> None:
        self._limits, self._prices = limits, prices
        self._spent = self._reserved = Usage(cost=0.0 if prices else None)
        self._lock = threading.Lock()

    @property
    def spent(self) -> Usage:
        """What was used so far; the cost is None without prices."""
        return self._spent

    def reserve(self, input_tokens: int, output_tokens: int) -> Usage | None:
        """Set aside what a call may use at most; None when there is not so much left."""
        wanted = self._usage(input_tokens, output_tokens)
        with self._lock:
            if self._exceeded_by(self._spent + self._reserved + wanted):
                return None
            self._reserved += wanted
            return wanted

    def settle(self, reserved: Usage, *, calls: int = 1, input_tokens: int, output_tokens: int) -> Usage:
        """Replace what was set aside for a question by what it used; return that."""
        used = self._usage(input_tokens, output_tokens, calls)
        with self._lock:
            self._reserved = _less(self._reserved, reserved)
            self._spent += used
        return used

    def release(self, reserved: Usage) -> None:
        """Give back what was set aside for a call that brought no answer."""
        with self._lock:
            self._reserved = _less(self._reserved, reserved)

    def exhausted_by(self, input_tokens: int, output_tokens: int) -> str | None:
        """Say which limit leaves no room for such a call, with nothing else on its way; None when there is room."""
        return self._exceeded_by(self._spent + self._usage(input_tokens, output_tokens))

    def _usage(self, input_tokens: int, output_tokens: int, calls: int = 1) -> Usage:
        cost = self._prices.of(input_tokens, output_tokens) if self._prices else None
        return Usage(calls=calls, input_tokens=input_tokens, output_tokens=output_tokens, cost=cost)

    def _exceeded_by(self, total: Usage) -> str | None:
        limits = self._limits
        wanted: tuple[tuple[str, float | None, float | None, Callable[[float], str]], ...] = (
            ("calls", total.calls, limits.calls, "{:,.0f}".format),
            ("input tokens", total.input_tokens, limits.input_tokens, "{:,.0f}".format),
            ("output tokens", total.output_tokens, limits.output_tokens, "{:,.0f}".format),
            ("cost", total.cost, limits.cost, "{:,.2f}".format),
        )
        for name, value, most, shown in wanted:
            if value is not None and most is not None and value > most:
                return f"the budget of {shown(most)} for {name}" if name == "cost" else f"the budget of {shown(most)} {name}"
        return None


def _less(total: Usage, part: Usage) -> Usage:
    cost = None if total.cost is None or part.cost is None else total.cost - part.cost
    return Usage(
        calls=total.calls - part.calls, input_tokens=total.input_tokens - part.input_tokens,
        output_tokens=total.output_tokens - part.output_tokens, cost=cost,
    )  # fmt: skip
