"""The options of `comind remember`: for each kind of record and relation its fields, and what all have in common.

In: nothing. Out: tables of words, and the command of a kind. What is needed is not said here: the record's own rules say it, all at once.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import click
from typer.core import TyperCommand

from comind.cli.options import examples
from comind.records.vocabulary import Kind, RelationKind

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["EXAMPLES", "FIELDS", "FLAGS", "IDS", "SUMMARIES", "command_for"]

# Every field of every kind, and what it says; a test compares them with the record's own.
FIELDS: Final[dict[str, dict[str, str]]] = {
    Kind.INTENT: {"need": "What the code is for.", "link": "A ticket, incident or merge request (URL)."},
    Kind.DECISION: {
        "chosen": "What was chosen.",
        "alternatives": "An option that was not chosen, and why: 'OPTION | WHY NOT'. Repeat for more.",
        "reversibility": "How hard it is to go back.",
        "revisit_when": "What would reopen it.",
    },
    Kind.ATTEMPT: {
        "approach": "What was tried.",
        "outcome": "failed, reverted, abandoned or partial.",
        "conditions": "Under which circumstances: versions, load, platform.",
        "retry_when": "What would make it worth another try.",
    },
    Kind.CONSTRAINT: {
        "rule": "What must hold.",
        "severity": "must or should.",
        "check": "How a machine can check it.",
        "exceptions": "Where it does not apply.",
    },
    Kind.GOTCHA: {"symptom": "What surprises.", "cause": "Why it happens.", "workaround": "What to do about it."},
    Kind.QUESTION: {"question": "What nobody knows yet.", "owner_team": "Which team would know.", "blocking": "Work waits for the answer."},
    RelationKind.SUPERSEDES: {"override": "They share no subject, and a person says so all the same."},
    RelationKind.RETRACTS: {"reason": "Why it no longer holds."},
    RelationKind.CONFIRMS: {"at_commit": "At which commit it was read against the code (else the head of the checkout here)."},
    RelationKind.DISPUTES: {"reason": "Why it is doubted."},
    RelationKind.RELATES: {"label": "How they belong together."},
}
SUMMARIES: Final[dict[str, str]] = {
    Kind.INTENT: "What the code is for.",
    Kind.DECISION: "What was chosen, and instead of what.",
    Kind.ATTEMPT: "What was tried and did not stay.",
    Kind.CONSTRAINT: "What must hold.",
    Kind.GOTCHA: "What surprises, and why.",
    Kind.QUESTION: "What nobody knows yet.",
    RelationKind.SUPERSEDES: "NEW takes the place of OLD.",
    RelationKind.RETRACTS: "A record no longer holds.",
    RelationKind.CONFIRMS: "A record was read against the code and holds.",
    RelationKind.DISPUTES: "A record is doubted.",
    RelationKind.RELATES: "Two records belong together.",
    "-": "Read a whole record as JSON from standard input.",
}
IDS: Final[dict[str, tuple[str, ...]]] = {
    RelationKind.SUPERSEDES: ("old", "new"),
    RelationKind.RETRACTS: ("id",),
    RelationKind.CONFIRMS: ("id",),
    RelationKind.DISPUTES: ("id",),
    RelationKind.RELATES: ("a", "b"),
}
EXAMPLES: Final[dict[str, str]] = {
    Kind.INTENT: "comind remember intent --on Flask.run --need 'One command starts a server for development'",
    Kind.DECISION: "comind remember decision --on Session --chosen 'Signed cookies' --alternative 'A server-side store | needs a database'",
    Kind.ATTEMPT: "comind remember attempt --on Flask.run --approach 'Cache the routes' --outcome reverted --evidence 9b2e01f",
    Kind.CONSTRAINT: "comind remember constraint --on file:src/auth.py --rule 'Deny a revoked grant within a second' --severity must",
    Kind.GOTCHA: "comind remember gotcha --on load_config --symptom 'The second call is ignored' --cause 'It is cached per process'",
    Kind.QUESTION: "comind remember question --on module:src/billing --question 'Who rounds the totals?' --owner-team billing",
    RelationKind.SUPERSEDES: "comind remember supersedes 0193a4c2 0193b5d3",
    RelationKind.RETRACTS: "comind remember retracts 0193a4c2 --reason 'The cache is gone since 3.0'",
    RelationKind.CONFIRMS: "comind remember confirms 0193a4c2",
    RelationKind.DISPUTES: "comind remember disputes 0193a4c2 --reason 'Measured again: no stale grant in a month'",
    RelationKind.RELATES: "comind remember relates 0193a4c2 0193b5d3 --label 'same incident'",
    "-": "comind remember --json - < record.json",
}
FLAGS: Final = {"blocking", "override"}
_MANY: Final = {"alternatives": "--alternative"}


def command_for(kind: str, callback: Callable[..., int]) -> TyperCommand:
    """Make the command that writes one kind of record or relation; `callback` gets the kind, then every option by its name."""
    arguments: list[click.Parameter] = [click.Argument([name], metavar=name.upper()) for name in IDS.get(kind, ())]
    fields = [_field_option(name, text) for name, text in FIELDS.get(kind, {}).items()]
    options = _COMMON if kind in set(RelationKind) else [*_ANCHORED, *_COMMON]
    return TyperCommand(
        kind,
        params=[*arguments, *fields, *options],
        callback=partial(callback, kind),
        help=SUMMARIES[kind],
        epilog=examples(EXAMPLES[kind]),
        rich_markup_mode=None,
    )


def _field_option(name: str, text: str) -> click.Option:
    if name in FLAGS:
        return click.Option([f"--{name}"], is_flag=True, help=text)
    if name in _MANY:
        return click.Option([_MANY[name], name], multiple=True, metavar="TEXT", help=text)
    return click.Option([f"--{name.replace('_', '-')}", name], metavar="TEXT", help=text)


def _option(*names: str, text: str, metavar: str = "TEXT", many: bool = False) -> click.Option:
    return click.Option(names, metavar=metavar, multiple=many, help=text)


_ANCHORED: Final[list[click.Parameter]] = [
    _option("--on", metavar="SUBJECT", many=True, text="What it is about. Repeat for more."),
    _option("--context", metavar="SUBJECT", many=True, text="Code that a reader should see too; its changes do not make the record stale."),
    _option("--title", text="What it says, in a line (else made from the fields)."),
    _option("--trigger", text="When a reader would need it (else made from --on)."),
    _option("--body", text="The whole of it, Markdown."),
    _option("--path", metavar="PATH", text="With a SCIP symbol as --on: its file, so that nothing is looked up."),
    _option("--commit", metavar="COMMIT", text="The commit at which --on holds (else the indexed one)."),
]
_COMMON: Final[list[click.Parameter]] = [
    _option("--evidence", metavar="WHAT", many=True, text="A commit, URL or path, or kind:WHAT such as issue:https://… Repeat for more."),
    _option("--field", metavar="NAME=VALUE", many=True, text="Any field by its name in `comind schema`."),
    _option("--agent", metavar="NAME", text="An agent writes this, not a person."),
    _option("--model", metavar="NAME", text="The model behind the agent."),
    _option("--actor", metavar="PSEUDONYM", text="A pseudonym; never a name or an address (else none)."),
    _option("--repo", metavar="NAME", text="The repository (else that of the working directory)."),
    _option("--store", metavar="URI", text="A path, s3://, gs:// or az:// (else COMIND_STORE, comind.toml, your data directory)."),
    click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object instead of text."),
]
