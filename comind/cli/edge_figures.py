"""The figures of `comind eval edges` as text.

In: `EdgeFigures`. Out: lines for a terminal.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from comind.query.render import labelled, line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.text import Text

    from comind.evaluate.edges import Difference, EdgeFigures, EdgeScore

__all__ = ["edge_figures"]


def edge_figures(figures: EdgeFigures, *, show_wrong: int, show_missed: int) -> Iterator[Text]:
    """Yield the figures, then so many of the answers that are wrong and of the calls that were missed, by cause."""
    yield line(("calls", "bold"), (f"  {figures.calls} in {figures.files} files", "dim"))
    yield from _scores(figures.scores)
    yield line(("across repositories", "bold"), (f"  {figures.calls_across_repositories} calls", "dim"))
    yield from _scores(figures.across_repositories)
    unjudged = (
        (figures.held, "through a value"),
        (figures.local, "of a name that is local to the file"),
        (figures.unmentioned, "of nothing the index mentions"),
    )
    yield labelled("not judged", ", ".join(f"{count} {what}" for count, what in unjudged))
    if figures.stale_files:
        yield labelled("left out", f"{len(figures.stale_files)} documents that do not fit their file: {', '.join(figures.stale_files[:3])}")
    yield from _differences("wrong", figures.wrong, show_wrong)
    yield from _differences("missed by import and type", figures.missed, show_missed)


def _scores(scores: Mapping[str, EdgeScore]) -> Iterator[Text]:
    for name, one in scores.items():
        yield labelled(name, f"precision {one.precision:.3f} of {one.right + one.wrong}, recall {one.recall:.3f} of {one.wanted}")


def _differences(title: str, differences: Sequence[Difference], count: int) -> Iterator[Text]:
    causes = Counter(one.cause for one in differences)
    yield line((f"{title}: {len(differences)}", "bold"))
    for cause, number in causes.most_common():
        yield labelled(cause, str(number))
        for one in [one for one in differences if one.cause == cause][:count]:
            yield line(f"  {one.where}: said {one.said}, wanted {one.wanted}")
