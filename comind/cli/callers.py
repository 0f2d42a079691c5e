"""`comind callers`: parse and hand on."""

import typer

from comind.cli.neighbouring import Question, answer_neighbours
from comind.cli.options import AsJson, Hops, Limit, Repo, Store, Subject, examples
from comind.query.reach import CALLS, TO_CALLERS, Reach

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind callers Flask.run", "comind callers src/flask/app.py:546 --hops 2", "comind callers url_for --json"))
def callers(
    subject: Subject,
    *,
    hops: Hops = 1,
    repo: Repo = None,
    limit: Limit = 100,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """List what calls a definition, in all repositories, and where.

    Only calls whose meaning is known: from a SCIP index, through imports, or by the types that the code states. Of a class, the callers of
    its methods are listed too. Exit code 3 means that nothing was found and something may have been missed.
    """
    question = Question(verb="callers", text=subject, repo=repo, limit=limit, store=store, as_json=as_json)
    return answer_neighbours(question, Reach(direction=TO_CALLERS, kinds=CALLS, hops=hops), nothing="Nothing calls it.")
