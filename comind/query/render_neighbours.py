"""The answer to `comind callers`, `callees` and `ripple` as a tree.

In: a `NeighboursAnswer`. Out: styled text.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from comind.query.answer import Outcome
from comind.query.render import line, repository_name, span, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.neighbours import Neighbour, NeighboursAnswer

__all__ = ["render_neighbours"]


def render_neighbours(answer: NeighboursAnswer, *, nothing: str) -> Text:
    """Render what was reached below what led there; `nothing` says it where nothing was."""
    return stacked([*_heading(answer), *_tree(answer), *_verdict(answer, nothing)])


def _heading(answer: NeighboursAnswer) -> Iterator[Text]:
    if answer.subject:
        subject = answer.subject
        where = span(subject.path, subject.start_line, None)
        yield line((subject.qualified_name or subject.path or "", "bold underline"), f"  {subject.code_kind or subject.kind}  {where}")
        if answer.overrides:
            yield line(("also called as ", "dim"), ", ".join(answer.overrides))
    elif answer.candidates:
        total = len(answer.candidates) + answer.candidates_left_out
        yield line(
            f"{answer.asked} names {total} things; say which:" if answer.outcome is Outcome.AMBIGUOUS else "names that look like it:"
        )
        for one in answer.candidates:
            yield line("  ", (one.ask, "bold"), (f"  {one.subject.code_kind or one.subject.kind}  {one.subject.path or ''}", "dim"))
        if answer.candidates_left_out:
            yield line((f"  and {answer.candidates_left_out} more", "dim"))
    else:
        yield line(f"nothing indexed is called {answer.asked}")


def _tree(answer: NeighboursAnswer) -> Iterator[Text]:
    below: dict[int | None, list[int]] = defaultdict(list)
    for position, one in enumerate(answer.neighbours):
        below[one.via].append(position)
    home = answer.subject.repo_id if answer.subject else None
    waiting = [(position, "", position == below[None][-1]) for position in reversed(below[None])]
    while waiting:
        position, indent, is_last = waiting.pop()
        one, children = answer.neighbours[position], below[position]
        yield _node(one, f"{indent}{'└─ ' if is_last else '├─ '}", home)
        inner = indent + ("   " if is_last else "│  ")
        waiting += [(child, inner, child == children[-1]) for child in reversed(children)]


def _node(one: Neighbour, branch: str, home: str | None) -> Text:
    name = one.qualified_name or f"{one.path} (top level)"
    elsewhere = f"{repository_name(one.repo_id)} " if one.repo_id != home else ""
    does = "" if one.does == "calls" else f" {one.does}"
    more = f" and {one.places - 1} more" if one.places > 1 else ""
    return line((branch, "dim"), (name, "bold cyan"), (does, "yellow"), f"  {elsewhere}{one.place}", (f"{more} ({one.resolved_by})", "dim"))


def _verdict(answer: NeighboursAnswer, nothing: str) -> Iterator[Text]:
    if answer.subject and not answer.neighbours:
        yield line(nothing if answer.outcome is Outcome.NOTHING else f"{nothing[:-1]}, as far as is known.")
    if answer.reached > len(answer.neighbours):
        yield line((f"{answer.reached - len(answer.neighbours):,} more beyond --limit", "dim"))
    if answer.not_followed:
        yield line((f"not followed further: {answer.not_followed:,} definitions, since a step reached too many", "yellow"))
    if answer.not_read:
        yield line((f"not read: up to {answer.not_read:,} more references, since a step met too many", "yellow"))
    if answer.reached:
        plural = "y" if answer.repositories == 1 else "ies"
        yield line((f"{answer.reached:,} definition{'s' * (answer.reached != 1)} in {answer.repositories:,} repositor{plural}", "dim"))
    for gap in answer.gaps:
        yield line(("gap: ", "yellow"), gap)
