"""The summary of a run as lines for a person.

In: a `RunSummary`. Out: styled text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import labelled, line, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.summary import RepositorySummary, RunSummary

__all__ = ["render_run"]

_SHORT = 12


def render_run(summary: RunSummary) -> Text:
    """Render what a run left behind."""
    lines = [one for repository in summary.repositories for one in _repository_lines(repository)]
    statuses = ", ".join(f"{one.records} {one.word}" for one in summary.statuses) or "none yet"
    lines.append(line(("records ", "dim"), (str(summary.records), "bold"), f": {statuses}"))
    if summary.unreadable:
        lines.append(labelled("unreadable", (f"{summary.unreadable} objects of the inbox; `comind status` lists them", "yellow")))
    lines.append(line(("store ", "dim"), (summary.store, "bold"), (f"  run {summary.run_id[:8]}, {summary.seconds:.1f} s", "dim")))
    lines.append(line(("next", "dim")))
    lines += [line(("  ", ""), (command, "bold cyan")) for command in summary.next]
    return stacked(lines)


def _repository_lines(one: RepositorySummary) -> Iterator[Text]:
    yield line(("repository ", "dim"), (one.repo_id, "bold"), (f" at {one.head_commit[:_SHORT]}" if one.head_commit else "", "dim"))
    if one.problem:
        yield labelled("problem", (one.problem, "yellow"))
        return
    unread = f", {one.files_not_parsed} of them not parsed whole" if one.files_not_parsed else ""
    yield labelled("indexed", f"{one.files:,} source files{unread}, {one.symbols:,} symbols")
    more = "1 more finding was" if one.refused == 1 else f"{one.refused} more findings were"
    refused = f"; {more} not written, or not whole, `comind status` says why" if one.refused else ""
    yield labelled("harvested", f"{one.harvested} record{'s' * (one.harvested != 1)}{refused}")
