"""`comind remember`: one command per kind of record and per relation.

In: options, record ids, or a whole record as JSON. Out: one object in the inbox, or nothing and every problem in one line.
Who writes is a person at this command line unless --agent says otherwise; no name or address is ever recorded.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer
from typer.core import TyperGroup

from comind.cli.context import open_session
from comind.cli.options import AsJson, examples
from comind.cli.remember_options import EXAMPLES, SUMMARIES, command_for
from comind.cli.remembering import draft
from comind.cli.screen import print_answer
from comind.errors import ExitCode, UsageError
from comind.query.facts import relation_title
from comind.query.render import badge, labelled, line, stacked
from comind.query.shape import Shape
from comind.records.codec import encode
from comind.records.record import Reason
from comind.store.inbox import PutOutcome

if TYPE_CHECKING:
    from rich.text import Text

    from comind.records.record import AnyRecord

__all__ = ["IdTakenError", "RememberAnswer", "app"]


class IdTakenError(UsageError):
    """Another record has the id that was given."""

    def __init__(self, record_id: str) -> None:
        self.record_id = record_id
        super().__init__(f"another record has the id {record_id} already, and a record is never rewritten; leave the id out")


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberAnswer(Shape):
    """What was written: what `comind remember --json` prints."""

    schema: Annotated[str, "comind.remember/1; within one version fields are only added"] = "comind.remember/1"
    id: Annotated[str, "Id of the entry"]
    kind: Annotated[str, "Kind of the record or relation"]
    title: Annotated[str, "What it says, in a line"]
    outcome: Annotated[str, "created, or already_there when these very bytes were written before"]
    store: Annotated[str, "Where it was written"]
    see: Annotated[str, "The command that shows it"]


class _Kinds(TyperGroup):
    """A command for each kind of record, for each relation, and for a whole record on standard input."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - click hands its own through
        super().__init__(**attributes)
        for kind in SUMMARIES:
            self.add_command(command_for(kind, _remember))


app = typer.Typer(
    cls=_Kinds, rich_markup_mode=None, add_completion=False, epilog=examples(*map(EXAMPLES.__getitem__, ("attempt", "confirms", "-")))
)


@app.callback(no_args_is_help=True)
def remember(*, _as_json: AsJson = False) -> None:
    """Write one record, or say something about one.

    A record is written once and for ever; later ones supersede, retract, confirm or dispute it. --on takes what `comind why` takes, or
    file:PATH, module:PATH, repo, org, dep:ECOSYSTEM/NAME@RANGE. Nothing is written unless everything is right.
    """


@click.pass_context
def _remember(context: click.Context, kind: str, /, **given: Any) -> int:  # noqa: ANN401 - the values of the command's options
    session = open_session(given["store"])
    record = draft(session, kind, given).finish()
    outcome = session.inbox.put(record.id, encode(record))
    if outcome is PutOutcome.TAKEN:
        raise IdTakenError(record.id)
    answer = _answer(record, outcome, session.location.uri)
    above = context.parent.params.get("_as_json") if context.parent else None
    print_answer(answer, _rendered(answer), as_json=bool(given["as_json"] or above))
    return ExitCode.ANSWERED


def _answer(record: "AnyRecord", outcome: PutOutcome, store: str) -> RememberAnswer:
    title = record.title if isinstance(record, Reason) else relation_title(record.kind, record.fields.model_dump(mode="json"))
    return RememberAnswer(
        id=record.id, kind=str(record.kind), title=title, outcome=str(outcome), store=store, see=f"comind show {record.id}"
    )


def _rendered(answer: RememberAnswer) -> "Text":
    first = line(*badge(answer.kind, None, None), " ", (answer.title, "bold"))
    return stacked([first, labelled("record", answer.id), labelled("store", answer.store), labelled("see it", answer.see)])
