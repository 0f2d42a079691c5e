"""The spans of one source: what a model may read of it, and quote.

In: prose, already scrubbed. Out: `Span`s of limited length and number; of too many, those go that reason least.
No span speaks to an agent, and none holds what `comind.safety` would take out of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from comind.distill.addressed import speaks_to_reader
from comind.distill.brief import MAX_SPANS, Span, SpanRole
from comind.distill.signs import reasoning_of
from comind.harvest.revert_text import shorten
from comind.safety import Level, inspect, scrub

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from comind.distill.prose import Prose

__all__ = ["MAX_PARAGRAPHS", "MAX_SPAN_CHARS", "MAX_UNDONE_CHARS", "best", "is_clean", "pieces_of", "spans_of", "undone_span"]

MAX_SPAN_CHARS: Final = 320
MAX_UNDONE_CHARS: Final = 280
MAX_PARAGRAPHS: Final = 8
_MANY = 200  # paragraphs of a source that are looked at
_BREAK = re.compile(r"(?<=[.!?;:])\s+|\n")


def spans_of(prose: Prose, clean: Callable[[str], str], *, comments: Sequence[Span] = ()) -> tuple[Span, ...]:
    """Return the spans of a source in its order: its subject, its paragraphs, the comments on it.

    Args:
        prose: its words.
        clean: takes out of a text what only the source knows not to belong there, such as names.
        comments: further spans, clean already.

    Returns:
        None at all when its subject cannot be told.
    """
    subject = _told(clean(prose.subject))
    if subject is None:
        return ()
    paragraphs = [told for paragraph in prose.paragraphs[:_MANY] for piece in pieces_of(clean(paragraph)) if (told := _told(piece))]
    most = max(MAX_PARAGRAPHS - len(comments), MAX_PARAGRAPHS // 2)
    kept = [Span(SpanRole.PARAGRAPH, paragraph) for paragraph in best(paragraphs, most)]
    room = MAX_SPANS - 2 - len(kept)  # one for the subject, one for what is undone
    return (Span(SpanRole.SUBJECT, subject), *kept, *comments[:room])


def undone_span(prose: Prose, clean: Callable[[str], str]) -> Span | None:
    """Return what an undone change said of itself, in one span."""
    told = _told(clean(" ".join(" ".join((prose.subject, *prose.paragraphs)).split())), MAX_UNDONE_CHARS)
    return Span(SpanRole.UNDONE, told) if told else None


def pieces_of(text: str, most: int = MAX_SPAN_CHARS) -> list[str]:
    """Cut a paragraph at the ends of sentences into pieces of at most so many characters.

    >>> pieces_of("One is here. Two is there. Three.", 14)
    ['One is here.', 'Two is there.', 'Three.']
    """
    pieces: list[str] = []
    for part in _BREAK.split(text):
        sentence = shorten(part.strip(), most)
        if pieces and len(pieces[-1]) + 1 + len(sentence) <= most:
            pieces[-1] = f"{pieces[-1]} {sentence}"
        elif sentence:
            pieces.append(sentence)
    return pieces


def best(texts: Sequence[str], most: int) -> list[str]:
    """Return those that reason most, in their order; of equals the earlier."""
    ranked = sorted(range(len(texts)), key=lambda place: -reasoning_of(texts[place]))
    return [texts[place] for place in sorted(ranked[:most])]


def is_clean(text: str) -> bool:
    """Whether a text holds nothing that must not leave: not even what is only worth a look when a person writes it."""
    return not speaks_to_reader(text) and not any(
        finding.level > Level.FLAG or finding.instead is not None or finding.code.startswith("instruction_") for finding in inspect(text)
    )


def _told(text: str, most: int = MAX_SPAN_CHARS) -> str | None:
    told = shorten(scrub(text).text.strip(), most)
    return told if told and is_clean(told) else None
