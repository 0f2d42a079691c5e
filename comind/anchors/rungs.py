"""The rungs of the ladder for symbols: each looks for the anchored symbol in one way.

In: anchors that no earlier rung decided, and the head. Out: one `FOUND` row for each anchor that this rung decides.
A rung never guesses: where several definitions are as good, the row is `ambiguous` and lists them. It judges every anchor
by itself, so that anchors located together and one by one are in the same places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import polars as pl

from comind.anchors.frames import FOUND, conform

if TYPE_CHECKING:
    from comind.anchors.head import Head, Limits

__all__ = ["LADDER", "Rung", "body_under_its_name", "body_under_new_name", "file_moved", "same", "same_key_elsewhere", "several_bodies"]

_STAMP = ("fingerprint_version", "grammar_probe")
# What ends the last descriptor of a key: `#`, `.`, `().`, `(int).`, so the sort of symbol and what tells overloads apart.
_TAIL = pl.col("canonical_key").str.extract(r"(\([^()`]*\)\.|[/#.:!\])])$")
_SORT = _TAIL.str.replace(r"\(.*\)", "()")


class Rung(Protocol):
    """One way to find where anchored symbols are now."""

    def __call__(self, pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
        """Return a `FOUND` row for each anchor of ``pending`` that this rung decides."""
        ...


def same(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Find symbols whose canonical key stands in the same file."""
    pairs = _pairs(pending, head.symbols, "sid", "canonical_key", "repo_id", "path")
    return _choose(pairs.with_columns(how=pl.lit("the same symbol in the same file")), "same", limits)


def file_moved(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Find symbols whose file git calls renamed, with the same containers, name and parameters in the new file."""
    moved = _at_new_path(pending, head, renamed_only=True).with_columns(tail=_TAIL)
    there = head.symbols.join(moved, on=["repo_id", "path"], how="semi").with_columns(tail=_TAIL)
    pairs = _pairs(moved, there, "path", "repo_id", "qualified_name", "tail")
    return _choose(pairs.with_columns(how=pl.format("its file was {}", "was_old_path")), "file_moved", limits)


def same_key_elsewhere(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Find symbols whose canonical key stands in one other file: their home is a package, or the source root moved."""
    pairs = _pairs(pending, head.symbols, "sid", "canonical_key", "repo_id")
    in_one_file = pairs.filter(pl.col("path").n_unique().over("was_anchor_id") == 1)
    in_several = pairs.join(in_one_file, on="was_anchor_id", how="anti")
    one = _choose(in_one_file.with_columns(how=pl.format("the same symbol, no longer in {}", "was_path")), "file_moved", limits)
    return pl.concat([one, _ambiguous(in_several, "the same symbol in other files", limits)])


def body_under_its_name(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Find symbols with equal name, parameters and body, if the repository has one such that is not known to be older.

    `sure` when the body is long, and the definition was shown to be new, or stands in the same file that had no twin of it.
    """
    equal = _pairs(pending, head.symbols, "body_hash", "sig_hash", "name", "repo_id", *_STAMP)
    pairs = _newcomers(equal.filter(pl.col("n_tokens") >= limits.named), head)
    at_home = (pl.col("path") == pl.col("was_path")) & (pl.col("was_n_twins") == 0)
    sure = at_home | ((pl.col("n_tokens") >= limits.alone) & pl.col("is_new"))
    how = pl.format("name, parameters and body ({} tokens) are equal; it was {} in {}", "n_tokens", "was_qualified_name", "was_path")
    return _only(pairs.with_columns(how=how, level=_level(sure)), "definitions with equal name, parameters and body", limits)


def body_under_new_name(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Find symbols of the same file, renamed or not, and of the same sort, whose long body is equal and had no twin there."""
    at_home = _at_new_path(pending.filter(pl.col("n_twins") == 0), head, renamed_only=False).with_columns(tail=_SORT)
    there = head.symbols.join(at_home, on="body_hash", how="semi").with_columns(tail=_SORT)
    equal = _pairs(at_home, there, "body_hash", "path", "repo_id", "tail", *_STAMP)
    pairs = _newcomers(equal.filter(pl.col("n_tokens") >= limits.alone), head)
    how = pl.format("the body ({} tokens) is equal under a new name; it was {}", "n_tokens", "was_qualified_name")
    return _only(pairs.with_columns(how=how, level=pl.lit("sure")), "definitions with an equal body in its file", limits)


def several_bodies(pending: pl.DataFrame, head: Head, limits: Limits, /) -> pl.DataFrame:
    """Say which definitions have the body of a symbol that is not found: too little to follow it, enough not to call it gone.

    In its own file a short body is enough for that, elsewhere it takes a long one.
    """
    at_home = _at_new_path(pending, head, renamed_only=False)
    equal = _pairs(at_home, head.symbols, "body_hash", "repo_id", *_STAMP)
    enough = pl.when(pl.col("path") == pl.col("was_path")).then(limits.named).otherwise(limits.alone)
    pairs = _newcomers(equal.filter(pl.col("n_tokens") >= enough), head)
    return _ambiguous(pairs, "an equal body under another name or elsewhere", limits)


LADDER: tuple[Rung, ...] = (same, file_moved, same_key_elsewhere, body_under_its_name, body_under_new_name, several_bodies)


def _pairs(anchors: pl.DataFrame, symbols: pl.DataFrame, *on: str) -> pl.DataFrame:
    """Pair anchors with the definitions that agree with them in the columns ``on``, the most telling first.

    The anchor's columns are called ``was_…``; nulls agree with nothing.
    """
    was = anchors.select(pl.all().name.prefix("was_"))
    telling = anchors.select(on[0]).unique()
    near = symbols.join(telling, on=on[0], how="semi")  # one narrow pass over a big table, before the wide join
    return was.join(near, left_on=[f"was_{name}" for name in on], right_on=list(on), coalesce=False)


def _at_new_path(anchors: pl.DataFrame, head: Head, *, renamed_only: bool) -> pl.DataFrame:
    """Put the new path of renamed files in place of the old one, which becomes ``old_path``."""
    moved = head.renames.rename({"path": "old_path"})
    joined = anchors.rename({"path": "old_path"}).join(moved, on=["repo_id", "commit", "old_path"], how="left")
    kept = joined.filter(pl.col("new_path").is_not_null()) if renamed_only else joined
    return kept.with_columns(path=pl.coalesce("new_path", "old_path")).drop("new_path")


def _newcomers(pairs: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Leave out definitions that stood at their place at the anchor's commit already; ``is_new`` where that could be seen."""
    place = {"left_on": ["was_repo_id", "was_commit", "path"], "right_on": ["repo_id", "commit", "path"]}
    known = head.before.select("repo_id", "commit", "path").unique().with_columns(is_new=True)
    older = head.before.filter(pl.col("canonical_key").is_not_null()).unique()
    left, right = [*place["left_on"], "canonical_key"], [*place["right_on"], "canonical_key"]
    fresh = pairs.join(older, left_on=left, right_on=right, how="anti")
    return fresh.join(known, left_on=place["left_on"], right_on=place["right_on"], how="left").with_columns(
        pl.col("is_new").fill_null(value=False)
    )


def _choose(pairs: pl.DataFrame, matched_by: str, limits: Limits) -> pl.DataFrame:
    """Choose among the definitions under one key in one file: the only one, else the equal body, else the same position."""
    comparable = pl.all_horizontal(*(pl.col(name) == pl.col(f"was_{name}") for name in _STAMP))
    equal = (comparable & (pl.col("body_hash") == pl.col("was_body_hash"))).fill_null(value=False)
    in_place = (pl.col("ordinal") == pl.col("was_ordinal")).fill_null(value=False)
    counted = pairs.with_columns(equal=equal, in_place=in_place).with_columns(
        n=pl.len().over("was_anchor_id"), n_equal=pl.col("equal").sum().over("was_anchor_id")
    )
    only, one_equal = pl.col("n") == 1, pl.col("n_equal") == 1
    by_position = pl.col("in_place") & (pl.col("equal") | (pl.col("n_equal") == 0))
    chosen = counted.filter(only | (one_equal & pl.col("equal")) | (~one_equal & by_position))
    which = (
        pl.when(only).then(pl.lit("")).when("equal").then(pl.lit(", the one with the equal body")).otherwise(pl.lit(", by its position"))
    )
    how = pl.format("{}{}", "how", pl.when(only).then(pl.lit("")).otherwise(pl.format("; of {} definitions{}", "n", which)))
    found = chosen.with_columns(how=how, level=_level(only | pl.col("equal")))
    rest = counted.join(chosen, on="was_anchor_id", how="anti")
    return pl.concat([_found(found, matched_by), _ambiguous(rest, "definitions of the same symbol in one file", limits)])


def _only(pairs: pl.DataFrame, what: str, limits: Limits) -> pl.DataFrame:
    single = pl.len().over("was_anchor_id") == 1
    return pl.concat([_found(pairs.filter(single), "body"), _ambiguous(pairs.filter(~single), what, limits)])


def _level(sure: pl.Expr) -> pl.Expr:
    return pl.when(sure.fill_null(value=False)).then(pl.lit("sure")).otherwise(pl.lit("likely"))


def _found(pairs: pl.DataFrame, matched_by: str) -> pl.DataFrame:
    located = pairs.with_columns(
        anchor_id="was_anchor_id", matched_by=pl.lit(matched_by), detail="how", candidates=pl.lit([], pl.List(pl.String))
    )
    return conform(located, FOUND)


def _ambiguous(pairs: pl.DataFrame, what: str, limits: Limits) -> pl.DataFrame:
    listed = pairs.group_by(anchor_id="was_anchor_id").agg(
        n=pl.len(), candidates=pl.col("canonical_key").unique().sort().head(limits.candidates)
    )
    told = listed.with_columns(
        matched_by=pl.lit("ambiguous"), detail=pl.format("{} candidates: {}; nothing was guessed", "n", pl.lit(what))
    )
    return conform(told, FOUND)
