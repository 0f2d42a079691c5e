"""One document of a SCIP index laid over the text of its file: what is mentioned where, and whether the two belong together.

In: a message `Document`, the bytes of the file at the indexed commit. Out: `Mention`, and a verdict.
A SCIP index does not say which commit it was made from. So no mention is believed whose text is not the name of its symbol,
and no document whose names do not stand where it says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from comind.index.scip.messages import PositionEncoding, SymbolRole
from comind.index.scip.symbols import ScipSymbol, read_symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LaidOver", "Mention", "lay_over"]

_MIN_PLACED: Final = 0.95  # share of names that stand where the document says; one line more or less leaves few of them
_FEW: Final = 3  # names; so few must all stand there
_ALIASED = re.compile(rb"(\w+)\s+as\s+(\w+)")
_CALLED = re.compile(rb"[ \t]*!?[ \t]*\(")  # `name(`, and `name!(` of Rust
_DEFINED = re.compile(
    rb"\b(?:class|def|fn|fun|func|function|interface|struct|sub|trait)\s+$"
)  # some tools call a second definition a mention
_WORD_BEFORE, _WORD_AFTER = re.compile(rb"[\w$]$"), re.compile(rb"[\w$]")


@dataclass(frozen=True, slots=True)
class Mention:
    """One symbol at one place."""

    line: int  # 1-based
    name: str  # the last name as it is written there
    symbol: str  # as the index writes it
    is_definition: bool
    is_import: bool  # the index says so; many do not
    is_call: bool  # an opening parenthesis follows


@dataclass(frozen=True, slots=True)
class LaidOver:
    """What a document says of a file."""

    mentions: tuple[Mention, ...]  # of symbols that are not local to the file, and stand there by name
    local_places: frozenset[tuple[int, str]]  # line and name of what the document takes for local to the file
    placed: int  # names of symbols, and words, that stand where the document says
    looked_at: int

    @property
    def definitions(self) -> list[Mention]:
        """The mentions that are definitions."""
        return [mention for mention in self.mentions if mention.is_definition]

    @property
    def references(self) -> list[Mention]:
        """The mentions that are none."""
        return [mention for mention in self.mentions if not mention.is_definition]

    @property
    def is_current(self) -> bool:
        """Whether the document was made from this very text, as far as can be told."""
        return self.placed >= (_MIN_PLACED if self.looked_at > _FEW else 1) * self.looked_at


def lay_over(
    document: Any,  # noqa: ANN401
    content: bytes,
    symbols: Callable[[str], ScipSymbol | None] = read_symbol,
    aliases: set[tuple[str, str]] | None = None,
) -> LaidOver:
    """Read what a document says of its file.

    Args:
        document: the message `Document`.
        content: the file.
        symbols: reads symbols; give a cached one where there are many documents.
        aliases: names and what they are called elsewhere; those of this file are added, since others may import them.
    """
    text = _Text(content, document.position_encoding, set() if aliases is None else aliases)
    mentions, local_places, placed, looked_at = [], set(), 0, 0
    for occurrence in document.occurrences:
        place = text.at(occurrence.range)
        if place is None:  # empty, over several lines, or beyond the file
            looked_at += len(occurrence.range) == _ON_ONE_LINE and _is_beyond(occurrence.range)
            continue
        looked_at += 1
        symbol = None if occurrence.symbol.startswith("local ") else symbols(occurrence.symbol)
        if symbol is None:
            placed += place.is_word
            local_places.add((place.line, place.name))
            continue
        is_definition = bool(occurrence.symbol_roles & SymbolRole.DEFINITION) or place.is_defined
        is_named = text.names(place, symbol)
        placed += is_named if is_definition and not symbol.is_meta else place.is_word
        if is_named:
            is_import = bool(occurrence.symbol_roles & SymbolRole.IMPORT)
            mentions.append(Mention(place.line, place.name, occurrence.symbol, is_definition, is_import, place.is_call))
    return LaidOver(tuple(mentions), frozenset(local_places), placed, looked_at)


_ON_ONE_LINE: Final = 3  # numbers of a range: line, first character, the one after the last


def _is_beyond(numbers: Any) -> bool:  # noqa: ANN401
    return bool(numbers[1] < numbers[2])


@dataclass(frozen=True, slots=True)
class _Place:
    line: int
    written: str  # all of the range
    is_word: bool  # it begins and ends where a word does
    is_call: bool
    is_defined: bool

    @property
    def name(self) -> str:
        """The name itself: of `a.b` the last part, of `a as b` what is taken."""
        return self.written.split(" as ")[0].rstrip().rpartition(".")[2]


class _Text:
    """The lines of a file, to be cut as ranges say."""

    def __init__(self, content: bytes, encoding: int, aliases: set[tuple[str, str]]) -> None:
        self._lines = content.split(b"\n")
        self._cut = _CUTS.get(encoding, _utf16)  # unsaid: the tools that say nothing count as JavaScript does
        aliases.update((name.decode("utf-8", "replace"), alias.decode("utf-8", "replace")) for name, alias in _ALIASED.findall(content))
        self._aliases = aliases

    def at(self, numbers: Any) -> _Place | None:  # noqa: ANN401
        """Return what stands in a range; None where it is empty, crosses lines, or lies beyond the file."""
        if len(numbers) != _ON_ONE_LINE or not 0 <= numbers[0] < len(self._lines) or not 0 <= numbers[1] < numbers[2]:
            return None
        line = self._lines[numbers[0]]
        first, last = (numbers[1], numbers[2]) if line.isascii() else self._cut(line, numbers[1], numbers[2])
        written = line[first:last].decode("utf-8", "replace")
        if not written:
            return None
        is_word = not (_WORD_BEFORE.search(line[:first]) and _WORD_AFTER.match(written.encode())) and not (
            _WORD_AFTER.match(line, last) and _WORD_BEFORE.search(written.encode())
        )
        is_call, is_defined = _CALLED.match(line, last) is not None, _DEFINED.search(line, 0, first) is not None
        return _Place(numbers[0] + 1, written, is_word and not written.isspace(), is_call, is_defined)

    def names(self, place: _Place, symbol: ScipSymbol) -> bool:
        """Say whether what is written is a name of the symbol: its own, an alias, or of its class where it is a constructor."""
        wanted = symbol.name.rpartition(".")[2] if symbol.is_module else symbol.name
        if place.name == wanted or (wanted, place.name) in self._aliases:
            return place.is_word
        names = symbol.names
        return place.is_word and wanted in _CONSTRUCTOR_NAMES and len(names) > 1 and place.name == names[-2]


_CONSTRUCTOR_NAMES: Final = frozenset({"constructor", "__init__", "__new__", "new"})


def _utf8(_: bytes, first: int, last: int) -> tuple[int, int]:
    return first, last


def _utf16(line: bytes, first: int, last: int) -> tuple[int, int]:
    units = line.decode("utf-8", "replace").encode("utf-16-le")
    return _bytes_of(units[: 2 * first].decode("utf-16-le", "ignore")), _bytes_of(units[: 2 * last].decode("utf-16-le", "ignore"))


def _utf32(line: bytes, first: int, last: int) -> tuple[int, int]:
    text = line.decode("utf-8", "replace")
    return _bytes_of(text[:first]), _bytes_of(text[:last])


def _bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


_CUTS: Mapping[int, Callable[[bytes, int, int], tuple[int, int]]] = {
    PositionEncoding.UTF8: _utf8, PositionEncoding.UTF16: _utf16, PositionEncoding.UTF32: _utf32,
}  # fmt: skip
