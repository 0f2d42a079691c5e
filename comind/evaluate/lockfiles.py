"""Measure the readers of manifests and lockfiles against labelled files.

In: labelled rows, a directory of clones, or of files laid out as ``<owner>+<name>/<commit>/<path>``. Out: figures, and what was wrong.
A row whose file is not there is counted and said, never scored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from comind.evaluate.labels import labelled_files, read_labels
from comind.sources.manifests import Use, canonical_name, read_dependencies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from comind.evaluate.labels import Contents
    from comind.sources.manifests import Reading

__all__ = ["LabelledLockfile", "LockfileFigures", "evaluate_lockfiles"]


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    package: str
    versions: tuple[str, ...]


class _Move(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    package: str
    old: str = Field(alias="from")
    new: str = Field(alias="to")
    commit: str


class LabelledLockfile(BaseModel):
    """One file that somebody read: versions of some of its packages, and a commit that moved one of them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    ecosystem: str
    repo: str
    commit: str
    path: str
    facts: tuple[_Fact, ...]
    move: _Move | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LockfileFigures:
    """What was measured, and what could not be."""

    files: int
    formats: int
    facts: int
    facts_right: int
    facts_right_at_top: int  # of these: the label leaves out what only another package sees
    facts_right_with_excluded: int  # of these: the label counts a version that the file rules out
    moves: int
    moves_seen: int
    unreadable: tuple[str, ...]  # files with a problem, which stands behind them
    wrong: tuple[str, ...]  # facts and moves
    files_missing: tuple[str, ...]
    moves_missing: tuple[str, ...]  # the file is not there at one of the two commits

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_lockfiles(data: Path, directory: Path, *, repos: bool, progress: Callable[[int, int], None] | None = None) -> LockfileFigures:
    """Read the labelled files and compare.

    Args:
        data: labels, one JSON object per line.
        directory: holds what the labels name.
        repos: it holds clones, ``<owner>+<name>`` or ``<owner>+<name>/repo``; else files as ``<owner>+<name>/<commit>/<path>``,
            those before a move under ``<commit>.parent``.
        progress: told how many rows are judged, and of how many.

    Raises:
        LabelsUnreadableError: the labels are not there, or are none.
        UsageError: `directory` is none.
    """
    labels = read_labels(data, LabelledLockfile, "labelled lockfile")
    files = labelled_files(directory, repos=repos)
    tally = _Tally()
    for done, label in enumerate(labels, start=1):
        tally.judge(label, files(label.repo))
        if progress:
            progress(done, len(labels))
    return tally.figures()


class _Tally:
    """Counts what is right over several files."""

    def __init__(self) -> None:
        self.formats: set[str] = set()
        self.right = {"all": 0, "top": 0, "excluded": 0}
        self.counts = {"files": 0, "facts": 0, "moves": 0, "seen": 0}
        self.unreadable: list[str] = []
        self.wrong: list[str] = []
        self.missing: list[str] = []
        self.unmoved: list[str] = []

    def judge(self, label: LabelledLockfile, contents: Contents) -> None:
        where = f"{label.repo} {label.path}"
        content = contents(label.commit, label.path)
        if content is None:
            self.missing.append(where)
            return
        reading = read_dependencies(label.path, content)
        self.counts["files"] += 1
        self.formats.add(label.ecosystem)
        if reading.problem:
            self.unreadable.append(f"{where}: {reading.problem}")
        for fact in label.facts:
            self._judge_fact(where, fact, reading)
        if label.move:
            self._judge_move(where, label.move, label.path, contents)

    def _judge_fact(self, where: str, fact: _Fact, reading: Reading) -> None:
        self.counts["facts"] += 1
        wanted = set(fact.versions)
        for how, found in _meanings(reading, fact.package):
            if found == wanted:
                self.right[how] += 1
                return
        self.wrong.append(f"{where}: {fact.package} is {sorted(wanted)}, read {sorted(_versions(reading, fact.package))}")

    def _judge_move(self, where: str, move: _Move, path: str, contents: Contents) -> None:
        before, after = contents(f"{move.commit}^", path), contents(move.commit, path)
        if before is None or after is None:
            self.unmoved.append(f"{where} at {move.commit}")
            return
        self.counts["moves"] += 1
        old, new = (_versions(read_dependencies(path, content), move.package) for content in (before, after))
        if move.old in old - new and move.new in new - old:
            self.counts["seen"] += 1
        else:
            self.wrong.append(f"{where}: {move.package} moved {move.old} to {move.new}, read {sorted(old)} to {sorted(new)}")

    def figures(self) -> LockfileFigures:
        return LockfileFigures(
            files=self.counts["files"], formats=len(self.formats), facts=self.counts["facts"], facts_right=sum(self.right.values()),
            facts_right_at_top=self.right["top"], facts_right_with_excluded=self.right["excluded"],
            moves=self.counts["moves"], moves_seen=self.counts["seen"], unreadable=tuple(self.unreadable), wrong=tuple(self.wrong),
            files_missing=tuple(self.missing), moves_missing=tuple(self.unmoved),
        )  # fmt: skip


def _meanings(reading: Reading, package: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the sets of versions that a label may mean, the plainest first."""
    yield "all", _versions(reading, package)
    yield "top", _versions(reading, package, transitive=False)
    yield (
        "excluded",
        _versions(reading, package) | {text for one in reading.dependencies if one.package == package for text in one.excluded},
    )


def _versions(reading: Reading, package: str, *, transitive: bool = True) -> set[str]:
    """Return the versions of a package; the ranges, where a file declares and resolves nothing."""
    found = [
        one for one in reading.dependencies
        if one.package == canonical_name(one.ecosystem, package.removeprefix(f"{one.ecosystem}:"))
        and (transitive or one.use is not Use.TRANSITIVE)
    ]  # fmt: skip
    return {version for one in found for version in one.versions} or {text for one in found for text in one.declared}
