"""`comind callees`: parse and hand on."""

import typer

from comind.cli.neighbouring import Question, answer_neighbours
from comind.cli.options import AsJson, Hops, Limit, Repo, Store, Subject, examples
from comind.query.reach import CALLS, TO_CALLEES, Reach

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind callees Flask.run", "comind callees src/flask/app.py:546 --hops 2", "comind callees url_for --json"))
def callees(
    subject: Subject,
    *,
    hops: Hops = 1,
    repo: Repo = None,
    limit: Limit = 100,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """List what a definition calls, in all repositories, and where.

    Only calls whose meaning is known: from a SCIP index, through imports, or by the types that the code states. Of a class, what its
    methods call is listed too. Exit code 3 means that nothing was found and something may have been missed.
    """
    question = Question(verb="callees", text=subject, repo=repo, limit=limit, store=store, as_json=as_json)
    return answer_neighbours(question, Reach(direction=TO_CALLEES, kinds=CALLS, hops=hops), nothing="It calls nothing that is indexed.")
