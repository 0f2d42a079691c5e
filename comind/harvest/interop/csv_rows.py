"""The rows of a CSV file, however broken: what cannot be read is a row that says so, and reading goes on with the next line.

In: a file. Out: where each row begins, and its cells by the names of the columns, or why there are none.
Reads the file as a stream; a quotation mark that never closes costs the rows it swallows at most a second look.
"""

from __future__ import annotations

import codecs
import csv
from collections import deque
from typing import TYPE_CHECKING

from comind.harvest.interop.losses import NotTakenError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["read_columns", "read_rows"]

_MAX_LINES = 500  # of one row
_MAX_BROKEN = 1_000  # rows; a file with more is no CSV
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_columns(path: Path) -> list[str]:
    """Return the names in the first row of a file, in lower case; none where that row cannot be read."""
    _, cells = next(_cells(path), (0, None))
    return [name.strip().lower() for name in cells] if isinstance(cells, list) else []


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, str] | NotTakenError]]:
    """Yield the rows below the first, each with the number of its first line, from 1."""
    columns = read_columns(path)
    rows = _cells(path)
    next(rows, None)
    for number, cells in rows:
        if isinstance(cells, NotTakenError):
            yield number, cells
        elif len(cells) != len(columns):
            if cells:  # else a blank line
                yield number, NotTakenError("wrong_columns", f"it has {len(cells)} columns, and the head of the file has {len(columns)}")
        elif any("\udc80" <= letter <= "\udcff" for cell in cells for letter in cell):
            yield number, NotTakenError("bad_encoding", "it is not UTF-8")
        else:
            yield number, dict(zip(columns, cells, strict=True))


def _cells(path: Path) -> Iterator[tuple[int, list[str] | NotTakenError]]:
    held: deque[str] = deque()  # lines that a broken row had swallowed
    settled, broken = 0, 0
    with path.open("rb") as file:
        encoding = "utf-16" if file.read(2) in _UTF16 else "utf-8-sig"
    # What is not in the encoding comes as lone surrogates, so that it spoils its own row alone.
    with path.open(encoding=encoding, errors="replace" if encoding == "utf-16" else "surrogateescape", newline="") as lines:
        while True:
            taken: list[str] = []
            try:
                cells = next(csv.reader(_feed(held, lines, taken), strict=True))
            except StopIteration:
                return
            except csv.Error as error:
                broken += 1
                if broken > _MAX_BROKEN:
                    yield settled + 1, NotTakenError("too_broken", f"{_MAX_BROKEN:,} rows before it were broken; nothing after it was read")
                    return
                yield settled + 1, NotTakenError("broken_quoting", f"its quoting is broken: {error}")
                held.extendleft(reversed(taken[1:]))
                settled += 1
            else:
                yield settled + 1, cells
                settled += len(taken)


def _feed(held: deque[str], lines: Iterator[str], taken: list[str]) -> Iterator[str]:
    while len(taken) < _MAX_LINES:
        line = held.popleft() if held else next(lines, None)
        if line is None:
            return
        taken.append(line)
        yield line
