"""`comind schema`: print the JSON Schema of a record."""

import json

import typer

from comind.cli.options import AsJson, examples
from comind.cli.screen import emit
from comind.errors import ExitCode
from comind.records.schema import json_schema

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command(epilog=examples("comind schema > record.schema.json"))
def schema(*, _as_json: AsJson = False) -> int:
    """Print the JSON Schema of a record.

    What `comind remember -` reads and what lies in the inbox fit it. It is JSON with and without --json.
    """
    emit(json.dumps(json_schema(), indent=2, ensure_ascii=True))
    return ExitCode.ANSWERED
