"""The figures of `comind eval distill` as text.

In: `GateFigures`, `AnswerFigures`. Out: lines for a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import labelled, line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.evaluate.distill_answers import AnswerFigures
    from comind.evaluate.distill_gate import GateFigures

__all__ = ["answer_figures", "gate_figures"]


def gate_figures(figures: GateFigures) -> Iterator[Text]:
    """Yield what passes the gate by label and repository, then every commit that was judged otherwise than labelled."""
    yield line(("gate", "bold"), (f"  {figures.rows} commits, {figures.cpu_ms_per_commit:.0f} ms of CPU per commit", "dim"))
    yield labelled("recall", f"{figures.recall:.3f} of the commits that say something reach a model")
    yield labelled("others", f"{figures.others_passed:.3f} of those that do not reach one, too")
    for one in figures.repositories:
        yield line(f"  {one.repo}: {one.records_passed} of {one.records}, and {one.others_passed} of {one.others} others")
    yield labelled("skipped as", ", ".join(f"{code} {count}" for code, count in figures.skipped.items()))
    yield from (line(f"missed: {one}") for one in figures.missed)
    yield from (line(f"passed: {one}") for one in figures.passed)
    if figures.repositories_missing:
        yield line(f"{figures.rows_without_repository} rows not judged, no clone of: {', '.join(figures.repositories_missing)}")
    if figures.rows_without_commit:
        yield line(f"{figures.rows_without_commit} rows not judged: the clone lacks their commit")


def answer_figures(figures: AnswerFigures) -> Iterator[Text]:
    """Yield what a model answered, what the checks left of it, and how near that comes to what a reader found."""
    yield line(("answers", "bold"), f" of {figures.model}", (f"  {figures.asked} asked, {figures.calls} of them now", "dim"))
    yield labelled("valid", f"{figures.answered} of {figures.asked} in the JSON of the contract{_counts(figures.codes, but='answered')}")
    reached = f"{figures.none_on_others:.3f} of the {figures.others_asked} commits that say nothing and reached it"
    yield labelled("none", reached if figures.others_asked else "no commit that says nothing reached it")
    yield labelled("quotes", f"{figures.quotes_grounded} of {figures.quotes} stand in their span as it answered")
    yield labelled("proposals", f"{figures.proposals}, of which {figures.kept} pass every check{_counts(figures.refused)}")
    yield labelled("precision", f"{figures.precision:.3f} of those kept are about commits that say something")
    yield labelled("accept rate", f"{figures.accept_rate:.3f} of those kept say what a reader noted ({figures.matching} of {figures.kept})")
    yield labelled("agreement", f"kind {figures.kind_agrees:.3f}, outcome of attempts {figures.outcome_agrees:.3f}")
    yield labelled(
        "kept", f"quotes that stand in their span {figures.kept_quotes_grounded:.3f}, anchors {figures.kept_anchors_resolve:.3f}, "
        f"with people, secrets or orders {figures.kept_unsafe}",
    )  # fmt: skip
    yield labelled(
        "twice", f"{figures.duplicates_in_one_run} said twice in one run; a second run: {figures.second_run_calls} calls, "
        f"{figures.second_run_records} new records",
    )  # fmt: skip


def _counts(counts: dict[str, int], *, but: str = "") -> str:
    said = ", ".join(f"{code} {count}" for code, count in counts.items() if code != but)
    return f" ({said})" if said else ""
