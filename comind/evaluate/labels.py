"""Labelled data and the clones that it speaks of.

In: a file of JSON lines and a directory of clones, bundles or single files. Out: labels in the form of their model, paths of clones, the
bytes of a labelled file.
Never guesses which repository is meant: a directory counts only under the repository's name.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from comind.errors import UsageError
from comind.sources.git.bundles import clone_bundle
from comind.sources.git.errors import CommitNotFoundError
from comind.sources.git.objects import Unreadable
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "Contents", "LabelsUnreadableError", "clone_of", "existing_directory", "labelled_files", "read_labels",
]  # fmt: skip

_Label = TypeVar("_Label", bound=BaseModel)
Contents: TypeAlias = "Callable[[str, str], bytes | None]"
"""(revision, path) -> the bytes of a file, or None where it is not there."""


class LabelsUnreadableError(UsageError):
    """A file of labels is missing, or a line of it is no label."""

    def __init__(self, path: Path, problem: str, model: type[BaseModel]) -> None:
        self.path, self.problem = path, problem
        fields = ", ".join(name for name, field in model.model_fields.items() if field.is_required())
        super().__init__(f"{str(path)!r} {problem}; give one JSON object per line with {fields}")


def read_labels(data: Path, model: type[_Label], what: str) -> list[_Label]:
    """Read labels, one JSON object per line.

    Raises:
        LabelsUnreadableError: the file is not there, or a line of it is no label.
    """
    try:
        lines = data.read_bytes().splitlines()
    except OSError as error:
        raise LabelsUnreadableError(data, f"cannot be read ({error.strerror})", model) from None
    labels = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                labels.append(model.model_validate_json(line))
            except ValidationError:
                raise LabelsUnreadableError(data, f"has no {what} in line {number}", model) from None
    if not labels:
        raise LabelsUnreadableError(data, f"holds no {what}", model)
    return labels


def existing_directory(repos: Path) -> Path:
    """Return a directory that is there; raises `UsageError` for anything else."""
    if not repos.is_dir():
        message = f"{str(repos)!r} is not a directory; give one that holds clones or bundles"
        raise UsageError(message)
    return repos


@contextmanager
def clone_of(repo: str, repos: Path) -> Iterator[Path | None]:
    """Find the clone of ``owner/name``, or make one of its bundle for as long as it is needed; None when there is neither."""
    name = repo.rpartition("/")[2]
    joined = repo.replace("/", "+")
    with ExitStack() as stack:
        for path in (repos / joined / "repo", repos / joined, repos / name):
            if path.is_dir() and _is_repository(path):
                yield path
                return
        for bundle in (repos / f"{joined}.bundle", repos / f"{name}.bundle"):
            if bundle.is_file():
                directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="comind-eval-"))
                yield clone_bundle(bundle, Path(directory, "clone.git"))
                return
        yield None


def _is_repository(path: Path) -> bool:
    # Asking git would find the repository around a plain directory.
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


def labelled_files(directory: Path, *, repos: bool) -> Callable[[str], Contents]:
    """Return what reads the labelled files of a repository, by its name.

    Args:
        directory: holds what the labels name.
        repos: it holds clones; else single files.

    Raises:
        UsageError: `directory` is none.
    """
    if not directory.is_dir():
        message = f"{str(directory)!r} is not a directory; give one that holds the labelled {'clones' if repos else 'files'}"
        raise UsageError(message)
    return lambda repo: (_contents_in_clone if repos else _contents_in_folder)(directory, repo)


def _contents_in_folder(directory: Path, repo: str) -> Contents:
    """Read labelled files laid out as ``<owner>+<name>/<commit>/<path>``; those of a parent under ``<commit>.parent``."""

    def contents(revision: str, path: str) -> bytes | None:
        file = directory / repo.replace("/", "+") / revision.replace("^", ".parent") / path
        return file.read_bytes() if file.is_file() else None

    return contents


def _contents_in_clone(directory: Path, repo: str) -> Contents:
    """Read labelled files from a clone, ``<owner>+<name>`` or ``<owner>+<name>/repo``; without one there are none."""
    joined = directory / repo.replace("/", "+")
    path = next((place for place in (joined / "repo", joined) if (place / "HEAD").is_file() or (place / ".git").exists()), None)
    if path is None:
        return lambda _revision, _path: None
    repository = GitRepository.open(path, name=repo)

    def contents(revision: str, path: str) -> bytes | None:
        try:
            commit = repository.resolve(revision)
        except CommitNotFoundError:
            return None
        blob = repository.blob_at(commit, path)
        content = repository.read(blob) if blob else None
        return None if isinstance(content, Unreadable) else content

    return contents
