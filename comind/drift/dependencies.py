"""What the versions in use say of records that are about a dependency.

In: records, anchors, `dependencies`. Out: `dependency_findings`: a row per dependency anchor and file that resolves the package.
A failed attempt may be worth trying again once a lockfile has left the range that it failed under; a constraint is to be checked again
as soon as any version is outside of its range. What cannot be compared is unknown, and raises nothing.

Which repositories are asked: those that the record's other anchors or the record itself name; else all that use the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.frames import conform, schema_of
from comind.drift.versions import InRange, in_range
from comind.records.vocabulary import Kind, Scope
from comind.sources.manifests import canonical_name

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEPENDENCY_RULES", "find_dependencies"]

DEPENDENCY_RULES = "1"
_RETRY, _RE_CHECK, _NOTHING = "retry_condition_met", "re_check", "none"
_WORDS = {"in": "inside", "out": "outside", "mixed": "in part outside", "unknown": "not comparable with"}


def find_dependencies(records: pl.DataFrame, anchors: pl.DataFrame, dependencies: pl.DataFrame) -> pl.DataFrame:
    """Return what each file that resolves a package says of the ranges that records name.

    Args:
        records: ``id, kind, repo_id`` of `ledger_records`.
        anchors: `ledger_anchors`.
        dependencies: `dependencies` at the heads, or at any commit.

    Returns:
        `dependency_findings`, by ``finding_id``.
    """
    asked = _asked(records, anchors)
    heads = dependencies.filter(pl.col("path") == "").select("repo_id", commit="head_commit")
    named = dependencies.filter((pl.col("package") != "") & (pl.col("versions").list.len() > 0))
    resolved = named.group_by("repo_id", "path", "ecosystem", "package").agg(pl.col("versions").explode().unique().sort())
    found = asked.join(resolved, on=["ecosystem", "package"]).join(heads, on="repo_id", how="left")
    wanted = found.filter(pl.col("repositories").list.contains(pl.col("repo_id")) | (pl.col("repositories").list.len() == 0))
    rows = [row | _judged(row) for row in wanted.sort("anchor_id", "repo_id", "path").iter_rows(named=True)]
    return conform(pl.DataFrame(rows, schema=_judged_schema(wanted)), schema_of("dependency_findings")).sort("finding_id")


def _judged_schema(wanted: pl.DataFrame) -> dict[str, pl.DataType]:
    return dict(wanted.schema) | {name: pl.String() for name in ("finding_id", "verdict", "rule", "detail")}


def _asked(records: pl.DataFrame, anchors: pl.DataFrame) -> pl.DataFrame:
    """Return the dependency anchors with the name as the ecosystem compares it, the kind of record, and the repositories in question."""
    places = pl.concat([anchors.select("record_id", "repo_id"), records.select("repo_id", record_id="id").select("record_id", "repo_id")])
    repositories = places.drop_nulls().group_by("record_id").agg(repositories=pl.col("repo_id").unique().sort())
    mine = anchors.filter((pl.col("scope") == Scope.DEPENDENCY) & pl.col("package").is_not_null() & pl.col("version_range").is_not_null())
    named = list(_named(mine["package"]))
    names = pl.DataFrame(named, schema={"ecosystem": pl.String, "package": pl.String}, orient="row")
    kinds = records.select("kind", record_id="id")
    own = mine.select("anchor_id", "record_id", "version_range", own="repo_id").with_columns(names.get_columns())
    told = own.join(kinds, on="record_id").join(repositories, on="record_id", how="left")
    listed = pl.when(pl.col("own").is_not_null()).then(pl.concat_list("own")).otherwise(pl.col("repositories"))
    return told.with_columns(repositories=listed.fill_null(pl.lit([], pl.List(pl.String)))).drop("own")


def _named(packages: pl.Series) -> Iterator[tuple[str, str]]:
    for text in packages:
        ecosystem, _, name = text.partition(" ")
        yield ecosystem, canonical_name(ecosystem, name.strip())


def _judged(row: dict[str, object]) -> dict[str, object]:
    ecosystem, text, versions = str(row["ecosystem"]), str(row["version_range"]), row["versions"]
    assert isinstance(versions, list)  # noqa: S101 - the column is a list; this tells mypy
    verdicts = [in_range(ecosystem, version, text) for version in versions]
    verdict, listed = _together(verdicts), ", ".join(versions)
    return {
        "finding_id": f"{row['anchor_id']} {row['repo_id']} {row['path']}",
        "verdict": verdict,
        "rule": _rule(str(row["kind"]), verdicts),
        "detail": f"{row['path']} of {row['repo_id']} has {row['package']} {listed}, {_WORDS[verdict]} {text}",
    }


def _together(verdicts: list[InRange]) -> str:
    """Return the one word of several: what is known of all of them, or that they differ.

    >>> _together([InRange.IN, InRange.OUT]), _together([InRange.OUT, InRange.UNKNOWN])
    ('mixed', 'unknown')
    """
    kinds = set(verdicts)
    if len(kinds) == 1:
        return str(verdicts[0])
    return "mixed" if kinds >= {InRange.IN, InRange.OUT} else str(InRange.UNKNOWN)


def _rule(kind: str, verdicts: list[InRange]) -> str:
    if kind == Kind.ATTEMPT and all(one is InRange.OUT for one in verdicts):
        return _RETRY  # where one version is left in the range, it would fail again
    if kind == Kind.CONSTRAINT and any(one is InRange.OUT for one in verdicts):
        return _RE_CHECK
    return _NOTHING
