"""Fields of another tool's entry, whatever stands there, and their texts made harmless.

In: values read from YAML, JSON or CSV. Out: text, lists and mappings of the shape that is asked for; empty where there is none.
Never lets a text through that has not been scrubbed; a text that no honest source carries raises `NotTakenError`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from comind.harvest.interop.losses import NotTakenError
from comind.harvest.revert_text import shorten
from comind.safety import scrub

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["clean", "entries", "line_of", "moment_of", "one_line", "section", "word"]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_HIGHEST = datetime(9999, 1, 1, tzinfo=UTC)


def section(entry: Mapping[str, object], name: str) -> Mapping[str, object]:
    """Return the mapping in a field."""
    value = entry.get(name)
    return value if isinstance(value, dict) else {}


def entries(entry: Mapping[str, object], name: str) -> list[object]:
    """Return the list in a field; a single value counts as a list of one."""
    value = entry.get(name)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def word(entry: Mapping[str, object], name: str) -> str:
    """Return the text in a field as it stands there, without blanks at its ends; for names and dates, not for prose."""
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def clean(value: object) -> str:
    """Return a text without people, secrets and hidden characters.

    Raises:
        NotTakenError: it carries what no honest text has.
    """
    if not isinstance(value, str):
        return ""
    scrubbed = scrub(value)
    if scrubbed.quarantine_code:
        raise NotTakenError("quarantined", f"its text carries {scrubbed.quarantine_code}")
    return scrubbed.text.strip()


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def line_of(value: object, most: int) -> str:
    """Return a text made harmless, on one line, cut to a number of characters."""
    return shorten(one_line(clean(value)), most)


def moment_of(text: str) -> datetime | None:
    """Return the moment that a text names, a day as its first moment; None for what is no time.

    >>> [str(moment_of(text)) for text in ("2024-04-15", "2024-04-15T10:00:00+02:00", "soon")]
    ['2024-04-15 00:00:00+00:00', '2024-04-15 08:00:00+00:00', 'None']
    """
    try:
        moment = datetime.fromisoformat(text)
        known = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return known if timedelta(0) <= known - datetime(1970, 1, 2, tzinfo=UTC) and known < _HIGHEST else None
