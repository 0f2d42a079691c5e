"""What a question is about: a symbol, a file, a directory, a whole repository, or a name that only records still know.

In: a view, what a person typed. Out: every thing it may mean, each once; one when the question is clear, none when nothing has that name.
Never guesses between two: who asks decides. Never touches a file system; `Asked` carries what the working directory adds.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import polars as pl

from comind.query.answer import SubjectShown
from comind.query.names import bare_name, dotted, means, spelled, versionless
from comind.query.where import all_of, among, any_of, below, ends, equal, starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.query.view import TableReader

__all__ = ["Asked", "nearest_names", "question_for", "resolve"]

_LINE = re.compile(r"^(?P<path>.+?):(?P<line>\d+)(?::\d+)?$")
_SYMBOL_COLUMNS = ("repo_id", "path", "symbol", "canonical_key", "name", "qualified_name", "kind", "ordinal", "start_line", "end_line")
_ANCHOR_COLUMNS = ("anchor_id", "scope", "repo_id", "path", "symbol", "canonical_key", "name", "start_line", "end_line")
_NO_SYMBOL = SubjectShown(kind="file", repo_id=None, path=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question about code, and where it was asked."""

    text: str
    repo: str | None = None  # only this repository: its identity or the end of it
    path: str | None = None  # `text` as a path from the root of the checkout that it lies in, when it names a file there
    here: str | None = None  # the repository of the working directory; it goes first where several have the name
    every_trust: bool = False  # list records of trust T0 and T1 too
    limit: int = 20  # records to list at most


def resolve(tables: TableReader, asked: Asked) -> tuple[SubjectShown, ...]:
    """Find everything that a question may mean, in a fixed order.

    The forms: `path:line`, `path`, a directory, a SCIP symbol, a canonical key, names such as `run`, `Flask.run` or `flask.app.Flask.run`.
    """
    found = _everything(tables, asked)
    wanted = [subject for subject in found if asked.repo is None or _is_repo(subject.repo_id, asked.repo)]
    at_home = [subject for subject in wanted if asked.here is not None and subject.repo_id == asked.here]
    return tuple(sorted(set(at_home or wanted), key=_order))


def nearest_names(tables: TableReader, text: str, *, limit: int = 5) -> tuple[str, ...]:
    """List names of indexed symbols that look like what was typed, most alike first."""
    name = bare_name(text)
    alike = tables.read("symbols", columns=["name"], where=starts("lower(name)", name[:1].lower()))
    return tuple(get_close_matches(name, alike["name"].unique().sort().to_list(), n=limit, cutoff=0.6))


def question_for(subject: SubjectShown, among_these: Sequence[SubjectShown], verb: str = "why") -> str:
    """Return the shortest `comind why …`, or another verb, that means one of several subjects alone."""
    others = [other for other in among_these if other is not subject]
    for text, named_alike in (
        (subject.qualified_name if "." in (subject.qualified_name or "") else None, [other.qualified_name for other in others]),
        (dotted(subject.canonical_key or "") or None, [dotted(other.canonical_key or "") for other in others]),
        (subject.symbol, [other.symbol for other in others]),
        (subject.path if subject.kind != "symbol" else None, [other.path for other in others]),
    ):
        if text and text not in named_alike:
            return f"comind {verb} {shlex.quote(text)}"
    text = subject.symbol or subject.canonical_key or subject.path or ""
    return f"comind {verb} {shlex.quote(text)} --repo {shlex.quote(subject.repo_id or '')}"


def _order(subject: SubjectShown) -> tuple[str, ...]:
    return ("1" if subject.kind == "gone" else "0", subject.repo_id or "", subject.path or "", subject.canonical_key or "")


def _is_repo(repo_id: str | None, wanted: str) -> bool:
    return repo_id is not None and f"/{repo_id}".endswith(f"/{wanted}")


def _everything(tables: TableReader, asked: Asked) -> list[SubjectShown]:
    with_line = _LINE.match(asked.path or asked.text)
    path = (with_line["path"] if with_line else asked.path or asked.text).removeprefix("./").rstrip("/")
    files = _files(tables, path, exactly=asked.path is not None)
    if with_line and files:
        return [_at_line(tables, file, int(with_line["line"])) for file in files]
    if files and ("." in path or "/" in path):
        return files
    symbols = [] if asked.path is not None else _symbols(tables, asked)
    return files + symbols or _directories(tables, path) or _gone_files(tables, path)


def _files(tables: TableReader, path: str, *, exactly: bool) -> list[SubjectShown]:
    condition = equal("path", path) if exactly else any_of(equal("path", path), ends("path", f"/{path}"))
    rows = tables.read("code_files", columns=["repo_id", "path", "status"], where=condition)
    files = rows.filter((pl.col("path") != "") & (pl.col("status") != "repository"))
    exact = files.filter(pl.col("path") == path)
    return [_place("file", row["repo_id"], row["path"]) for row in (exact if exact.height else files).iter_rows(named=True)]


def _directories(tables: TableReader, path: str) -> list[SubjectShown]:
    if not path:
        return []
    folder = "" if path == "." else path
    rows = tables.read("code_files", columns=["repo_id"], where=below("path", folder))
    kind = "directory" if folder else "repository"
    return [_place(kind, repo_id, folder) for repo_id in rows["repo_id"].unique().to_list()]


def _gone_files(tables: TableReader, path: str) -> list[SubjectShown]:
    if "/" not in path and "." not in path:
        return []
    rows = tables.read("ledger_anchors", columns=["repo_id", "path"], where=any_of(equal("path", path), ends("path", f"/{path}")))
    return [_place("gone", row["repo_id"], row["path"]) for row in rows.unique().iter_rows(named=True)]


def _place(kind: str, repo_id: str, path: str) -> SubjectShown:
    return replace(_NO_SYMBOL, kind=kind, repo_id=repo_id, path=path)


def _at_line(tables: TableReader, file: SubjectShown, line: int) -> SubjectShown:
    """Return the innermost symbol around a line, or the file where there is none."""
    in_file = all_of(equal("repo_id", file.repo_id or ""), equal("path", file.path or ""))
    rows = tables.read("symbols", columns=_SYMBOL_COLUMNS, where=in_file)
    around = rows.filter((pl.col("start_line") <= line) & (pl.col("end_line") >= line))
    innermost = around.sort(pl.col("end_line") - pl.col("start_line"), -pl.col("start_line")).head(1)
    found = _as_subjects(innermost)[0] if innermost.height else file
    return replace(found, asked_line=line)


def _symbols(tables: TableReader, asked: Asked) -> list[SubjectShown]:
    text = asked.text.strip()
    condition = any_of(among("name", {bare_name(text), text}), *_whole_symbol(text))
    rows = tables.read("symbols", columns=_SYMBOL_COLUMNS, where=condition)
    there = _as_subjects(rows.filter(_matches(rows, text)))
    known = {(subject.repo_id, subject.canonical_key) for subject in there}
    return there + [subject for subject in _from_anchors(tables, text, condition) if (subject.repo_id, subject.canonical_key) not in known]


def _whole_symbol(text: str) -> Iterator[str]:
    """Match a symbol written out; the version in it may be any."""
    yield equal("symbol", text)
    yield equal("canonical_key", text)
    around_version = versionless(text)
    if around_version:
        yield all_of(starts("symbol", around_version[0]), ends("symbol", around_version[1]))


def _matches(rows: pl.DataFrame, text: str) -> pl.Series:
    """Tell which rows a text names: a whole symbol or an exact qualified name shut out the names that only end like it."""
    qualified = rows["qualified_name"] if "qualified_name" in rows.columns else pl.Series([None] * rows.height, dtype=pl.String)
    whole = (rows["symbol"] == text) | (rows["canonical_key"] == text) | _versions_of(text, rows["symbol"])
    exact = whole.fill_null(value=False) | ((qualified == spelled(text)).fill_null(value=False) & ("." in spelled(text)))
    alike = pl.Series([means(text, key or "") for key in rows["canonical_key"]], dtype=pl.Boolean)
    return exact if exact.any() else alike


def _versions_of(text: str, symbols: pl.Series) -> pl.Series:
    parts = versionless(text)
    return pl.Series([parts is not None and versionless(symbol or "") == parts for symbol in symbols], dtype=pl.Boolean)


def _as_subjects(rows: pl.DataFrame) -> list[SubjectShown]:
    # Definitions of one key in one repository (a redefinition, an overload by condition) are one subject: the first stands for it.
    first = rows.sort("path", "ordinal", "start_line").unique(["repo_id", "canonical_key"], keep="first", maintain_order=True)
    return [
        SubjectShown(
            kind="symbol",
            code_kind=row["kind"],
            **{name: row[name] for name in ("repo_id", "path", "qualified_name", "symbol", "canonical_key", "start_line", "end_line")},
        )
        for row in first.iter_rows(named=True)
    ]


def _from_anchors(tables: TableReader, text: str, condition: str) -> list[SubjectShown]:
    """Find names that records know: a symbol that has another name by now, or that is gone."""
    rows = tables.read("ledger_anchors", columns=_ANCHOR_COLUMNS, where=condition)
    anchors = rows.filter((pl.col("scope") == "symbol") & _matches(rows, text))
    if not anchors.height:
        return []
    located = tables.read("anchor_locations", columns=["anchor_id", "canonical_key"], where=among("anchor_id", anchors["anchor_id"]))
    now = located.filter(pl.col("canonical_key").is_not_null()).rename({"canonical_key": "key_now"})
    joined = anchors.join(now, on="anchor_id", how="left").unique(["repo_id", "canonical_key", "key_now"]).sort("repo_id", "anchor_id")
    renamed = _renamed(tables, joined.filter(pl.col("key_now").is_not_null()))
    return renamed + [_gone(row) for row in joined.filter(pl.col("key_now").is_null()).iter_rows(named=True)]


def _renamed(tables: TableReader, anchors: pl.DataFrame) -> list[SubjectShown]:
    rows = tables.read("symbols", columns=_SYMBOL_COLUMNS, where=among("canonical_key", anchors["key_now"]))
    former = {(row["repo_id"], row["key_now"]): row["name"] for row in anchors.iter_rows(named=True)}
    subjects = [subject for subject in _as_subjects(rows) if (subject.repo_id, subject.canonical_key) in former]
    return [replace(subject, former_name=former[subject.repo_id, subject.canonical_key]) for subject in subjects]


def _gone(row: dict[str, object]) -> SubjectShown:
    key = str(row["canonical_key"] or "")
    known = {name: row[name] for name in ("repo_id", "path", "symbol", "canonical_key", "start_line", "end_line")}
    return SubjectShown(kind="gone", qualified_name=dotted(key) or None, code_kind=None, **known)  # type: ignore[arg-type]
