"""Parse one blob: what a worker process does, and what is done in place for a few small files.

In: a blob id and its language. Out: `ParsedBlob`: plain values that travel between processes.
Imports neither Arrow nor Polars, so that a worker process starts quickly.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from comind.fingerprints import grammar_probe
from comind.index.exclusions import content_exclusion
from comind.sources.git.objects import ObjectReader, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from comind.fingerprints import Parse

    Parser: TypeAlias = Callable[[bytes, str], Parse]

__all__ = [
    "BINARY_CONTENT",
    "CONTENT_LEFT_OUT",
    "DEFINITION_FIELDS",
    "MAX_READ_BYTES",
    "BlobRequest",
    "ParsedBlob",
    "parse_blob",
    "unparsed",
]

MAX_READ_BYTES = 50_000_000  # a larger blob is never read into memory, whatever the configuration allows
BINARY_CONTENT = "binary: it holds NUL bytes"
CONTENT_LEFT_OUT = ("generated: ", "minified: ")  # how the problem of what is left out by its content begins
DEFINITION_FIELDS = (
    "descriptors", "name", "kind", "ordinal", "start_line", "end_line", "sig_hash", "body_hash", "shape_hash", "doc_hash", "n_tokens",
)  # fmt: skip
_values_of = attrgetter(*DEFINITION_FIELDS)


class BlobRequest(NamedTuple):
    """One blob to parse."""

    blob: str
    language: str
    size: int | None  # bytes; None where it cannot be told


class ParsedBlob(NamedTuple):
    """What one blob parses to; the columns of `parse_cache`."""

    blob: str
    language: str
    grammar_probe: str
    problem: str | None
    error_nodes: int | None  # None when nothing was parsed
    definitions: tuple[tuple[Any, ...], ...]  # values in the order of `DEFINITION_FIELDS`
    references: tuple[tuple[Any, ...], ...] = ()  # fields of `Mentioned`
    lasting: bool = True  # false for what another clone or another try may read


def parse_blob(reader: ObjectReader, request: BlobRequest, parser: Parser) -> ParsedBlob:
    """Read and parse one blob; whatever is wrong with it becomes a problem in words."""
    if request.size is not None and request.size > MAX_READ_BYTES:
        return unparsed(request, f"{request.size:,} bytes are too many to read")
    source = reader.read(request.blob)
    if isinstance(source, Unreadable):
        return unparsed(request, source.reason, lasting=False)
    if b"\0" in source:
        return unparsed(request, BINARY_CONTENT)
    if reason := content_exclusion(source, request.language):
        return unparsed(request, reason)
    try:
        parse = parser(source, request.language)
    except Exception as error:  # noqa: BLE001 - a fault that one file brings to light must not keep the others from being read
        return unparsed(request, f"parsing failed: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    definitions = tuple(_values_of(definition) for definition in parse.definitions)
    references = tuple(map(tuple, parse.references))  # plain tuples, since they travel between processes
    return ParsedBlob(
        request.blob, request.language, grammar_probe(request.language), parse.problem, parse.error_nodes, definitions, references
    )


def unparsed(request: BlobRequest, problem: str, *, lasting: bool = True) -> ParsedBlob:
    """Return a blob without a parse and the reason."""
    return ParsedBlob(request.blob, request.language, "", problem, None, (), lasting=lasting)
