"""`comind review --interactive`: one record after the other, decided by a key.

In: a session, what to review, a terminal. Out: relations in the inbox, written the moment they are decided.
Because an entry is never rewritten, undo writes too: it retracts what the decision wrote. So whenever the dialogue ends, by q, by Ctrl-C or
by a lost connection, the log holds exactly what was decided so far.
"""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import click

from comind.cli.deciding import Desk, Said
from comind.cli.editor import edited_decision
from comind.cli.review_page import KEYS, Seen, page, scrolled
from comind.cli.screen import print_text, warn
from comind.cli.terminal import PosixTerminal, uninterrupted
from comind.errors import ComindError
from comind.query.answer import Outcome
from comind.query.code_now import code_under
from comind.query.pending import policy_of
from comind.query.render import line
from comind.query.render_review import render_review
from comind.query.review import ask_review, everything_waiting, items_shown, waiting
from comind.status.waiting import Waits

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    import polars as pl

    from comind.cli.context import Session
    from comind.cli.deciding import Decision
    from comind.cli.terminal import Terminal
    from comind.query.review import ReviewAsked, ReviewItem

__all__ = ["Dialogue", "review_interactively"]

_REASONS: Final = ("It is wrong", "It says nothing that the code does not say", "Another record says it", "It is not about this code")
_ASK_WHY: Final = "why? 1 wrong, 2 in the code already, 3 known, 4 other code, or your words:"
_DONE: Final = {
    "accept": "accepted", "edit": "edited", "reject": "rejected", "confirm": "confirmed", "retract": "retracted", "supersede": "superseded",
    "dispute": "disputed",
}  # fmt: skip
_MOVES: Final = {"n": 1, "right": 1, "p": -1, "left": -1}
_SCROLLS: Final = {
    " ": {"pages": 1}, "page down": {"pages": 1}, "page up": {"pages": -1}, "down": {"lines": 1}, "up": {"lines": -1},
}  # fmt: skip


def review_interactively(session: Session, asked: ReviewAsked) -> int:
    """Hold the dialogue about what is asked for; where nothing waits, say so as the list does.

    Raises:
        NoTerminalError: there is no terminal.
    """
    terminal = PosixTerminal.of_this_process()
    view, policy = session.view, policy_of(session.settings)
    answer = ask_review(view, replace(asked, limit=1), session.checkouts, policy)
    for gap in answer.gaps:
        warn(gap)
    if not answer.items:
        print_text(render_review(answer))
        return Outcome(answer.outcome).exit_code
    rows = waiting(view, everything_waiting(view), asked)
    desk = Desk(session)
    listed = rows if asked.limit is None else rows.head(asked.limit)
    dialogue = Dialogue(desk, listed, terminal, aside=terminal.aside, message=desk.caution or "")
    try:
        with terminal.open():
            dialogue.run()
    finally:
        print_text(line(dialogue.summary()))
    return Outcome(answer.outcome).exit_code


@dataclass
class Dialogue:
    """The dialogue: where it is, and what was decided in it."""

    desk: Desk
    rows: pl.DataFrame  # what waits, in its order
    terminal: Terminal
    said: Said = field(default_factory=Said)
    aside: Callable[[], AbstractContextManager[object]] = nullcontext  # gives the terminal to an editor for a while
    position: int = 0
    message: str = ""
    scroll: int = 0
    helps: bool = False
    decided: dict[int, Decision] = field(default_factory=dict)  # the standing decisions by position, the latest last
    written: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._item = cache(self._read_item)

    def run(self) -> None:
        """Show, wait for a key, do what it says, until the person leaves."""
        while True:
            size = self.terminal.size()
            self.scroll = scrolled(self._seen(), *size)  # a page that has grown shows more, and begins further up
            self.terminal.show(page(self._seen(), *size))
            key = self.terminal.key()
            if key in {"q", "end"}:
                return
            self._press(key, size)

    def summary(self) -> str:
        """Say what was decided."""
        told = [f"{self.written[verb]} {done}" for verb, done in _DONE.items() if self.written[verb]]
        left = self.rows.height - len(self.decided)
        return f"{', '.join(told) or 'nothing decided'}; {left} {'waits' if left == 1 else 'wait'}"

    def _press(self, key: str, size: tuple[int, int]) -> None:
        helped, self.helps = self.helps, False
        if key == "resized":
            self.helps = helped
            return
        self.message = ""
        if key in _MOVES:
            self._go(self.position + _MOVES[key])
        elif key in _SCROLLS:
            self.scroll = scrolled(self._seen(), *size, **_SCROLLS[key])
        elif key == "u":
            self._undo()
        elif key == "?":
            self.helps = not helped
        elif key in KEYS:
            self._decide(KEYS[key])
        elif not helped:
            self.message = "that key does nothing; ? lists those that do"

    def _decide(self, verb: str) -> None:
        if self.position in self.decided:
            self.message = f"{_DONE[self.decided[self.position].verb]} already; u takes the last decision back"
            return
        item = self._item(self.position)
        try:
            decision = self._decision(verb, item)
            if decision is None:
                self.message = "nothing written"
                return
            with uninterrupted():
                self.desk.write([decision])
                self.decided[self.position] = decision
                self.written[verb] += 1
        except (ComindError, click.ClickException) as error:
            self.message = f"nothing written: {error.format_message() if isinstance(error, click.ClickException) else error}"
            return
        self.message = f"{_DONE[verb]}: {item.record.title}"
        self._go_on()

    def _decision(self, verb: str, item: ReviewItem) -> Decision | None:
        if verb == "edit":
            with self.aside():
                return edited_decision(self.desk, item.record.id, self.said)
        said = self.said
        if verb in {"reject", "retract", "dispute"}:
            reason = self.terminal.ask(_ASK_WHY if verb == "reject" else "why?")
            if reason is None:
                return None
            said = Said(reason=_REASONS[int(reason) - 1] if verb == "reject" and reason in {"1", "2", "3", "4"} else reason)
        if verb == "supersede":
            successor = self.terminal.ask("by which record? its id:")
            if successor is None:
                return None
            said = Said(by=successor)
        about = _challenge_of(item) if verb in {"accept", "reject"} else None
        return self.desk.prepare(verb, [about or item.record.id], said)[0]

    def _undo(self) -> None:
        if not self.decided:
            self.message = "nothing to take back"
            return
        position, decision = next(reversed(self.decided.items()))
        try:
            with uninterrupted():
                self.desk.write([self.desk.take_back(decision, self.said)])
                del self.decided[position]
                self.written[decision.verb] -= 1
        except ComindError as error:
            self.message = f"not taken back: {error}"
            return
        self._go(position)
        self.message = f"taken back: it is not {_DONE[decision.verb]} any more"

    def _go(self, position: int) -> None:
        last = self.rows.height - 1
        if position > last:
            self.message = "that was the last; p goes back, q leaves"
        if position < 0:
            self.message = "this is the first"
        self.position, self.scroll = min(max(position, 0), last), 0

    def _go_on(self) -> None:
        """Go to the next that is not decided: after this one, else before it."""
        open_ = [position for position in range(self.rows.height) if position not in self.decided]
        if open_:
            self.position, self.scroll = next((position for position in open_ if position > self.position), open_[0]), 0
        else:
            self.message += "; all are decided, q leaves"

    def _read_item(self, position: int) -> ReviewItem:
        session = self.desk.session
        return next(items_shown(session.view, self.rows.slice(position, 1), policy_of(session.settings)))

    def _seen(self) -> Seen:
        item = self._item(self.position)
        verdict = self.decided.get(self.position)
        return Seen(
            item=item, code=code_under(item.anchor, self.desk.session.checkouts), position=self.position + 1, total=self.rows.height,
            decided=len(self.decided), verdict=_DONE[verdict.verb] if verdict else None, message=self.message, scroll=self.scroll,
            helps=self.helps,
        )  # fmt: skip


def _challenge_of(item: ReviewItem) -> str | None:
    """Return the challenge that accept and reject are about; None where they are about the record."""
    if any(one.waits == Waits.DRAFT for one in item.waits) or not item.challenges:
        return None
    return item.challenges[0].id
