"""What waits for a person, as lines: a list of records, or one of them with its evidence and the code under it.

In: parts of `ReviewAnswer`, code. Out: styled text; every text of a record and every line of code is made harmless on its way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from comind.query.render import badge, claim_lines, evidence_line, labelled, line, place_parts, span, stacked, trigger_line
from comind.safety.terminal import plain, plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.answer import EvidenceShown
    from comind.query.code_now import CodeShown
    from comind.query.render import Part
    from comind.query.review import ReviewAnswer, ReviewItem

__all__ = ["code_lines", "item_lines", "render_review", "waiting_line"]

_SHORT = 12
_STYLE = {"draft": "cyan", "challenge": "magenta", "stale": "yellow"}


def render_review(answer: ReviewAnswer) -> Text:
    """Render what waits, newest first, and what was left out."""
    blocks = [stacked(item_lines(item)) for item in answer.items]
    return stacked([part for block in [*blocks, stacked(_summary_lines(answer))] for part in (line(), block)][1:])


def item_lines(item: ReviewItem, *, whole: bool = False) -> Iterator[Text]:
    """Write one record: what it says, where it is, why it waits, and what there is to check it; `whole` leaves nothing out."""
    record = item.record
    yield line(*badge(record.kind, record.trust, record.status, record.flags), " ", (record.title, "bold"))
    for one in item.waits:
        yield labelled("waits", (one.waits, _STYLE.get(one.waits, "")), f": {one.why}")
    for challenge in item.challenges:
        yield labelled("challenge", (challenge.id, "dim"), f" {challenge.kind}", _dated(challenge.author_kind, challenge.recorded_at))
    if item.anchor is not None:
        more: list[Part] = [(f" and {item.more_anchors} more", "dim")] if item.more_anchors else []
        yield labelled("on", *place_parts(item.anchor), *more)
    yield from claim_lines(record, whole=whole)
    yield from _evidence_lines(record.evidence)
    if whole:
        yield trigger_line(record.trigger)
        yield from (line("  │ ", one) for one in plain(record.body).splitlines())
    yield labelled("record", (record.id, "dim"), _dated(record.author_kind, record.recorded_at))


def code_lines(code: CodeShown) -> Iterator[Text]:
    """Write lines of code with their numbers, or why there are none."""
    last = code.first_line + len(code.lines) - 1
    where = span(code.path, code.first_line if code.lines else None, last) if code.path else "no code"
    when = f" at {code.commit[:_SHORT]}" if code.commit else ""
    state = "" if code.is_now or not code.lines else ", as it was anchored: it is not there any more, or was not found"
    yield line((f"{where}{when}{state}", "bold"), f": {code.problem}" if code.problem else "")
    width = len(str(last))
    for number, text in enumerate(code.lines, code.first_line):
        yield line((f"{number:>{width}} │ ", "dim"), _indented(text))


def waiting_line(answer: ReviewAnswer) -> Text:
    """Sum up what waits."""
    by = ", ".join(f"{one.records} {one.word}" for one in answer.drafts_by)
    words = {
        "draft": f"draft{'s' * (sum(one.records for one in answer.drafts_by) != 1)} ({by})",
        "challenge": "challenged",
        "stale": "stale",
    }
    told = ", ".join(f"{one.records} {words[one.word]}" for one in answer.waits)
    return line((f"{answer.records} {'record waits' if answer.records == 1 else 'records wait'}: ", "bold"), told)


def _summary_lines(answer: ReviewAnswer) -> Iterator[Text]:
    if answer.records:
        yield waiting_line(answer)
    else:
        yield line("nothing waits" if not answer.filtered else "nothing that matches waits")
    if answer.over_limit:
        yield line((f"{answer.over_limit} more beyond --limit", "dim"))
    if answer.filtered:
        yield line((f"{answer.filtered} more {'waits and does' if answer.filtered == 1 else 'wait and do'} not match", "dim"))
    if answer.items:
        yield line(("decide: comind review accept|edit|reject|confirm|retract|supersede|dispute ID, or comind review --interactive", "dim"))


def _evidence_lines(evidence: tuple[EvidenceShown, ...]) -> Iterator[Text]:
    """Write each piece on its own, and the words that it quotes whole: they are what a reader checks."""
    for one in evidence:
        yield evidence_line([replace(one, quote=None)])
        if one.quote:
            yield labelled("quote", f"“{plain_line(one.quote)}”")


def _dated(author_kind: str, recorded_at: str) -> Part:
    return f" ({author_kind}, {recorded_at[:10]})", "dim"


def _indented(text: str) -> str:
    """Keep the shape of a line of code: a tab is four columns, not one."""
    return text.expandtabs(4)
