"""Versions and constraints of Composer.

In: texts. Out: a verdict. Raises `NotARangeError` for branches. Source: "Versions and constraints" of Composer's documentation:
``<`` and ``>=`` count the development versions of what they name, so that ``<2.0`` leaves 2.0-beta out.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from comind.drift.versions.bounds import Bound, InRange, NotARangeError, satisfies, verdict

__all__ = ["composer", "in_composer_range"]

_Key: TypeAlias = "tuple[int, int, int, int, int, int]"
_STABILITY = {"dev": 0, "alpha": 1, "a": 1, "beta": 2, "b": 2, "rc": 3, "": 4, "stable": 4, "patch": 5, "pl": 5, "p": 5}
_VERSION = re.compile(
    r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:[-_.]?(stable|dev|alpha|a|beta|b|rc|patch|pl|p)[.-]?(\d*))?(?:\+\S*)?", re.IGNORECASE
)
_TERM = re.compile(r"(\^|~|>=|<=|!=|<>|==|>|<|=)?\s*(\S+)")
_PARTS = 4


def composer(text: str) -> _Key:
    """Return the ordering key of a version: four numbers, stability, its number.

    >>> composer("2.0.0-beta1") < composer("v2.0.0") == composer("2.0")
    True
    """
    return _key(_parts(text), text)


def _parts(text: str) -> list[int]:
    found = _match(text)
    return [int(part) for part in found.groups()[:_PARTS] if part is not None]


def _match(text: str) -> re.Match[str]:
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        raise NotARangeError(text)
    return found


def _key(parts: list[int], text: str = "", *, stability: str | None = None) -> _Key:
    found = _match(text) if text else None
    said = stability if stability is not None else ((found and found[5]) or "").lower()
    one, two, three, four = (*parts, 0, 0, 0, 0)[:_PARTS]
    return one, two, three, four, _STABILITY[said], int((found and stability is None and found[6]) or 0)


def _above(parts: list[int], position: int) -> Bound:
    return Bound("<", _key([*parts[:position], parts[position] + 1], stability="dev"))


def in_composer_range(version: str, text: str) -> InRange:
    """Test a version against a constraint."""
    plain = re.sub(r"@(?:dev|alpha|beta|rc|stable)\b", "", text, flags=re.IGNORECASE)
    return verdict(satisfies(composer(version), [_all_of(part.strip()) for part in re.split(r"\s*\|\|?\s*", plain)]))


def _all_of(text: str) -> list[Bound]:
    if hyphen := re.fullmatch(r"(\S+)\s+-\s+(\S+)", text):
        parts = _parts(hyphen[2])
        upper = Bound("<=", composer(hyphen[2])) if len(parts) > 2 else _above(parts, len(parts) - 1)  # noqa: PLR2004 - three parts are a whole version
        return [*_bounds(f">={hyphen[1]}"), upper]
    joined = re.sub(r"(\^|~|>=|<=|!=|<>|==|>|<|=)\s+", r"\1", text)
    return [bound for term in re.split(r"\s*,\s*|\s+", joined) for bound in _bounds(term)]


def _bounds(term: str) -> list[Bound]:
    found = _TERM.fullmatch(term)
    if found is None:
        raise NotARangeError(term)
    operator, text = found[1] or "=", found[2]
    if wild := re.fullmatch(r"v?(?:(\d+(?:\.\d+)*)\.)?[*xX]", text):
        parts = [int(part) for part in (wild[1] or "").split(".") if part]
        if operator != "=":
            raise NotARangeError(term)
        return [Bound(">=", _key(parts, stability="dev")), _above(parts, len(parts) - 1)] if parts else []
    parts, stable = _parts(text), not _match(text)[5]
    low = Bound(">=", _key(parts, stability="dev") if stable else composer(text))
    last = len(parts) - 1
    match operator:
        case "^":
            return [low, _above(parts, next((place for place, part in enumerate(parts) if part), last))]
        case "~":
            return [low, _above(parts, max(last - 1, 0))]
        case ">=":
            return [low]
        case "<":
            return [Bound("<", low.version)]
    return [Bound({"<>": "!="}.get(operator, operator), composer(text))]
