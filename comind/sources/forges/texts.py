"""Texts of a forge without secrets, hidden characters and people; those that carry an attack are withheld.

In: a text, and the JSON it stands in, whose accounts are the people most likely named. Out: `Text`.
A request's own people are known here, so that their names go even where no rule for prose would know them for names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.safety import scrub
from comind.safety.trailers import ANNOTATIONS
from comind.sources.forges.model import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Cleaner"]

MAX_CHARACTERS = 65_536  # of one text; what GitHub allows, and more than anybody reads
_CODE = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]+`)", re.DOTALL)
_HANDLE = re.compile(r"(?<![\w`/.@+-])@(?P<name>[A-Za-z0-9](?:[\w.-]{0,60}\w)?)(?![\w/])")
_PERSON = "[person]"
_LONG = 8  # letters of an account's name from which it is no ordinary word


class Cleaner:
    """Cleans the texts of one request."""

    def __init__(self, *raws: object) -> None:
        names = sorted({name for raw in raws for name in _people(raw)}, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.IGNORECASE) if names else None

    def clean(self, text: str | None) -> Text:
        """Return a text as it may be stored."""
        whole = (text or "").encode(errors="replace").decode()
        clean = scrub(whole if len(whole) <= MAX_CHARACTERS else whole[:MAX_CHARACTERS] + "…")
        if clean.quarantine_code is not None:
            return Text("", clean.quarantine_code)
        parts = _CODE.split(clean.text)  # every second one is code, where an `@` is no person's
        return Text("".join(part if position % 2 else self._without_people(part) for position, part in enumerate(parts)))

    def _without_people(self, prose: str) -> str:
        prose = _HANDLE.sub(lambda found: found[0] if found["name"].lower() in ANNOTATIONS else _PERSON, prose)
        return self._names.sub(_PERSON, prose) if self._names else prose


def _people(raw: object) -> Iterator[str]:
    """Yield what would name somebody: full names, and names of accounts that are no ordinary words."""
    if isinstance(raw, list):
        yield from (name for one in raw for name in _people(one))
    elif isinstance(raw, dict):
        handle = raw.get("username") or raw.get("login")
        if isinstance(handle, str):
            yield from _telling([handle, raw.get("name")])
        yield from (name for one in raw.values() if isinstance(one, dict | list) for name in _people(one))


def _telling(names: Iterable[object]) -> Iterator[str]:
    for name in names:
        if isinstance(name, str) and (" " in name.strip() or len(name) >= _LONG or re.search(r"[\d_-]", name)):
            yield name.strip()
