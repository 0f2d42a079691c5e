"""Ranges as alternatives of bounds: what the ecosystems have in common.

In: nothing. Out: `InRange`, `Bound`, and the test of a version against them.
A version is anything that compares; what it is written like is each ecosystem's own business.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Bound", "InRange", "NotARangeError", "satisfies", "verdict"]


class InRange(StrEnum):
    """Whether a version lies in a range."""

    IN = "in"
    OUT = "out"
    UNKNOWN = "unknown"  # the version or the range says nothing that compares


class NotARangeError(ValueError):
    """A text is no version, or no range, that its ecosystem compares."""


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """One comparison that a version must pass."""

    operator: str
    version: Any


def satisfies(version: Any, alternatives: Sequence[Sequence[Bound]]) -> bool:  # noqa: ANN401 - anything that compares
    """Say whether a version passes all bounds of one of the alternatives."""
    return any(all(_OPERATORS[bound.operator](version, bound.version) for bound in bounds) for bounds in alternatives)


def verdict(inside: bool) -> InRange:  # noqa: FBT001 - the answer itself
    """Return the word for a plain answer."""
    return InRange.IN if inside else InRange.OUT
