"""The answer to `comind timeline` as lines for a person.

In: a `TimelineAnswer`. Out: styled text: a line per interval, oldest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import badge, labelled, line, repository_name, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.timeline import Interval, RecordTimeline, SubjectTimeline, TimelineAnswer

__all__ = ["render_timeline"]

_SHORT, _DAY = 12, 10
_STYLE = {"unchanged": "green", "moved": "green", "signature": "cyan", "body": "yellow", "deleted": "yellow"}
_WORDS = {
    "unchanged": "as it was anchored",
    "moved": "moved",
    "signature": "signature changed",
    "body": "body changed",
    "deleted": "gone",
    "ambiguous": "several places are as good",
    "unknown": "not known",
}


def render_timeline(answer: TimelineAnswer) -> Text:
    """Render the times of records."""
    if not answer.records:
        return line(f"no record is anchored to {answer.asked} itself; `comind why` lists those around it")
    blocks = [stacked(_record_lines(one)) for one in answer.records]
    return stacked([part for block in blocks for part in (line(), block)][1:])


def _record_lines(one: RecordTimeline) -> Iterator[Text]:
    yield line(*badge(one.kind, None, one.status), " ", (one.title, "bold"))
    since = f", holds from {one.valid_from[:_SHORT]}" if one.valid_from else ""
    yield labelled("written", one.recorded_at[:_DAY], (since, "dim"))
    for subject in one.subjects:
        yield from _subject_lines(subject)
    for relation in one.relations:
        yield labelled(
            relation.kind, relation.recorded_at[:_DAY], f" {relation.reason or relation.other_id or ''}", (f" ({relation.id})", "dim")
        )
    if one.orphaned_since and one.status == "orphaned":
        yield labelled("orphaned", f"since {one.orphaned_since[:_SHORT]}")
    elif one.stale_since and one.status == "stale":
        yield labelled("stale", f"since {one.stale_since[:_SHORT]}")
    yield labelled("now", one.status or "", f": {one.status_reason}" if one.status_reason else "")


def _subject_lines(subject: SubjectTimeline) -> Iterator[Text]:
    yield labelled("on", (subject.name or subject.scope, "bold"), (f"  {repository_name(subject.repo_id)}", "dim"))
    for interval in subject.intervals:
        yield line("    ", *_interval_parts(interval))
    if subject.problem:
        yield line((f"    {subject.problem}", "dim"))


def _interval_parts(one: Interval) -> Iterator[str | tuple[str, str]]:
    until = one.until_commit[:_SHORT] if one.until_commit else "now"
    yield f"{(one.from_time or '')[:_DAY]}  {one.from_commit[:_SHORT]} .. {until:<{_SHORT}}  "
    yield _WORDS[one.state], _STYLE.get(one.state, "")
    if one.qualified_name:
        yield f": {one.qualified_name} in {one.path}", "dim"
    if one.edits:
        yield f", changed {one.edits} more time{'s' * (one.edits != 1)}", "dim"
