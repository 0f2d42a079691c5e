"""Which texts of a record speak to a reader, and what in them must not be written.

In: the plain JSON of a record, whole or broken. Out: findings of `comind.safety` with the field they stand in.
Ids, hashes and words of the vocabulary are not looked at; of places (paths, symbols) only what cannot be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from comind.records.problems import Problem
from comind.safety import Finding, Level, inspect
from comind.safety.hidden import hidden_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["safety_cautions", "safety_findings", "safety_problems"]

_MUTE: Final = frozenset({
    "a", "at_commit", "author_kind", "authority", "b", "body_hash", "commit", "end_line", "grammar_probe", "head_commit", "id", "kind",
    "lamport", "new", "old", "outcome", "role", "schema", "scope", "session_hash", "severity", "shape_hash", "sig_hash", "source",
    "source_time", "start_line", "valid_from",
})  # fmt: skip
_PLACES: Final = frozenset({"package", "path", "symbol", "version_range"})  # an `@` in a path or a package is no person


def safety_findings(plain: Mapping[str, object]) -> Iterator[tuple[str, Finding]]:
    """Return what the texts of a record in plain JSON carry, each with the path of its field."""
    seen: dict[str, list[Finding]] = {}  # a repository is named in every anchor
    for field, name, text in _texts(plain, "", ""):
        if name in _PLACES:
            yield from ((field, finding) for finding in hidden_findings(text))
            continue
        if text not in seen:
            seen[text] = inspect(text)
        yield from ((field, finding) for finding in seen[text])


def safety_problems(plain: Mapping[str, object]) -> list[Problem]:
    """Return what must not be written.

    In a record that is quarantined anyway, phrases that address an agent may stand: they are why it is quarantined.
    """
    provenance = plain.get("provenance")
    marked = isinstance(provenance, dict) and provenance.get("quarantine") is not None
    return [
        Problem(field, finding.code, f"holds {finding.what} (from character {finding.where[0] + 1}); take it out")
        for field, finding in safety_findings(plain)
        if finding.level >= Level.REFUSE and not (marked and finding.code.startswith("instruction_"))
    ]


def safety_cautions(plain: Mapping[str, object]) -> list[Problem]:
    """Return what may be written, but deserves another look."""
    return [
        Problem(field, finding.code, f"holds {finding.what} (from character {finding.where[0] + 1})")
        for field, finding in safety_findings(plain)
        if finding.level is Level.FLAG
    ]


def _texts(value: object, field: str, name: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, str):
        yield field, name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _MUTE:
                yield from _texts(item, f"{field}.{key}" if field else str(key), str(key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _texts(item, f"{field}[{position}]", name)
