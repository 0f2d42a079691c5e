"""Does a version lie in a range: yes, no, or nobody can say.

In: an ecosystem, a version and a range as its files write them. Out: `InRange`, or how two versions compare.
Never guesses: tags, branches, URLs, workspaces, dynamic versions and ecosystems without an order are unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from comind.drift.versions.bounds import InRange, NotARangeError
from comind.drift.versions.intervals import Maven, in_maven_range, in_nuget_range, nuget
from comind.drift.versions.php import composer, in_composer_range
from comind.drift.versions.python import in_pypi_range, pypi
from comind.drift.versions.ruby import gem, in_gem_range
from comind.drift.versions.semver import in_cargo_range, in_go_range, in_hex_range, in_npm_range, in_swift_range, semver

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["InRange", "compare_versions", "in_range"]

_LONGEST = 1_000  # characters of a range or version that is still looked at
_RULES: dict[str, tuple[Callable[[str], Any], Callable[[str, str], InRange]]] = {
    "pypi": (pypi, in_pypi_range), "npm": (semver, in_npm_range), "jsr": (semver, in_npm_range), "cargo": (semver, in_cargo_range),
    "gomod": (semver, in_go_range), "hex": (semver, in_hex_range), "swift": (semver, in_swift_range), "gem": (gem, in_gem_range),
    "cocoapods": (gem, in_gem_range), "maven": (Maven, in_maven_range), "nuget": (nuget, in_nuget_range),
    "composer": (composer, in_composer_range),
}  # fmt: skip


def in_range(ecosystem: str, version: str, text: str) -> InRange:
    """Test a resolved version against a range, by the rules of its ecosystem; prereleases included.

    >>> str(in_range("npm", "1.9.0", "^1.2 || ^3")), str(in_range("cargo", "2.0.0", "1.4")), str(in_range("npm", "1.0.0", "latest"))
    ('in', 'out', 'unknown')
    """
    rules = _RULES.get(ecosystem)
    if rules is None or max(len(version), len(text)) > _LONGEST or not version.strip():
        return InRange.UNKNOWN
    try:
        return rules[1](version.strip(), text)
    except (NotARangeError, ValueError):
        return InRange.UNKNOWN


def compare_versions(ecosystem: str, left: str, right: str) -> int | None:
    """Return -1, 0 or 1 as the left version comes before, with or after the right one; None where they have no order.

    >>> compare_versions("maven", "1.0-SNAPSHOT", "1.0"), compare_versions("nix", "a", "b")
    (-1, None)
    """
    rules = _RULES.get(ecosystem)
    if rules is None or max(len(left), len(right)) > _LONGEST:
        return None
    try:
        first, second = rules[0](left), rules[0](right)
    except ValueError:
        return None
    return int(first > second) - int(first < second)
