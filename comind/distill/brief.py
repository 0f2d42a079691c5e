"""What a model is told of one source: spans of evidence, touched symbols, known records. Or why it is not asked at all.

In: nothing. Out: frozen values. Every text in them is clean: no people, no secrets, no hidden characters.
The ids (E1, S1, K1) are positions in fixed pools, so that the schema of an answer is the same for every question.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.canonical import Json
    from comind.harvest.touched import Place
    from comind.records.vocabulary import Kind, Source

__all__ = ["MAX_KNOWN", "MAX_SPANS", "MAX_SYMBOLS", "Brief", "KnownRecord", "Skip", "SkipCode", "Span", "SpanRole"]

_T = TypeVar("_T")
MAX_SPANS = 12
MAX_SYMBOLS = 8
MAX_KNOWN = 8


class SpanRole(StrEnum):
    """Where a span stands in its source."""

    SUBJECT = "subject"  # the first line of a commit, the title of a request or document
    PARAGRAPH = "paragraph"
    UNDONE = "undone"  # what the change that is reverted said of itself; context, weak as evidence
    COMMENT = "comment"  # of a review thread


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the source that a proposal may quote."""

    role: SpanRole
    text: str
    url: str | None = None  # where it can be read, for a comment


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRecord:
    """A record that already stands at one of the touched symbols."""

    record_id: str
    kind: Kind
    title: str
    trigger: str
    is_human_backed: bool  # a proposal never retires it


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What may be asked about one source."""

    source: Source  # git, mr or document
    source_id: str  # commit id; `<host>/<project>!<number>`; `<path>@<blob>`
    repo_id: str
    commit: str  # at which the places hold
    time: int  # of the source, seconds since 1970, UTC
    spans: tuple[Span, ...]  # E1 is the first
    places: tuple[Place, ...]  # S1 is the first; subjects before context
    known: tuple[KnownRecord, ...] = ()  # K1 is the first
    evidence: tuple[dict[str, Json], ...] = ()  # of every record made from it: the commit, the request, a revert's pair
    names: frozenset[str] = frozenset()  # of the people around it, casefolded; never sent and never stored: answers are checked for them
    quarantine: str | None = None  # what the source carried that makes its records untrustworthy

    def span(self, span_id: str) -> Span | None:
        """Return the span that an id names; None for one outside of the pool."""
        return _at(self.spans, span_id)

    def place(self, symbol_id: str) -> Place | None:
        """Return the place that an id names; None for one outside of the pool."""
        return _at(self.places, symbol_id)

    def known_record(self, known_id: str) -> KnownRecord | None:
        """Return the known record that an id names; None for one outside of the pool."""
        return _at(self.known, known_id)


class SkipCode(StrEnum):
    """Why a source is not asked about."""

    MERGE = "merge"
    BOT = "bot"
    BUMP = "bump"  # of a version or a dependency
    VENDORED = "vendored"  # only vendored or generated files changed
    NO_CHANGE = "no_change"  # nothing to anchor a record to
    NO_REASON = "no_reason"  # no sign of a reason in what it says
    BARE_REVERT = "bare_revert"  # a revert without a reason of its own; the harvester records it
    QUARANTINED = "quarantined"  # hidden characters, or orders to an agent
    RECORDED = "recorded"  # its trailers say it already
    COPY = "copy"  # a cherry-pick or backport of a source that was asked about
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """A source that is not asked about."""

    source: Source
    source_id: str
    repo_id: str
    code: SkipCode
    detail: str = ""


def _at(pool: Sequence[_T], name: str) -> _T | None:
    position = int(name[1:]) - 1
    return pool[position] if 0 <= position < len(pool) else None
