"""The answer to `comind symbols` as a tree: repositories, files, definitions.

In: a `SymbolsAnswer`. Out: styled text.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from comind.query.render import coverage_lines, line, repository_name, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.symbols import SymbolListed, SymbolsAnswer

__all__ = ["render_symbols"]


def render_symbols(answer: SymbolsAnswer) -> Text:
    """Render definitions below their files and repositories."""
    lines = [one for _, group in groupby(answer.symbols, lambda one: one.repo_id) for one in _repository(list(group))]
    if not answer.symbols:
        lines.append(line("nothing indexed is called so"))
    if answer.over_limit:
        lines.append(line((f"{answer.over_limit:,} more beyond --limit", "dim")))
    return stacked([*lines, line(), *coverage_lines(answer.coverage)])


def _repository(symbols: list[SymbolListed]) -> Iterator[Text]:
    yield line((repository_name(symbols[0].repo_id), "bold"))
    for path, group in groupby(symbols, lambda one: one.path):
        yield line(f"  {path}")
        for one in group:
            place = f"{one.start_line}-{one.end_line}" if one.end_line != one.start_line else str(one.start_line)
            yield line(f"    {place:<11} ", (one.qualified_name, "bold cyan"), (f"  {one.kind}", "dim"))
