"""Parts of the README that are printed from the code, so that they cannot drift from it.

In: the command line, the table schemas, the asset graph, a recorded example. Out: Markdown, through cog.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

__all__ = ["assets", "commands", "example", "languages", "statuses", "tables"]

_WIDTH = 100


def commands() -> str:
    """Every command with its own help."""
    import typer.main
    from typer.testing import CliRunner

    from comind.cli.main import app

    runner = CliRunner()
    names = sorted(typer.main.get_command(app).commands)
    helps = [runner.invoke(app, [name, "--help"], terminal_width=_WIDTH, prog_name="comind").output for name in names]
    return "\n".join(f"### `comind {name}`\n\n```text\n{_trimmed(text)}\n```\n" for name, text in zip(names, helps, strict=True))


def tables() -> str:
    """The table catalogue: one section per table, one line per column."""
    from comind.schemas import TABLES

    parts = []
    for spec in TABLES.values():
        parts.append(f"#### `{spec.name}`\n\n{spec.row} Kept as {spec.role.value}; key: {', '.join(f'`{one}`' for one in spec.key)}.\n")
        parts.append("| column | type | meaning | unit |\n| --- | --- | --- | --- |")
        parts.extend(_column(field) for field in spec.schema)
        parts.append("")
    return "\n".join(parts)


def assets() -> str:
    """The asset graph, in pipeline order: what each asset reads and what one row of it is."""
    from comind.schemas import TABLES
    from comind_assets.definitions import defs

    graph = defs.resolve_asset_graph()
    nodes = [graph.get(key) for key in graph.toposorted_asset_keys]
    order = ["code", "harvest", "ledger", "staleness", "serving", "distil"]
    lines = ["| group | asset | reads | one row is |", "| --- | --- | --- | --- |"]
    for group, members in groupby(sorted(nodes, key=lambda node: order.index(node.group_name)), key=lambda node: node.group_name):
        for node in members:
            name = node.key.to_user_string()
            parents = ", ".join(f"`{key.to_user_string()}`" for key in sorted(node.parent_keys))
            row = TABLES[name].row if name in TABLES else node.description
            lines.append(f"| {group} | `{name}` | {parents} | {row} |")
    return "\n".join(lines)


def statuses() -> str:
    """The status table: the first rule that holds decides."""
    from comind.status.derive import STATUS_TABLE

    lines = ["| status | rule |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {row.status} | `{row.rule}` |" for row in STATUS_TABLE)])


def languages() -> str:
    """The languages whose symbols are indexed, the files they are known by, and whether it is known what their references mean."""
    from comind.index.resolve.dialects import FAMILIES
    from comind.syntax.languages import LANGUAGES

    files = {name: ", ".join(f"`{one}`" for one in (*page.suffixes, *page.file_names)) for name, page in LANGUAGES.items()}
    rows = (f"| {name} | {files[name]} | {'yes' if name in FAMILIES else ''} |" for name in LANGUAGES)
    return "\n".join(["| language | files | edges |", "| --- | --- | --- |", *rows])


def example() -> str:
    """What the recorded commands printed; a test runs them again."""
    return f"```console\n{Path(__file__).with_name('example.txt').read_text(encoding='utf-8').rstrip()}\n```"


def _column(field: object) -> str:
    told = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
    return f"| `{field.name}` | {_type(str(field.type))} | {_cell(told['description'])} | {told.get('unit', '')} |"


def _type(text: str) -> str:
    return "list of structs" if text.startswith("list<item: struct") else re.sub(r"list<item: (\w+).*", r"list of \1", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
