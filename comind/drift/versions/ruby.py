"""Versions and requirements of RubyGems, which CocoaPods shares.

In: texts. Out: a verdict. Raises `NotARangeError`. Sources: `Gem::Version` and `Gem::Requirement` of the RubyGems guides.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TypeAlias

from comind.drift.versions.bounds import Bound, InRange, NotARangeError, satisfies, verdict

__all__ = ["gem", "in_gem_range"]

_Key: TypeAlias = "tuple[tuple[int, int, str], ...]"
_GEM = re.compile(r"[0-9]+(?:\.[0-9a-zA-Z]+)*")
_TERM = re.compile(r"(~>|>=|<=|!=|=|>|<)?\s*([0-9][0-9A-Za-z.-]*)")
_LONGEST = 20  # segments; the key is as long, so that 1.0 equals 1


def gem(text: str) -> _Key:
    """Return the ordering key of a version: words come before numbers, missing segments are zero; a platform does not count.

    >>> gem("2.0.rc1") < gem("2.0") == gem("2.0.0-x86_64-linux")
    True
    """
    return _key(_segments(text))


def _segments(text: str) -> list[int | str]:
    plain = text.strip().partition("-")[0]
    if not _GEM.fullmatch(plain):
        raise NotARangeError(text)
    found = re.findall(r"[0-9]+|[a-zA-Z]+", plain)
    return [int(part) if part.isdecimal() else part for part in found]


def _key(segments: list[int | str]) -> _Key:
    if len(segments) > _LONGEST:
        raise NotARangeError(str(segments))
    first = len(_release(segments))
    canonical = [*_without_zeros(segments[:first]), *_without_zeros(segments[first:])]
    padded = (part for _, part in zip_longest(range(_LONGEST), canonical, fillvalue=0))
    return tuple((1, part, "") if isinstance(part, int) else (0, 0, part) for part in padded)


def in_gem_range(version: str, text: str) -> InRange:
    """Test a version against requirements, which must all hold."""
    return verdict(all(_fits(version, term.strip()) for term in text.replace('"', "").replace("'", "").split(",")))


def _fits(version: str, term: str) -> bool:
    found = _TERM.fullmatch(term)
    if found is None:
        raise NotARangeError(term)
    if found[1] != "~>":
        return satisfies(gem(version), [[Bound(found[1] or "=", gem(found[2]))]])
    wanted = _release(_segments(found[2]))
    bumped = wanted[:-1] or wanted
    above = [*bumped[:-1], int(bumped[-1]) + 1]
    return gem(found[2]) <= gem(version) and _key(_release(_segments(version))) < _key(above)


def _release(segments: list[int | str]) -> list[int | str]:
    first = next((place for place, part in enumerate(segments) if isinstance(part, str)), len(segments))
    return segments[:first]


def _without_zeros(segments: list[int | str]) -> list[int | str]:
    last = max((place for place, part in enumerate(segments) if part != 0), default=-1)
    return segments[: last + 1]
