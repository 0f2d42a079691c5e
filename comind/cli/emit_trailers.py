"""`comind emit-trailers`: parse, ask, print as git reads it."""

from typing import Annotated

import typer

from comind.cli.context import open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer
from comind.errors import ExitCode

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind emit-trailers 0193a4c2", 'git commit -m "Ask the directory" -m "$(comind emit-trailers 0193a4c2)"'))
def emit_trailers(
    record: Annotated[str, typer.Argument(metavar="ID", help="A record id, or the beginning of one.")],
    *,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Print a record as Lore trailers, to end the message of a commit that follows from it."""
    from comind.query.render import line, stacked  # noqa: PLC0415 - `comind emit-trailers --help` reads no record
    from comind.query.trailers import ask_trailers  # noqa: PLC0415

    answer = ask_trailers(open_session(store).view, record)
    print_answer(answer, stacked(line(f"{one.key}: {one.value}") for one in answer.trailers), as_json=as_json)
    return ExitCode.ANSWERED
