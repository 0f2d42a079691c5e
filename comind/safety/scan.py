"""Everything that must not be written, in one pass: found for a writer, taken out for a harvest.

In: text from outside. Out: findings, or the text without what they found. Pure, and linear in the text.
Hidden characters go first, so that nothing hides behind them from the other rules.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

from comind.safety.findings import Finding, Level, replaced, without_nested
from comind.safety.hidden import hidden_findings
from comind.safety.instructions import instruction_findings
from comind.safety.people import people_findings
from comind.safety.secrets import secret_findings

__all__ = ["Scrubbed", "inspect", "scrub"]

_MANY_LINE_ENDS = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text of a source, without what must not be written."""

    text: str
    findings: tuple[Finding, ...]  # positions are those of the text as it came

    @property
    def quarantine(self) -> bool:
        """Whether the source carried what no honest text has: a record of it stays at T0."""
        return self.quarantine_code is not None

    @property
    def quarantine_code(self) -> str | None:
        """The first reason to quarantine, for `Provenance.quarantine`; None without one."""
        return next((finding.code for finding in self.findings if finding.level is Level.QUARANTINE), None)


def inspect(text: str) -> list[Finding]:
    """Return everything in a text that must not be written or deserves a look, in the order of the text.

    >>> [finding.code for finding in inspect("Reported-by: Ada Lovelace <ada@lovelace.uk>")]
    ['person_trailer']
    """
    visible = _Visible.of(text)
    return visible.with_origins(_said(visible.text))


def scrub(text: str) -> Scrubbed:
    r"""Return a text of a source without secrets, people and hidden characters, and what was taken out.

    Phrases that address an agent stay, since a text without them would say something else; they quarantine it or are flagged.

    >>> scrub("Undo the cache.\n\nSigned-off-by: Ada Lovelace <ada@lovelace.uk>").text
    'Undo the cache.'
    """
    visible = _Visible.of(text)
    said = _said(visible.text)
    clean = replaced(visible.text, said).replace("\r\n", "\n")
    if any(finding.instead == "" for finding in said):
        clean = _MANY_LINE_ENDS.sub("\n\n", clean).strip("\n")
    return Scrubbed(clean, tuple(visible.with_origins(said)))


def _said(visible: str) -> list[Finding]:
    return without_nested([*secret_findings(visible), *people_findings(visible), *instruction_findings(visible)])


@dataclass(frozen=True, slots=True)
class _Visible:
    """A text without its hidden characters, and where each part of it stood."""

    text: str
    hidden: list[Finding]
    starts: list[int]  # of the parts, in this text
    origins: list[int]  # of the parts, in the text as it came

    @classmethod
    def of(cls, text: str) -> _Visible:
        hidden = hidden_findings(text)
        starts, origins, removed = [0], [0], 0
        for finding in hidden:
            start, end = finding.where
            removed += end - start - len(finding.instead or "")
            starts.append(end - removed)
            origins.append(end)
        return cls(replaced(text, hidden), hidden, starts, origins)

    def with_origins(self, findings: list[Finding]) -> list[Finding]:
        """Join what is hidden and what is said, at the places of the text as it came."""
        moved = [replace(finding, where=(self._origin(finding.where[0]), self._origin(finding.where[1] - 1) + 1)) for finding in findings]
        return without_nested([*self.hidden, *moved])

    def _origin(self, position: int) -> int:
        part = bisect_right(self.starts, position) - 1
        return self.origins[part] + position - self.starts[part]
