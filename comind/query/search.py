"""Search by words: every word must stand in the title, the trigger, the body or the claims of a record.

In: a view, words. Out: `SearchAnswer`, best first, the same for the same ledger. The claims are what the fields of a record's kind say:
what was chosen, every alternative with the reason against it, a rule, an approach. So an idea that was declined is found by its name.
Never ranks by meaning or by who wrote; a title counts more than a trigger, a trigger more than the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import orjson
import polars as pl

from comind.errors import UsageError
from comind.query.answer import Outcome
from comind.query.coverage import ledger_gaps
from comind.query.entries import EntryShown, entries_shown
from comind.query.shape import Shape
from comind.query.where import all_of, any_of, mentions
from comind.status.waiting import is_draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.query.view import LedgerView

__all__ = ["EmptyQueryError", "SearchAnswer", "SearchHit", "ask_search"]

_WEIGHTS = {"title": 4, "trigger": 2, "body": 1, "claims": 1}
_TEXTS = ("title", "trigger", "body")
_SURFACED = ("T2", "T3", "T4")


class EmptyQueryError(UsageError):
    """A search has no word in it."""

    def __init__(self) -> None:
        super().__init__("there is no word to search for; try `comind search cache`")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit(Shape):
    """One record that has every word."""

    score: Annotated[int, "4 for each word in the title, 2 in the trigger, 1 in the body, and 1 in the claims where it is nowhere else"]
    found_in: Annotated[tuple[str, ...], "title, trigger, body, claims: where words were found"]
    entry: Annotated[EntryShown, "The record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer(Shape):
    """Records that have every word: what `comind search --json` prints."""

    schema: Annotated[str, "comind.search/1; within one version fields are only added"] = "comind.search/1"
    outcome: Annotated[str, "answered, nothing or could_not_find_out"]
    words: Annotated[tuple[str, ...], "What was searched for, in lower case"]
    hits: Annotated[tuple[SearchHit, ...], "Best first; equal ones newest first"]
    below_trust: Annotated[int, "Hits of trust T0 or T1 that are not listed; `--all` lists them"]
    over_limit: Annotated[int, "Hits beyond `--limit`"]
    drafts: Annotated[int, "Of those below trust, drafts that wait for a person: `comind review`"]
    gaps: Annotated[tuple[str, ...], "What of the ledger could not be read"]


def ask_search(view: LedgerView, text: str, *, every_trust: bool, limit: int) -> SearchAnswer:
    """Find the records that have every word of a text, in whatever case.

    Raises:
        EmptyQueryError: there is no word in the text.
    """
    words = tuple(dict.fromkeys(text.lower().split()))
    if not words:
        raise EmptyQueryError
    hits = _hits(view, words)
    trust = view.read("ledger_current", columns=["id", "trust", "status"])
    judged = hits.join(trust, on="id")
    surfaced = judged if every_trust else judged.filter(pl.col("trust").is_in(_SURFACED))
    best = surfaced.sort("score", "recorded_at", "id", descending=True).head(limit)
    entries = entries_shown(view, best["id"].to_list())
    gaps = tuple(ledger_gaps(view))
    nothing = Outcome.COULD_NOT_FIND_OUT if gaps else Outcome.NOTHING
    return SearchAnswer(
        outcome=Outcome.ANSWERED if judged.height else nothing,
        words=words,
        hits=tuple(
            SearchHit(score=row["score"], found_in=tuple(name for name in _WEIGHTS if row[f"in_{name}"]), entry=entry)
            for row, entry in zip(best.iter_rows(named=True), entries, strict=True)
        ),
        below_trust=judged.height - surfaced.height,
        over_limit=surfaced.height - best.height,
        drafts=0 if every_trust else judged.filter(is_draft()).height,
        gaps=gaps,
    )


def _hits(view: LedgerView, words: Sequence[str]) -> pl.DataFrame:
    """Return ``id``, ``recorded_at``, ``score`` and ``in_…`` for each record that has every word."""
    # The whole record holds its claims, and more: what has a word elsewhere in it alone is sorted out below.
    somewhere = [any_of(*(mentions(column, word) for column in (*_TEXTS, "record"))) for word in words]
    rows = view.read("ledger_records", columns=["id", "recorded_at", *_TEXTS, "record"], where=all_of(*somewhere))
    told = rows.with_columns(claims=pl.Series([_claims(text) for text in rows["record"]], dtype=pl.String))
    found = {column: [_has(column, word) for word in words] for column in _TEXTS}
    elsewhere = [pl.any_horizontal(*(found[column][place] for column in _TEXTS)) for place in range(len(words))]
    found["claims"] = [_has("claims", word) & ~other for word, other in zip(words, elsewhere, strict=True)]  # a title often repeats them
    every = pl.all_horizontal(*(other | claimed for other, claimed in zip(elsewhere, found["claims"], strict=True)))
    return told.filter(every).select(
        "id",
        "recorded_at",
        score=pl.sum_horizontal([one.cast(pl.Int64) * _WEIGHTS[column] for column, ones in found.items() for one in ones]),
        **{f"in_{column}": pl.any_horizontal(ones) for column, ones in found.items()},
    )


def _has(column: str, word: str) -> pl.Expr:
    return pl.col(column).fill_null("").str.to_lowercase().str.contains(word, literal=True)


def _claims(record: str) -> str:
    return "\n".join(_words_of(orjson.loads(record).get("fields", {})))


def _words_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (words for part in value.values() for words in _words_of(part))
    elif isinstance(value, list):
        yield from (words for part in value for words in _words_of(part))
