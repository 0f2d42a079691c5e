"""`comind symbols`: parse, ask, render."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Limit, Repo, Store, examples
from comind.cli.screen import print_answer, warn
from comind.query.answer import Outcome
from comind.query.render_symbols import render_symbols
from comind.query.symbols import ask_symbols

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind symbols Flask.run", "comind symbols 'Cart.*' --kind method", "comind symbols src/flask/app.py --json"))
def symbols(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of a name, a pattern with *, a file or a directory.")],
    *,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only this kind: class, function, method, ...")] = None,
    repo: Repo = None,
    limit: Limit = 50,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """List the symbols of the index that a text names, and where they are.

    What is listed here can be asked about with `comind why`.
    """
    session = open_session(store)
    answer = ask_symbols(session.view, text, session.checkouts, kind=kind, repo=repo, limit=limit)
    print_answer(answer, render_symbols(answer), as_json=as_json)
    if answer.outcome == Outcome.COULD_NOT_FIND_OUT:
        warn(f"could not find out whether {text!r} exists: {answer.coverage.gaps[0]}")
    return Outcome(answer.outcome).exit_code
