"""The answer to `comind why` as lines for a person.

In: a `WhyAnswer`. Out: styled text; the first lines of each record are what a reader acts on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.answer import Outcome
from comind.query.render import (
    Part,
    badge,
    coverage_lines,
    drafts_wait,
    labelled,
    line,
    place_parts,
    record_lines,
    repository_name,
    span,
    stacked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.answer import AsOf, GoverningRecord, SubjectShown, WhyAnswer

__all__ = ["render_why"]

_SHORT = 12
_VIA = {
    "container": "around it",
    "file": "its file",
    "module": "its directory",
    "repo": "its repository",
    "org": "everywhere",
    "inside": "inside it",
}


def render_why(answer: WhyAnswer) -> Text:
    """Render what governs a piece of code: its records, what was left out, and how far the answer can be trusted."""
    blocks = [stacked([_as_of_line(answer.as_of)])] if answer.as_of else []
    blocks += [stacked(_subject_lines(answer.subject))] if answer.subject else []
    blocks += [stacked(_governing_lines(one)) for one in answer.records]
    if answer.candidates:
        blocks.append(stacked(_candidate_lines(answer)))
    blocks.append(stacked([*_verdict_lines(answer), *coverage_lines(answer.coverage)]))
    return stacked([part for block in blocks for part in (line(), block)][1:])


def _as_of_line(as_of: AsOf) -> Text:
    number = as_of.records_later
    later = f"; {number} record{'s' * (number != 1)} written later {'is' if number == 1 else 'are'} left out" if number else ""
    return line(("as of ", "dim"), (as_of.commit[:_SHORT], "bold"), (f" ({as_of.committed_at[:10]}){later}", "dim"))


def _subject_lines(subject: SubjectShown) -> Iterator[Text]:
    name = subject.qualified_name or subject.path or repository_name(subject.repo_id)
    kind = subject.code_kind or ("no longer in the code" if subject.kind == "gone" else subject.kind)
    place = span(subject.path, subject.start_line, subject.end_line) if subject.qualified_name else ""
    yield line((name, "bold underline"), f"  {kind}", f"  {place}" if place else "", (f"  {repository_name(subject.repo_id)}", "dim"))
    if subject.former_name and subject.former_name != (subject.qualified_name or "").rpartition(".")[2]:
        yield line(("it was called ", "dim"), subject.former_name)


def _governing_lines(one: GoverningRecord) -> Iterator[Text]:
    record = one.record
    notes = [note for note in (_VIA.get(one.via), f"as {one.anchor.role}" if one.anchor.role != "subject" else None) if note]
    via: list[Part] = [(f" ({', '.join(notes)})", "dim")] if notes else []
    yield line(*badge(record.kind, record.trust, record.status, record.flags), " ", (record.title, "bold"), *via)
    more: list[Part] = [(f" and {one.more_anchors} more", "dim")] if one.more_anchors else []
    yield labelled("on", *place_parts(one.anchor), *more)
    yield from record_lines(record)


def _candidate_lines(answer: WhyAnswer) -> Iterator[Text]:
    if answer.outcome is Outcome.AMBIGUOUS:
        total = len(answer.candidates) + answer.left_out.candidates
        yield line(f"{answer.asked} names {total} things; say which:")
    else:
        yield line("names that look like it:")
    width = max(len(candidate.ask) for candidate in answer.candidates)
    for candidate in answer.candidates:
        subject = candidate.subject
        count = f"{candidate.records} record{'s' * (candidate.records != 1)}"
        place = span(subject.path, subject.start_line, None)
        yield line("  ", (f"{candidate.ask:<{width}}", "bold"), f"  {count:<11}", (f"{subject.code_kind or subject.kind}  {place}", "dim"))
    if answer.left_out.candidates:
        yield line((f"  and {answer.left_out.candidates} more", "dim"))


def _verdict_lines(answer: WhyAnswer) -> Iterator[Text]:
    if answer.outcome is Outcome.NOTHING:
        yield line("No record governs it, and none was missed.")
    left = answer.left_out
    if left.below_trust:
        yield line(f"{left.below_trust} more of trust T0 or T1 left out; --all lists them{drafts_wait(left.drafts)}")
    if left.over_limit:
        yield line(f"{left.over_limit} more beyond --limit")
