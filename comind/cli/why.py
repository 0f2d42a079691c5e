"""`comind why`: parse, ask, render."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import All, AsJson, Limit, Repo, Store, examples
from comind.cli.screen import print_answer, warn
from comind.query.answer import Outcome, WhyAnswer
from comind.query.render import excerpt
from comind.query.render_why import render_why
from comind.query.resolve import Asked
from comind.query.why import ask_why, ask_why_then

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind why Flask.run", "comind why src/flask/app.py:546 --json", "comind why Flask.run --at 2.0.0"))
def why(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="NAME, Container.name, path, path:line, a directory or a SCIP symbol.")],
    *,
    repo: Repo = None,
    at: Annotated[str | None, typer.Option("--at", metavar="COMMIT", help="As of this commit: its code, and the log as it was.")] = None,
    every_trust: All = False,
    limit: Limit = 20,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Show the records that govern a piece of code.

    Its own records come with those of the class, file, directory and repository around it. What nobody vouches for (T0, T1)
    is counted, not shown. Exit code 3 means that nothing was found and something may have been missed. With --at the answer is
    the one of a run at that commit, on what had been recorded by then.
    """
    session = open_session(store)
    here = session.checkouts.here
    asked = Asked(
        text=subject,
        repo=repo,
        path=session.checkouts.path_of(subject),
        here=here.repo_id if here and not repo else None,
        every_trust=every_trust,
        limit=limit,
    )
    answer = ask_why_then(session.past(at, repo), asked) if at else ask_why(session.view, asked, session.checkouts)
    print_answer(answer, render_why(answer), as_json=as_json)
    if message := _complaint(answer):
        warn(message)
    return Outcome(answer.outcome).exit_code


def _complaint(answer: WhyAnswer) -> str | None:
    asked = excerpt(answer.asked, 80)
    match answer.outcome:
        case Outcome.AMBIGUOUS:
            return f"{asked!r} names several things; say which, for example `{answer.candidates[0].ask}`"
        case Outcome.UNKNOWN:
            return f"nothing indexed is called {asked!r}; `comind status` lists what is indexed"
        case Outcome.COULD_NOT_FIND_OUT:
            return f"could not find out: {'; '.join(answer.coverage.gaps)}"
    return None
