"""`comind log`: parse, ask, render."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Limit, Store, examples
from comind.cli.screen import print_answer, warn
from comind.errors import UsageError
from comind.query.answer import Outcome
from comind.query.log import ask_log
from comind.query.render_lists import render_log

__all__ = ["NotATimeError", "app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class NotATimeError(UsageError):
    """A text is not a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text!r} is not a time; write such as 2026-11-30 or 2026-11-30T08:15")


@app.command(epilog=examples("comind log --limit 5", "comind log --since 2026-11-01 --json"))
def log(
    *,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Leave out what is older: an ISO 8601 time, UTC.")] = None,
    limit: Limit = 20,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """List what was recorded, newest first.

    Records and what was said about them (confirms, retracts, supersedes, disputes, relates), by the time they were recorded.
    """
    oldest = None if since is None else _moment(since)
    answer = ask_log(open_session(store).view, since=oldest, limit=limit)
    print_answer(answer, render_log(answer), as_json=as_json)
    for gap in answer.gaps:
        warn(gap)
    return Outcome(answer.outcome).exit_code


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise NotATimeError(text) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
