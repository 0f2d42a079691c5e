"""The verbs of `comind`, each loaded only when it is asked for.

In: the name of a verb. Out: its command. So `comind --help` and completion load no table, no store and no Dagster.
A verb is a module `comind.cli.<verb>`, dashes as underscores, with a Typer application named `app`; the summaries here are those of its
help, a test compares them.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import typer
from click.shell_completion import CompletionItem
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    import click

__all__ = ["VERBS", "Verbs"]

VERBS = {
    "run": "Index repositories, harvest what was written down in them and work out what still holds.",
    "why": "Show the records that govern a piece of code.",
    "timeline": "Tell when a record held, in commits.",
    "symbols": "List the symbols of the index that a text names, and where they are.",
    "callers": "List what calls a definition, in all repositories, and where.",
    "callees": "List what a definition calls, in all repositories, and where.",
    "ripple": "Show what a change of a definition may reach: callers, subclasses and users, and theirs, in all repositories.",
    "log": "List what was recorded, newest first.",
    "show": "Show one record whole: what it says, why it is believed, how to check it.",
    "emit-trailers": "Print a record as Lore trailers, to end the message of a commit that follows from it.",
    "search": "Find records by the words in them.",
    "remember": "Write one record, or say something about one.",
    "review": "List what waits for a person, newest first, or decide about it.",
    "repos": "List the repositories of the store, their packages, and which other repositories their code refers to.",
    "stats": "Count what is indexed: definitions by language and kind, and references by how they are known.",
    "status": "Say what the store holds and how far it has come.",
    "export": "Write the whole ledger to one file, a line of JSON per record.",
    "import": "Take in the records of a file that `comind export` wrote, or the reasons in another tool's store.",
    "harvest": "Take in merge or pull requests from a file, and make records of what they decided.",
    "distill": "Ask a language model which reasons commits, requests or documents give, and keep what passes every check as drafts.",
    "schema": "Print the JSON Schema of a record.",
    "eval": "Measure the ledger on labelled data.",
}


class Verbs(TyperGroup):
    """A group that knows the names of its commands and imports one when it runs."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - click hands its own through
        super().__init__(**attributes)
        for name, summary in VERBS.items():
            if find_spec(_module_of(name)) is not None:
                self.add_command(TyperCommand(name, short_help=summary))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a verb and return its command; None for a word that is no verb."""
        if super().get_command(ctx, cmd_name) is None:
            return None
        command = typer.main.get_command(import_module(_module_of(cmd_name)).app)
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs with their summaries, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a verb, importing none."""
        return [CompletionItem(name, help=VERBS[name]) for name in self.list_commands(ctx) if name.startswith(incomplete)]


def _module_of(verb: str) -> str:
    return f"comind.cli.{verb.replace('-', '_')}"
