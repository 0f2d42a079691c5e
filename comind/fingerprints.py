"""What a source file defines, and four hashes of each definition that survive reformatting.

In: source bytes and the name of their language. Out: a `Parse` with one `Definition` per symbol, in source order.
Pure: the same bytes, language and grammar give the same hashes on every machine. Reads no file and never fails on bad source.

- ``sig_hash``: name, parameters (names, types, defaults), return type; modifiers, decorators and annotations are not in it
- ``body_hash``: the body's normalised tokens
- ``shape_hash``: those with identifiers numbered in order of first use, so that a rename keeps it
- ``doc_hash``: the documentation text, white space collapsed

A container's body is its own tokens, each member replaced by its name. A definition without a body (an abstract method, a
declared field) has no ``body_hash`` and no ``shape_hash``; one without documentation has no ``doc_hash``.
Hashes compare only between equal `FINGERPRINT_VERSION` and equal `grammar_probe`.
"""

from __future__ import annotations

import sys
from array import array
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from blake3 import blake3

from comind.syntax.grammar import grammar_of
from comind.syntax.references import references_of
from comind.syntax.slices import CLOSE
from comind.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Tree

    from comind.syntax.references import Reference
    from comind.syntax.slices import Slice, Stream

__all__ = ["FINGERPRINT_VERSION", "REFERENCES_VERSION", "Definition", "Parse", "grammar_probe", "parse_source"]

FINGERPRINT_VERSION = "5"  # of the normalisations, of what each hash covers, of the symbols; any change to one is a new version
REFERENCES_VERSION = "5"  # of what is noted beside the hashes; a cached parse of another one is not complete
Digest: TypeAlias = "Callable[[bytes], bytes]"
_BYTES = 16
_NAMES_FOLLOW = b"\0\0"
_SEPARATOR = b"\0"  # in no token, since a source with a NUL byte is not read


class Definition(NamedTuple):
    """One symbol of a file; the fields are those of the table ``parse_cache``, in that order.

    A tuple, because making a frozen dataclass costs as much as its four hashes.
    """

    descriptors: str  # SCIP descriptors within the file, such as `Flask#run().`
    name: str
    kind: str
    ordinal: int  # 0-based, among those of the file with the same descriptors
    start_line: int  # 1-based; decorators and attributes included, comments not
    end_line: int  # inclusive
    sig_hash: bytes
    body_hash: bytes | None
    shape_hash: bytes | None
    doc_hash: bytes | None
    n_tokens: int  # of the body, structure markers not counted


@dataclass(frozen=True, slots=True)
class Parse:
    """What one file's bytes parse to."""

    language: str
    problem: str | None  # what kept the file from being read whole
    error_nodes: int  # places where the parser gave up and went on
    definitions: tuple[Definition, ...]
    references: tuple[Reference, ...]


def parse_source(source: bytes, language: str) -> Parse:
    r"""Parse a file and fingerprint what it defines.

    Args:
        source: the file's bytes, whatever they are.
        language: a language of `comind.syntax.languages`.

    Returns:
        The definitions outside of what could not be parsed; ``problem`` says what kept the file from being read whole.

    Raises:
        UnknownLanguageError: the language has no page. Bad source raises nothing.

    >>> parse = parse_source(b"class App:\n    def run(self): ...\n", "python")
    >>> [(definition.descriptors, definition.kind, definition.start_line) for definition in parse.definitions]
    [('App#', 'class', 1), ('App#run().', 'method', 2)]
    >>> parse_source(b"\0\1", "python").problem
    'binary: a NUL byte at offset 0'
    """
    grammar = grammar_of(language)
    nul = source.find(0)
    if nul >= 0:
        return Parse(language, f"binary: a NUL byte at offset {nul}", 0, (), ())
    tree = grammar.parse(source)
    error_lines = _error_lines(tree)
    problems = [text for text in (_encoding_problem(source), _syntax_problem(error_lines)) if text]
    stream = walk(tree, source, grammar)
    definitions, references = tuple(_definitions(stream)), tuple(references_of(stream, source, grammar))
    return Parse(language, "; ".join(problems) or None, len(error_lines), definitions, references)


@cache
def grammar_probe(language: str) -> str:
    """Return the stamp of a language's grammar: 64 hex digits, the BLAKE3 of how it parses the page's probe.

    Two builds of a grammar can bear one version and still parse differently; this tells them apart.
    """
    grammar = grammar_of(language)
    return blake3(str(grammar.parse(grammar.language.probe).root_node).encode()).hexdigest()


def _definitions(stream: Stream) -> Iterator[Definition]:
    seen: dict[str, int] = {}
    digest = _digester()
    for piece in stream.slices:
        body, shape, n_tokens = _body_hashes(stream, piece, digest)
        outline, words = stream.header(piece)
        header = _SEPARATOR + _SEPARATOR.join(outline) + _NAMES_FOLLOW + _SEPARATOR.join(words)
        doc = b" ".join(piece.doc.split()) if piece.doc else None
        kind = piece.kind.word if piece.kind else ""
        for name, descriptors in zip(piece.names, piece.descriptors, strict=True):
            ordinal = seen[descriptors] = seen.get(descriptors, -1) + 1
            yield Definition(
                descriptors,
                name.decode("utf-8", "backslashreplace"),
                kind,
                ordinal,
                piece.first_line,
                piece.last_line,
                digest(name + header),
                body,
                shape,
                digest(doc) if doc else None,
                n_tokens,
            )


def _body_hashes(stream: Stream, piece: Slice, digest: Digest) -> tuple[bytes | None, bytes | None, int]:
    """Return body hash, shape hash and the number of tokens that are not structure markers.

    Both hash the outline, the one followed by the identifiers, the other by when each was used first.
    """
    if piece.body is None:
        return None, None, 0
    outline, words = stream.body(piece)
    n_tokens = len(outline) - 2 * outline.count(CLOSE)
    joined = _SEPARATOR.join(outline) + _NAMES_FOLLOW
    if not words:
        body = digest(joined)
        return body, body, n_tokens
    numbers: defaultdict[bytes, int] = defaultdict(count().__next__)  # in order of first use
    order = array("I", map(numbers.__getitem__, words))
    if sys.byteorder == "big":
        order.byteswap()
    return digest(joined + _SEPARATOR.join(words)), digest(joined + order.tobytes()), n_tokens


def _error_lines(tree: Tree) -> list[int]:
    """Return the line of each place where the parser gave up or put in what was missing, 1-based, ascending."""
    if not tree.root_node.has_error:
        return []
    lines, cursor = list[int](), tree.walk()
    while True:
        node = cursor.node
        if node is not None and (node.is_error or node.is_missing):
            lines.append(node.start_point[0] + 1)
        elif node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return lines


def _encoding_problem(source: bytes) -> str | None:
    try:
        source.decode()
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return f"not UTF-8: byte 0x{source[error.start]:02x} in line {line}; names are shown with escapes"
    return None


def _syntax_problem(lines: list[int]) -> str | None:
    if not lines:
        return None
    return f"{len(lines)} place{'s'[: len(lines) > 1]} could not be parsed, the first in line {lines[0]}"


def _digester() -> Digest:
    """Return a function from bytes to their BLAKE3; it keeps one hasher, since making one costs more than hashing a body."""
    hasher = blake3()

    def digest(data: bytes) -> bytes:
        hasher.reset()
        hasher.update(data)
        return hasher.digest(_BYTES)

    return digest
