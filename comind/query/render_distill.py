"""What the distiller did, or would do, as text and as plain JSON.

In: passes, foreseen runs. Out: `rich.text.Text`; dictionaries. Words of a model or a source go through the same gate as those of records.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from comind.query.render import line, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from comind.config import DistillSettings
    from comind.tables.distilling import Distilling
    from comind.tables.foresight import Foreseen

__all__ = ["distilled_json", "render_distilled", "render_foreseen"]

_SHOWN: Final = 20
_SHORT: Final = 12


def render_foreseen(found: Sequence[Foreseen], told: DistillSettings) -> Text:
    """Say what would be asked, source by source, and what it would cost at most."""
    return stacked([each for one in found for each in _foreseen(one, told)])


def render_distilled(passes: Sequence[Distilling]) -> Text:
    """Say what was asked, kept and refused, and what to do next."""
    if not passes:
        return line("nothing new to ask about")
    lines = [each for done in passes for each in _distilled(done)]
    if any(done.written for done in passes):
        lines.append(line("next  ", ("comind review", "bold")))
    return stacked(lines)


def distilled_json(passes: Sequence[Distilling]) -> list[dict[str, Any]]:
    """Return the passes as plain JSON."""
    return [_as_json(done) for done in passes]


def _foreseen(one: Foreseen, told: DistillSettings) -> Iterator[Text]:
    yield line((one.repo_id, "bold"), f" {one.source}: {one.read:,} read, {len(one.asked):,} worth a question")
    if one.skipped:
        yield line("  passed over  ", _counts(one.skipped))
    for each in one.asked[:_SHOWN]:
        mark = "answered before" if each.is_kept else f"~{each.input_tokens:,} tokens"
        yield line("  ", (each.source_id[:_SHORT], "cyan"), f"  {each.subject[:90]}  ", (f"({mark})", "dim"))
    if len(one.asked) > _SHOWN:
        yield line(f"  … and {len(one.asked) - _SHOWN:,} more; --json lists all, word for word")
    price = "unknown: no prices are configured" if one.cost is None else f"{one.cost:,.2f} at most"
    yield line(f"  would ask    {one.calls:,} calls, ~{one.input_tokens:,} tokens in, {one.output_tokens:,} out at most; cost {price}")
    if one.over_budget:
        yield line(("  the budget would stop it before the end; the next run would go on", "yellow"))
    if not told.is_on:
        yield line(("  no language model is configured: --endpoint and --model, or [distill] in comind.toml", "yellow"))


def _distilled(done: Distilling) -> Iterator[Text]:
    found, progress = done.found, done.progress
    verdicts = Counter(one.verdict for one in found.outcomes)
    asked = sum(found.answers.values())
    yield line(
        (progress.repo_id, "bold"), f" {progress.source}: {len(found.read):,} read, {asked:,} asked ({found.from_cache:,} from the cache)"
    )
    yield line(
        f"  proposals    {verdicts['kept']:,} kept ({done.written:,} new records), {verdicts['duplicate']:,} recorded already, "
        f"{verdicts['refused']:,} refused"
    )
    for one in [one for one in found.outcomes if one.verdict == "kept"][:_SHOWN]:
        yield line("    ", ((one.record_id or "")[:8], "cyan"), f" {one.kind}  {one.title}")
    if refused := Counter(str(one.code) for one in found.outcomes if one.verdict == "refused"):
        yield line("  refused      ", _counts(refused))
    if faults := {code: count for code, count in found.answers.items() if code != "answered"}:
        yield line("  no answer    ", _counts(faults), "; asked again by the next run, unless declined for good")
    cost = "" if found.usage.cost is None else f", cost {found.usage.cost:,.2f}"
    yield line(
        f"  used         {found.usage.calls:,} calls, {found.usage.input_tokens:,} tokens in, {found.usage.output_tokens:,} out{cost}"
    )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {code.replace('_', ' ')}" for code, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _as_json(done: Distilling) -> dict[str, Any]:
    found, usage = done.found, done.found.usage
    return {
        "repo_id": done.progress.repo_id, "source": done.progress.source, "read": len(found.read), "skipped": dict(found.skipped),
        "answers": dict(found.answers), "from_cache": found.from_cache, "records_written": done.written, "stopped": found.stopped,
        "usage": {"calls": usage.calls, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": usage.cost},
        "proposals": [
            {
                "source_id": one.brief.source_id, "op": one.op, "kind": one.kind, "verdict": one.verdict, "code": one.code,
                "detail": one.detail, "title": one.title, "record_id": one.record_id,
            }
            for one in found.outcomes
        ],
    }  # fmt: skip
