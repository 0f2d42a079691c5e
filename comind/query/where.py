"""Conditions on table rows as SQL text that Lance and Polars read alike.

In: column names of ours and values from anywhere. Out: one condition, values quoted.
Never a function, operator or literal that only one of the two understands (times, for one).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["all_of", "among", "any_of", "below", "ends", "equal", "mentions", "starts"]

_NEVER = "false"


def equal(column: str, value: str | int) -> str:
    """Hold where a column has a value.

    >>> equal("name", "it's")
    "name = 'it''s'"
    """
    return f"{column} = {_literal(value)}"


def among(column: str, values: Iterable[str | int]) -> str:
    """Hold where a column has one of some values; never when there are none.

    >>> among("sid", [3, -5]), among("sid", [])
    ('sid IN (-5, 3)', 'false')
    """
    listed = sorted(set(values), key=str)
    return f"{column} IN ({', '.join(map(_literal, listed))})" if listed else _NEVER


def below(column: str, folder: str) -> str:
    """Hold where a path lies in a folder, at any depth; the empty folder is the whole repository.

    >>> below("path", "src/flask")
    "starts_with(path, 'src/flask/')"
    """
    return starts(column, f"{folder}/" if folder else "")


def starts(column: str, text: str) -> str:
    """Hold where a text begins with another."""
    return f"starts_with({column}, {_literal(text)})"


def ends(column: str, text: str) -> str:
    """Hold where a text ends in another."""
    return f"ends_with({column}, {_literal(text)})"


def mentions(column: str, word: str) -> str:
    """Hold where a text has a word in it, in whatever case."""
    # Not strpos: Polars takes what it looks for as a regular expression.
    return f"replace(lower({column}), {_literal(word.lower())}, '') <> lower({column})"


def any_of(*conditions: str) -> str:
    """Hold where at least one condition does."""
    return " OR ".join(f"({condition})" for condition in conditions) or _NEVER


def all_of(*conditions: str) -> str:
    """Hold where every condition does."""
    return " AND ".join(f"({condition})" for condition in conditions)


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
