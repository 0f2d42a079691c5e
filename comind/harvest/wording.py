"""How every harvester words what a record needs: provenance, anchors, quotes and texts of a limited length.

In: places, times, texts of a source. Out: plain JSON of records' parts, the same bytes in every clone.
Never judges, and never takes a word that does not stand in the source.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from comind.harvest.revert_text import headline
from comind.records.limits import MAX_TRIGGER_CHARS
from comind.records.vocabulary import AuthorKind, Role, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.canonical import Json
    from comind.harvest.touched import Place
    from comind.records.vocabulary import Source

__all__ = ["SHORT", "anchor_of", "day_of", "fit", "provenance_of", "quoted_lines", "trigger_of"]

_NAMES_IN_TRIGGER = 2
SHORT = 12  # digits of a commit id in a text


def provenance_of(source: Source, *, repo_id: str, harvester: str, time: int) -> dict[str, Json]:
    """Return where a harvested record comes from.

    Args:
        source: the door it comes in by.
        repo_id: the repository that was read.
        harvester: the rules and their version.
        time: of the source, in seconds since 1970, UTC; the record's transaction time.
    """
    return {
        "author_kind": AuthorKind.HARVESTED,
        "source": source,
        "repo": repo_id,
        "harvester": harvester,
        "source_time": datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def anchor_of(place: Place, repo_id: str) -> dict[str, Json]:
    """Return the anchor at a place of a repository."""
    anchor: dict[str, Json] = {"scope": place.scope, "role": place.role, "repo": repo_id, "commit": place.commit}
    if place.scope is not Scope.REPO:
        anchor["path"] = place.path
    if place.symbol is not None:
        anchor |= {"symbol": place.symbol, "start_line": place.start_line, "end_line": place.end_line}
    return anchor


def fit(text: str, most: int) -> str:
    """Cut a text to a number of bytes of UTF-8, marked with an ellipsis.

    >>> fit("größer", 6), fit("größer", 99)
    ('gr…', 'größer')
    """
    encoded = text.encode()
    return text if len(encoded) <= most else encoded[: max(0, most - 3)].decode(errors="ignore").rstrip() + "…"


def quoted_lines(text: str) -> str:
    r"""Mark every line of a text as a quotation.

    >>> quoted_lines("one\n\ntwo")
    '> one\n>\n> two'
    """
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def day_of(time: int) -> str:
    """Return the day of a time in seconds since 1970, UTC.

    >>> day_of(1_700_000_000)
    '2023-11-14'
    """
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")


def trigger_of(places: Iterable[Place], title: str, *, or_else: str = "") -> str:
    """Return when a reader would need a record: before changing what it is about, or before doing something else.

    Args:
        places: its subjects are named.
        title: what the record says; cut to what fits.
        or_else: another occasion, such as `trying again`.
    """
    names = list(dict.fromkeys(f"`{place.name}`" for place in places if place.role is Role.SUBJECT))
    occasion = f", or {or_else}" if or_else else ""
    for shown in range(min(_NAMES_IN_TRIGGER, len(names)), 0, -1):
        start = f"Before changing {', '.join(names[:shown])}{_and_others(len(names) - shown)}{occasion}: "
        if len(start) <= MAX_TRIGGER_CHARS // 2:
            return start + headline(title, MAX_TRIGGER_CHARS - len(start))
    start = f"Before {or_else or 'changing it'}: "
    return start + headline(title, MAX_TRIGGER_CHARS - len(start))


def _and_others(count: int) -> str:
    return f" or {count} other place{'s' * (count != 1)}" if count > 0 else ""
