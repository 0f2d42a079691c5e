"""What a change touched: the definitions, files and directories that a record about it is attached to.

In: the line diff of a commit, the definitions of its files before and after. Out: places, those that changed most first.
A definition that is still there afterwards is a subject; one that went is context, so that its name still leads to the record.
Never parses anything itself: definitions come from whoever implements `SymbolsAt`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from comind.records.vocabulary import Role, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from comind.sources.git.line_diffs import FileDiff, LineDiff

__all__ = ["Place", "Rank", "SymbolAt", "SymbolsAt", "Touched", "rank_of", "touched_places"]

MAX_SUBJECTS = 8
MAX_CONTEXT = 8
MAX_FILES = 60  # of one change whose definitions are looked up, those that changed most first

_TESTS = re.compile(
    r"(?:^|/)(?:tests?|__tests__|testing|testsuites?|specs?|testdata|fixtures?|e2e|benchmarks?)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*_test\.\w+|[^/]*Tests?\.(?:java|kt|cs|scala|php|swift)|[^/]*[.-](?:test|spec)\.\w+|conftest\.py)$"
)
_PAPER = re.compile(
    r"(?:^|/)(?:docs?|documentation|\.github|node_modules|vendor)/"
    r"|(?:^|/)(?:change(?:s|log)?|history|news|release[-_]?notes?|readme|authors|contributors|license)(?:[.-][^/]*)?$"
    r"|\.(?:md|rst|adoc|lock|snap)$|(?:^|/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|go\.sum|bun\.lockb?)$",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"\)\..")  # something defined inside a function
_SAYS_NOTHING = re.compile(
    rb"^\s*(?:$|#(?!include|define|!\[)|//|/\*|\*(?:\s|/|$)|--\s|import\b|from\s+\S+\s+import\b|use\s|using\s|package\s|#include\b|require\b"
    rb"|(?:const|let|var)\s+[^=]*=\s*require\(|export\s+\*|export\s*\{[^}]*\}\s*from|[\])}\s;,]*$)"
)


class Rank(IntEnum):
    """What a place is worth as the subject of a record; the smaller, the more."""

    CODE = 0  # a definition, or a file that had one
    PLAIN = 1  # any other file
    TEST = 2
    PAPER = 3  # documents, change logs, lock files


class SymbolAt(Protocol):
    """A definition in one file at one commit."""

    @property
    def symbol(self) -> str:
        """SCIP symbol string."""

    @property
    def qualified_name(self) -> str:
        """Names of its containers within the file and its own, joined by dots."""

    @property
    def start_line(self) -> int:
        """First line, 1-based."""

    @property
    def end_line(self) -> int:
        """Last line, 1-based, inclusive."""


class SymbolsAt(Protocol):
    """Knows the definitions of a file at a commit."""

    def __call__(self, commit: str, path: str) -> Sequence[SymbolAt]:
        """Return the definitions of a file at a commit, containers and members alike; none for a file that has or holds none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a change took place."""

    scope: Scope
    role: Role = Role.SUBJECT
    commit: str  # at which path, symbol and lines hold
    path: str  # empty for the repository
    name: str  # as a reader would call it
    symbol: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    weight: int = 0  # lines touched
    rank: Rank = Rank.CODE
    gone: bool = False  # stood before the change only


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The places of one change, capped; the totals are of what there was before the cap."""

    places: tuple[Place, ...]
    subjects_in_all: int
    context_in_all: int


@dataclass(slots=True)
class _File:
    """One file of the change, sorted out."""

    path: str
    rank: Rank
    weight: int
    gone: bool
    alive: Counter[SymbolAt] = field(default_factory=Counter)
    removed: Counter[SymbolAt] = field(default_factory=Counter)
    outside: int = 0  # lines in no definition that say something


def touched_places(diff: LineDiff, commit: str, parent: str, symbols_at: SymbolsAt, *, has_directory: Callable[[str], bool]) -> Touched:
    """Find the places that a change touched.

    Args:
        diff: what ``commit`` changed against ``parent``.
        commit: where definitions that are still there are looked up.
        parent: where definitions that went are looked up.
        symbols_at: knows definitions.
        has_directory: whether a directory exists at ``commit``; a file that went is represented by the nearest one above it.

    Returns:
        At least one subject. Tests are subjects only of a change that touched no code, documents and change logs only of one
        that touched nothing else; otherwise they are context.
    """
    heaviest = sorted(diff.files, key=lambda file: (rank_of(file.path), -_weight(file), file.path))
    files = [_sort_out(file, commit, parent, symbols_at, look=position < MAX_FILES) for position, file in enumerate(heaviest)]
    places = _merged([place for file in files for place in _places(file, commit, parent, has_directory)])
    subjects, context = _cast([place for place in places if place.weight] or places)
    return Touched(places=(*subjects[:MAX_SUBJECTS], *context[:MAX_CONTEXT]), subjects_in_all=len(subjects), context_in_all=len(context))


def rank_of(path: str) -> Rank:
    """Tell by its path what a file is worth as a subject, as long as nothing is known of its definitions.

    >>> [rank_of(path).name for path in ("src/flask/app.py", "tests/test_app.py", "CHANGES.rst")]
    ['PLAIN', 'TEST', 'PAPER']
    """
    if _TESTS.search(path):
        return Rank.TEST
    return Rank.PAPER if _PAPER.search(path) else Rank.PLAIN


def _cast(places: Sequence[Place]) -> tuple[list[Place], list[Place]]:
    """Split places into subjects and context, by the best rank among those that still stand."""
    standing = [place for place in places if not place.gone]
    best = min(place.rank for place in standing)
    last = {Rank.CODE: Rank.PLAIN, Rank.PLAIN: Rank.TEST}.get(best, best)
    subjects = [place for place in standing if place.rank <= last]
    subjects = [place for place in subjects if place.scope is not Scope.REPO] or subjects
    if best > Rank.CODE:  # next to a test, a line of configuration is not what it is about
        subjects.sort(key=lambda place: (-place.weight, place.path, place.start_line or 0))
    others = [place for place in places if place not in subjects and place.scope is not Scope.REPO]
    return subjects, [replace(place, role=Role.CONTEXT) for place in others]


def _weight(file: FileDiff) -> int:
    return len(file.added) + len(file.removed)


def _sort_out(file: FileDiff, commit: str, parent: str, symbols_at: SymbolsAt, *, look: bool) -> _File:
    sorted_out = _File(file.path, rank_of(file.path), _weight(file), gone=file.new_blob is None)
    after = list(symbols_at(commit, file.path)) if look and file.new_blob and file.hunks else []
    before = list(symbols_at(parent, file.path)) if look and file.removed and file.old_blob and file.hunks else []
    still_there = {symbol.symbol: symbol for symbol in after}
    for number, line in _lines(file, added=True):
        if not _SAYS_NOTHING.match(line):
            _count(sorted_out, _innermost_first(after, number), still_there)
    for number, line in _lines(file, added=False):
        if not _SAYS_NOTHING.match(line):
            _count(sorted_out, _innermost_first(before, number), still_there)
    if sorted_out.rank is Rank.PLAIN and (sorted_out.alive or sorted_out.removed):
        sorted_out.rank = Rank.CODE
    return sorted_out


def _count(file: _File, around: Sequence[SymbolAt], still_there: dict[str, SymbolAt]) -> None:
    """Count one line for the innermost definition that is still there, and for every one inside it that is not."""
    for symbol in around:
        if alive := still_there.get(symbol.symbol):
            file.alive[alive] += 1
            return
        file.removed[symbol] += 1
    if not around:
        file.outside += 1


def _innermost_first(symbols: Sequence[SymbolAt], line: int) -> list[SymbolAt]:
    around = [symbol for symbol in symbols if symbol.start_line <= line <= symbol.end_line and not _LOCAL.search(symbol.symbol)]
    return sorted(around, key=lambda symbol: (symbol.end_line - symbol.start_line, -symbol.start_line))


def _lines(file: FileDiff, *, added: bool) -> Iterator[tuple[int, bytes]]:
    """Yield every added or removed line with its number in the file after or before."""
    lines = iter(file.added if added else file.removed)
    for hunk in file.hunks:
        start, count = (hunk.new_start, hunk.new_lines) if added else (hunk.old_start, hunk.old_lines)
        for number in range(start, start + count):
            yield number, next(lines, b"")


def _places(file: _File, commit: str, parent: str, has_directory: Callable[[str], bool]) -> Iterator[Place]:
    for symbol, weight in file.alive.items():
        yield _symbol_place(file, symbol, commit, weight)
    for symbol, weight in file.removed.items():
        yield replace(_symbol_place(file, symbol, parent, weight), gone=True)
    if file.gone:
        directory = _nearest(file.path, has_directory)
        scope, name = (Scope.MODULE, f"{directory}/") if directory else (Scope.REPO, "the repository")
        yield Place(scope=scope, commit=commit, path=directory, name=name, weight=file.weight, rank=file.rank)
    elif not file.alive:
        weight = file.weight if file.removed or file.outside else 0
        yield Place(scope=Scope.FILE, commit=commit, path=file.path, name=file.path, weight=weight, rank=file.rank)


def _symbol_place(file: _File, symbol: SymbolAt, commit: str, weight: int) -> Place:
    return Place(
        scope=Scope.SYMBOL, commit=commit, path=file.path, name=symbol.qualified_name, symbol=symbol.symbol,
        start_line=symbol.start_line, end_line=symbol.end_line, weight=weight, rank=file.rank,
    )  # fmt: skip


def _nearest(path: str, has_directory: Callable[[str], bool]) -> str:
    directory = path.rpartition("/")[0]
    while directory and not has_directory(directory):
        directory = directory.rpartition("/")[0]
    return directory


def _merged(places: Iterable[Place]) -> list[Place]:
    """Join places that are one, and put those first that are code and changed most."""
    joined: dict[tuple[Scope, str, str, str | None], Place] = {}
    for place in places:
        key = place.scope, place.commit, place.path, place.symbol
        known = joined.get(key)
        joined[key] = replace(place, weight=place.weight + known.weight, rank=min(place.rank, known.rank)) if known else place
    return sorted(joined.values(), key=lambda place: (place.rank, -place.weight, place.path, place.start_line or 0, place.symbol or ""))
