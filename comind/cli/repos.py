"""`comind repos`: parse, ask, render."""

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer
from comind.errors import ExitCode
from comind.query.census import ask_repos
from comind.query.render_census import render_repos

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind repos", "comind repos --json"))
def repos(*, store: Store = None, as_json: AsJson = False) -> int:
    """List the repositories of the store, their packages, and which other repositories their code refers to."""
    answer = ask_repos(open_session(store).view)
    print_answer(answer, render_repos(answer), as_json=as_json)
    return ExitCode.ANSWERED
