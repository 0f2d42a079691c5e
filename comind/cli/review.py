"""`comind review`: what waits for a person, and one command per decision about it.

In: filters, or ids and a decision. Out: a list; or relations in the inbox, all of them or none, and every problem in one line.
"""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from comind.cli.context import Session, open_session
from comind.cli.options import AsJson, Repo, Store, examples
from comind.cli.review_verbs import VERBS, command_for
from comind.cli.reviewing import review_interactively
from comind.cli.screen import print_answer, warn
from comind.errors import ExitCode, UsageError
from comind.query.answer import Outcome
from comind.query.pending import policy_of
from comind.query.render_review import render_review
from comind.query.resolve import Asked
from comind.query.review import ReviewAsked, ask_review
from comind.records.vocabulary import AuthorKind, Kind
from comind.status.waiting import Waits

__all__ = ["NoInteractiveJsonError", "app"]

_LISTED = 20


class NoInteractiveJsonError(UsageError):
    """JSON is for programs, a dialogue for people."""

    def __init__(self) -> None:
        super().__init__("--interactive is a dialogue and prints no JSON; leave one of the two out")


class _Decisions(TyperGroup):
    """The list, and a command for each decision."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - click hands its own through
        super().__init__(**attributes)
        for name in VERBS:
            self.add_command(command_for(name))


app = typer.Typer(
    cls=_Decisions,
    rich_markup_mode=None,
    add_completion=False,
    epilog=examples(
        "comind review --drafts --on src/billing",
        "comind review accept 0193a4c2 0193b5d3",
        "comind review reject 0193a4c2 -m 'The change was never merged'",
        "comind review --interactive",
    ),
)


@app.callback(invoke_without_command=True)
def review(
    context: typer.Context,
    *,
    drafts: Annotated[bool, typer.Option("--drafts", help="Only what nobody vouches for yet (T1).")] = False,
    challenges: Annotated[bool, typer.Option("--challenges", help="Only records that a relation speaks against.")] = False,
    stale: Annotated[bool, typer.Option("--stale", help="Only records whose code changed, went or has several places.")] = False,
    on: Annotated[str | None, typer.Option("--on", metavar="SUBJECT", help="Only about this code: what `comind why` takes.")] = None,
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only records of this kind.")] = None,
    by: Annotated[AuthorKind | None, typer.Option("--by", help="Only what was written so.")] = None,
    repo: Repo = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help=f"List at most so many (else {_LISTED}, with -i all).")] = None,
    interactive: Annotated[bool, typer.Option("--interactive", "-i", help="Decide about one after the other, key by key.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """List what waits for a person, newest first, or decide about it.

    Drafts are records at T1, by machines or from doors that anybody may use: they are not shown unasked until somebody accepts them.
    Challenges are relations that speak against a record and that no machine may carry out. Stale is what was written about code that
    has changed since. Each decision writes relations as a person, through the inbox, and rewrites nothing. Exit code 3 means that
    nothing waits and something may have been missed.
    """
    if context.invoked_subcommand is not None:
        return ExitCode.ANSWERED
    if interactive and as_json:
        raise NoInteractiveJsonError

    session = open_session(store)
    chosen = {Waits.DRAFT: drafts, Waits.CHALLENGE: challenges, Waits.STALE: stale}
    asked = ReviewAsked(
        waits=tuple(waits for waits, wanted in chosen.items() if wanted),
        on=_subject(session, on, repo) if on else None,
        repo=repo,
        kind=kind,
        author_kind=by,
        limit=limit if interactive else limit or _LISTED,
    )
    if interactive:
        return review_interactively(session, asked)
    answer = ask_review(session.view, asked, session.checkouts, policy_of(session.settings))
    print_answer(answer, render_review(answer), as_json=as_json)
    for gap in answer.gaps:
        warn(gap)
    return Outcome(answer.outcome).exit_code


def _subject(session: Session, text: str, repo: str | None) -> Asked:
    here = session.checkouts.here
    return Asked(text=text, repo=repo, path=session.checkouts.path_of(text), here=here.repo_id if here and not repo else None)
