"""The answers to `comind log`, `comind search` and `comind show` as lines for a person.

In: answers. Out: styled text; a list has two lines per entry, a record is shown whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import badge, claim_lines, drafts_wait, evidence_line, labelled, line, place_parts, span, stacked
from comind.safety.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.entries import EntryShown
    from comind.query.log import LogAnswer
    from comind.query.render import Part
    from comind.query.search import SearchAnswer
    from comind.query.show import ShowAnswer

__all__ = ["render_log", "render_search", "render_show"]


def render_log(answer: LogAnswer) -> Text:
    """Render a piece of the log, newest first."""
    lines = [one for entry in answer.entries for one in _entry_lines(entry)]
    if not answer.entries:
        lines.append(line("nothing is recorded there"))
    if answer.older:
        lines.append(line((f"{answer.older} older left out; --limit lists more", "dim")))
    return stacked(lines)


def render_search(answer: SearchAnswer) -> Text:
    """Render what was found, best first."""
    lines = [one for hit in answer.hits for one in _entry_lines(hit.entry)]
    if not answer.hits:
        lines.append(
            line(f"no record has {' and '.join(answer.words)}" if not answer.below_trust else "no record that is vouched for has it")
        )
    if answer.below_trust:
        lines.append(line((f"{answer.below_trust} more of trust T0 or T1 left out; --all lists them{drafts_wait(answer.drafts)}", "dim")))
    if answer.over_limit:
        lines.append(line((f"{answer.over_limit} more beyond --limit", "dim")))
    return stacked(lines)


def render_show(answer: ShowAnswer) -> Text:
    """Render one entry whole."""
    record = answer.record
    lines = [line(*badge(record.kind, record.trust, record.status, record.flags), " ", (record.title, "bold"))]
    lines += [labelled("on", *place_parts(anchor), _role(anchor.role)) for anchor in answer.anchors]
    lines += claim_lines(record, whole=True)
    lines += _labelled_if("relevant when", record.trigger)
    if record.evidence:
        lines.append(evidence_line(record.evidence))
    lines += [labelled("", f"{check.check}: {check.result}, {check.detail}") for one in record.evidence for check in one.checks]
    lines += _labelled_if("status", f"{record.status}, {record.status_reason}" if record.status else None)
    lines += _labelled_if("  from", record.status_from)
    lines += _labelled_if("trust", f"{record.trust}, {record.trust_reason}" if record.trust else None)
    lines += _labelled_if("enforcement", record.enforcement)
    lines += [
        labelled(relation.kind, f"{relation.id} ", f"({relation.author_kind}, {relation.recorded_at[:10]}) ", relation.reason or "")
        for relation in record.relations
    ]
    lines += [labelled("verify", command) for command in record.verify]
    lines.append(labelled("recorded", f"{record.recorded_at} by {record.author_kind} through {record.source}"))
    lines += _labelled_if("repository", record.repo_id)
    lines.append(labelled("object", answer.object_key, *(() if answer.folded else (" (not folded yet)",))))
    lines.append(labelled("record", record.id))
    body = [line(), *(line("  │ ", one) for one in plain(record.body).splitlines())] if record.body.strip() else []
    return stacked([*lines, *body])


def _entry_lines(entry: EntryShown) -> Iterator[Text]:
    yield line((entry.recorded_at[:10], "dim"), " ", *badge(entry.kind, entry.trust, entry.status), " ", (entry.title, "bold"))
    place: list[Part] = [f"  {entry.qualified_name or ''}  {span(entry.path, None, None)}"] if entry.path else []
    yield line((f"           {entry.id}", "dim"), *place)


def _role(role: str) -> Part:
    return (f" as {role}", "dim") if role != "subject" else ""


def _labelled_if(label: str, text: str | None) -> list[Text]:
    return [labelled(label, text)] if text else []
