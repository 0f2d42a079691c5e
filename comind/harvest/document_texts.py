"""What one decision document says, made harmless and judged: decided, declined, still open, or none at all.

In: the bytes of a Markdown file and its name. Out: `DocumentText`, or in words why it is no decision.
Two contents say the same when everything that a record takes from them is the same word for word: layout, links and status do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from comind.harvest.decisions import Decision, NoDecision, read_decision
from comind.safety import scrub

__all__ = ["MAX_BYTES", "DocumentText", "Verdict", "read_document"]

MAX_BYTES = 200_000  # a larger Markdown file is a book
_VERDICTS = {"draft": "open", "proposed": "open", "on-hold": "open"}


class Verdict(StrEnum):
    """What became of a decision, by its own document."""

    ACCEPTED = "accepted"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    REJECTED = "rejected"
    OPEN = "open"  # proposed, a draft, on hold
    UNCLEAR = "unclear"  # what stands there as its status is no status

    @property
    def decided(self) -> bool:
        """Whether it was decided once, for it or against it."""
        return self not in {Verdict.OPEN, Verdict.UNCLEAR}


@dataclass(frozen=True, slots=True)
class DocumentText:
    """One decision document, read."""

    decision: Decision
    text: str  # scrubbed
    verdict: Verdict
    quarantine: str | None  # code of what no honest text has

    @property
    def said(self) -> tuple[object, ...]:
        """What it decides, to compare: whether for or against, and every word that a record takes."""
        one = self.decision
        options = [(option.name, *option.against) for option in one.options]
        told = " ".join((one.title, one.chosen or "", one.decision, one.context, *(word for option in options for word in option)))
        return self.verdict.decided, self.verdict is Verdict.REJECTED, tuple(re.findall(r"\w+", told.casefold()))

    @property
    def stated(self) -> tuple[object, ...]:
        """The same, with what it says of its standing and of other decisions."""
        one = self.decision
        return self.said, self.verdict, one.supersedes, one.superseded_by, one.amends, one.amended_by


def read_document(path: str, content: bytes) -> DocumentText | NoDecision:
    """Read one file; never raises."""
    if len(content) > MAX_BYTES:
        return NoDecision(f"it has {len(content):,} bytes, more than {MAX_BYTES:,}")
    clean = scrub(content.decode("utf-8", "replace").replace("\0", ""))
    read = read_decision(PurePosixPath(path).name, clean.text)
    if isinstance(read, NoDecision):
        return read
    return DocumentText(read, clean.text, _verdict(read), clean.quarantine_code)


def _verdict(decision: Decision) -> Verdict:
    if decision.status is not None:
        return Verdict(_VERDICTS.get(decision.status, decision.status))
    # A form without a status is filled in when the decision is made; one whose metadata is broken may have said otherwise.
    silent = decision.status_raw is None and decision.problem is None
    return Verdict.ACCEPTED if silent and (decision.chosen or decision.decision) else Verdict.UNCLEAR
