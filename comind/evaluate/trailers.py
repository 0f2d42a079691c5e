"""Measure the reading of trailers: against written examples, and against git on every commit of real repositories.

In: examples with the trailers that are right, a directory of clones. Out: how many agree, and each one that does not, by what differs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from comind.errors import UsageError
from comind.evaluate.labels import read_labels
from comind.harvest.trailers import read_trailers
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository
from comind.sources.git.trailer_log import trailers_by_git

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

__all__ = ["Agreement", "TrailerExample", "TrailerFigures", "compare", "evaluate_trailers"]


class TrailerExample(BaseModel):
    """One message, and the trailers that git reads in it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    message: str
    expected: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far the reading agrees with what is right, in one repository or in all examples."""

    name: str
    messages: int
    trailers: int  # that are right
    missed: tuple[str, ...]  # messages or commits with too few
    invented: tuple[str, ...]  # with too many
    different: tuple[str, ...]  # with as many, but others

    @property
    def wrong(self) -> int:
        """Messages whose trailers are not exactly right."""
        return len(self.missed) + len(self.invented) + len(self.different)


@dataclass(frozen=True, slots=True)
class TrailerFigures:
    """What was measured."""

    examples: Agreement
    repositories: tuple[Agreement, ...]

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_trailers(data: Path, repos: Path | None = None) -> TrailerFigures:
    """Measure the reading of trailers.

    Args:
        data: examples, one JSON object per line.
        repos: holds clones; in each, every commit that a ref reaches is compared with what git reads.

    Raises:
        LabelsUnreadableError: the examples are not there, or are none.
        TrailersUnreadableError: git does not tell the trailers of a clone.
        UsageError: ``repos`` is not a directory that holds clones.
    """
    examples = read_labels(data, TrailerExample, "example")
    rows = ((one.name, one.message, "\n".join(f"{key}: {value}" for key, value in one.expected)) for one in examples)
    return TrailerFigures(compare("examples", rows), tuple(_compare_repository(path) for path in _clones(repos)))


def compare(name: str, rows: Iterable[tuple[str, str, str]]) -> Agreement:
    """Compare what is read in messages with what is right.

    Args:
        name: of the agreement.
        rows: name, message and right trailers, one ``Key: value`` line each.
    """
    messages, trailers = 0, 0
    wrong: defaultdict[int, list[str]] = defaultdict(list)
    for row, message, expected in rows:
        right = expected.split("\n") if expected else []
        found = [str(trailer) for trailer in read_trailers(message)]
        messages, trailers = messages + 1, trailers + len(right)
        if found != right:
            wrong[(len(found) > len(right)) - (len(found) < len(right))].append(row)
    return Agreement(
        name=name, messages=messages, trailers=trailers, missed=tuple(wrong[-1]), invented=tuple(wrong[1]), different=tuple(wrong[0])
    )  # fmt: skip


def _compare_repository(path: Path) -> Agreement:
    history = History(GitRepository.open(path, name=path.name))
    return compare(path.name, ((commit, history.text(commit).message, right) for commit, right in trailers_by_git(path).items()))


def _clones(repos: Path | None) -> Sequence[Path]:
    if repos is None:
        return ()
    found = sorted(path for path in repos.glob("*") if (path / ".git").exists() or (path / "objects").is_dir())
    if not found:
        message = f"{str(repos)!r} holds no clone; give a directory with one directory per clone"
        raise UsageError(message)
    return found
