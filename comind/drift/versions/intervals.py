"""Versions and intervals of Maven, Gradle and NuGet.

In: texts. Out: a verdict. Raises `NotARangeError` for properties, ``LATEST`` and what else has no order.

Sources: "Version Order Specification" and "Dependency Version Requirement Specification" of the POM reference; "Declaring Versions
and Ranges" of Gradle's manual; "Package versioning" of NuGet's documentation.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from comind.drift.versions.bounds import Bound, InRange, NotARangeError, satisfies, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Maven", "in_maven_range", "in_nuget_range", "nuget"]

_INTERVAL = re.compile(r"([\[\](])\s*([^,\[\]()\s]*)\s*(?:(,)\s*([^,\[\]()\s]*)\s*)?([\])\[])")
_QUALIFIERS = {"alpha": 0, "beta": 1, "milestone": 2, "rc": 3, "cr": 3, "snapshot": 4, "": 5, "final": 5, "ga": 5, "release": 5, "sp": 6}
_SHORT = {"a": "alpha", "b": "beta", "m": "milestone"}
_NUGET = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")


class Maven:
    """A version in Maven's order."""

    def __init__(self, text: str) -> None:
        if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z._+-]*", text) or text.upper() in {"LATEST", "RELEASE"}:
            raise NotARangeError(text)
        self._items = _trimmed(_tokens(text.lower()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Maven) and not self < other and not other < self

    def __hash__(self) -> int:
        return hash(tuple(self._items))

    def __lt__(self, other: Maven) -> bool:
        for mine, theirs in zip_longest(self._items, other._items):
            left, right = _rank(mine, theirs), _rank(theirs, mine)
            if left != right:
                return left < right
        return False

    def __le__(self, other: Maven) -> bool:
        return not other < self

    def __gt__(self, other: Maven) -> bool:
        return other < self

    def __ge__(self, other: Maven) -> bool:
        return not self < other


def _tokens(text: str) -> list[tuple[str, str]]:
    """Split a version into (separator, token); between a digit and a letter stands a hyphen that is not written."""
    found = [(separator or "-", token) for separator, token in re.findall(r"([.\-_]?)(\d+|[a-z+]+|(?<=[.\-_])(?=[.\-_]|$))", text)]
    pairs = [("." if position == 0 else separator, token) for position, (separator, token) in enumerate(found)]
    return [
        (separator, _SHORT.get(token, token) if position + 1 < len(pairs) and pairs[position + 1][1].isdecimal() else token)
        for position, (separator, token) in enumerate(pairs)
    ]


def _trimmed(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Drop what is null at the end of each part that a hyphen ends: ``1.0.0-foo.0.0`` is ``1-foo``."""
    kept: list[tuple[str, str]] = []
    for separator, token in [*pairs, ("-", "end")]:
        if separator == "-":
            while kept and (kept[-1][1] in {"final", "ga", "release", ""} or (kept[-1][1].isdecimal() and int(kept[-1][1]) == 0)):
                kept.pop()
        kept.append((separator, token))
    return kept[:-1]


def _rank(item: tuple[str, str] | None, other: tuple[str, str] | None) -> tuple[int, int, str]:
    """Order one token against the one at the same place; a missing one is padded with what means nothing there."""
    if item is None:
        is_number = other is not None and other[1].isdecimal()
        item = (other[0], "0" if is_number else "") if other else (".", "")
    separator, token = item
    if token.isdecimal():
        return (3 if separator == "." else 2, int(token), "")
    known = _QUALIFIERS.get(token)  # the words that nobody knows come last, in the order of letters
    return (1, len(_QUALIFIERS), token) if known is None else (1, known, "")


def nuget(text: str) -> tuple[Any, ...]:
    """Return the ordering key of a version of NuGet: four numbers, a prerelease without case.

    >>> nuget("1.0.0-RC.1") == nuget("1.0-rc.1") < nuget("1.0.0.0")
    True
    """
    found = _NUGET.fullmatch(text.strip())
    if found is None:
        raise NotARangeError(text)
    numbers = tuple(int(part or 0) for part in found.groups()[:4])
    labels = (found[5] or "").lower()
    parts = tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in labels.split(".")) if labels else ()
    return (*numbers, not labels, parts)


def in_maven_range(version: str, text: str) -> InRange:
    """Test a version against intervals, or Gradle's ``1.+``; a plain version is a wish, so another one may be right."""
    found, wanted = Maven(version), text.strip()
    if re.fullmatch(r"[0-9A-Za-z._-]*\+", wanted):
        prefix = wanted.removesuffix("+")
        return verdict(version.startswith(prefix))
    if wanted[:1] in "[](" and wanted:
        return verdict(satisfies(found, _intervals(wanted, Maven)))
    return InRange.IN if found == Maven(wanted) else InRange.UNKNOWN


def in_nuget_range(version: str, text: str) -> InRange:
    """Test a version against an interval; a plain version is the least, ``1.*`` takes what begins so."""
    found, wanted = nuget(version), text.strip()
    if wanted[:1] in "[(" and wanted:
        intervals = _intervals(wanted, nuget)
        below = [bound.version for bounds in intervals for bound in bounds if bound.operator == "<"]
        if not found[4] and any(found[:4] == bound[:4] for bound in below):
            return InRange.UNKNOWN  # lower by the order, but nobody who writes 2.0 as the end means its prereleases
        return verdict(satisfies(found, intervals))
    if floating := re.fullmatch(r"((?:\d+\.)*)\*", wanted):
        return verdict(f"{'.'.join(map(str, found[:4]))}.".startswith(floating[1])) if found[4] else InRange.UNKNOWN
    return verdict(found >= nuget(wanted))


def _intervals(text: str, version: Callable[[str], Any]) -> list[list[Bound]]:
    alternatives, end = [], 0
    for found in _INTERVAL.finditer(text):
        if text[end : found.start()].strip(" ,"):
            raise NotARangeError(text)
        end = found.end()
        alternatives.append(_interval(found, version))
    if not alternatives or text[end:].strip():
        raise NotARangeError(text)
    return alternatives


def _interval(found: re.Match[str], version: Callable[[str], Any]) -> list[Bound]:
    opening, low, comma, high, closing = found.groups()
    if comma is None:
        if (opening, closing) != ("[", "]") or not low:
            raise NotARangeError(found[0])
        return [Bound("=", version(low))]
    lower = [Bound(">=" if opening == "[" else ">", version(low))] if low else []
    upper = [Bound("<=" if closing == "]" else "<", version(high))] if high else []
    return lower + upper
