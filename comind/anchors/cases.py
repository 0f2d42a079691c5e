"""A decision as a table: the first row whose condition holds says what the columns are.

In: a frame, and rows of (condition, columns). Out: the frame with those columns.
A null condition does not hold. The last row should hold always; where no row holds, the columns are null.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ALWAYS", "Case", "decide", "words"]

ALWAYS = pl.lit(value=True)


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a decision."""

    when: pl.Expr  # boolean, over the columns of the frame
    then: Mapping[str, pl.Expr]  # the same columns in every row of the table


def words(text: str) -> pl.Expr:
    """Return a sentence in which ``{column}`` stands for a column's text, and ``{column:12}`` for its first 12 characters.

    A null reads as ``?``.

    >>> pl.DataFrame({"commit": ["4b825dc642cb6eb9a060e54bf8d69288fbee4904"]}).select(words("gone at {commit:12}")).item()
    'gone at 4b825dc642cb'
    """
    literal, *rest = text.split("{")
    pieces = [pl.lit(literal)]
    for part in rest:
        slot, _, after = part.partition("}")
        column, _, length = slot.partition(":")
        value = pl.col(column).cast(pl.String).fill_null("?")
        pieces += [value.str.head(int(length)) if length else value, pl.lit(after)]
    return pl.concat_str(pieces)


def decide(frame: pl.DataFrame, cases: Sequence[Case]) -> pl.DataFrame:
    """Return the frame with the columns of the first case that holds, row by row.

    >>> size = [Case(pl.col("n") > 9, {"size": pl.lit("big")}), Case(ALWAYS, {"size": pl.lit("small")})]
    >>> decide(pl.DataFrame({"n": [3, 12]}), size)["size"].to_list()
    ['small', 'big']
    """
    first = pl.coalesce(pl.when(case.when).then(pl.lit(number, pl.Int32)) for number, case in enumerate(cases))
    chosen = frame.with_row_index("_row").select("_row", *_inputs(cases, frame), _case=first)
    # Sentences are what costs here: each row makes its own, and not those of every case.
    held = {*chosen["_case"].unique(), len(cases) - 1}  # the last one gives the columns their types where no row is left
    parts = [chosen.filter(pl.col("_case") == number).select("_row", **case.then) for number, case in enumerate(cases) if number in held]
    parts.append(chosen.filter(pl.col("_case").is_null()).select("_row", **dict.fromkeys(cases[0].then, pl.lit(None))))
    decided = pl.concat(parts, how="vertical_relaxed").sort("_row").drop("_row")
    return frame.with_columns(decided.get_columns())


def _inputs(cases: Sequence[Case], frame: pl.DataFrame) -> list[str]:
    """Return the columns that the cases speak of."""
    roots = {name for case in cases for value in case.then.values() for name in value.meta.root_names()}
    return [name for name in frame.columns if name in roots]
