"""One file as the declarations in it, with tokens that can be compared quickly.

In: source bytes and their language. Out: an `Outline`; each distinct token is one character, so a body is a plain string.
Characters compare only between outlines of one `Outliner`. Nothing here is stored: hashes are for tables, tokens for matching.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from comind.syntax.descriptors import escaped
from comind.syntax.grammar import grammar_of
from comind.syntax.slices import NAME
from comind.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from comind.sources.git.objects import Unreadable
    from comind.syntax.slices import Slice, Stream

__all__ = ["Declaration", "Group", "Outline", "Outliner", "UnreadableError"]

Group = str  # "class" | "method" | "field"
_GROUPS = defaultdict(
    lambda: "class",
    dict.fromkeys(("function", "method", "constructor", "macro"), "method")
    | dict.fromkeys(("constant", "variable", "field", "enum_member"), "field"),
)
_FIRST_CHARACTER, _CHARACTERS = 0xE000, 0x110000 - 0xE000  # above the surrogates
_KEPT = 2_000
_MAX_BYTES = 2_000_000
_DOC_CHARACTERS = 600
_PREFIX = 4  # of a string literal, and its quote
_WORDS = 12  # of a string literal; longer ones are prose
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_DESCRIPTOR = r"(?:\[(?:[A-Za-z0-9_+$-]+|`(?:[^`]|``)+`)\]|(?:[A-Za-z0-9_+$-]+|`(?:[^`]|``)+`)(?:[/#.:!]|\([A-Za-z0-9_+$-]*\)\.))"
_SIMPLE_END = re.compile(r"(?:^|[/#.:!\]])([A-Za-z_][A-Za-z0-9_]*)(?:[/#.:!]|\([A-Za-z0-9_+$-]*\)\.)$")
_LAST = re.compile(rf"{_DESCRIPTOR}$")


class UnreadableError(Exception):
    """A file's content is not there, or is nothing that can be compared; carries the reason in words."""


class Declaration:
    """One definition of a file. A plain class, since many are made and few are looked at closely."""

    __slots__ = ("container", "descriptors", "doc", "first_line", "group", "last_line", "name", "ordinal", "outline", "params", "spans")

    def __init__(self, outline: Outline, piece: Slice, spans: tuple[int, int, int, int], named: tuple[str, str, int]) -> None:
        self.outline, self.spans = outline, spans
        self.name, self.descriptors, self.ordinal = name, descriptors, _ = named
        self.group: Group = _GROUPS[piece.kind.word if piece.kind else ""]
        self.first_line, self.last_line = piece.first_line, piece.last_line
        self.doc = b" ".join(piece.doc.split()).decode("utf-8", "replace")[:_DOC_CHARACTERS] if piece.doc else ""
        self.container, self.params = _split(descriptors, name)

    @property
    def key(self) -> tuple[str, int]:
        """What tells it apart in its file."""
        return self.descriptors, self.ordinal

    @property
    def body(self) -> str:
        """Its body's tokens, members included; empty when it has none."""
        return self.outline.text[self.spans[1] : self.spans[2]]

    @property
    def size(self) -> int:
        """Number of tokens of its body."""
        return self.spans[2] - self.spans[1]

    @property
    def header(self) -> str:
        """Its tokens outside the body, modifiers included."""
        start, body, after, end = self.spans
        return self.outline.text[start:body] + self.outline.text[after:end]


class Outline:
    """The declarations of one file in source order, and its tokens."""

    def __init__(self, stream: Stream, characters: Characters) -> None:
        self.text, before = _encoded(stream, characters)
        self.declarations = tuple(self._declared(stream, before))
        self.by_key = {declaration.key: declaration for declaration in self.declarations}

    def _declared(self, stream: Stream, before: list[int]) -> Iterator[Declaration]:
        seen: dict[str, int] = {}
        for piece in stream.slices:
            start, end = before[piece.start[0]], before[piece.end[0]]
            body, after = (before[mark[0]] for mark in piece.body) if piece.body else (end, end)
            for name, descriptors in zip(piece.names, piece.descriptors, strict=True):
                ordinal = seen[descriptors] = seen.get(descriptors, -1) + 1
                named = name.decode("utf-8", "backslashreplace"), descriptors, ordinal
                yield Declaration(self, piece, (start, body, after, end), named)

    @cached_property
    def by_container(self) -> dict[str, list[Declaration]]:
        """The declarations of each container, in source order."""
        found: dict[str, list[Declaration]] = {}
        for declaration in self.declarations:
            found.setdefault(declaration.container, []).append(declaration)
        return found

    @cached_property
    def places(self) -> dict[tuple[str, int], int]:
        """Where each declaration stands among its siblings."""
        return {one.key: place for siblings in self.by_container.values() for place, one in enumerate(siblings)}


class _Tokens(dict[bytes, str]):
    """A character for each token that is no identifier; which of them are string literals."""

    def __init__(self, make: Callable[[], str]) -> None:
        super().__init__()
        self._make = make
        self.literals: dict[str, bytes] = {}

    def __missing__(self, token: bytes) -> str:
        character = self[token] = self._make()
        if b'"' in token[:_PREFIX]:
            self.literals[character] = token[token.index(b'"') :]
        return character


class Characters:
    """A character for each distinct token; identifiers have their own."""

    def __init__(self) -> None:
        self.tokens = _Tokens(self._next)
        self.names: defaultdict[bytes, str] = defaultdict(self._next_name)
        self.is_name: set[str] = set()
        self._count = 0

    def of(self, name: str) -> str:
        """Return the character of an identifier."""
        return self.names[name.encode("utf-8", "surrogatepass")]

    def named_in(self, character: str) -> tuple[str, ...]:
        """Return the characters of the words that a string literal is made of; none for any other token."""
        literal = self.tokens.literals.get(character)
        return tuple(self.names[word] for word in _WORD.findall(literal)[:_WORDS]) if literal else ()

    def _next(self) -> str:
        self._count += 1
        return chr(_FIRST_CHARACTER + self._count % _CHARACTERS)

    def _next_name(self) -> str:
        character = self._next()
        self.is_name.add(character)
        return character


class Outliner:
    """Outlines blobs, each once while it is remembered."""

    def __init__(self, read: Callable[[str], bytes | Unreadable]) -> None:
        self._read = read
        self._kept: OrderedDict[tuple[str, str], Outline] = OrderedDict()
        self.characters = Characters()
        self.parsed = 0

    def __call__(self, blob: str, language: str) -> Outline:
        """Return the outline of a blob.

        Raises:
            UnreadableError: its content is missing, binary or too large.
        """
        found = self._kept.pop((blob, language), None)
        if found is None:
            found = self._outline(blob, language)
            self.parsed += 1
        self._kept[blob, language] = found
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def may_define(self, blob: str, language: str, descriptors: str) -> bool:
        """Tell without parsing that a blob does not define something, where its name is no word of it."""
        if (blob, language) in self._kept:
            return True
        name = _simple_name(descriptors)
        source = self._read(blob) if name else None
        return not isinstance(source, bytes) or name.encode() in source

    def _outline(self, blob: str, language: str) -> Outline:
        source = self._read(blob)
        if not isinstance(source, bytes):
            raise UnreadableError(source.reason)
        if b"\0" in source or len(source) > _MAX_BYTES:
            raise UnreadableError("binary" if b"\0" in source else f"{len(source):,} bytes are too many to compare")
        grammar = grammar_of(language)
        try:
            return Outline(walk(grammar.parse(source), source, grammar), self.characters)
        except Exception as error:  # noqa: BLE001 - a fault that one file brings to light must not keep the others from being followed
            problem = f"parsing failed: {type(error).__name__}"
            raise UnreadableError(problem) from None


def _encoded(stream: Stream, characters: Characters) -> tuple[str, list[int]]:
    """Return the tokens that are no structure, as characters, and how many of them stand before each place of the outline."""
    text: list[str] = []
    before: list[int] = []
    append, note, tokens, names, words = text.append, before.append, characters.tokens, characters.names, iter(stream.words)
    count = 0
    for token in stream.outline:
        note(count)
        if token == NAME:
            append(names[next(words)])
            count += 1
        elif token[0:1] != b"(" and token != b")":
            append(tokens[token])
            count += 1
    note(count)
    return "".join(text), before


def _simple_name(descriptors: str) -> str:
    """Return the last name of descriptors if it is written in the code as it is here; else nothing."""
    found = _SIMPLE_END.search(descriptors)
    return found[1] if found else ""


def _split(descriptors: str, name: str) -> tuple[str, str]:
    """Return container and parameters of a definition's descriptors."""
    stem, params = descriptors[:-1], ""
    if descriptors.endswith(")."):
        opening = descriptors.rindex("(")
        stem, params = descriptors[:opening], descriptors[opening + 1 : -2]
    written = name if name.isidentifier() and name.isascii() else escaped(name)
    if stem.endswith(written):
        return stem[: -len(written)], params
    found = _LAST.search(descriptors)
    return (descriptors[: found.start()] if found else ""), params
