"""One page of the dialogue: a record that waits, its evidence, the code under it, the keys.

In: what is to be seen and how much room there is. Out: exactly as many lines as there are rows at most, none wider than the page.
Knows no terminal and decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import Console

from comind.query.render import line
from comind.query.render_review import code_lines, item_lines
from comind.status.waiting import Waits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from comind.query.code_now import CodeShown
    from comind.query.render import Part
    from comind.query.review import ReviewItem

__all__ = ["KEYS", "Seen", "help_lines", "keys_for", "page", "scrolled"]

KEYS: Final[dict[str, str]] = {
    "a": "accept", "e": "edit", "r": "reject", "c": "confirm", "t": "retract", "s": "supersede", "d": "dispute", "n": "next", "p": "back",
    "u": "undo", "?": "help", "q": "quit",
}  # fmt: skip
_WRITES: Final = {
    "confirm": "confirms: you read it against the code that the index shows, and it holds",
    "retract": "retracts: it no longer holds; asks why",
    "supersede": "supersedes: another record takes its place; asks which",
    "dispute": "disputes: it is doubted, and shown so; asks why",
    "edit": "a new record in your editor, and supersedes: yours takes its place",
}
_SMALL: Final = 8  # rows; on fewer a person who needs the keys asks for them
_ALWAYS: Final = ("next", "back", "undo", "help", "quit")
_MOVES: Final = {
    "n, right": "the next one",
    "p, left": "the one before",
    "space, down, up": "more of this one",
    "u": "take the last decision back: what it wrote is retracted; again for the one before",
    "q, Ctrl-C": "leave; every decision stands in the log already",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a page shows."""

    item: ReviewItem
    code: CodeShown
    position: int  # 1-based
    total: int
    decided: int
    verdict: str | None = None  # what was decided about this one
    message: str = ""  # what the last key led to
    scroll: int = 0  # lines of the middle that are above the page
    helps: bool = False


def keys_for(item: ReviewItem) -> dict[str, str]:
    """Say what accept and reject mean for a record: of a draft it is about the draft, of a challenge about that."""
    waits = {one.waits for one in item.waits}
    if Waits.DRAFT in waits:
        return {
            "accept": "confirms: the draft holds (T3)",
            "reject": "retracts: the draft does not hold, and is not proposed again; asks why",
        }
    if Waits.CHALLENGE in waits and item.challenges:
        latest = item.challenges[0].kind
        agreed = "supersedes" if latest == "supersedes" else "retracts"
        return {
            "accept": f"{agreed}: the challenge is right",
            "reject": "retracts, of the challenge: it is wrong; asks why",
            "confirm": "confirms: the record holds; the challenge waits on, reject answers it",
        }
    return {"accept": "confirms: it holds in the code of now"}


def help_lines(item: ReviewItem) -> list[Text]:
    """List the keys and what each writes."""
    writes = _WRITES | keys_for(item)
    lines = [line(("What the keys write, as a person:", "bold"))]
    lines += [line(("  " + key, "bold"), f"  {verb:<10} {writes[verb]}") for key, verb in KEYS.items() if verb in writes]
    lines += [line(), line(("Moving about:", "bold"))]
    lines += [line(("  " + f"{keys:<18}", "bold"), words) for keys, words in _MOVES.items()]
    return lines


def page(seen: Seen, width: int, height: int) -> list[Text]:
    """Lay out a page; on a small one the keys give way first, then the middle."""
    top, whole, bottom = _cut(_headline(seen), width), _middle(seen, width), _bottom(seen, width, height)
    room = _room(bottom, height)
    shown = whole[seen.scroll : seen.scroll + room]
    left = len(whole) - seen.scroll - room
    if left > 0 and room > 1:
        shown[-1] = _cut(line((f"… {left + 1} more lines: space", "dim")), width)
    return [top, *shown, *[line()] * (room - len(shown)), *bottom][:height]


def scrolled(seen: Seen, width: int, height: int, pages: int = 0, lines: int = 0) -> int:
    """Return how far down a page is after some pages and lines: never beyond its end."""
    room = _room(_bottom(seen, width, height), height)
    furthest = max(len(_middle(seen, width)) - room, 0)
    return min(max(seen.scroll + pages * max(room - 2, 1) + lines, 0), furthest)


def _room(bottom: list[Text], height: int) -> int:
    return max(height - 1 - len(bottom), 0)


def _bottom(seen: Seen, width: int, height: int) -> list[Text]:
    message = _wrapped([line((seen.message, "yellow"))], width)[: max(height // 3, 1)]
    keys = [_cut(one, width) for one in _key_lines(seen.item, width)]
    return message[-1:] if height < _SMALL else [_cut(line(("─" * width, "dim")), width), *keys, *message]


def _middle(seen: Seen, width: int) -> list[Text]:
    if seen.helps:
        return _wrapped(help_lines(seen.item), width)
    head, *rest = code_lines(seen.code)
    code = [_cut(one, width) for one in rest]
    return [*_wrapped(item_lines(seen.item, whole=True), width), line(), *_wrapped([head], width), *code]


def _headline(seen: Seen) -> Text:
    waits = ", ".join(one.waits for one in seen.item.waits)
    parts: list[Part] = [
        (f"{seen.position} of {seen.total}", "bold"),
        f"  {waits}, {seen.item.record.author_kind}",
        (f"  {seen.decided} decided", "dim"),
    ]
    if seen.verdict:
        parts.append((f"  {seen.verdict}", "bold green"))
    return line(*parts)


def _key_lines(item: ReviewItem, width: int) -> list[Text]:
    """Name the keys that do something here, on one line or two."""
    can = {**keys_for(item), **_WRITES}
    told: list[list[Part]] = [[(key, "bold"), f" {verb}  "] for key, verb in KEYS.items() if verb in can]
    moves: list[list[Part]] = [[(key, "bold"), f" {verb}  "] for key, verb in KEYS.items() if verb in _ALWAYS]
    one_line = line(*(part for parts in (*told, *moves) for part in parts))
    if len(one_line) <= width:
        return [one_line]
    return [line(*(part for parts in group for part in parts)) for group in (told, moves)]


def _wrapped(lines: Iterable[Text], width: int) -> list[Text]:
    console = Console(width=max(width, 1), file=None, color_system=None)
    return [part for one in lines for part in (one.wrap(console, max(width, 1), overflow="fold") or [one])]


def _cut(text: Text, width: int) -> Text:
    text.truncate(max(width, 1), overflow="ellipsis")
    return text
