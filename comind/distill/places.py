"""The places that a model may be told of: few, subjects first, and none whose name is a person's or a secret.

In: a diff, the definitions of its files; or places as the harvest finds them. Out: those that may be named.
A question names eight places at most, so only the files that changed most are parsed; the others stand as files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.distill.brief import MAX_SYMBOLS
from comind.distill.spans import is_clean
from comind.harvest.touched import Rank, rank_of, touched_places
from comind.records.vocabulary import Role
from comind.sources.git.line_diffs import LineDiff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from comind.harvest.touched import Place, SymbolAt, SymbolsAt
    from comind.sources.git.line_diffs import FileDiff

__all__ = ["is_clean_path", "places_of", "sendable"]

_PARSED = 3  # files of one change


def places_of(
    diff: LineDiff, commit: str, parent: str, symbols_at: SymbolsAt, *, has_directory: Callable[[str], bool]
) -> tuple[Place, ...]:
    """Return what a change touched, as far as a question can name it.

    Args:
        diff: what ``commit`` changed against ``parent``; at least one file.
        commit: where definitions are looked up.
        parent: where definitions are looked up in whose file nothing but removals tell where they were.
        symbols_at: knows definitions.
        has_directory: whether a directory exists at ``commit``.
    """
    files = sorted(diff.files, key=lambda file: (rank_of(file.path), -len(file.added) - len(file.removed), file.path))[: 2 * MAX_SYMBOLS]
    best = rank_of(files[0].path)
    parsed = {file.path: file for file in files[:_PARSED] if rank_of(file.path) is best or best > Rank.PLAIN}

    def looked_up(commit: str, path: str) -> Sequence[SymbolAt]:
        file = parsed.get(path)
        if file is None or (commit == parent and not _only_removes_somewhere(file)):
            return ()
        return symbols_at(commit, path)

    return sendable(touched_places(LineDiff(tuple(files)), commit, parent, looked_up, has_directory=has_directory).places)


def sendable(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return the places that may be named, subjects before context; none at all when no subject is left."""
    named = {(place.path, place.symbol): place for place in places if is_clean_path(place.path) and is_clean(place.name)}
    subjects = [place for place in named.values() if place.role is Role.SUBJECT]
    context = [place for place in named.values() if place.role is not Role.SUBJECT]
    return (*subjects, *context)[:MAX_SYMBOLS] if subjects else ()


def is_clean_path(path: str) -> bool:
    """Whether a path may be named; each of its parts is read as a text of its own.

    >>> is_clean_path("src/shop.py"), is_clean_path("people/ada@lovelace.uk.py")
    (True, False)
    """
    return is_clean(path.replace("/", " "))


def _only_removes_somewhere(file: FileDiff) -> bool:
    # Where lines are replaced, the new ones tell the definition as well, for half the parsing.
    return any(not hunk.new_lines for hunk in file.hunks)
