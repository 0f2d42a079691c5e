"""References: what the code of a file calls, imports and extends, and what it says of the types of its names.

In: the normalised stream of a file. Out: one `Reference` for each name that is mentioned, in source order.
Says what is written, never what is meant: nothing is looked up here. The stream is searched as one text, since asking each
node whether it mentions something costs as much again as reading it.
"""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING

from comind.syntax.chains import NODE, text_of
from comind.syntax.mentions import Mentions, Reference
from comind.syntax.shapes import CALL_GROUP, PARTS, shapes_of
from comind.syntax.slices import CLOSE, NAME

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
        self.joined = b"\0" + b"\0".join(stream.outline)
        self.counted = 0  # how far in it the tokens are counted

    def read(self) -> list[Reference]:
        """Go through all matches in source order.

        Most are calls of plain chains and names that are given a call, so these are read right here.
        """
        names, newlines, starts, words, scopes, found = (
            self.joined.count,
            self.source.count,
            self.starts,
            self.words,
            self.scopes,
            self.found,
        )
        given_calls, special_calls = self.shapes.nodes.given_calls, self.shapes.special_calls
        here = word = byte = until = 0
        line, definition = 1, -1
        for match in self.matches():
            before, here = here, match.start()
            word += names(_NAMES, before, here)
            before, byte = byte, starts[word]
            line += newlines(b"\n", before, byte)
            if word >= until:
                definition, until = scopes.around(word)
            group = match.lastindex
            if group == CALL_GROUP:
                links, root, dotted = match.group(1, 2, 3)
                if root == NAME and links.count(NODE) + dotted.count(NODE) == dotted.count(CLOSE) and PARTS not in dotted:
                    many = dotted.count(NAME)
                    end = word + many
                    target = text_of(b".".join(words[word : end + 1]) if many else words[word])
                    if target not in special_calls:
                        last = line + newlines(b"\n", byte, starts[end]) if many else line
                        name = self.received(word)
                        if len(target) <= _LONGEST:
                            found.append(_new(Reference, (definition, last, "call", target, None, name)))
                        continue
            elif group in given_calls:
                path = match.group(group - 1)
                self.receiver = word + names(_NAMES, here, match.end()), path, word
                continue
            self.here, self.word, self.line, self.byte, self.definition = here, word, line, byte, definition
            self.others(match)
        return found

    def matches(self) -> Iterable[re.Match[bytes]]:
        """Find all shapes, in the order of the stream."""
        joined, shapes = self.joined, self.shapes
        more = [search.pattern.finditer(joined) for search in shapes.others if search.literal in joined]
        matches = shapes.nodes.pattern.finditer(joined)
        return merge(matches, *more, key=_start) if more else matches

    def others(self, match: re.Match[bytes]) -> None:
        """Read what is no call of a plain chain."""
        self.token += self.joined.count(b"\0", self.counted, self.here)
        self.counted = self.here
        for shape in self.shapes.found(match):
            if self.follow(shape, match):
                return


def _start(match: re.Match[bytes]) -> int:
    return match.start()
