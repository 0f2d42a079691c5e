"""Measure the import of other tools' stores on stores at hand: what is taken, what is left, and whether the promises hold.

In: a directory with stores, or with clones that hold them. Out: figures per store, and every promise that is broken:
nothing about people or conversations is written, every anchor and every file of a row is there, and a second import writes nothing.
Works in a store of its own, which is gone afterwards.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from comind.errors import UsageError
from comind.evaluate.forbidden import forbidden_words
from comind.evaluate.labels import existing_directory
from comind.harvest.interop.code import Code
from comind.harvest.interop.losses import grouped
from comind.harvest.interop.origins import name_of
from comind.harvest.interop.stores import StoreKind, import_store, is_beside_code, recognise
from comind.index.past import SymbolsAt
from comind.records.codec import encode
from comind.records.vocabulary import Scope
from comind.sources.git import GitRepository
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind.tables.imported import take_in
from comind.tables.lake import Lake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from comind.harvest.interop.losses import Found, LossGroup
    from comind.harvest.interop.origins import Origin
    from comind.records.parts import Anchor
    from comind.records.record import AnyRecord

__all__ = ["InteropFigures", "StoreFigures", "evaluate_interop"]

_NOW = datetime(2000, 1, 1, tzinfo=UTC)  # only tells the fold which shards are recent; what it needs is handed over
_HASH = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFigures:
    """What became of one store."""

    source: str
    path: str  # from the directory
    read: int
    records: int
    origins: int
    left: int
    refused: int
    losses: tuple[LossGroup, ...]
    broken: tuple[str, ...]  # promises that do not hold, each with where


@dataclass(frozen=True, slots=True, kw_only=True)
class InteropFigures:
    """What was measured, and what could not be."""

    stores: tuple[StoreFigures, ...]
    without_code: tuple[str, ...]  # stores whose repository is not known

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_interop(
    directory: Path, *, code: Path | None = None, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> InteropFigures:
    """Import every store in a directory twice, and check what was promised.

    Args:
        directory: a store, or holds stores, clones, and ``<name>/repo`` clones.
        code: the repository that stores speak of which do not lie in theirs; else the one around each.
        progress: told how many stores are done, and of how many.

    Raises:
        UsageError: ``directory`` is none.
    """
    existing_directory(directory)
    stores = [(place, kind) for place in _places(directory) for kind in recognise(place)]
    figures, without = [], []
    for done, (place, kind) in enumerate(stores, start=1):
        name = str(place.relative_to(directory))
        try:
            repo = GitRepository.open(code if code is not None and not is_beside_code(kind) else place if place.is_dir() else place.parent)
        except UsageError:
            without.append(f"{kind} {name}")
        else:
            figures.append(_measure(name, place, kind, repo))
        progress(done, len(stores))
    return InteropFigures(stores=tuple(figures), without_code=tuple(without))


def _places(directory: Path) -> Iterator[Path]:
    yield directory
    for child in sorted(directory.iterdir()):
        yield child
        if (child / "repo").is_dir():
            yield child / "repo"


def _measure(name: str, path: Path, kind: StoreKind, repo: GitRepository) -> StoreFigures:
    with TemporaryDirectory() as scratch, SymbolsAt(repo) as symbols_at:
        location = StoreLocation.parse(str(Path(scratch, "store")), {"HOME": scratch})
        first, again = [import_store(kind, path, Code(repo, symbols_at)) for _ in range(2)]
        taken = [take_in(Lake(location), Inbox(location), found, repo_id=repo.repo_id, now=_NOW) for found in (first, again)]
        code = Code(repo, symbols_at)
        broken = [
            *_leaks(first, forbidden_words(kind, path, repo)),
            *(f"{record.id}: an anchor is not there" for record in first.records if not _is_anchored(record, code, symbols_at)),
            *(f"{one.commit} {one.path}: a row is no provenance" for one in first.origins if not _is_sound(one, code)),
        ]
    if taken[1].written or taken[1].origins_written or any(loss.code == "changed_source" for loss in taken[1].losses):
        broken.append(f"a second import wrote {taken[1].written} records and {taken[1].origins_written} rows, or found others")
    return StoreFigures(
        source=first.source, path=name, read=first.read, records=taken[0].written, origins=taken[0].origins_written,
        left=sum(not loss.refused for loss in first.losses), refused=sum(loss.refused for loss in first.losses),
        losses=tuple(grouped(first.losses)), broken=tuple(broken),
    )  # fmt: skip


def _leaks(found: Found, forbidden: set[str]) -> Iterator[str]:
    for record in found.records:
        content = encode(record).decode()
        yield from (f"{record.id}: a word about people or conversations" for word in forbidden if word in content)
    for one in found.origins:
        if forbidden.intersection((one.tool, one.model, one.session_hash)):
            yield f"{one.commit} {one.path}: a word about people or conversations"


def _is_anchored(record: AnyRecord, code: Code, symbols_at: SymbolsAt) -> bool:
    anchors: tuple[Anchor, ...] = getattr(record, "anchors", ())
    return all(_is_there(anchor, code, symbols_at) for anchor in anchors)


def _is_there(anchor: Anchor, code: Code, symbols_at: SymbolsAt) -> bool:
    commit, path = anchor.commit or "", anchor.path or ""
    match anchor.scope:
        case Scope.FILE:
            return code.has_file(commit, path)
        case Scope.MODULE:
            return code.history.has_directory(commit, path)
        case Scope.SYMBOL:
            return anchor.symbol in {one.symbol for one in symbols_at(commit, path)}
        case _:
            return code.history.holds(commit)


def _is_sound(one: Origin, code: Code) -> bool:
    """Whether a row holds nothing but names, numbers and a hash, of a file that is there."""
    names = name_of(one.tool) == one.tool and (one.model is None or name_of(one.model) == one.model)
    hashed = one.session_hash is None or _HASH.fullmatch(one.session_hash) is not None
    ordered = one.lines is None or all(1 <= first <= last for first, last in one.lines)
    return names and hashed and ordered and code.is_on_ref(one.commit) and code.has_file(one.commit, one.path)
