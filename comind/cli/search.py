"""`comind search`: parse, ask, render."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import All, AsJson, Limit, Store, examples
from comind.cli.screen import print_answer, warn
from comind.query.answer import Outcome
from comind.query.render_lists import render_search
from comind.query.search import ask_search

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind search cache permission", "comind search 'session cookie' --all --json"))
def search(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD...", help="Every word must stand in the title, the trigger, the body or the claims.")
    ],
    *,
    every_trust: All = False,
    limit: Limit = 20,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Find records by the words in them.

    Case does not matter and a part of a word is enough. A word in the title counts most, then one in the trigger, then one in the body
    or in the claims: what was chosen, what was turned down and why, a rule, an approach.
    """
    answer = ask_search(open_session(store).view, " ".join(words), every_trust=every_trust, limit=limit)
    print_answer(answer, render_search(answer), as_json=as_json)
    for gap in answer.gaps:
        warn(gap)
    return Outcome(answer.outcome).exit_code
