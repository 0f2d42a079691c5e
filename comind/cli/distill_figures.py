"""The figures of `comind eval distill` as text.

In: `GateFigures`. Out: lines for a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import labelled, line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.evaluate.distill_gate import GateFigures

__all__ = ["gate_figures"]


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
