"""`comind stats`: parse, ask, render."""

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer
from comind.errors import ExitCode
from comind.query.census import ask_stats
from comind.query.render_census import render_stats

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind stats", "comind stats --json"))
def stats(*, store: Store = None, as_json: AsJson = False) -> int:
    """Count what is indexed: definitions by language and kind, and references by how they are known."""
    answer = ask_stats(open_session(store).view)
    print_answer(answer, render_stats(answer), as_json=as_json)
    return ExitCode.ANSWERED
