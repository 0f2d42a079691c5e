"""The commands of `comind review` that decide: ids and what a person says in, relations in the inbox out.

In: the options of one command. Out: a command per verb. What a verb may be said of, `comind.cli.deciding` knows.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click
from typer.core import TyperCommand

from comind.cli.context import open_session
from comind.cli.deciding import Decision, Desk, Said
from comind.cli.editor import edited_decision
from comind.cli.options import examples
from comind.cli.screen import print_answer, warn
from comind.errors import ExitCode
from comind.query.decided import DecidedAnswer, DecisionShown, EntryWritten
from comind.query.facts import relation_title
from comind.query.render import badge, labelled, line, stacked
from comind.records.record import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from comind.records.record import AnyRecord

__all__ = ["VERBS", "command_for"]

VERBS: Final[dict[str, str]] = {
    "accept": "A draft holds, or a challenge is right: a person says so.",
    "edit": "Write a record anew in your editor; yours takes its place.",
    "reject": "A draft does not hold, or a challenge is wrong: it goes, and is not proposed again.",
    "confirm": "A record was read against the code of now and holds.",
    "retract": "A record no longer holds.",
    "supersede": "Another record takes its place.",
    "dispute": "A record is doubted.",
}
_DETAILS: Final[dict[str, str]] = {
    "accept": "Of a draft or a stale record this writes `confirms`, at the commit that the index shows; of a challenge, named by the id of "
    "the relation, what it says, as a person.",
    "edit": "Writes the new record, anchored where the code is now, and `supersedes`. Only one at a time.",
    "reject": "Writes `retracts`: the record stays in the log, so that a proposal like it is known as rejected.",
    "confirm": "Writes `confirms` at the commit that the index shows.",
    "retract": "Writes `retracts`.",
    "supersede": "Writes `supersedes`; both need a subject in common.",
    "dispute": "Writes `disputes`: until somebody decides, the record is shown as challenged.",
}
_EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "accept": ("comind review accept 0193a4c2 0193b5d3",),
    "edit": ("comind review edit 0193a4c2", "comind review edit 0193a4c2 --from better.md"),
    "reject": ("comind review reject 0193a4c2 -m 'The change was never merged'",),
    "confirm": ("comind review confirm 0193a4c2 --at HEAD",),
    "retract": ("comind review retract 0193a4c2 -m 'The cache is gone since 3.0'",),
    "supersede": ("comind review supersede 0193a4c2 --by 0193b5d3",),
    "dispute": ("comind review dispute 0193a4c2 -m 'Measured again: no stale grant in a month'",),
}
_REASONED: Final = {"reject", "retract", "dispute"}
_READ: Final = {"accept", "confirm"}


def command_for(verb: str) -> TyperCommand:
    """Make the command of one verb."""
    several = verb != "edit"
    ids = click.Argument(["ids" if several else "id"], nargs=-1 if several else 1, required=True, metavar="ID..." if several else "ID")
    return TyperCommand(
        verb,
        params=[ids, *_options(verb)],
        callback=partial(_edit if verb == "edit" else _decide, verb),
        help=f"{VERBS[verb]}\n\n{_DETAILS[verb]}",
        short_help=VERBS[verb],
        epilog=examples(*_EXAMPLES[verb]),
        rich_markup_mode=None,
    )


def _answer(decisions: Sequence[Decision], outcome: str, store: str) -> DecidedAnswer:
    """Say what was decided."""
    shown = tuple(
        DecisionShown(
            verb=one.verb, id=one.target.id, kind=one.target.kind, title=one.target.title, entries=tuple(map(_written, one.entries))
        )
        for one in decisions
    )  # fmt: skip
    return DecidedAnswer(outcome=outcome, decisions=shown, store=store)


def _decide(verb: str, /, **given: Any) -> int:  # noqa: ANN401 - the values of the command's options
    desk = _desk(given)
    decisions = desk.prepare(verb, given["ids"], _said(given))
    return _finish(desk, decisions, given)


def _edit(_verb: str, /, **given: Any) -> int:  # noqa: ANN401
    desk = _desk(given)
    decision = edited_decision(desk, given["id"], _said(given), file=given["file"])
    return _finish(desk, [decision] if decision else [], given)


def _finish(desk: Desk, decisions: Sequence[Decision], given: dict[str, Any]) -> int:
    if not given["dry_run"]:
        desk.write(decisions)
    if desk.caution:
        warn(desk.caution)
    outcome = "dry_run" if given["dry_run"] else "written" if decisions else "unchanged"
    answer = _answer(decisions, outcome, desk.session.location.uri)
    print_answer(answer, _rendered(answer), as_json=given["as_json"] or bool(_above("as_json")))
    return ExitCode.ANSWERED


def _desk(given: dict[str, Any]) -> Desk:
    return Desk(open_session(given["store"] or _above("store")))


def _above(name: str) -> Any:  # noqa: ANN401 - the value of an option
    """Return what was said before the verb: `comind review --json accept ID` means what `comind review accept --json ID` does."""
    parent = click.get_current_context().parent
    return parent.params.get(name) if parent else None


def _said(given: dict[str, Any]) -> Said:
    return Said(**{name: given[name] for name in ("reason", "at", "by", "override", "actor") if given.get(name)})


def _options(verb: str) -> list[click.Parameter]:
    needed: list[click.Parameter] = []
    if verb in _REASONED:
        needed.append(click.Option(["--reason", "-m", "reason"], metavar="TEXT", help="Why. Needed: it stays in the log."))
    if verb in _READ:
        needed.append(click.Option(["--at"], metavar="COMMIT", help="The commit it was read against (else the indexed one)."))
    if verb == "supersede":
        needed.append(click.Option(["--by"], metavar="ID", help="The record that takes its place. Needed."))
        needed.append(click.Option(["--override"], is_flag=True, help="They share no subject, and it takes its place all the same."))
    if verb == "edit":
        needed.append(click.Option(["--from", "file"], metavar="FILE", help="Take this text, and open no editor."))
    return [*needed, *_COMMON]


_COMMON: Final[list[click.Parameter]] = [
    click.Option(["--dry-run", "dry_run"], is_flag=True, help="Say what would be written, and write nothing."),
    click.Option(["--actor"], metavar="PSEUDONYM", help="A pseudonym; never a name or an address (else none)."),
    click.Option(["--store"], metavar="URI", help="A path, s3://, gs:// or az:// (else COMIND_STORE, comind.toml, your data directory)."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object instead of text."),
]


def _written(entry: AnyRecord) -> EntryWritten:
    title = entry.title if isinstance(entry, Reason) else relation_title(entry.kind, entry.fields.model_dump(mode="json"))
    return EntryWritten(id=entry.id, kind=str(entry.kind), title=title)


def _rendered(answer: DecidedAnswer) -> Text:
    if not answer.decisions:
        return line("nothing changed, so nothing was written; `comind review accept` takes it as it is")
    lines = []
    for one in answer.decisions:
        lines.append(line(*badge(one.kind, None, None), " ", (one.title, "bold")))
        lines += [labelled(entry.kind, entry.title, (f"  {entry.id}", "dim")) for entry in one.entries]
    if answer.outcome == "dry_run":
        lines.append(line(("a dry run: nothing was written", "yellow")))
    return stacked(lines)
