"""JSON values one after the other, out of a file of any size: lines of JSON, an array, or several arrays in a row.

In: chunks of bytes. Out: values; what is no JSON is a value, too, that says where and why. Holds one value, and one chunk, at a time.
A broken line costs that line. In an array nobody knows where the next value begins, so what follows is lost, and said to be.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["NotJson", "json_values"]

MAX_CHARACTERS = 32_000_000  # of one value
_BETWEEN = re.compile(r"[\s\[\],]*")


@dataclass(frozen=True, slots=True)
class NotJson:
    """Something that is no JSON."""

    where: str
    problem: str


def json_values(chunks: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    r"""Yield values with the place where each stands; bytes that are no UTF-8 become replacement characters.

    >>> [value for _, value in json_values([b'[{"a": 1}, ', b'{"a": 2}]'])]
    [{'a': 1}, {'a': 2}]
    >>> [value for _, value in json_values([b'{"a": 1}', b"\nnonsense", b'\n{"a": 2}'])]
    [{'a': 1}, NotJson(where='line 2', problem='is no JSON'), {'a': 2}]
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    texts = chain((decoder.decode(chunk) for chunk in chunks), (decoder.decode(b"", final=True) for _ in "1"))
    first = next((text for text in texts if text.strip()), "")
    whole = chain([first], texts)
    # One that is set out over many lines begins with a brace alone.
    in_a_row = first.lstrip()[:1] == "[" or first.lstrip().partition("\n")[0].strip() == "{"
    return _in_a_row(whole) if in_a_row else _by_line(whole)


def _by_line(texts: Iterable[str]) -> Iterator[tuple[str, Any]]:
    rest, number, endless = "", 0, False
    for text in chain(texts, ["\n"]):
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            number += 1
            if endless or line.strip():
                where = f"line {number}"
                yield where, NotJson(where, "is too long") if endless else _value(line, where)
            endless = False
        if len(rest) > MAX_CHARACTERS:
            rest, endless = "", True


def _value(line: str, where: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return NotJson(where, "is no JSON")


def _in_a_row(texts: Iterable[str]) -> Iterator[tuple[str, Any]]:
    decoder, pieces = json.JSONDecoder(), iter(texts)
    text, position, number, ended = "", 0, 1, False
    while True:
        position = _BETWEEN.match(text, position).end()  # type: ignore[union-attr]  # it matches nothing, too
        if position < len(text):
            try:
                value, position = decoder.raw_decode(text, position)
            except (ValueError, RecursionError):
                if ended or len(text) - position > MAX_CHARACTERS:
                    why = "breaks off here" if ended else "is no JSON, or too large"
                    yield f"value {number}", NotJson(f"value {number}", f"{why}; what follows it is not read")
                    return
            else:
                yield f"value {number}", value
                number += 1
                continue
        elif ended:
            return
        more = next(pieces, None)
        ended = more is None
        text, position = text[position:] + (more or ""), 0
