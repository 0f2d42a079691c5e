"""Where answers are printed: in colour on a terminal, plain in a pipe or with NO_COLOR.

In: texts without markup, answers. Out: standard output and standard error. Never wraps: a line of ours is a line of the output.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from comind.errors import ComindError

if TYPE_CHECKING:
    from rich.text import Text

    from comind.query.shape import Shape

__all__ = ["ReaderGoneError", "emit", "is_colourful", "print_answer", "print_text", "warn"]


class ReaderGoneError(ComindError):
    """Whoever read the output has left, as `head` does; there is nobody to tell."""

    def __init__(self) -> None:
        super().__init__("the reader of the output has left")


def print_answer(answer: Shape, text: Text, *, as_json: bool) -> None:
    """Print an answer as JSON, or the text that renders it."""
    if as_json:
        emit(answer.to_json())
    else:
        print_text(text)


def emit(text: str) -> None:
    """Print a text that is fit for any terminal, such as JSON in ASCII; raises `ReaderGoneError`."""
    try:
        print(text, flush=True)  # noqa: T201
    except BrokenPipeError:
        raise ReaderGoneError from None


def print_text(text: Text) -> None:
    """Print styled text; the styles are for a terminal alone. Raises `ReaderGoneError`."""
    if not is_colourful(sys.stdout):
        emit(text.plain)
        return
    from rich.console import Console  # noqa: PLC0415 - a pipe does not pay for it

    Console(markup=False, highlight=False, emoji=False, soft_wrap=True).print(text)


def warn(message: str) -> None:
    """Say on standard error, in one line, what keeps an answer from being whole."""
    from comind.safety.terminal import plain_line  # noqa: PLC0415 - a command that goes well does not pay for it

    print(f"comind: {plain_line(message)}", file=sys.stderr)  # noqa: T201


def is_colourful(stream: TextIO) -> bool:
    """Tell whether colours are for a stream: a terminal that can show them, and whose user wants them."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
