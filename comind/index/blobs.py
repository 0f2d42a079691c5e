"""Blobs to rows of `parse_cache`: each blob is parsed once, in processes that may be killed.

In: blob ids with their languages, and a cache. Out: one row per blob, for ever true, or true for this run.
The cache comes in through a protocol: where it is kept is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from comind.fingerprints import FINGERPRINT_VERSION, REFERENCES_VERSION
from comind.index.parsing import BlobRequest, parse_blob
from comind.index.workers import parse_in_processes
from comind.schemas import TABLES
from comind.sources.git import ObjectReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from comind.index.parsing import ParsedBlob
    from comind.index.worker import ParserTask

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["BufferedParseCache", "MemoryParseCache", "ParseCache", "ParsedBlobs", "cache_key", "parse_blobs", "parse_missing"]

_FEW_FILES, _FEW_BYTES = 64, 500_000  # parsing this much takes less time than starting a process
_SCHEMA = TABLES["parse_cache"].schema


class ParseCache(Protocol):
    """Where parses are kept for ever; `comind.tables` has the one of the store."""

    def lookup(self, keys: Sequence[str]) -> pa.Table:
        """Return the rows of `parse_cache` that are there, each key once, in any order."""

    def add(self, rows: pa.Table) -> None:
        """Keep rows of `parse_cache`; a row that is there already may be kept twice."""


class MemoryParseCache:
    """A parse cache that lasts as long as its process."""

    def __init__(self) -> None:
        self._rows: dict[str, pa.Table] = {}

    def lookup(self, keys: Sequence[str]) -> pa.Table:
        """Return the rows that were added under these keys."""
        return pa.concat_tables([_SCHEMA.empty_table(), *(self._rows[key] for key in dict.fromkeys(keys) if key in self._rows)])

    def rows(self) -> pa.Table:
        """Return all rows."""
        return self.lookup(list(self._rows))

    def add(self, rows: pa.Table) -> None:
        """Keep rows for later lookups."""
        for position, key in enumerate(rows["key"].to_pylist()):
            self._rows[str(key)] = rows.slice(position, 1)


class BufferedParseCache:
    """A cache that hands on what it gets in batches: for the cache of the store, each addition is a version of a table."""

    def __init__(self, cache: ParseCache, batch: int = 256) -> None:
        self._cache, self._batch = cache, batch
        self._waiting = MemoryParseCache()
        self._count = 0

    def lookup(self, keys: Sequence[str]) -> pa.Table:
        """Return the rows under these keys, handed on or not."""
        waiting = self._waiting.lookup(keys)
        others = set(keys) - set(waiting["key"].to_pylist())
        return pa.concat_tables([waiting, self._cache.lookup(sorted(others)).cast(_SCHEMA)]) if others else waiting

    def add(self, rows: pa.Table) -> None:
        """Keep rows, and hand all on when a batch is full."""
        self._waiting.add(rows)
        self._count += rows.num_rows
        if self._count >= self._batch:
            self.flush()

    def flush(self) -> None:
        """Hand on what is waiting."""
        rows = self._waiting.rows()
        if rows.num_rows:
            self._cache.add(rows)
        self._waiting, self._count = MemoryParseCache(), 0


@dataclass(frozen=True, slots=True)
class ParsedBlobs:
    """Rows of `parse_cache`, by key."""

    rows: pa.Table
    lasting: pa.Table  # those of them that are true in every clone; only they may be cached


def cache_key(blob: str, language: str) -> str:
    """Return the key of `parse_cache` for a blob under this version of the fingerprints and references."""
    return f"{blob}:{language}:{FINGERPRINT_VERSION}.{REFERENCES_VERSION}"


def parse_blobs(task: ParserTask, requests: Iterable[BlobRequest], *, workers: int, progress: Progress | None = None) -> ParsedBlobs:
    """Parse blobs of one repository.

    Args:
        task: the repository, and how its blobs are parsed.
        requests: what to parse; a request that comes twice is parsed once.
        workers: how many processes; 0 parses in this one, where nothing can be killed. A few small blobs are always parsed in this one.
        progress: called with (blobs parsed, blobs to parse).

    Returns:
        One row per blob and language. What hangs, kills its process, is binary, too large or unreadable has a problem in words.

    Raises:
        ParserProcessError: the processes do not start.
    """
    wanted = sorted(set(requests), key=lambda request: (request.blob, request.language))
    small = len(wanted) <= _FEW_FILES and sum(request.size or 0 for request in wanted) <= _FEW_BYTES
    if small or workers == 0:
        reader = ObjectReader(task.git_dir)
        answers: Iterator[ParsedBlob] = (parse_blob(reader, request, task.parser) for request in wanted)
    else:
        answers = parse_in_processes(task, wanted, workers)
    parsed = sorted(_counted(answers, len(wanted), progress), key=lambda answer: (answer.blob, answer.language))
    rows = _rows(parsed)
    return ParsedBlobs(rows, rows.filter(pa.array([answer.lasting for answer in parsed], pa.bool_())))


def parse_missing(
    task: ParserTask, requests: Iterable[BlobRequest], cache: ParseCache, *, workers: int, progress: Progress | None = None
) -> tuple[pa.Table, int]:
    """Return the `parse_cache` rows of blobs, and how many had to be parsed; what was parsed and lasts is added to the cache."""
    wanted = {cache_key(request.blob, request.language): request for request in requests}
    if not wanted:
        return _SCHEMA.empty_table(), 0
    known = cache.lookup(list(wanted)).cast(_SCHEMA)
    missing = wanted.keys() - set(known["key"].to_pylist())
    if not missing:
        return known.sort_by("key"), 0
    parsed = parse_blobs(task, [wanted[key] for key in missing], workers=workers, progress=progress)
    if parsed.lasting.num_rows:
        cache.add(parsed.lasting)
    return pa.concat_tables([known, parsed.rows]).sort_by("key"), len(missing)


def _counted(answers: Iterator[ParsedBlob], total: int, progress: Progress | None) -> Iterator[ParsedBlob]:
    for done, answer in enumerate(answers, start=1):
        yield answer
        if progress is not None:
            progress(done, total)


def _rows(parsed: Sequence[ParsedBlob]) -> pa.Table:
    columns = {
        "key": [cache_key(answer.blob, answer.language) for answer in parsed],
        "blob": [answer.blob for answer in parsed],
        "language": [answer.language for answer in parsed],
        "fingerprint_version": [FINGERPRINT_VERSION] * len(parsed),
        "grammar_probe": [answer.grammar_probe for answer in parsed],
        "problem": [answer.problem for answer in parsed],
        "error_nodes": [answer.error_nodes for answer in parsed],
        "definitions": _lists("definitions", [answer.definitions for answer in parsed]),
        "references": _lists("references", [answer.references for answer in parsed]),
    }
    return pa.table(columns, schema=_SCHEMA)


def _lists(column: str, lists: Sequence[tuple[tuple[Any, ...], ...]]) -> pa.Array[Any]:
    # Column by column: building a list of structs from Python dictionaries takes longer than parsing.
    type_ = _SCHEMA.field(column).type
    offsets = [0, *accumulate(map(len, lists))]
    fields = list(type_.value_type)
    columns = list(zip(*chain.from_iterable(lists), strict=True)) or [()] * len(fields)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, fields, strict=True)]
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(arrays, fields=fields), type=type_)
