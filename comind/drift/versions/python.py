"""Versions and ranges of PyPI, Poetry's caret and tilde included.

In: texts. Out: a verdict. Raises `NotARangeError` for URLs and whatever else compares with nothing.

Sources: "Version specifiers" of the Python packaging guide; "Dependency specification" of Poetry. A prerelease that is resolved counts:
the specification leaves out only those that are not present yet.
"""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from comind.drift.versions.bounds import InRange, NotARangeError, verdict

__all__ = ["in_pypi_range", "pypi"]

_POETRY = re.compile(r"([~^])\s*v?(\d+(?:\.\d+)*)(\S*)")


def pypi(text: str) -> Version:
    """Return the ordering key of a version."""
    try:
        return Version(text)
    except InvalidVersion:
        raise NotARangeError(text) from None


def in_pypi_range(version: str, text: str) -> InRange:
    """Test a version against specifiers; Poetry's ``||`` separates alternatives."""
    found = pypi(version)
    return verdict(any(_fits(found, part.strip()) for part in re.split(r"\|\|?", text.partition(";")[0])))


def _fits(version: Version, text: str) -> bool:
    terms = [_poetry(term.strip()) for term in text.split(",")]
    try:
        return SpecifierSet(",".join(term for term in terms if term)).contains(version, prereleases=True)
    except InvalidSpecifier:
        raise NotARangeError(text) from None


def _poetry(term: str) -> str:
    """Write a term of Poetry as specifiers; those are returned as they are."""
    if term == "*":
        return ""
    if re.fullmatch(r"v?\d[\w.+!-]*(?:\.\*)?", term):
        return f"=={term}"
    found = _POETRY.fullmatch(term)
    if found is None:
        return term
    parts = [int(part) for part in found[2].split(".")]
    last = len(parts) - 1
    kept = next((place for place, part in enumerate(parts) if part), last) if found[1] == "^" else min(last, 1)
    above = [*parts[:kept], parts[kept] + 1]
    return f">={found[2]}{found[3]},<{'.'.join(map(str, above))}"
