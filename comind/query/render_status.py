"""The answer to `comind status` as lines for a person.

In: a `StatusAnswer`. Out: styled text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import labelled, line, repository_name, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.overview import Counted, RepositoryStatus, StatusAnswer
    from comind.query.render import Part

__all__ = ["render_status"]

_SHORT = 12
_LISTED = 10  # unreadable objects that a person sees; --json has all


def render_status(answer: StatusAnswer) -> Text:
    """Render what a store holds."""
    lines = [line(("store ", "dim"), (answer.store, "bold"))]
    lines += [one for repository in answer.repositories for one in _repository_lines(repository)]
    if not answer.repositories:
        lines.append(line("no repository is indexed; `comind run --repo PATH` indexes one"))
    lines.append(line(("records ", "dim"), (str(sum(one.records for one in answer.kinds)), "bold")))
    lines += [labelled(label, _words(counts)) for label, counts in _counts(answer) if counts]
    if answer.unfolded:
        lines.append(labelled("in the inbox", f"{answer.unfolded} not folded yet"))
    lines += [labelled("refused", f"{one.findings} {one.source} of {repository_name(one.repo_id)}: {one.code}") for one in answer.refusals]
    lines += [labelled("unreadable", (one.object_key, "yellow"), f" {one.problem}") for one in answer.unreadable[:_LISTED]]
    if len(answer.unreadable) > _LISTED:
        lines.append(labelled("unreadable", f"and {len(answer.unreadable) - _LISTED} more"))
    width = max((len(one.name) for one in answer.tables), default=0)
    lines.append(line(("tables", "dim")))
    lines += [line(f"  {one.name:<{width}} {one.rows:>10,} rows  ", (f"version {one.version}", "dim")) for one in answer.tables]
    return stacked(lines)


def _counts(answer: StatusAnswer) -> tuple[tuple[str, tuple[Counted, ...]], ...]:
    return ("kind", answer.kinds), ("status", answer.statuses), ("trust", answer.trusts)


def _words(counts: tuple[Counted, ...]) -> str:
    return ", ".join(f"{one.records} {one.word}" for one in counts)


def _repository_lines(one: RepositoryStatus) -> Iterator[Text]:
    yield line(("repository ", "dim"), (repository_name(one.repo_id), "bold"), (f" {one.ref}" if one.ref else "", "dim"))
    indexed: list[Part] = [(one.indexed_commit or "nothing")[:_SHORT]]
    if one.head_commit is None:
        indexed.append((" (no checkout of it is known here)", "dim"))
    elif one.head_commit == one.indexed_commit:
        indexed.append((" (its head)", "green"))
    else:
        indexed.append((f" (its head is {one.head_commit[:_SHORT]}; `comind run` indexes it)", "yellow"))
    yield labelled("indexed", *indexed)
    yield labelled("source files", f"{one.files}, {one.files_not_parsed} not parsed whole")
    if one.problem:
        yield labelled("problem", (one.problem, "yellow"))
