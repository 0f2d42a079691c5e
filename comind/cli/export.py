"""`comind export`: the whole ledger into one file."""

import json
from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.progress import progress_bar
from comind.cli.screen import emit, warn
from comind.errors import ExitCode
from comind.harvest.transfer import ExportReport, export_lines
from comind.store.bulk import write_lines

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind export ledger.ndjson.gz", "comind export s3://backup/ledger.ndjson"))
def export(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the file goes: a path, s3:// or what else fsspec reaches.")],
    *,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Write the whole ledger to one file, a line of JSON per record.

    Every record is carried byte for byte with its hash; `comind import` takes them in and checks that none is missing. A name that ends
    in .gz, .bz2 or .xz is compressed. The file appears when it is complete.
    """
    session, report = open_session(store), ExportReport()
    session.require_store()
    with progress_bar("records") as progress, write_lines(url) as file:
        for line in export_lines(session.inbox, report, progress):
            file.write(line + b"\n")
    for key, why in report.unreadable:
        warn(f"{key}: {why}; it is named in the file, and not carried")
    told = {"url": url, "records": report.records, "erased": report.erased, "unreadable": len(report.unreadable)}
    emit(json.dumps(told) if as_json else f"{report.records:,} records written to {url}; {report.erased} erased ids noted")
    return ExitCode.BLOCKING_FINDING if report.unreadable else ExitCode.ANSWERED
