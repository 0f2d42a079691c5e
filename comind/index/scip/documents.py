"""One document of a SCIP index laid over the text of its file: what is mentioned where, and whether the two belong together.

In: a message `Document`, the bytes of the file at the indexed commit. Out: `Mention`, and a verdict.
A SCIP index does not say which commit it was made from. So no mention is believed whose text is not the name of its symbol,
and no document whose names do not stand where it says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from comind.index.scip.messages import SymbolRole
from comind.index.scip.source_text import Place, SourceText
from comind.index.scip.symbols import ScipSymbol, read_symbol

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LaidOver", "Mention", "lay_over"]

_MIN_PLACED: Final = 0.95  # share of names that stand where the document says; one line more or less leaves few of them
_FEW: Final = 3  # names; so few must all stand there
_ALIASED = re.compile(rb"\b(\w{1,200})\s{1,8}as\s{1,8}(\w{1,200})\b")
_CONSTRUCTOR_NAMES: Final = frozenset({"constructor", "__init__", "__new__", "new"})


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
    text, aliases = SourceText(content, document.position_encoding), set() if aliases is None else aliases
    aliases.update((name.decode("utf-8", "replace"), alias.decode("utf-8", "replace")) for name, alias in _ALIASED.findall(content))
    mentions, local_places, placed, looked_at = [], set(), 0, 0
    for occurrence in document.occurrences:
        place = text.at(occurrence.range)
        if place is None:  # empty, over several lines, or beyond the file
            looked_at += text.has_range(occurrence.range)
            continue
        looked_at += 1
        symbol = None if occurrence.symbol.startswith("local ") else symbols(occurrence.symbol)
        if symbol is None:
            placed += place.is_word
            local_places.add((place.line, place.name))
            continue
        is_definition = bool(occurrence.symbol_roles & SymbolRole.DEFINITION) or place.is_defined
        is_named = _is_named(place, symbol, aliases)
        placed += is_named if is_definition and not symbol.is_meta else place.is_word
        if is_named:
            is_import = bool(occurrence.symbol_roles & SymbolRole.IMPORT)
            mentions.append(Mention(place.line, place.name, occurrence.symbol, is_definition, is_import, place.is_call))
    return LaidOver(tuple(mentions), frozenset(local_places), placed, looked_at)


def _is_named(place: Place, symbol: ScipSymbol, aliases: set[tuple[str, str]]) -> bool:
    """Say whether what is written is a name of the symbol: its own, an alias, or of its class where it is a constructor."""
    wanted = symbol.written_name
    if place.name == wanted or (wanted, place.name) in aliases:
        return place.is_word
    return place.is_word and wanted in _CONSTRUCTOR_NAMES and place.name == symbol.owner
