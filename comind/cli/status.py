"""`comind status`: parse, ask, render."""

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer, warn
from comind.errors import ExitCode
from comind.query.overview import ask_status
from comind.query.render_status import render_status

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind status", "comind status --store s3://ledger/team --json"))
def status(*, store: Store = None, as_json: AsJson = False) -> int:
    """Say what the store holds and how far it has come.

    Repositories with their indexed commit against the head of their checkout here, records by kind, status and trust, objects that
    cannot be read, what harvests refused, and every table with its rows.
    """
    session = open_session(store)
    answer = ask_status(session.view, session.lake, session.checkouts, store=session.location.uri)
    print_answer(answer, render_status(answer), as_json=as_json)
    for gap in answer.gaps:
        warn(gap)
    return ExitCode.ANSWERED
