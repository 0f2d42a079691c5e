"""`comind import`: the records of an export, or what another tool wrote down, into the ledger."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from comind.cli.context import Session, open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.progress import progress_bar
from comind.cli.screen import emit, warn
from comind.errors import ExitCode
from comind.harvest.transfer import ImportReport, import_lines
from comind.store.bulk import read_lines

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_SHOWN = 20
_EXAMPLES = examples(
    "comind import ledger.ndjson.gz", "comind import s3://backup/ledger.ndjson --dry-run", "comind import --from memcontinuum ../decisions"
)


@app.command("import", epilog=_EXAMPLES)
def import_(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The file: a path, s3:// or what else fsspec reaches; or another tool's store.")
    ],
    *,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="TOOL", help="memcontinuum, kage, coderabbit, git-ai, agent-trace or entire; else told by the content."
        ),
    ] = None,
    code: Annotated[Path | None, typer.Option("--code", metavar="DIR", help="The repository that another tool's store speaks of.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be written, and write nothing.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Take in the records of a file that `comind export` wrote, or the reasons in another tool's store.

    Each record of an export keeps its id, its bytes and its time. What another tool wrote down is reworded as records that say where
    they come from; names, addresses and transcripts are left out. What is there already is left alone, what this store has erased does
    not come back. What is damaged, or holds what must not be written, is named with its reason, and the rest is taken.
    """
    session = open_session(store)
    if from_ is not None or code is not None or _is_store(Path(url)):
        return _import_stores(session, Path(url), from_, code, dry_run=dry_run, as_json=as_json)
    with progress_bar("lines") as progress:
        report = import_lines(read_lines(url), session.inbox, write=not dry_run, progress=progress)
    _fold(session, report)
    _say(url, report, dry_run=dry_run, as_json=as_json)
    if not report.whole:
        return ExitCode.COULD_NOT_FIND_OUT
    return ExitCode.BLOCKING_FINDING if report.left or report.unreadable_there else ExitCode.ANSWERED


def _is_store(path: Path) -> bool:
    """Whether a path cannot be an export of ours: a directory, a table, or lines that are another tool's."""
    if path.suffix.lower() == ".jsonl" and path.is_file():
        from comind.harvest.interop.stores import recognise  # noqa: PLC0415 - an export needs no repository

        return bool(recognise(path))
    return path.is_dir() or (path.suffix.lower() == ".csv" and path.is_file())


def _import_stores(session: Session, path: Path, tool: str | None, code: Path | None, *, dry_run: bool, as_json: bool) -> int:
    from comind.cli.importing import import_stores, kind_of, stores_at, tell_stores  # noqa: PLC0415 - an export needs no repository

    kinds = stores_at(path, kind_of(tool))
    reports = import_stores(session, path, kinds, code, write=not dry_run)
    return tell_stores(reports, dry_run=dry_run, as_json=as_json)


def _fold(session: Session, report: ImportReport) -> None:
    """Fold what was written: readers of a bucket list recent objects alone, and these may be years old."""
    if report.keys:
        from comind.tables.compact import fast_fold  # noqa: PLC0415 - a file with nothing new needs no table

        fast_fold(session.lake, session.inbox, now=session.now, hand_over=report.keys)


def _say(url: str, report: ImportReport, *, dry_run: bool, as_json: bool) -> None:
    for left in report.left[:_SHOWN]:
        warn(f"line {left.number}: {left.code}: {left.why}")
    if len(report.left) > _SHOWN:
        warn(f"{len(report.left) - _SHOWN} more lines were left; --json lists all")
    if not report.whole:
        warn(f"{url} is not whole: lines are missing, were changed or were left; export it again")
    if as_json:
        told = asdict(report)
        del told["keys"]
        emit(json.dumps({"url": url, "dry_run": dry_run, **told}))
        return
    would = "would be written" if dry_run else "written"
    emit(
        f"{report.written:,} records {would}, {report.already_there:,} were there already, {report.erased_here} are erased here, "
        f"{len(report.left)} lines left"
    )
