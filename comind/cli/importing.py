"""How `comind import` takes in a store of another tool: which repository it speaks of, and the report of what was lost.

In: a path, a kind or none, the session. Out: reports, printed or as JSON.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from comind.cli.screen import emit, print_text
from comind.errors import ExitCode, UsageError
from comind.harvest.interop.code import Code
from comind.harvest.interop.losses import LossGroup, grouped
from comind.harvest.interop.stores import NoStoreHereError, StoreKind, import_store, is_beside_code, recognise
from comind.query.checkouts import Checkouts
from comind.query.render import labelled, line, stacked
from comind.sources.git import GitRepository
from comind.sources.git.errors import NotARepositoryError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.text import Text

    from comind.cli.context import Session

__all__ = ["NoCodeError", "StoreReport", "UnknownToolError", "import_stores", "kind_of", "stores_at", "tell_stores"]


class UnknownToolError(UsageError):
    """No store of a tool of that name can be imported."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        super().__init__(f"no store of {tool[:60]!r} can be imported; name one of {', '.join(StoreKind)}")


class NoCodeError(UsageError):
    """It is not known which repository a store speaks of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"no repository is around {str(path)!r} or here; name the one that the store speaks of with --code DIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreReport:
    """What was taken of one store, what was left, and why."""

    source: str
    path: str
    repo: str
    read: int
    written: int
    already_there: int
    erased_here: int
    origins_written: int
    origins_already_there: int
    losses: list[LossGroup]

    @property
    def refused(self) -> int:
        """How many things something was wrong with."""
        return sum(group.count for group in self.losses if group.refused)


def kind_of(tool: str | None) -> StoreKind | None:
    """Return the kind of store that a name on the command line means."""
    try:
        return StoreKind(tool) if tool is not None else None
    except ValueError:
        raise UnknownToolError(tool or "") from None


def stores_at(path: Path, kind: StoreKind | None) -> list[StoreKind]:
    """Return the kinds of stores to import from a path; raises `NoStoreHereError`."""
    kinds = [kind] if kind else recognise(path)
    if not kinds:
        raise NoStoreHereError(path)
    return kinds


def import_stores(session: Session, path: Path, kinds: Sequence[StoreKind], code: Path | None, *, write: bool) -> list[StoreReport]:
    """Import each kind of store at a path."""
    return [_import(session, path, kind, _repository(session, path, kind, code), write=write) for kind in kinds]


def tell_stores(reports: Sequence[StoreReport], *, dry_run: bool, as_json: bool) -> int:
    """Print the loss reports; return the exit code: 1 where something was refused."""
    if as_json:
        emit(json.dumps({"dry_run": dry_run, "stores": [asdict(report) for report in reports]}))
    else:
        print_text(stacked([part for report in reports for part in _told(report, dry_run=dry_run)]))
    return ExitCode.BLOCKING_FINDING if any(report.refused for report in reports) else ExitCode.ANSWERED


def _import(session: Session, path: Path, kind: StoreKind, repository: GitRepository, *, write: bool) -> StoreReport:
    from comind.index.past import SymbolsAt  # noqa: PLC0415 - an export of our own needs neither parser nor tables
    from comind.tables.imported import take_in, would_take_in  # noqa: PLC0415
    from comind.tables.parse_cache import LakeParseCache  # noqa: PLC0415

    with SymbolsAt(repository, LakeParseCache(session.lake) if write else None) as symbols_at:
        found = import_store(kind, path, Code(repository, symbols_at))
    if write:
        taken = take_in(session.lake, session.inbox, found, repo_id=repository.repo_id, now=session.now)
    else:
        taken = would_take_in(session.lake, session.inbox, found, repo_id=repository.repo_id)
    return StoreReport(
        source=found.source, path=str(path), repo=repository.repo_id, read=found.read, written=taken.written,
        already_there=taken.already_there, erased_here=taken.erased_here, origins_written=taken.origins_written,
        origins_already_there=taken.origins_already_there, losses=grouped(taken.losses),
    )  # fmt: skip


def _repository(session: Session, path: Path, kind: StoreKind, code: Path | None) -> GitRepository:
    """Return the repository that a store speaks of: the one it lies in, or that of the working directory, whichever is likelier."""
    if code is not None:
        return _opened(session, code)
    around = path if path.is_dir() else path.parent
    for place in (around, session.cwd) if is_beside_code(kind) else (session.cwd, around):
        try:
            return _opened(session, place)
        except NotARepositoryError:
            continue
    raise NoCodeError(path)


def _opened(session: Session, place: Path) -> GitRepository:
    """Open the repository around a directory, by the name and ref that the settings give it; raises `NotARepositoryError`."""
    return Checkouts(place.absolute(), session.settings.watched).here or GitRepository.open(place)


def _told(report: StoreReport, *, dry_run: bool) -> list[Text]:
    would = "would be written" if dry_run else "written"
    written, there = report.written + report.origins_written, report.already_there + report.origins_already_there
    counts = f"{report.read:,} read, {written:,} {would}, {there:,} already there"
    erased = f", {report.erased_here:,} erased here" if report.erased_here else ""
    return [line((report.source, "bold"), (f"  {report.path}", ""), (f"  {counts}{erased}", "dim")), *map(_loss, report.losses)]


def _loss(group: LossGroup) -> Text:
    places = ", ".join(group.first) + (" …" if group.count > len(group.first) else "")
    return labelled("refused" if group.refused else "left", f"{group.count:,} {group.code}: {group.why} ({places})")
