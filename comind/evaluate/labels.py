"""Files of labels: one JSON object per line.

In: a path. Out: its lines with their numbers, or the error that says what is wrong with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LabelsUnreadableError", "labelled_lines"]


class LabelsUnreadableError(UsageError):
    """A file of labels is missing, or a line of it is not a label."""

    def __init__(self, path: Path, problem: str, fields: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{str(path)!r} {problem}; give one JSON object per line with {fields}")


def labelled_lines(path: Path, fields: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that hold something, with their numbers; `fields` are what each must name.

    Raises:
        LabelsUnreadableError: the file cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LabelsUnreadableError(path, f"cannot be read ({error.strerror})", fields) from None
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
