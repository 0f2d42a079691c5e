"""Options that mean the same with every verb."""

from typing import Annotated

import typer

__all__ = ["All", "AsJson", "Hops", "Limit", "Repo", "Store", "Subject", "examples"]

Store = Annotated[
    str | None,
    typer.Option("--store", metavar="URI", help="A path, s3://, gs:// or az:// (else COMIND_STORE, comind.toml, your data directory)."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
All = Annotated[bool, typer.Option("--all", help="Also list records of trust T0 and T1.")]
Limit = Annotated[int, typer.Option("--limit", min=1, help="List at most so many.")]
Repo = Annotated[str | None, typer.Option("--repo", metavar="NAME", help="Only this repository: its identity, or the end of it.")]
Hops = Annotated[int, typer.Option("--hops", min=1, max=20, help="Follow so many references, one after the other.")]
Subject = Annotated[str, typer.Argument(metavar="SYMBOL", help="NAME, Container.name, path, path:line or a SCIP symbol.")]


def examples(*commands: str) -> str:
    """Write command lines for the end of a help text, each on its own line."""
    return "\b\n" + "\n".join(("Examples:", *(f"  {command}" for command in commands)))  # the first character tells click not to wrap
