"""What a SCIP index says of a repository, as places of references.

In: an index, the files of the indexed commit, our own definitions, and our own references where they are at hand. Out: `PLACES`, and
what was believed and what not. An index that is not whole gives an error and no place; a document that does not fit its file gives none.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from comind.index.edges import PLACES, EdgeKind, ResolvedBy
from comind.index.scip.documents import lay_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from comind.index.scip.documents import LaidOver, Mention
    from comind.index.scip.mapping import Outline, SymbolMap
    from comind.index.scip.stream import ScipSource

__all__ = ["ScipPlaces", "read_places"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScipPlaces:
    """What an index gave."""

    places: pl.DataFrame  # `PLACES`, resolved by scip; without `dst` where the name means something that is not indexed
    made_by: str  # tool and version
    current: int  # documents that fit their files
    stale: tuple[str, ...]  # paths of those that do not: made from another state of the file
    missing: tuple[str, ...]  # paths that are not in the indexed commit


def read_places(  # noqa: PLR0913 - an index means nothing without all that it is laid over
    source: ScipSource,
    contents: Callable[[str], bytes | None],
    outline: Outline,
    symbols: SymbolMap,
    *,
    repo_id: str,
    directory: str = "",
    ours: pl.DataFrame | None = None,
) -> ScipPlaces:
    """Read an index of one repository.

    Args:
        source: the index; it is read twice, document by document, since a symbol may be mentioned before it is defined.
        contents: the bytes of a file of the indexed commit; None where there is none.
        outline: the definitions of the repository.
        symbols: those of all repositories.
        repo_id: the repository.
        directory: where in the repository the index's own root lies.
        ours: `PLACES` of our own references; they say what is done with a name. Without them a parenthesis behind a name means a call.

    Raises:
        ScipIndexError: the index cannot be read whole.
    """
    reader = _Reader(repo_id, directory, contents, outline, symbols, _kinds(ours))
    tool = source.metadata().tool_info
    reader.learn(source)
    reader.read(source)
    return ScipPlaces(
        places=reader.rows.frame(),
        made_by=f"{tool.name} {tool.version}".strip() or "an unnamed tool",
        current=reader.current,
        stale=tuple(sorted(reader.stale)),
        missing=tuple(sorted(reader.missing)),
    )


def _kinds(ours: pl.DataFrame | None) -> dict[tuple[str, int, str], list[tuple[str, int]]] | None:
    """Return what our own references do at each place, and within which definition."""
    if ours is None:
        return None
    found = defaultdict(list)
    for path, line, name, kind, src in ours.select("path", "line", "name", "kind", "src").unique(maintain_order=True).iter_rows():
        found[path, line, name].append((kind, src))
    return found


class _Rows:
    """Rows of `PLACES`; a frame takes a tenth of the memory that tuples do."""

    _CHUNK = 50_000

    def __init__(self) -> None:
        self._waiting: list[tuple[object, ...]] = []
        self._frames: list[pl.DataFrame] = []

    def add(self, rows: Iterable[tuple[object, ...]]) -> None:
        """Keep rows."""
        self._waiting.extend(rows)
        if len(self._waiting) >= self._CHUNK:
            self._flush()

    def frame(self) -> pl.DataFrame:
        """Return all of them."""
        self._flush()
        return pl.concat(self._frames)

    def _flush(self) -> None:
        self._frames.append(pl.DataFrame(self._waiting, schema=PLACES, orient="row"))
        self._waiting = []


@dataclass(slots=True)
class _Reader:
    """Goes through the documents; keeps the rows and what became of each document."""

    repo_id: str
    directory: str
    contents: Callable[[str], bytes | None]
    outline: Outline
    symbols: SymbolMap
    kinds: dict[tuple[str, int, str], list[tuple[str, int]]] | None
    rows: _Rows = field(default_factory=_Rows)
    current: int = 0
    aliases: set[tuple[str, str]] = field(default_factory=set)
    stale: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)

    def laid_over(self, source: ScipSource) -> Iterator[tuple[str, LaidOver, Any]]:
        """Yield each document that fits its file, with the path in the repository."""
        self.current, seen = 0, set[str]()
        for document in source.documents():
            path = f"{self.directory}/{document.relative_path}".lstrip("/")
            if path in seen:  # a file of two projects has a document in each
                continue
            seen.add(path)
            content = self.contents(path)
            if content is None:
                self.missing.add(path)
                continue
            found = lay_over(document, content, self.symbols.read, self.aliases)
            if not found.is_current:
                self.stale.add(path)
                continue
            self.current += 1
            yield path, found, document

    def learn(self, source: ScipSource) -> None:
        """Note which of our definitions the index defines."""
        for path, laid_over, _ in self.laid_over(source):
            for mention in laid_over.definitions:
                symbol = self.symbols.read(mention.symbol)
                sid = self.outline.defined(path, mention, symbol) if symbol else None
                if sid is not None:
                    self.symbols.learn(mention.symbol, sid)

    def read(self, source: ScipSource) -> None:
        """Note what each document mentions and extends."""
        for path, laid_over, document in self.laid_over(source):
            rows = list(dict.fromkeys(self._mentions(path, laid_over)))
            extended = {(row[-3], row[-2]) for row in rows if row[4] == EdgeKind.EXTENDS}
            implied = [row for row in self._relationships(path, laid_over, document) if (row[-3], row[-2]) not in extended]
            self.rows.add([*rows, *dict.fromkeys(implied)])

    def _mentions(self, path: str, laid_over: LaidOver) -> Iterator[tuple[object, ...]]:
        for mention in laid_over.references:
            dst = self.symbols.sid(mention.symbol)
            if dst is None and self.symbols.is_undecided(mention.symbol):
                continue
            for kind, src in self._done(path, mention):
                yield self._row(path, mention, kind, src, dst)

    def _relationships(self, path: str, laid_over: LaidOver, document: Any) -> Iterator[tuple[object, ...]]:  # noqa: ANN401
        """Yield what the definitions of a document implement or override."""
        defined = {mention.symbol: mention for mention in laid_over.definitions}
        for info in document.symbols:
            mention, src = defined.get(info.symbol), self.symbols.sid(info.symbol)
            bases = [self.symbols.sid(one.symbol) for one in info.relationships if one.is_implementation]
            if mention is not None and src is not None:
                yield from (self._row(path, mention, EdgeKind.EXTENDS, src, dst) for dst in bases if dst is not None)

    def _row(self, path: str, mention: Mention, kind: str, src: int, dst: int | None) -> tuple[object, ...]:
        return (self.repo_id, path, mention.line, mention.name, str(kind), src, dst, str(ResolvedBy.SCIP))

    def _done(self, path: str, mention: Mention) -> list[tuple[str, int]]:
        """Return what is done with the name at a place, and within which definition."""
        known = self.kinds.get((path, mention.line, mention.name)) if self.kinds is not None else None
        if known:
            return known
        src = self.outline.around(path, mention.line)
        if src is None:
            return []
        if mention.is_import:
            return [(EdgeKind.IMPORTS, src)]
        return [(EdgeKind.CALLS if mention.is_call and self.kinds is None else EdgeKind.REFERENCES, src)]
