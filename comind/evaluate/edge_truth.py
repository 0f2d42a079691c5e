"""What a type checker says is called where: SCIP indexes of the repositories of an organisation, as truth.

In: an index and the repository that it was made of. Out: `Truth`: the sites of calls, each with what is called there.
A call site is a place where the index mentions a symbol, no definition, and an opening parenthesis follows its name. So what is a call
does not depend on how Comind reads code. A document that does not fit its file, and a mention whose name is not written there, is no truth.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.index.scip.documents import lay_over
from comind.index.scip.mapping import Outline, SymbolMap
from comind.sources.git import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from comind.index.scip.documents import LaidOver
    from comind.index.scip.stream import ScipSource
    from comind.sources.git import GitRepository

__all__ = ["OrganisationCode", "Site", "Target", "Truth", "contents_of", "read_truth"]

_RECEIVER: Final = re.compile(rb"([\w)\]\"']+)\s*(?:\.|::|->)\s*$")


@dataclass(frozen=True, slots=True, order=True)
class Site:
    """One place; several mentions of a name on one line are one."""

    repo_id: str
    path: str
    line: int  # 1-based
    name: str


@dataclass(frozen=True, slots=True)
class Target:
    """What a name means there."""

    symbol: str  # as the index writes it
    sids: frozenset[int]  # of our definitions that it may be; several where the tool gives one symbol to several definitions
    is_held: bool  # it is a parameter or a value of the organisation that we do not list; the index does not say what it holds
    is_ours: bool  # it belongs to a package of the organisation, listed or not
    is_called: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """What the indexes say of the files that they fit."""

    targets: dict[Site, list[Target]] = field(default_factory=lambda: defaultdict(list))
    local: set[Site] = field(default_factory=set)  # names that mean something within their file only, or that the tool did not resolve
    receivers: dict[Site, str] = field(default_factory=dict)  # what stands before the name
    files: set[tuple[str, str]] = field(default_factory=set)  # repository and path
    stale: set[tuple[str, str]] = field(default_factory=set)
    aliases: set[tuple[str, str]] = field(default_factory=set)  # names, and what they are called elsewhere

    def calls(self) -> dict[Site, set[int]]:
        """Return the call sites whose target is a definition of the organisation."""
        called = {site: {sid for one in targets if one.is_called for sid in one.sids} for site, targets in self.targets.items()}
        return {site: sids for site, sids in called.items() if sids}


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganisationCode:
    """The repositories that are one organisation, indexed."""

    repositories: tuple[GitRepository, ...]
    symbols: pl.DataFrame  # rows of `symbols`
    files: pl.DataFrame  # rows of `code_files`

    def outline(self, repo_id: str) -> Outline:
        """Return the definitions of one repository."""
        mine = pl.col("repo_id") == repo_id
        return Outline(self.symbols.filter(mine), self.files.filter(mine))


@dataclass(frozen=True, slots=True)
class _Document:
    repo_id: str
    path: str
    content: bytes
    laid_over: LaidOver


def read_truth(code: OrganisationCode, indexes: list[tuple[ScipSource, GitRepository]]) -> Truth:
    """Read indexes as truth.

    Args:
        code: every repository of the organisation; what is defined elsewhere is outside.
        indexes: each with the repository that it was made of.

    Raises:
        ScipIndexError: an index cannot be read whole.
    """
    truth = Truth()
    for source, repository in indexes:
        symbols = SymbolMap(code.symbols, code.files)  # one for each: what an index defines counts in it alone
        outline = code.outline(repository.repo_id)
        for document in _documents(source, repository, symbols, truth):
            for mention in document.laid_over.definitions:
                symbol = symbols.read(mention.symbol)
                sid = outline.defined(document.path, mention, symbol) if symbol else None
                if sid is not None:
                    symbols.learn(mention.symbol, sid)
        for document in _documents(source, repository, symbols, truth):
            _note(truth, document, symbols)
    return truth


def _documents(source: ScipSource, repository: GitRepository, symbols: SymbolMap, truth: Truth) -> Iterator[_Document]:
    contents, seen = contents_of(repository), set[str]()
    for document in source.documents():
        path = str(document.relative_path)
        if path in seen:
            continue
        seen.add(path)
        content = contents(path)
        laid_over = lay_over(document, content, symbols.read, truth.aliases) if content is not None else None
        if content is None or laid_over is None or not laid_over.is_current:
            truth.stale.add((repository.repo_id, path))
            continue
        truth.files.add((repository.repo_id, path))
        yield _Document(repository.repo_id, path, content, laid_over)


def _note(truth: Truth, document: _Document, symbols: SymbolMap) -> None:
    lines = document.content.split(b"\n")
    for mention in document.laid_over.references:
        site = Site(document.repo_id, document.path, mention.line, mention.name)
        sids, symbol = symbols.sids(mention.symbol), symbols.read(mention.symbol)
        is_ours = symbols.is_ours(mention.symbol)
        is_held = symbol is not None and is_ours and not sids and symbol.holds_a_value
        target = Target(mention.symbol, sids, is_held, is_ours, mention.is_call)
        if target not in truth.targets[site]:
            truth.targets[site].append(target)
        if mention.is_call:
            truth.receivers[site] = _receiver(lines[mention.line - 1], mention.name.encode())
    truth.local.update(Site(document.repo_id, document.path, line, name) for line, name in document.laid_over.local_places)


def _receiver(line: bytes, name: bytes) -> str:
    """Return what stands before a name: `self`, another name, `…` for what is no name, nothing."""
    called = re.search(rb"(?<![\w$])" + re.escape(name) + rb"\s*!?\s*\(", line)
    before = _RECEIVER.search(line, 0, called.start()) if called else None
    if before is None:
        return ""
    text = before[1].decode("utf-8", "replace")
    return text if re.fullmatch(r"\w+", text) else "…"


def contents_of(repository: GitRepository) -> Callable[[str], bytes | None]:
    """Return what reads the files of a repository at its head."""

    def contents(path: str) -> bytes | None:
        blob = repository.blob_at(repository.head, path) if path else None
        content = repository.read(blob) if blob else None
        return None if isinstance(content, Unreadable) else content

    return contents
