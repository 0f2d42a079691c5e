"""What a pair of declarations is known by besides being alike: how far a match may be believed.

In: the features of a pair, by name. Out: its support. Knows no declaration.
Where a look-alike is born in the commit in which a declaration goes, likeness alone leads to it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Support", "is_enough", "is_near", "support_of"]

_ACCEPT = {"method": 0.45, "class": 0.65, "field": 0.5}
_ALONE = 0.7  # probability of what only likeness tells
_SAME_BODY, _SAME_CLASS = 0.85, 0.8  # share of equal tokens that is enough by itself
_HALF = 0.5  # share of them without which neighbours tell nothing
_LIKE_NAME, _CLEAR = 0.7, 0.5
_NEAR = 0.5  # share of directories


class Support(IntEnum):
    """How a pair is known, the best last."""

    LIKENESS = 0
    NEIGHBOUR = 1  # what stands beside them is the same
    PLACE = 2  # so it is on both sides
    TOLD = 3  # by an equal name or body, by what stands for it where it is used, or by what stands within


def support_of(values: Mapping[str, float]) -> Support:
    """Return what a pair is known by.

    >>> support_of({"bsim": 0.9, "next": 1.0}), support_of({"bsim": 0.4, "sub": 0.5}), support_of({"name_eq": 1.0})
    (<Support.NEIGHBOUR: 1>, <Support.TOLD: 3>, <Support.LIKENESS: 0>)
    """
    # A name that stands for something else in another container is a common one.
    named = values.get("name_eq") and (values.get("bsim") or values.get("nobody") or values.get("map_cont"))
    if named or values.get("beq") or values.get("sub") or values.get("variants"):
        return Support.TOLD
    return Support((values.get("prev") == 1) + (values.get("next") == 1))


def is_enough(group: str, values: Mapping[str, float], p: float) -> bool:
    """Tell whether a pair may be accepted: the less else it is known by, the more alike it has to be.

    Args:
        group: class, method or field.
        values: the pair's features.
        p: its probability.
    """
    support, alike = support_of(values), values.get("bsim", 0.0)
    if p < _ACCEPT[group]:
        return False
    if support is Support.TOLD or values.get("nobody"):
        return support > Support.LIKENESS or p >= _ALONE
    if group == "method":
        return alike >= _HALF if support else alike >= _SAME_BODY and p >= _ALONE
    if group == "class":  # several of one file are often made alike: the name and a clear lead have to tell them apart
        clear = values.get("name_sim", 0.0) >= _LIKE_NAME and values.get("lead", 0.0) >= _CLEAR
        return bool(support) or alike >= _SAME_CLASS or clear
    return bool(support) or bool(alike) or not values.get("name_eq")


def is_near(values: Mapping[str, float]) -> bool:
    """Tell whether two places have most of their directories in common."""
    return values.get("near", 0.0) >= _NEAR
