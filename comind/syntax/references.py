"""References: what the code of a file calls, imports and extends, and what it says of the types of its names.

In: the normalised stream of a file. Out: one `Reference` for each name that is mentioned, in source order.
Says what is written, never what is meant: nothing is looked up here. The stream is searched as one text, since asking each
node whether it mentions something costs as much again as reading it.
"""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING

from comind.syntax.chains import text_of
from comind.syntax.mentions import Mentions, Reference
from comind.syntax.scopes import scopes_by_word
from comind.syntax.shapes import CALL_GROUP, shapes_of
from comind.syntax.slices import NAME

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from comind.syntax.grammar import Grammar
    from comind.syntax.shapes import Shapes
    from comind.syntax.slices import Stream

__all__ = ["Reference", "references_of"]

_NAMES = b"\0" + NAME
_LONGEST = 300  # characters of a chain
_new = tuple.__new__  # a named tuple's own way takes twice as long


def references_of(stream: Stream, source: bytes, grammar: Grammar) -> list[Reference]:
    """Return what the code mentions; of a language whose page says nothing about references, nothing."""
    shapes = shapes_of(grammar)
    return _Reader(stream, source, shapes).read() if shapes else []


class _Reader(Mentions):
    """One search through a stream; it keeps how far it has come in names, lines and definitions."""

    def __init__(self, stream: Stream, source: bytes, shapes: Shapes) -> None:
        super().__init__(stream, source, shapes)
        self.joined, self.slices = b"\0" + b"\0".join(stream.outline), stream.slices
        self.counted = 0  # how far in it the tokens are counted

    def read(self) -> list[Reference]:  # noqa: C901, PLR0912, PLR0915 - every call in here costs, so the loop is one function
        """Go through all matches in source order.

        Most are calls of plain chains, and names that are given a call or such a chain, so these are read right here.
        """
        names, newlines, starts, words, found = (
            self.joined.count,
            self.source.count,
            self.starts,
            self.words,
            self.found,
        )
        shapes = self.shapes
        given_calls, given_chains, special_calls, known = (
            shapes.nodes.given_calls,
            shapes.nodes.given_chains,
            shapes.special_calls,
            shapes.plain,
        )
        decode = bytes.decode if self.source.isascii() else text_of
        mark = NAME if names(NAME) == len(words) else _NAMES  # one byte is counted faster, unless a string holds it too
        turns, positions = scopes_by_word(self.slices)
        here = word = byte = turn = until = 0
        line, definition, awaited = 1, -1, -1
        for match in self.matches():
            before, here = here, match.start()
            word += names(mark, before, here)
            before, byte = byte, starts[word]
            line += newlines(b"\n", before, byte)
            if word >= until:
                while turns[turn] <= word:
                    turn += 1
                definition, until = positions[turn - 1], turns[turn]
            group = match.lastindex
            if group == CALL_GROUP:
                chain = match.group(1)
                if chain is not None and (plain := known[chain] if chain in known else shapes.plain_of(chain)):
                    many, joint = plain
                    last = line
                    if many == 1 and not joint:
                        target = decode(words[word])
                    else:
                        end = word + many
                        target = self.joined_text(words[word:end], joint) if joint else decode(b".".join(words[word:end]))
                        last += newlines(b"\n", byte, starts[end - 1])
                    if target not in special_calls:
                        name = self.received(here) if here == awaited else None
                        if len(target) <= _LONGEST:
                            found.append(_new(Reference, (definition, last, "call", target, None, name)))
                        continue
            elif group in given_calls:
                awaited = match.end(group)
                self.receiver = awaited, match.group(group - 1), word
                continue
            elif group in given_chains:
                path, chain = match.group(group - 2, group - 1)
                if chain is not None and (plain := known[chain] if chain in known else shapes.plain_of(chain)):
                    first = word + names(mark, here, match.start(group - 1))
                    end = first + plain[0]
                    target = self.joined_text(words[first:end], plain[1])
                    if len(target) <= _LONGEST:
                        last = line + newlines(b"\n", byte, starts[end - 1])
                        found.append(_new(Reference, (definition, last, "value", target, None, self.path(path, word))))
                    continue
            self.here, self.word, self.line, self.byte, self.definition = here, word, line, byte, definition
            self.token += names(b"\0", self.counted, here)
            self.counted = here
            self.others(match)
            awaited = self.receiver[0]
        return found

    def matches(self) -> Iterable[re.Match[bytes]]:
        """Find all shapes, in the order of the stream."""
        joined, shapes = self.joined, self.shapes
        more = [search.pattern.finditer(joined) for search in shapes.others if search.literal in joined]
        matches = shapes.nodes.pattern.finditer(joined)
        return merge(matches, *more, key=_start) if more else matches

    def others(self, match: re.Match[bytes]) -> None:
        """Read what is no plain chain."""
        for shape in self.shapes.found(match):
            if self.follow(shape, match):
                return


def _start(match: re.Match[bytes]) -> int:
    return match.start()
