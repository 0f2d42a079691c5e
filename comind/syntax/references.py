"""References: what the code of a file calls, imports and extends, and what it says of the types of its names.

In: the normalised stream of a file. Out: one `Reference` for each name that is mentioned, in source order.
Says what is written, never what is meant: nothing is looked up here. The stream is searched as one text, since asking each
node whether it mentions something costs as much again as reading it.
"""

from __future__ import annotations

import sys
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from comind.syntax.chains import NODE, Chains, text_of
from comind.syntax.imports import IMPORTS
from comind.syntax.shapes import CALL_GROUP, PARTS, Role, shapes_of
from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from comind.syntax.grammar import Grammar
    from comind.syntax.shapes import Shape, Shapes
    from comind.syntax.slices import Slice, Stream

__all__ = ["Reference", "references_of"]

_NAMES = b"\0" + NAME
_LONGEST = 300  # characters of a chain or a type; a longer one names nothing that anybody defined
_CALL, _IMPORT, _BASES, _VALUE = Role.CALL, Role.IMPORT, Role.BASES, Role.VALUE
_BY_TOKEN, _BY_NAME = 0, 1  # of a mark of the stream
_NOBODY = -1, b"", 0
_new = tuple.__new__  # a named tuple's own way takes twice as long


class Reference(NamedTuple):
    """One mention of a name; the fields are those of the table ``parse_cache``, in that order."""

    definition: int  # 0-based, among the file's: the innermost around it; -1 for the file itself
    line: int  # 1-based, of the last part of the name
    kind: str  # call | import | extends | type | value
    target: str  # a chain such as `a.b().c`; of an import the module, of a type its text
    member: str | None  # of an import: what is taken from the module, `*` for everything
    name: str | None  # what it, or the result of the call, is bound to


def references_of(stream: Stream, source: bytes, grammar: Grammar) -> list[Reference]:
    """Return what the code mentions; of a language whose page says nothing about references, nothing."""
    shapes = shapes_of(grammar)
    return _Reader(stream, source, shapes).read() if shapes else []


class _Reader(Chains):
    """One search through a stream; it keeps how far it has come in names, lines and definitions."""

    def __init__(self, stream: Stream, source: bytes, shapes: Shapes) -> None:
        super().__init__(stream.outline, stream.words, shapes)
        self.source = source
        self.joined = b"\0" + b"\0".join(stream.outline)
        self.starts = [*stream.starts, len(source)]
        self.scopes, self.scopes_of_tokens = _Scopes(stream.slices, _BY_NAME), _Scopes(stream.slices, _BY_TOKEN)
        self.found: list[Reference] = []
        self.here = self.word = 0  # of the match: bytes of the stream and names before it
        self.line, self.byte, self.definition = 1, 0, -1  # of its first name
        self.token = self.counted = 0  # how many tokens come before a byte of the stream
        self.receiver = _NOBODY  # first name of a call whose result is bound, the chain it is bound to, the first name of that

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
        given_calls = self.shapes.nodes.given_calls
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
                if root == NAME and links.count(NODE) == (many := dotted.count(NAME)) and PARTS not in dotted:
                    end = word + many
                    target = text_of(b".".join(words[word : end + 1]) if many else words[word])
                    last = line + newlines(b"\n", byte, starts[end]) if many else line
                    name = self.received(word)
                    if len(target) <= _LONGEST:
                        found.append(_new(Reference, (definition, last, "call", target, None, name)))
                    continue
            elif group in given_calls:
                path = match.group(group - 1)
                self.receiver = word + path.count(_NAMES), path, word
                continue
            self.here, self.word, self.line, self.byte = here, word, line, byte
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
        self.definition, _ = self.scopes_of_tokens.around(self.token)  # what has no name of its own may be followed by that of another
        shape = self.shapes.shape(match)
        if shape.role is _CALL:
            self.call()
            return
        text = match.group()
        token, word = self.token + text.count(b"\0"), self.word + text.count(_NAMES)
        if shape.role is _VALUE:
            path, token, last = self.chain(token, word)
            self.add("value", path, last - 1, None, self.bound(shape, match, token, last) if path else None)
        elif shape.role is _IMPORT:
            for module, member, name in IMPORTS[self.shapes.importing](self.tree(self.token, self.word)):
                self.add("import", module, self.word, member, name)
        elif shape.role is _BASES:
            self.bases(token, word)
        else:
            target, token, word = self.text(token, word)
            self.add("type", target, self.word, None, self.bound(shape, match, token, word))

    def call(self) -> None:
        """Read a call token by token."""
        path, _, word = self.called(self.token, self.word, 0)
        self.add("call", path, word - 1, None, self.received(self.word))

    def received(self, word: int) -> str | None:
        """Return what the result of a call is bound to: what stood right before its first name."""
        first, path, start = self.receiver
        if word != first:
            return None
        self.receiver = _NOBODY
        return self.path(path, start)

    def path(self, path: bytes, word: int) -> str | None:
        """Return the text of a plain chain whose first name is the one at ``word``."""
        many = path.count(_NAMES)
        roots = [part for part in path.split(b"\0") if part in self.shapes.roots] if self.shapes.roots else []
        return text_of(b".".join([*roots, *self.words[word : word + many]])) or None

    def add(self, kind: str, target: str | None, word: int, member: str | None = None, name: str | None = None) -> None:
        """Note a reference whose last name is the one at ``word``; what is too long for a name is left out."""
        if target and len(target) <= _LONGEST:
            line = self.line + (self.source.count(b"\n", self.byte, self.starts[word]) if word > self.word else 0)
            self.found.append(_new(Reference, (self.definition, line, kind, target, member, name)))

    def bases(self, token: int, word: int) -> None:
        """Read each child of an open node as a chain."""
        while self.outline[token] != CLOSE:
            path, _, last = self.chain(token + (self.outline[token] in self.shapes.generics), word)
            self.add("extends", path, last - 1)
            token, word = self.skip(token, word)

    def bound(self, shape: Shape, match: re.Match[bytes], token: int, word: int) -> str | None:
        """Return the chain that a type or value is bound to: it stands in the match, or after what was read."""
        for expected in shape.after:
            if self.outline[token] != expected:
                return None
            if expected == NAME:
                return text_of(self.words[word])
            token += 1
        return self.path(match.group(shape.path), self.word)


def _start(match: re.Match[bytes]) -> int:
    return match.start()


class _Scopes:
    """The definitions around a place, for places in ascending order: by the names or by the tokens before it."""

    def __init__(self, slices: list[Slice], axis: int) -> None:
        self.slices, self.axis, self.next, self.position = slices, axis, 0, 0
        self.open: list[tuple[int, int]] = []  # end and position among the definitions, outermost first

    def around(self, place: int) -> tuple[int, int]:
        """Return the position of the innermost definition around a place, -1 outside all, and the place up to which that holds."""
        slices, opened, axis = self.slices, self.open, self.axis
        while self.next < len(slices) and slices[self.next].start[axis] <= place:
            piece = slices[self.next]
            while opened and opened[-1][0] <= piece.start[axis]:
                opened.pop()
            opened.append((piece.end[axis], self.position))
            self.next += 1
            self.position += len(piece.names)
        while opened and opened[-1][0] <= place:
            opened.pop()
        until = slices[self.next].start[axis] if self.next < len(slices) else sys.maxsize
        return (opened[-1][1], min(until, opened[-1][0])) if opened else (-1, until)
