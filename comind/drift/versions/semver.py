"""Semantic versions with the ranges of npm, Cargo, Go, Hex and Swift.

In: texts of one ecosystem. Out: an ordering key, alternatives of bounds, a verdict. Raises `NotARangeError` for anything else.

Sources: semver.org 2.0.0; the README of node-semver; "Specifying Dependencies" of the Cargo book; "Go Modules Reference";
Elixir's `Version`; Swift's `Package.Dependency`.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from comind.drift.versions.bounds import Bound, InRange, NotARangeError, satisfies, verdict

__all__ = ["Semver", "in_cargo_range", "in_go_range", "in_hex_range", "in_npm_range", "in_swift_range", "semver"]

_Pre: TypeAlias = "tuple[tuple[int, int, str], ...]"
_VERSION = re.compile(r"[v=\s]*(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_PART = r"(?:\d+|[xX*])"
_TERM = re.compile(
    rf"(\^|~>|~|>=|<=|!=|==|>|<|=)?\s*[v=]*({_PART})(?:\.({_PART})(?:\.({_PART})(?:-([0-9A-Za-z.-]+))?)?)?"
    r"(?:\+[0-9A-Za-z.-]+)?"
)
_WHOLE = 3  # parts of a version
_HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)")


class Semver(NamedTuple):
    """A version in order: a release comes after its prereleases."""

    release: tuple[int, int, int]
    is_release: bool
    prerelease: _Pre

    @property
    def floor(self) -> Semver:
        """The first prerelease there may be of the same release."""
        return Semver(self.release, is_release=False, prerelease=())


def semver(text: str) -> Semver:
    """Return the ordering key of a semantic version; build metadata does not count.

    >>> semver("1.0.0-rc.1") < semver("v1.0.0") == semver("1.0.0+build")
    True
    """
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        raise NotARangeError(text)
    return _made((int(found[1]), int(found[2]), int(found[3])), found[4])


def _made(release: tuple[int, int, int], prerelease: str | None = None) -> Semver:
    parts = prerelease.split(".") if prerelease else []
    return Semver(release, not parts, tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts))


class _Term(NamedTuple):
    """One comparator of a range, perhaps of a version without all of its parts."""

    operator: str
    parts: tuple[int, ...]  # those that are given
    prerelease: str | None

    @property
    def low(self) -> Semver:
        major, minor, patch = (*self.parts, 0, 0, 0)[:3]
        return _made((major, minor, patch), self.prerelease)

    def above(self, position: int) -> Semver:
        """Return the first version after all that share the parts up to a position, its prereleases counted in."""
        parts = [*self.low.release[: position + 1]]
        parts[-1] += 1
        major, minor, patch = (*parts, 0, 0)[:3]
        return _made((major, minor, patch)).floor


def _term(text: str, default: str) -> _Term:
    found = _TERM.fullmatch(text.strip())
    if found is None:
        raise NotARangeError(text)
    parts: list[int] = []
    for part in found.groups()[1:4]:
        if part is None or not part.isdecimal():
            break
        parts.append(int(part))
    wild = any(part and not part.isdecimal() for part in found.groups()[1:4])
    operator = found[1] or ("=" if wild else default)
    return _Term(operator, tuple(parts), found[5])


def _bounds(term: _Term) -> list[Bound]:
    operator, parts = term.operator, term.parts
    if not parts:
        if operator in {"<", ">", "!="}:
            raise NotARangeError(operator)  # nothing is below everything
        return []
    if operator == "^":
        first = next((position for position, part in enumerate(parts) if part), len(parts) - 1)
        return [Bound(">=", term.low), Bound("<", term.above(first))]
    if operator == "~":
        return [Bound(">=", term.low), Bound("<", term.above(min(len(parts) - 1, 1)))]
    return [Bound(operator, term.low)] if len(parts) == _WHOLE else _partial(term)


def _partial(term: _Term) -> list[Bound]:
    """Return the bounds of a version that stands for all that begin with it."""
    above = term.above(len(term.parts) - 1)
    match term.operator:
        case ">":
            return [Bound(">=", above._replace(is_release=True))]
        case "<=":
            return [Bound("<", above)]
        case "<":
            return [Bound("<", term.low.floor)]
        case "=" | "==":
            return [Bound(">=", term.low), Bound("<", above)]
    return [Bound(term.operator, term.low)]


def _among(version: Semver, alternatives: list[list[_Term]]) -> InRange:
    """A prerelease counts only where a comparator names one of the same release: the rule of npm and of Cargo."""
    for terms in alternatives:
        named = version.is_release or any(term.prerelease and term.low.release == version.release for term in terms)
        if named and satisfies(version, [[bound for term in terms for bound in _bounds(term)]]):
            return InRange.IN
    for terms in alternatives:  # an impossible range must not hide behind another
        for term in terms:
            _bounds(term)
    return InRange.OUT


def in_npm_range(version: str, text: str) -> InRange:
    """Test a version against a range of npm; tags, files, URLs and workspaces are unknown."""
    alternatives = [_npm_terms(part.strip()) for part in text.removeprefix("npm:").split("||")]
    return _among(semver(version), alternatives)


def _npm_terms(text: str) -> list[_Term]:
    if text == "":
        return []
    if hyphen := _HYPHEN.fullmatch(text):
        return [_term(f">={hyphen[1]}", ">="), _term(f"<={hyphen[2]}", "<=")]
    return [_term(one.replace("~>", "~"), "=") for one in re.sub(r"(\^|~>|~|>=|<=|>|<|=)\s+", r"\1", text).split()]


def in_cargo_range(version: str, text: str) -> InRange:
    """Test a version against a requirement of Cargo, where a plain version has a caret."""
    return _among(semver(version), [[_term(part, "^") for part in text.split(",")]])


def in_go_range(version: str, text: str) -> InRange:
    """Test a version of a Go module: a plain version is the least that is accepted, an interval is a retraction's."""
    found = semver(version)
    if interval := re.fullmatch(r"\[\s*(\S+?)\s*,\s*(\S+?)\s*\]", text.strip()):
        return verdict(semver(interval[1]) <= found <= semver(interval[2]))
    return _plain(found, text, default=">=")


def in_swift_range(version: str, text: str) -> InRange:
    """Test a version against a range of Swift: ``"1.0.0"..<"2.0.0"``, ``from: "1.0.0"``, ``exact: "1.0.0"``."""
    plain = text.replace('"', "").strip()
    if interval := re.fullmatch(r"(\S+?)\s*(\.\.<|\.\.\.)\s*(\S+)", plain):
        upper = Bound("<" if interval[2] == "..<" else "<=", semver(interval[3]))
        return verdict(satisfies(semver(version), [[Bound(">=", semver(interval[1])), upper]]))
    named = re.fullmatch(r"(from|exact|upToNextMajor|upToNextMinor)\s*:\s*(?:from:\s*)?(\S+)", plain)
    if named is not None:
        sign = {"from": "^", "upToNextMajor": "^", "upToNextMinor": "~", "exact": "="}[named[1]]
        low = semver(named[2])
        term = _Term(sign, low.release, None)
        above = term.above(1 if sign == "~" else 0)
        return verdict(semver(version) == low if sign == "=" else low <= semver(version) < above)
    return _plain(semver(version), plain, default="=")


def in_hex_range(version: str, text: str) -> InRange:
    """Test a version against a requirement of Hex: ``~> 1.2 and != 1.2.5 or ~> 2.0``."""
    found = semver(version)
    return verdict(any(all(_hex(found, term) for term in re.split(r"\s+and\s+", part)) for part in re.split(r"\s+or\s+", text.strip())))


def _hex(version: Semver, text: str) -> bool:
    term = _term(text, "==")
    if term.operator != "~>":
        return satisfies(version, [[Bound(term.operator, semver(re.sub(r"^[<>=!\s]+", "", text)))]])
    if len(term.parts) < 2:  # noqa: PLR2004 - Hex asks for two parts at least
        raise NotARangeError(text)
    return term.low <= version < term.above(len(term.parts) - 2)


def _plain(version: Semver, text: str, *, default: str) -> InRange:
    alternatives = []
    for part in text.split("||"):
        terms = [_term(one, default) for one in re.split(r"\s*,\s*|\s+", re.sub(r"([<>=!^~])\s+", r"\1", part.strip()))]
        alternatives.append([bound for term in terms for bound in _bounds(term)])
    return verdict(satisfies(version, alternatives))
