"""`comind ripple`: parse and hand on."""

import typer

from comind.cli.neighbouring import Question, answer_neighbours
from comind.cli.options import AsJson, Hops, Limit, Repo, Store, Subject, examples
from comind.query.reach import BEHAVIOUR, TO_CALLERS, Reach

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind ripple Flask.run", "comind ripple src/flask/app.py:546 --hops 2", "comind ripple url_for --json"))
def ripple(
    subject: Subject,
    *,
    hops: Hops = 3,
    repo: Repo = None,
    limit: Limit = 100,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Show what a change of a definition may reach: callers, subclasses and users, and theirs, in all repositories.

    Each stands below the one that leads to it. A step that reaches more than 250 definitions goes on from the first 250 and says so.
    Exit code 3 means that nothing was found and something may have been missed.
    """
    question = Question(verb="ripple", text=subject, repo=repo, limit=limit, store=store, as_json=as_json)
    return answer_neighbours(question, Reach(direction=TO_CALLERS, kinds=BEHAVIOUR, hops=hops), nothing="Nothing refers to it.")
