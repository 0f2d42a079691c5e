r"""A terminal that a dialogue runs in: single keys in, whole pages out; left as it was found, whatever happens.

In: the file descriptors of this process. Out: keys, answers to questions. Needs termios, that is a POSIX terminal.
The standard library does all of it: the dialogue needs keys, a line of text and a page, and a library for these brings an event loop along.
The driver keeps Ctrl-C as a signal. What is pasted arrives as one key, so that no word of it is taken for a command.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from rich.console import Console

from comind.cli.screen import is_colourful
from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from rich.text import Text

__all__ = ["NoTerminalError", "PosixTerminal", "Terminal", "next_key", "uninterrupted"]

RESIZED: Final = "resized"
_POLL: Final = 0.25  # seconds between looks at the size of the terminal
_REST: Final = 0.05  # seconds that the rest of an escape sequence may take
_PASTE_REST: Final = 2.0  # and the rest of a paste
_KEY = re.compile(r"\x1b\[200~(?P<paste>.*?)\x1b\[201~|\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|.", re.DOTALL)
_NAMES: Final = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right",
    "\x1bOD": "left", "\x1b[5~": "page up", "\x1b[6~": "page down", "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace",
    "\x15": "erase", "\x04": "end", "\x1b": "escape", "\x0c": RESIZED,
}  # fmt: skip
_PASTE: Final = "\x1b[200~"  # what is pasted begins; its end may be a while in coming
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?2004h", "\x1b[?2004l\x1b[?1049l"  # the other screen, and pastes that are marked as such


class NoTerminalError(UsageError):
    """A dialogue was asked for, and there is nobody to talk to."""

    def __init__(self) -> None:
        super().__init__("--interactive needs a terminal to read keys from and to write to; without it the list is printed")


class Terminal(Protocol):
    """What a dialogue needs of a terminal."""

    def size(self) -> tuple[int, int]:
        """Return columns and rows."""

    def key(self) -> str:
        """Wait for a key and return it: a character, or a name such as ``left``; ``resized`` when the size has changed."""

    def ask(self, question: str) -> str | None:
        """Ask for a line of text; None when it is empty or the person thinks better of it."""

    def show(self, lines: Sequence[Text]) -> None:
        """Show a page in place of the last one."""


def next_key(text: str) -> tuple[str | None, str]:
    r"""Take the first key off what has arrived; None while it is not whole.

    >>> next_key("\x1b[Cx"), next_key("\x1b"), next_key("\x1b[200~two\nlines\x1b[201~")
    (('right', 'x'), (None, '\x1b'), ('paste two\nlines', ''))
    """
    found = _KEY.match(text)
    begun = found is not None and found[0] == "\x1b" and (len(text) == 1 or text[1] in "[O")
    if found is None or begun or found[0] == _PASTE:
        return None, text
    if found["paste"] is not None:
        return f"paste {found['paste']}", text[found.end() :]
    return _NAMES.get(found[0], found[0]), text[found.end() :]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let what is begun be finished before Ctrl-C takes effect: an edit writes two entries."""
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            raise KeyboardInterrupt


@dataclass
class PosixTerminal:
    """The terminal that this process runs in."""

    is_dumb: bool = field(default_factory=lambda: os.environ.get("TERM", "dumb") in {"dumb", "unknown"})
    _arrived: str = ""  # and not taken yet
    _found: list[Any] = field(default_factory=list)  # the settings of the terminal before
    _shown: tuple[int, int] = (0, 0)
    _decoder: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))

    @classmethod
    def of_this_process(cls) -> Self:
        """Return the terminal; raises `NoTerminalError` where input or output is none."""
        try:
            import termios  # noqa: F401, PLC0415 - not there on every system
        except ImportError:
            raise NoTerminalError from None
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise NoTerminalError
        return cls()

    @contextmanager
    def open(self) -> Iterator[Self]:
        """Read keys as they are typed, on a screen of its own; afterwards everything is as it was."""
        import termios  # noqa: PLC0415
        import tty  # noqa: PLC0415

        descriptor = sys.stdin.fileno()
        self._found = before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)  # keeps what was typed ahead
            self._write("" if self.is_dumb else _ENTER)
            yield self
        finally:
            self._write("\n" if self.is_dumb else _LEAVE)
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Give the terminal to another program for a while, as it was found."""
        import termios  # noqa: PLC0415

        descriptor = sys.stdin.fileno()
        ours = termios.tcgetattr(descriptor)
        self._write("" if self.is_dumb else _LEAVE)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, self._found)
        try:
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, ours)
            self._write("" if self.is_dumb else _ENTER)

    def size(self) -> tuple[int, int]:
        """Return columns and rows."""
        try:
            columns, rows = os.get_terminal_size(sys.stdout.fileno())
        except OSError:
            columns, rows = 0, 0
        return columns or 80, (rows or 24) - (2 if self.is_dumb else 0)  # there a page begins and ends with a line of its own

    def key(self) -> str:
        """Wait for a key and return it; ``resized`` when the size has changed since the page was shown, ``end`` when nobody is there."""
        while True:
            found, self._arrived = next_key(self._arrived)
            if found is not None:
                return found
            if not select.select([sys.stdin], [], [], self._patience())[0]:
                if self._arrived:  # no more of it comes: it was the key itself, or nothing that we know
                    self._arrived = ""
                    return "escape"
                if self.size() != self._shown:
                    return RESIZED
                continue
            content = os.read(sys.stdin.fileno(), 4096)
            if not content:
                return "end"
            self._arrived += self._decoder.decode(content)

    def ask(self, question: str) -> str | None:
        """Ask for a line of text on the last line of the page."""
        text = ""
        while True:
            self._line(question, text)
            key = self.key()
            match key:
                case "enter":
                    return text.strip() or None
                case "escape" | "end":
                    return None
                case "backspace":
                    text = text[:-1]
                case "erase":
                    text = ""
                case _ if key.startswith("paste "):
                    text += " ".join(key.removeprefix("paste ").split())
                case _ if len(key) == 1 and key.isprintable():
                    text += key

    def show(self, lines: Sequence[Text]) -> None:
        """Show a page in place of the last one."""
        self._shown = self.size()
        console = Console(markup=False, highlight=False, emoji=False, color_system="auto" if is_colourful(sys.stdout) else None)
        with console.capture() as captured:
            for line in lines:
                console.print(line, soft_wrap=True)
        page = captured.get().removesuffix("\n")
        self._write(f"\n{page}\n" if self.is_dumb else "\x1b[H" + page.replace("\n", "\x1b[K\n") + "\x1b[K\x1b[J")

    def _patience(self) -> float:
        if not self._arrived:
            return _POLL
        return _PASTE_REST if self._arrived.startswith(_PASTE) else _REST

    def _line(self, question: str, text: str) -> None:
        columns = self.size()[0]
        asked = question[: max(columns - 12, 4)]
        shown = f"{asked} {text[-max(columns - len(asked) - 2, 4) :]}"
        self._write(f"\n{shown}" if self.is_dumb else f"\r\x1b[K{shown}")

    @staticmethod
    def _write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
