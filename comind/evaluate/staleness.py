"""Measure staleness on refactorings whose outcome is known.

In: pages of cases (`comind.evaluate.staleness_cases`). Out: figures per class, and each answer that is wrong.
Every symbol of the code before gets a record; each case becomes a real repository, and the functions of the pipeline say what the record
is afterwards. Nothing here knows a case.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from comind.anchors.anchored_code import definitions_at
from comind.anchors.explode import explode_anchors
from comind.anchors.frames import conform, empty, schema_of
from comind.anchors.with_git import Code, locate_with_git
from comind.drift.classify import classify_drift
from comind.evaluate.figures import Score
from comind.evaluate.staleness_cases import CaseError, Expected
from comind.ids import derived_id
from comind.index.blobs import MemoryParseCache
from comind.index.names import scip_symbol
from comind.index.tree import index_tree
from comind.records.codec import encode
from comind.records.validate import build
from comind.sources.git import GitRepository
from comind.sources.git.scratch import commit_files
from comind.status.derive import derive_current
from comind.status.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from comind.canonical import Json
    from comind.evaluate.staleness_cases import RefactoringCase

__all__ = ["Judged", "StalenessFigures", "evaluate_staleness"]

_REPO = "example.invalid/refactored"
_STATUS = {"body": "stale", "deleted": "orphaned"}  # what a state of the code makes of a record; of the others nothing
_POLICY = Policy(dormant_after=timedelta(days=36_500))
_UNCHANGED = Expected("unchanged")
_WRITTEN = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One symbol of one case: what must be said of it, and what was."""

    page: str
    case: str
    symbol: str
    expected: str  # state of the code
    answered: str
    expected_status: str
    status: str
    place_right: bool
    detail: str

    @property
    def right(self) -> bool:
        """Whether state, status and place are as they must be."""
        return (self.expected, self.expected_status) == (self.answered, self.status) and self.place_right

    def __str__(self) -> str:
        place = "" if self.place_right else ", at another place"
        said = f"{self.answered}/{self.status}{place}, should be {self.expected}/{self.expected_status}"
        return f"{self.page}, {self.case}: {self.symbol} is {said} ({self.detail})"


@dataclass(frozen=True, slots=True, kw_only=True)
class StalenessFigures:
    """What all cases amount to."""

    judged: tuple[Judged, ...]

    def status(self, word: str) -> Score:
        """How right a status is given."""
        return _score([(one.expected_status == word, one.status == word) for one in self.judged])

    def state(self, word: str) -> Score:
        """How right a state of the code is told."""
        return _score([(one.expected == word, one.answered == word) for one in self.judged])

    @property
    def wrong(self) -> tuple[Judged, ...]:
        """What was answered otherwise."""
        return tuple(one for one in self.judged if not one.right)

    def as_json(self) -> dict[str, object]:
        """Return the figures as plain JSON values."""
        named = {word: asdict(self.status(word)) | _shares(self.status(word)) for word in ("stale", "orphaned", "active")}
        states = {word: asdict(self.state(word)) | _shares(self.state(word)) for word in sorted({one.expected for one in self.judged})}
        pages = Counter(one.page for one in self.judged)
        return {"records": len(self.judged), "pages": pages, "status": named, "drift": states, "wrong": [str(one) for one in self.wrong]}


def _shares(score: Score) -> dict[str, float]:
    return {"precision": round(score.precision, 4), "recall": round(score.recall, 4)}


def _score(pairs: Sequence[tuple[bool, bool]]) -> Score:
    counted = Counter(pairs)
    return Score(counted[True, True], counted[False, True], counted[True, False])


def evaluate_staleness(cases: Sequence[RefactoringCase], *, progress: Callable[[int, int], None] | None = None) -> StalenessFigures:
    """Follow a record about every symbol through each case.

    Raises:
        CaseError: a case speaks of a symbol that is not there.
    """
    judged: list[Judged] = []
    for done, case in enumerate(cases, start=1):
        with tempfile.TemporaryDirectory(prefix="comind-eval-") as folder:
            judged += _judge(case, Path(folder, "case.git"))
        if progress is not None:
            progress(done, len(cases))
    return StalenessFigures(judged=tuple(judged))


def _judge(case: RefactoringCase, directory: Path) -> Iterator[Judged]:
    start, end = commit_files(directory, [case.before, case.after])
    repository = GitRepository.open(directory, name=_REPO)
    cache = MemoryParseCache()
    before = _definitions(repository, start, case, cache)
    missing = case.expected.keys() - set(before["descriptors"])
    if missing:
        raise CaseError(case.page, case.title, f"the code before defines no {min(missing)}; it has {sorted(before['descriptors'])}")
    records = _records(before, start)
    tree = index_tree(repository, end, cache, workers=0, max_file_bytes=1_000_000)
    symbols, files = (_frame(table, name) for table, name in ((tree.symbols(), "symbols"), (tree.code_files, "code_files")))
    code = Code(symbols=symbols, files=files, heads={_REPO: end}, at_hand={_REPO: repository}, cache=cache)
    anchors = explode_anchors(records, before)
    locations = locate_with_git(anchors, code)
    drift = classify_drift(anchors, locations, symbols)
    checks = empty("evidence_checks")
    current = derive_current(records, anchors, locations, drift, checks, policy=_POLICY, as_of=repository.head_time)
    found = before.select("record_id", "descriptors").join(locations.select("record_id", "path", "canonical_key"), on="record_id")
    found = found.join(drift.select("record_id", "drift", "detail"), on="record_id").join(
        current.select("status", record_id="id"), on="record_id"
    )
    for row in found.sort("descriptors").iter_rows(named=True):
        yield _judged(case, row)


def _judged(case: RefactoringCase, row: dict[str, Any]) -> Judged:
    expected = case.expected.get(row["descriptors"], _UNCHANGED)
    now = f"{row['path']} {row['canonical_key']}"
    return Judged(
        page=case.page,
        case=case.title,
        symbol=row["descriptors"],
        expected=expected.state,
        answered=row["drift"],
        expected_status=_STATUS.get(expected.state, "active"),
        status=row["status"],
        place_right=expected.now is None or _is_at(now, expected.now),
        detail=row["detail"],
    )


def _is_at(now: str, wanted: str) -> bool:
    path, _, descriptors = wanted.rpartition(" ")
    return now.endswith(f"/{descriptors}") and (not path or now.startswith(f"{path} "))


def _definitions(repository: GitRepository, commit: str, case: RefactoringCase, cache: MemoryParseCache) -> pl.DataFrame:
    """Return `FINGERPRINTS` of the code before, each definition with the record that is about it."""
    places = [(_REPO, commit, path) for path in case.before]
    wanted = pl.DataFrame(places, schema=["repo_id", "commit", "path"], orient="row")
    found = definitions_at(wanted, [repository], cache).filter(pl.col("canonical_key").is_not_null() & (pl.col("ordinal") == 0))
    keys = found["canonical_key"]
    return found.with_columns(
        record_id=pl.Series([derived_id("staleness", key) for key in keys], dtype=pl.String),
        descriptors=pl.Series([_in_file(key) for key in keys], dtype=pl.String),
    )


def _in_file(key: str) -> str:
    """Return what a key says within its file.

    >>> _in_file("pypi shop . `shop.cart`/Cart#total().")
    'Cart#total().'
    """
    return key.rpartition("/")[2]


def _records(before: pl.DataFrame, commit: str) -> pl.DataFrame:
    rows = [_record(row, commit) for row in before.iter_rows(named=True)]
    return conform(pl.DataFrame(rows), schema_of("ledger_records")).sort("id")


def _record(row: dict[str, Any], commit: str) -> dict[str, object]:
    anchor: dict[str, Json] = {"scope": "symbol", "repo": _REPO, "path": row["path"], "symbol": scip_symbol(row["canonical_key"])}
    anchor |= {"commit": commit, "start_line": row["start_line"], "end_line": row["end_line"]}
    provenance: dict[str, Json] = {"author_kind": "harvested", "source": "git", "harvester": "eval/1", "repo": _REPO}
    record = build({
        "schema": 1, "id": row["record_id"], "lamport": 0, "kind": "gotcha", "title": "Something to know", "trigger": "Before an edit",
        "fields": {"symptom": "It surprises", "cause": "It is so"}, "anchors": [anchor],
        "provenance": provenance | {"source_time": f"{_WRITTEN:%Y-%m-%dT%H:%M:%SZ}"},
    })  # fmt: skip
    written = {
        "id": record.id,
        "kind": "gotcha",
        "author_kind": "harvested",
        "source": "git",
        "repo_id": _REPO,
        "title": "Something to know",
    }
    return written | {"content_hash": "", "object_key": "", "lamport": 0, "recorded_at": _WRITTEN, "record": encode(record).decode()}


def _frame(table: object, name: str) -> pl.DataFrame:
    frame = pl.from_arrow(table)  # type: ignore[arg-type]
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table never becomes a Series; this tells mypy
    return conform(frame, schema_of(name))
