"""`comind timeline`: parse, ask, render."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Repo, Store, examples
from comind.cli.screen import print_answer
from comind.errors import ExitCode
from comind.query.render_timeline import render_timeline
from comind.query.resolve import Asked
from comind.query.timeline import ask_timeline

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind timeline 0193a4c2", "comind timeline Flask.run --json"))
def timeline(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="A record id, the beginning of one, or what `comind why` takes.")],
    *,
    repo: Repo = None,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Tell when a record held, in commits.

    Since which commit the code it is about is unchanged, moved, changed or gone, and what was said of the record when. For a piece of
    code: of every record that is anchored to it. History is read up to the indexed commit, along first parents.
    """
    session = open_session(store)
    here = session.checkouts.here
    path = session.checkouts.path_of(subject)
    asked = Asked(text=subject, repo=repo, path=path, here=here.repo_id if here and not repo else None)
    answer = ask_timeline(session.view, asked, session.checkouts)
    print_answer(answer, render_timeline(answer), as_json=as_json)
    return ExitCode.ANSWERED
