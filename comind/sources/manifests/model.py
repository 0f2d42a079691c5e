"""What a manifest or lockfile says about the packages a repository uses.

In: nothing. Out: `Dependency`, `Reading` and the error for a file that cannot be read. Never opens a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from comind.errors import ComindError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Dependency", "Reading", "Scope", "UnreadableManifestError", "Use", "canonical_name", "merged", "refuse"]

_FOLDED = frozenset({"composer", "nuget", "swift"})  # they compare names without case


class Use(StrEnum):
    """How a repository comes to a package."""

    OWN = "own"  # the repository's own package, or one of its workspace
    DIRECT = "direct"  # named by the repository itself
    TRANSITIVE = "transitive"  # brought in by another package
    UNKNOWN = "unknown"  # the file does not say


class Scope(StrEnum):
    """What a package is needed for, where the file says it."""

    RUNTIME = "runtime"
    OPTIONAL = "optional"
    DEV = "dev"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """One package as one file names it."""

    ecosystem: str  # pypi | npm | jsr | cargo | gomod | maven | gem | nuget | composer | hex | swift | cocoapods | nix | gradle-catalog
    package: str  # as the ecosystem compares names
    versions: tuple[str, ...] = ()  # resolved, as written
    declared: tuple[str, ...] = ()  # ranges, as written
    excluded: tuple[str, ...] = ()  # versions that the file rules out by name
    use: Use = Use.UNKNOWN
    scope: Scope | None = None  # None where the file does not say


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of a file, and why not all of it."""

    dependencies: tuple[Dependency, ...] = ()
    problem: str | None = None


class UnreadableManifestError(ComindError):
    """A file is not what its name says; the reason becomes its problem."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the manifest cannot be read: {reason}; repair it, or leave it out")


def refuse(reason: str) -> NoReturn:
    """Give up a file for a reason, which becomes its problem."""
    raise UnreadableManifestError(reason)


def canonical_name(ecosystem: str, name: str) -> str:
    """Return a package name as its ecosystem compares names.

    >>> canonical_name("pypi", "Zope.Interface"), canonical_name("nuget", "Newtonsoft.Json"), canonical_name("cargo", "Inflector")
    ('zope-interface', 'newtonsoft.json', 'Inflector')
    """
    if ecosystem == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name.lower() if ecosystem in _FOLDED else name


def merged(found: Iterable[Dependency]) -> tuple[Dependency, ...]:
    """Return one dependency per package and use, by name; versions and ranges are joined, the strongest scope stands."""
    groups: dict[tuple[str, str, Use], list[Dependency]] = {}
    for one in found:
        groups.setdefault((one.ecosystem, one.package, one.use), []).append(one)
    return tuple(_joined(groups[key]) for key in sorted(groups))


def _joined(several: list[Dependency]) -> Dependency:
    first = several[0]
    scopes = {one.scope for one in several}
    return Dependency(
        ecosystem=first.ecosystem, package=first.package, use=first.use,
        versions=tuple(sorted({version for one in several for version in one.versions})),
        declared=tuple(sorted({text for one in several for text in one.declared})),
        excluded=tuple(sorted({version for one in several for version in one.excluded})),
        scope=None if None in scopes else next((scope for scope in Scope if scope in scopes), None),
    )  # fmt: skip
