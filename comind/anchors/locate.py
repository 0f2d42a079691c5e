"""Where each anchor is now, by the ladder: every anchor gets exactly one location, and how it is known.

In: `ledger_anchors`, the code at the heads, renames, and what a text search for names showed. Out: `anchor_locations`.
Never reads a repository and never guesses: what is not shown is `unknown`, and says what was not looked at.

    same -> file_moved -> body -> ambiguous -> deleted -> unknown

Two things are asked of the outside on the way, and each has a function that says what: `commits_to_compare` (git renames),
`names_to_search` (is a name still anywhere in the tree?). `files_to_compare` names files whose definitions at the anchored commit
would turn a `likely` location into a `sure` one, or rule it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.anchors.frames import FOUND, NAMES, conform, empty
from comind.anchors.head import Limits, Renames, look_at
from comind.anchors.places import PLACES, living_directories
from comind.anchors.rungs import LADDER
from comind.records.vocabulary import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.anchors.head import Head

__all__ = ["commits_to_compare", "files_to_compare", "follow_anchors", "locate_anchors", "names_to_search", "settle_deleted"]

_LIMITS = Limits()
_WORD = r"^[^\W\d]\w*$"  # what a search for whole words can show to be nowhere


def locate_anchors(  # noqa: PLR0913 - each is a table, or what was asked of the outside
    anchors: pl.DataFrame,
    symbols: pl.DataFrame,
    code_files: pl.DataFrame,
    *,
    renames: Renames,
    names_present: pl.DataFrame,
    heads: Mapping[str, str],
    before: pl.DataFrame | None = None,
    limits: Limits = _LIMITS,
) -> pl.DataFrame:
    """Return where every anchor is at the head of its repository: `follow_anchors`, then `settle_deleted`.

    Args:
        anchors: `ledger_anchors`.
        symbols: `symbols` at the heads.
        code_files: `code_files` at the heads.
        renames: what git calls renamed, by (repository, anchored commit): the pairs that `commits_to_compare` names.
        names_present: `NAMES`: what a text search of the heads showed for the names that `names_to_search` names.
        heads: commit that symbols and files describe, by repository (`heads_of`); a repository that is missing is not indexed.
        before: `FINGERPRINTS` of the files that `files_to_compare` names, if the caller read them.
        limits: how much code must agree.

    Returns:
        `anchor_locations`, one row per anchor, by ``anchor_id``, whatever the order of the rows that came in.
    """
    followed = follow_anchors(anchors, symbols, code_files, renames=renames, heads=heads, before=before, limits=limits)
    return settle_deleted(anchors, followed, names_present)


def follow_anchors(  # noqa: PLR0913 - the same, before names were searched for
    anchors: pl.DataFrame,
    symbols: pl.DataFrame,
    code_files: pl.DataFrame,
    *,
    renames: Renames,
    heads: Mapping[str, str],
    before: pl.DataFrame | None = None,
    limits: Limits = _LIMITS,
) -> pl.DataFrame:
    """Return where every anchor is as far as the index shows; a symbol is never called gone here. Arguments as of `locate_anchors`."""
    head = look_at(symbols, code_files, renames=renames, heads=heads, before=before)
    by_scope = {str(scope): rows for (scope,), rows in anchors.partition_by("scope", as_dict=True).items()}
    placed = [locate(by_scope[scope], head) for scope, locate in PLACES.items() if scope in by_scope]
    climbed = [_climb(by_scope[Scope.SYMBOL], head, limits)] if Scope.SYMBOL in by_scope else []
    return _rows(anchors, pl.concat([empty("anchor_locations"), *placed, *climbed]), head)


def names_to_search(anchors: pl.DataFrame, locations: pl.DataFrame) -> pl.DataFrame:
    """Return the ``(repo_id, name)`` whose absence from every file of the head would show that a symbol is gone.

    Args:
        anchors: `ledger_anchors`.
        locations: what `follow_anchors` made of them.
    """
    lost = locations.filter((pl.col("matched_by") == "unknown") & pl.col("commit").is_not_null()).select("anchor_id")
    named = anchors.filter((pl.col("scope") == Scope.SYMBOL) & pl.col("name").str.contains(_WORD))
    return named.join(lost, on="anchor_id", how="semi").select("repo_id", "name").unique().sort("repo_id", "name")


def settle_deleted(anchors: pl.DataFrame, locations: pl.DataFrame, names_present: pl.DataFrame) -> pl.DataFrame:
    """Call the symbols gone whose bare name is in no file of the indexed ref; of the others, say what the search showed.

    Args:
        anchors: `ledger_anchors`.
        locations: what `follow_anchors` made of them.
        names_present: `NAMES`; a name without a row was not searched for, and shows nothing.

    Returns:
        `anchor_locations`, by ``anchor_id``.
    """
    searched = conform(names_present, NAMES).unique(["repo_id", "name"], keep="none").filter(pl.col("name").str.contains(_WORD))
    names = anchors.filter(pl.col("scope") == Scope.SYMBOL).select("anchor_id", "repo_id", "name")
    shown = names.join(searched, on=["repo_id", "name"], how="left").select("anchor_id", "name", "present")
    open_ = (pl.col("matched_by") == "unknown") & pl.col("present").is_not_null() & pl.col("commit").is_not_null()
    told = locations.join(shown, on="anchor_id", how="left")
    said = pl.col("detail").str.ends_with(" is still in some file")
    gone = words("the name {name} is in no file at {commit:12}; whether it lives on under another name is not followed yet")
    cases = (
        Case(open_ & ~pl.col("present"), {"matched_by": pl.lit("deleted"), "detail": gone}),
        Case(open_ & ~said, {"matched_by": pl.col("matched_by"), "detail": words("{detail}; the name {name} is still in some file")}),
        Case(ALWAYS, {"matched_by": pl.col("matched_by"), "detail": pl.col("detail")}),
    )
    return conform(decide(told, cases), FOUND).sort("anchor_id")


def commits_to_compare(anchors: pl.DataFrame, code_files: pl.DataFrame, *, heads: Mapping[str, str]) -> pl.DataFrame:
    """Return the ``(repo_id, commit)`` for which git has to be asked about renames: those of anchors whose path is gone."""
    head = look_at(pl.DataFrame(), code_files, renames={}, heads=heads)
    pathed = anchors.filter(pl.all_horizontal(pl.col("repo_id", "commit", "path").is_not_null()))
    directories = pathed.filter(pl.col("scope") == Scope.MODULE).select("repo_id", "path")
    there = pl.concat([head.files.select("repo_id", "path"), living_directories(directories, head)])
    gone = pathed.join(head.commits, on="repo_id", how="semi").join(there, on=["repo_id", "path"], how="anti")
    return gone.select("repo_id", "commit").unique().sort("repo_id", "commit")


def files_to_compare(anchors: pl.DataFrame, locations: pl.DataFrame) -> pl.DataFrame:
    """Return the ``(repo_id, commit, path)`` that would show whether a definition that a body led to is new since the anchor's commit."""
    led = locations.filter((pl.col("matched_by") == "body") & (pl.col("level") == "likely")).select("anchor_id", "path")
    commits = anchors.select("anchor_id", "repo_id", "commit").drop_nulls()
    return led.join(commits, on="anchor_id").select("repo_id", "commit", "path").unique().sort("repo_id", "commit", "path")


def _climb(anchors: pl.DataFrame, head: Head, limits: Limits) -> pl.DataFrame:
    """Try rung after rung on what the rungs before left open; then say why the rest is open."""
    complete = pl.all_horizontal(pl.col("repo_id", "path", "canonical_key").is_not_null())
    pending, decided = anchors.filter(complete).join(head.commits, on="repo_id", how="semi"), [empty("anchor_locations")]
    for rung in LADDER:
        if pending.is_empty():
            break
        found = rung(pending, head, limits)
        decided.append(found)
        pending = pending.join(found, on="anchor_id", how="anti")
    located = pl.concat(decided)
    rest = anchors.join(located, on="anchor_id", how="anti")
    return located if rest.is_empty() else pl.concat([located, _unknown(rest, head)])


def _unknown(anchors: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Say of each anchor that no rung decided what kept it from being followed."""
    stamps = head.symbols.select("repo_id", "fingerprint_version", "grammar_probe").unique().with_columns(comparable=ALWAYS)
    damaged = head.files.filter(pl.col("status").is_in(["partial", "skipped", "excluded", "unreadable"]))
    told = (
        anchors.join(head.commits, on="repo_id", how="left")
        .join(damaged.select("repo_id", "path", "status", file_problem="problem"), on=["repo_id", "path"], how="left")
        .join(head.renames, on=["repo_id", "commit", "path"], how="left")
        .join(stamps, on=["repo_id", "fingerprint_version", "grammar_probe"], how="left")
    )
    decided = decide(told, [Case(when, {"detail": words(detail)}) for when, detail in _WHY_UNKNOWN])
    return conform(decided.select("anchor_id", "detail", matched_by=pl.lit("unknown")), FOUND)


_WHY_UNKNOWN = (
    (pl.col("canonical_key").is_null() | pl.col("path").is_null(), "not followed: the anchor names no symbol of a file: {problem}"),
    (pl.col("head").is_null(), "not followed: {repo_id} is not indexed"),
    (pl.col("status").is_not_null(), "not followed yet: not found, and {path} was not read whole: {file_problem}"),
    (pl.col("problem").is_not_null(), "not followed yet: not found under its name, and its code is not known: {problem}"),
    (
        pl.col("body_hash").is_not_null() & pl.col("comparable").is_null(),
        (
            "not followed yet: not found under its name, and no code here has fingerprints of version {fingerprint_version},"
            " grammar {grammar_probe:12}; if the rules changed, fingerprint both sides anew"
        ),
    ),
    (pl.col("new_path").is_not_null(), "not followed yet: its file is now {new_path}, where {qualified_name} is not defined"),
    (ALWAYS, "not followed yet: {qualified_name} is not defined in {path}, and no equal body was found"),
)


def _rows(anchors: pl.DataFrame, found: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Complete what was found with the columns that every location has: record, repository, head commit."""
    known = anchors.select("anchor_id", "record_id", "repo_id").join(head.commits.rename({"head": "commit"}), on="repo_id", how="left")
    answers = found.drop("record_id", "repo_id", "commit").with_columns(pl.col("candidates").fill_null([]))
    return conform(known.join(answers, on="anchor_id", how="left"), FOUND).sort("anchor_id")
