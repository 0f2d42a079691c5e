"""What was found in a text: where, what, how grave, and what may stand there instead.

In: nothing. Out: values. A finding never repeats what it found: that is a secret, a name or a trap.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Finding", "Level", "replaced", "without_nested"]


class Level(IntEnum):
    """How grave a finding is; a greater level includes the smaller ones."""

    FLAG = 1  # may be written; a reader or writer should look at it
    REFUSE = 2  # must not be written
    QUARANTINE = 3  # must not be written, and where it stands already nothing of the text is surfaced


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing in a text that should not be there."""

    code: str  # machine-readable
    what: str  # what it is, in words, without repeating it
    where: tuple[int, int]  # first character and the one after the last, 0-based
    level: Level = Level.REFUSE
    instead: str | None = None  # what may stand there instead; None where nothing is taken away


def without_nested(findings: list[Finding]) -> list[Finding]:
    """Return the findings in the order of the text, without those that lie inside another one of their level or a graver one.

    >>> inner, outer = Finding("address", "an address", (9, 13)), Finding("secret", "a password in a URL", (4, 20))
    >>> [finding.code for finding in without_nested([inner, outer])]
    ['secret']
    """
    kept: list[Finding] = []
    outer: Finding | None = None  # of those kept, the one that reaches furthest
    for finding in sorted(findings, key=lambda found: (found.where[0], -found.where[1], -found.level)):
        if outer is not None and finding.where[1] <= outer.where[1] and finding.level <= outer.level:
            continue
        kept.append(finding)
        if outer is None or finding.where[1] > outer.where[1]:
            outer = finding
    return kept


def replaced(text: str, findings: list[Finding]) -> str:
    """Return the text with something else where the findings say so; of two that overlap, the first decides.

    >>> replaced("from a@b.se, thanks", [Finding("address", "an address", (5, 11), instead="[address]")])
    'from [address], thanks'
    """
    pieces: list[str] = []
    position = 0
    for finding in sorted(findings, key=lambda found: found.where):
        if finding.instead is None:
            continue
        start, end = finding.where
        if start >= position:
            pieces += (text[position:start], finding.instead)
        position = max(position, end)
    return "".join((*pieces, text[position:]))
