"""`comind show`: parse, ask, render."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer
from comind.errors import ExitCode
from comind.query.render_lists import render_show
from comind.query.show import ask_show

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind show 0193a4c2", "comind show 0193a4c2-7b11-7000-8000-0123456789ab --json"))
def show(
    record: Annotated[str, typer.Argument(metavar="ID", help="A record id, or the beginning of one.")],
    *,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Show one record whole: what it says, why it is believed, how to check it."""
    answer = ask_show(open_session(store).view, record)
    print_answer(answer, render_show(answer), as_json=as_json)
    return ExitCode.ANSWERED
