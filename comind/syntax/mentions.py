"""What a shape says, read step by step from the place in the stream where the search found its beginning.

In: a match of `comind.syntax.shapes`. Out: `Reference` entries, appended to those before.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from comind.syntax.chains import NODE, Chains, text_of
from comind.syntax.imports import FLAT_IMPORTS, IMPORTS, unpacked, unquoted
from comind.syntax.scopes import Scopes
from comind.syntax.shapes import Step
from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from comind.syntax.shapes import Shape, Shapes
    from comind.syntax.slices import Stream

__all__ = ["Mentions", "Reference"]

Place: TypeAlias = tuple[int, int]  # tokens and names before it
Words: TypeAlias = tuple[int, int]  # half-open
Method: TypeAlias = "Callable[[Mentions, int, int, bytes], Place | None]"
_NAMES = b"\0" + NAME
_LONGEST = 300  # characters of a chain or a type; a longer one names nothing that anybody defined
_NOBODY = -1, b"", 0
_EXPORTS = frozenset({"module.exports", "exports"})
_KEY = [b"(pair", NAME, b":"]
_new = tuple.__new__  # a named tuple's own way takes twice as long


class Reference(NamedTuple):
    """One mention of a name; the fields are those of the table ``parse_cache``, in that order."""

    definition: int  # 0-based, among the file's: the innermost around it; -1 for the file itself
    line: int  # 1-based, of the last part of the name
    kind: str  # call | import | reexport | export | extends | type | value
    target: str  # a chain such as `a.b().c`; of an import the module, of a type its text
    member: str | None  # of an import: what is taken from the module, `*` for everything
    name: str | None  # what it, or the result of the call, is bound to; of a type None where it is that of the definition's result


class Mentions(Chains):
    """The references found so far, and the place that the search has come to."""

    def __init__(self, stream: Stream, source: bytes, shapes: Shapes) -> None:
        super().__init__(stream.outline, stream.words, shapes)
        self.source = source
        self.starts = [*stream.starts, len(source)]
        self.scopes = Scopes(stream.slices)
        self.found: list[Reference] = []
        self.here = self.token = self.word = 0  # of the match: bytes of the stream, tokens and names before it
        self.line, self.byte, self.definition = 1, 0, -1  # of its first name
        self.receiver: tuple[int, bytes | str, int] = _NOBODY  # see `received`
        self.names: list[str] = []  # that the shape binds
        self.pending: tuple[str, str, Words] | None = None  # kind, target

    def follow(self, shape: Shape, match: re.Match[bytes]) -> bool:
        """Go through the steps of a shape; false where one of them does not fit."""
        self.names = [self.path(match.group(shape.path), self.word) or ""] if shape.path else []
        self.pending = None
        place = self.token, self.word
        if not shape.again:
            text = match.group()
            place = self.token + text.count(b"\0"), self.word + text.count(_NAMES)
        if not (shape.path or shape.is_import):  # its first name may stand behind the end of the definition
            self.definition, _in_header = self.scopes.at(self.token)
        try:
            for step, expected in _methods(shape):
                after = step(self, *place, expected)
                if after is None:
                    return False
                place = after
        except IndexError:  # a token of damaged code may look like the beginning of a node that does not end
            return True
        if self.pending:
            for name in self.names or [None]:
                self.add(*self.pending, None, name)
        return True

    def add(self, kind: str, target: str, words: Words, member: str | None = None, name: str | None = None) -> None:
        """Note a reference with the names that it consists of; what is too long for a name is left out."""
        if target and len(target) <= _LONGEST:
            line, (begin, end) = self.line, words
            if end <= begin:  # without a name of its own, so it is looked for behind the name before
                text = target.removesuffix("()").encode()
                after = self.starts[begin - 1] if begin else 0
                at = self.source.find(text, after)
                line += self.lines(self.byte, at if at >= 0 else after)
            elif end - 1 > self.word:
                line += self.lines(self.byte, self.starts[end - 1])
            self.found.append(_new(Reference, (self.definition, line, kind, target, member, name)))

    def lines(self, start: int, end: int) -> int:
        """Count line breaks from one byte of the source to another; backwards they are less than none."""
        return self.source.count(b"\n", start, end) if start <= end else -self.source.count(b"\n", end, start)

    def received(self, here: int) -> str | None:
        """Return what the result of the call at a byte of the stream is bound to."""
        place, path, start = self.receiver
        if here != place:
            return None
        self.receiver = _NOBODY
        return path if isinstance(path, str) else self.path(path, start)

    def path(self, chain: bytes, word: int) -> str | None:
        """Return the text of a plain chain whose first name is the one at ``word``."""
        shapes = self.shapes
        plain = shapes.plain[chain] if chain in shapes.plain else shapes.plain_of(chain)
        return self.joined_text(self.words[word : word + plain[0]], plain[1]) if plain else None

    def joined_text(self, words: list[bytes], joint: str) -> str:
        """Return the text of a plain chain."""
        return joint % tuple(map(text_of, words)) if joint else text_of(b".".join(words))

    # What is read: each method returns the place behind it, or None where the shape does not fit.

    def call(self, token: int, word: int, _: bytes) -> Place | None:
        """Read what is called; of an import that looks like a call, the module."""
        token, word = self.token, self.word
        name = self.received(self.here)
        path, after, end = self.called(token, word, 0)
        if path is None:
            return None
        if path in self.shapes.base_calls:
            return self.bases(after + 1, end, b"") if self.outline[after][:1] == NODE else None
        module = self.literal(after) if path in self.shapes.import_calls else None
        if module is None:
            self.add("call", path, (word, end), None, name)
        else:
            self.add("import", self.shapes.import_calls[path] + module, (word, end), None, name)
        return after, end

    def called_path(self, token: int, word: int, _: bytes) -> Place | None:
        """Take the names before as what is called."""
        (path,) = self.names
        self.add("call", path, (self.word, word))
        return token, word

    def type(self, token: int, word: int, _: bytes) -> Place | None:
        """Read a type; one without a name says nothing, except in a string."""
        first = self.outline[token]
        if first == CLOSE:
            return None
        target, after, end = self.text(token, word)
        if end == word and first[:1] != b'"' and self.outline[token + 1][:1] != b'"':
            return None
        if target not in self.shapes.inferred:
            self.pending = "type", target, (word, end)
        return after, end

    def result(self, token: int, word: int, expected: bytes) -> Place | None:
        """Read the type of what the definition returns; in its body it is that of another function, which has no name."""
        return self.type(token, word, expected) if self.scopes.at(self.token)[1] else None

    def value(self, token: int, word: int, _: bytes) -> Place | None:
        """Read what a name, the first of several, is given; a call tells it with the call."""
        del self.names[1:]
        shapes, at = self.shapes, token
        while self.outline[at] in shapes.through or self.outline[at] in shapes.skipped:
            at, _word = self.past(at + 1, word)
        if self.outline[at] in shapes.calls and self.names:
            self.receiver = self.here + sum(len(text) + 1 for text in self.outline[self.token : at]), self.names[0], 0
            return token, word
        path, after, end = self.chain(token, word)
        if path is None:
            return None
        module, member = self.taken(path, token)
        if module is None:
            self.pending = "value", path, (word, end)
        else:
            self.add("import", module, (word, end), member, self.names[0] if self.names else None)
        return after, end

    def taken(self, path: str, token: int) -> tuple[str | None, str | None]:
        """Return the module and the member of it that a chain such as ``require('m').f`` means."""
        root, _, member = path.partition("()")
        if member.count(".") > 1 or root not in self.shapes.import_calls:
            return None, None
        text = next((text for text in self.outline[token : token + 12] if text[:1] in {b'"', b"'"}), None)
        return (unquoted(text_of(text)), member[1:] or None) if text else (None, None)

    def local(self, token: int, word: int, _: bytes) -> Place | None:
        """Note that names are bound to something of which nothing is said, and so mean nothing that is known elsewhere."""
        for name in self.names:
            self.add("local", name, (self.word, self.word), None, name)
        return token, word

    def unpack(self, token: int, word: int, _: bytes) -> Place | None:
        """Read what the names in a pattern, the node opened last, are given."""
        pattern, _end = self.tree(token - 1, word)
        token, word = self.close(token, word)
        while self.outline[token] != b"=":
            if self.outline[token] == CLOSE:
                return None
            token, word = self.skip(token, word)
        path, after, end = self.chain(token + 1, word)
        if path is None:
            return None
        module, whole = self.taken(path, token + 1)
        for member, name in unpacked(pattern):
            if module is None:
                self.add("value", f"{path}.{member}", (word, end), None, name)
            elif whole is None:
                self.add("import", module, (word, end), member, name)
        return after, end

    def named(self, kind: str, token: int, word: int) -> Place | None:
        """Read a chain."""
        path, after, end = self.chain(token, word)
        if path is None:
            return None
        self.pending = kind, path, (word, end)
        return after, end

    def base(self, token: int, word: int, _: bytes) -> Place | None:
        """Read a name that the definition extends."""
        return self.named("extends", token, word)

    def export(self, token: int, word: int, _: bytes) -> Place | None:
        """Read the name that others know as ``default``."""
        self.names = ["default"]
        return self.named("export", token, word)

    def element(self, token: int, word: int, _: bytes) -> Place | None:
        """Read a component of markup."""
        after = self.named("call", token, word)
        if self.pending and self.pending[1].islower() and "." not in self.pending[1]:
            return None
        return after

    def bases(self, token: int, word: int, _: bytes) -> Place | None:
        """Read each child of an open node as a chain."""
        while self.outline[token] != CLOSE:
            path, _after, end = self.chain(token + (self.outline[token] in self.shapes.generics), word)
            if path is not None:
                self.add("extends", path, (word, end))
            token, word = self.skip(token, word)
        return token, word

    def entries(self, token: int, word: int, _: bytes) -> Place | None:
        """Read each entry of an object that others see."""
        if self.names[0] not in _EXPORTS:
            return None
        while (at := self.outline[token]) != CLOSE:
            if at == NAME:
                self.add("export", text_of(self.words[word]), (word, word + 1), None, text_of(self.words[word]))
            elif self.outline[token : token + 3] == _KEY:
                path, _token, end = self.chain(token + 3, word + 1)
                if path is not None:
                    self.add("export", path, (word + 1, end), None, text_of(self.words[word]))
            token, word = self.skip(token, word)
        return token, word

    def imported(self, token: int, word: int, _: bytes) -> Place | None:
        """Read the node that the match begins with as an import."""
        importing = self.shapes.importing
        statement, end = (self.leaves if importing in FLAT_IMPORTS else self.tree)(self.token, self.word)
        self.definition, _in_header = self.scopes.at(self.token, outside=True)  # `mod m;` both imports and defines
        if end == self.word:  # without names
            for kind, module, member, name in IMPORTS[importing](statement):
                self.add(kind, module, (end, end), member, name)
            return token, word
        self.found += [
            _new(Reference, (self.definition, self.line, kind, module, member, name))
            for kind, module, member, name in IMPORTS[importing](statement)
            if len(module) <= _LONGEST
        ]
        return token, word

    # What is bound, and the signs of the pages.

    def name(self, token: int, word: int, _: bytes) -> Place | None:
        """Bind a name."""
        if self.outline[token] != NAME:
            return None
        self.names.append(text_of(self.words[word]))
        return token + 1, word + 1

    def field(self, token: int, word: int, expected: bytes) -> Place | None:
        """Bind the name of a parameter that is also a field."""
        place = self.name(token, word, expected)
        self.names += [f"this.{name}" for name in self.names]
        return place

    def listed(self, token: int, word: int, _: bytes) -> Place | None:
        """Bind names that commas part; the stream has no commas, so the source is asked."""
        if self.outline[token] != NAME:
            return None
        while self.outline[token] == NAME:
            self.names.append(text_of(self.words[word]))
            token, word = token + 1, word + 1
            if b"," not in self.source[self.starts[word - 1] : self.starts[word]]:
                break
        return token, word

    def expect(self, token: int, word: int, expected: bytes) -> Place | None:
        """Go on behind a token."""
        return (token + 1, word) if self.outline[token] == expected else None

    def may_come(self, token: int, word: int, expected: bytes) -> Place | None:
        """Go on behind a token, if it is there."""
        is_there = self.outline[token] == expected
        return token + is_there, word + (is_there and expected == NAME)

    def refuse(self, token: int, word: int, expected: bytes) -> Place | None:
        """Go on where a token is not."""
        return None if self.outline[token] == expected else (token, word)

    def leaf(self, token: int, word: int, _: bytes) -> Place | None:
        """Go on behind a token that is no name and opens or closes nothing."""
        at = self.outline[token]
        return None if at in {NAME, CLOSE} or (at[:1] == NODE and len(at) > 1) else (token + 1, word)

    def pass_one(self, token: int, word: int, expected: bytes) -> Place | None:
        """Go on behind a node of a kind, if it is there."""
        return self.skip(token, word) if self.outline[token] == expected else (token, word)

    def pass_all(self, token: int, word: int, expected: bytes) -> Place | None:
        """Go on behind all nodes of a kind."""
        while self.outline[token] == expected:
            token, word = self.skip(token, word)
        return token, word

    def pass_any(self, token: int, word: int, _: bytes) -> Place | None:
        """Go on behind one token or node."""
        return None if self.outline[token] == CLOSE else self.skip(token, word)


_STEPS: Mapping[Step, Method] = {
    Step.CALL: Mentions.call,
    Step.CALLED: Mentions.called_path,
    Step.LOCAL: Mentions.local,
    Step.TYPE: Mentions.type,
    Step.RESULT: Mentions.result,
    Step.VALUE: Mentions.value,
    Step.UNPACK: Mentions.unpack,
    Step.BASE: Mentions.base,
    Step.BASES: Mentions.bases,
    Step.EXPORT: Mentions.export,
    Step.ENTRIES: Mentions.entries,
    Step.ELEMENT: Mentions.element,
    Step.IMPORT: Mentions.imported,
    Step.NAME: Mentions.name,
    Step.NAMES: Mentions.listed,
    Step.FIELD: Mentions.field,
    Step.EXPECT: Mentions.expect,
    Step.MAY_COME: Mentions.may_come,
    Step.REFUSE: Mentions.refuse,
    Step.WORD: Mentions.leaf,
    Step.PASS: Mentions.pass_one,
    Step.PASS_ALL: Mentions.pass_all,
    Step.PASS_ANY: Mentions.pass_any,
}


@cache
def _methods(shape: Shape) -> tuple[tuple[Method, bytes], ...]:
    return tuple((_STEPS[step], expected) for step, expected in shape.steps)
