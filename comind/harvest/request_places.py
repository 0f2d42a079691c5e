"""Where in the code a request, a thread or a command belongs, told by the request and its commits alone.

In: a request, the repository, the definitions of its files. Out: places at a commit that every clone of the branch has; or why not.
A merged request is told by its merge commit, a closed one by the commit at which it left the branch and the lines that stood there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from comind.harvest.named_places import PlaceFinder
from comind.harvest.touched import Place, rank_of, touched_places
from comind.records.vocabulary import Role, Scope
from comind.sources.forges.model import State
from comind.sources.git.history import History
from comind.sources.git.line_diffs import FileDiff, Hunk, LineDiff, NoDiff

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.harvest.touched import SymbolsAt
    from comind.sources.forges.model import MergeRequest, Position
    from comind.sources.git.repository import GitRepository

__all__ = ["COMMIT_MISSING", "NoPlace", "RequestPlaces", "Site"]

COMMIT_MISSING: Final = "commit_missing"
"""Why something belongs nowhere yet: a fetch may bring its commit."""

_CONTEXT = 3  # lines around a change that a forge shows, and lets people comment on


@dataclass(frozen=True, slots=True)
class NoPlace:
    """Why something belongs nowhere."""

    code: str
    problem: str


@dataclass(frozen=True, slots=True)
class Site:
    """Where one request took place."""

    commit: str  # at which everything is looked up
    parent: str
    diff: LineDiff
    touched: tuple[Place, ...]
    reviewed: str | None  # commit at which lines of threads hold, if they are those of `commit` up to what others merged meanwhile
    removed: bool  # whether those are lines that the request takes away


class RequestPlaces:
    """Finds places in one repository."""

    def __init__(self, repo: GitRepository, symbols_at: SymbolsAt) -> None:
        self._repo, self._symbols_at = repo, symbols_at
        self._history = History(repo)

    def site_of(self, request: MergeRequest) -> Site | NoPlace:
        """Return where a merged or closed request took place."""
        commit = request.merge_commit if request.state is State.MERGED else request.base_commit
        if commit is None:
            return NoPlace("no_commit", "the forge does not say at which commit it began or was merged")
        if not self._history.holds(commit):
            return NoPlace(COMMIT_MISSING, f"its commit {commit[:12]} is not in this clone; run `git fetch`, then `comind run`")
        if request.state is State.MERGED:
            parents = self._history.text(commit).parents
            diff = self._history.line_diff(commit) if parents else NoDiff("no_parent", f"{commit[:12]} has no parent here")
        else:
            parents, diff = (commit,), self._told_diff(request, commit)
        if isinstance(diff, NoDiff):
            return NoPlace(diff.code, diff.detail)
        if not diff.files:
            return NoPlace("no_change", "it changes nothing that is known")
        touched = touched_places(
            diff, commit, parents[0], self._symbols_at, has_directory=lambda path: self._history.has_directory(commit, path)
        )
        merged = request.state is State.MERGED
        return Site(commit, parents[0], diff, touched.places, request.head_commit if merged else commit, removed=not merged)

    def at_position(self, site: Site, position: Position | None) -> tuple[Place, ...]:
        """Return the definition or file that a thread hangs on; what the request touched where that is not sure."""
        if position is None or self._repo.blob_at(site.commit, position.path) is None:
            return site.touched
        # Between review and merge lines move. One of the last version, beside a change of the merge itself, is still what was meant.
        hunks = [hunk for file in site.diff.files if file.path == position.path for hunk in file.hunks]
        last = position.commit is not None and (position.commit, position.removed) == (site.reviewed, site.removed)
        sure = last and position.line is not None and any(_near(hunk, position) for hunk in hunks)
        around = [
            one for one in self._symbols_at(site.commit, position.path) if sure and one.start_line <= (position.line or 0) <= one.end_line
        ]
        file = Place(scope=Scope.FILE, commit=site.commit, path=position.path, name=position.path, rank=rank_of(position.path))
        if not around:
            return (file,)
        inner = min(around, key=lambda one: (one.end_line - one.start_line, -one.start_line))
        return (_symbol(inner.symbol, inner.qualified_name, (inner.start_line, inner.end_line), file),)

    def named(self, site: Site, names: Sequence[str]) -> tuple[Place, ...] | NoPlace:
        """Return what the `on` lines of a command name: a path, a definition, or a path and a definition in it."""
        places = [place for name in names if (place := self._named(site, name)) is not None]
        if len(places) < len(names):
            return NoPlace("no_such_place", f"`on` names nothing at {site.commit[:12]}; write a path, a name, or `PATH NAME`")
        return tuple(dict.fromkeys(places))

    def _named(self, site: Site, text: str) -> Place | None:
        words = text.replace("`", "").split()
        path = words[0].strip("/") if words else ""
        if self._repo.blob_at(site.commit, path) is not None:
            file = Place(scope=Scope.FILE, commit=site.commit, path=path, name=path, rank=rank_of(path))
            return self._within([path], words[1], site.commit) if len(words) > 1 else file
        if len(words) != 1:
            return None
        if self._history.has_directory(site.commit, path):
            return Place(scope=Scope.MODULE, commit=site.commit, path=path, name=f"{path}/", rank=rank_of(f"{path}/"))
        changed = [file.path for file in site.diff.files if file.new_blob is not None]
        return self._within(changed, words[0], site.commit) or self._anywhere(site, words[0])

    def _within(self, paths: Sequence[str], name: str, commit: str) -> Place | None:
        """Return the one definition of a name in some files."""
        wanted = name.removesuffix("()").replace("::", ".").replace("#", ".")
        found = [
            (path, one)
            for path in paths
            for one in self._symbols_at(commit, path)
            if f".{one.qualified_name}".endswith(f".{wanted}")
        ]  # fmt: skip
        if len(found) != 1:
            return None
        ((path, one),) = found
        file = Place(scope=Scope.FILE, commit=commit, path=path, name=path, rank=rank_of(path))
        return _symbol(one.symbol, one.qualified_name, (one.start_line, one.end_line), file)

    def _anywhere(self, site: Site, name: str) -> Place | None:
        places = PlaceFinder(self._repo, self._symbols_at, [name]).find([name], site.commit, "")
        return next((replace(place, role=Role.SUBJECT) for place in places if place.scope is Scope.SYMBOL), None)

    def _told_diff(self, request: MergeRequest, base: str) -> LineDiff:
        """Make a change of the lines that a forge says were changed, as they stood: what is touched is what was there."""
        return LineDiff(tuple(self._told_file(change.path_before, change.path, change.spans, base) for change in request.changes))

    def _told_file(self, before: str | None, after: str, spans: Sequence[tuple[int, int]], base: str) -> FileDiff:
        blob = self._repo.blob_at(base, before) if before else None
        if before is None or blob is None:
            return FileDiff(path=after, old_blob=None, new_blob=None)  # told by the nearest directory that was there
        lines = (self._history.content(blob) or b"").splitlines()
        inside = [(first, min(last, len(lines))) for first, last in spans if first <= len(lines)]
        return FileDiff(
            path=before,
            old_blob=blob,
            new_blob=blob,
            hunks=tuple(Hunk(first, 0, first, last - first + 1) for first, last in inside),
            added=tuple(line for first, last in inside for line in lines[first - 1 : last]),
        )


def _near(hunk: Hunk, position: Position) -> bool:
    return hunk.new_start - _CONTEXT <= (position.line or 0) <= hunk.new_start + max(hunk.new_lines, 1) - 1 + _CONTEXT


def _symbol(symbol: str, name: str, span: tuple[int, int], file: Place) -> Place:
    return replace(file, scope=Scope.SYMBOL, symbol=symbol, name=name, start_line=span[0], end_line=span[1])
