"""Real git repositories for tests, made by the git command with a fixed identity and fixed dates.

In: a directory. Out: a `RepositoryBuilder` that writes files and commits them; the same calls give the same commit ids everywhere.
Never reads the configuration of the person who runs the tests.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["GitFailedError", "RepositoryBuilder", "make_repository", "run_git"]

_FIRST_COMMIT = datetime(2024, 1, 1, tzinfo=UTC)
_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada Example",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada Example",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class GitFailedError(AssertionError):
    """A git command that a test took for granted did not work."""

    def __init__(self, arguments: tuple[str | bytes, ...], stderr: bytes) -> None:
        super().__init__(f"git {arguments}: {stderr.decode(errors='replace')}")


def run_git(directory: Path, *arguments: str | bytes, when: datetime | None = None, content: bytes | None = None) -> str:
    """Run git in a directory and return what it printed; a failure raises with git's own words."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    dates = {name: when.isoformat() for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")} if when else {}
    done = subprocess.run(
        [b"git", *(os.fsencode(argument) for argument in arguments)],
        cwd=directory, env=inherited | _ENVIRONMENT | dates, input=content, capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise GitFailedError(arguments, done.stderr)
    return done.stdout.decode(errors="backslashreplace").strip("\n")


@dataclass
class RepositoryBuilder:
    """A repository under construction; every method but `commit`, `git` and `clone` returns the builder itself."""

    path: Path
    commits: list[str] = field(default_factory=list)

    def git(self, *arguments: str | bytes, when: datetime | None = None) -> str:
        """Run any git command in the work tree."""
        return run_git(self.path, *arguments, when=when)

    def write(self, path: str | bytes, content: str | bytes, *, executable: bool = False) -> Self:
        """Write one file, its directories included; the path may be bytes that are not UTF-8."""
        target = self._at(path)
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120 - pathlib knows no bytes
        with open(target, "wb") as file:  # noqa: PTH123
            file.write(content.encode() if isinstance(content, str) else content)
        if executable:
            os.chmod(target, 0o755)  # noqa: PTH101
        return self

    def symlink(self, path: str, target: str) -> Self:
        """Make a symbolic link, dangling and looping ones included."""
        link = self.path / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        return self

    def remove(self, path: str) -> Self:
        """Delete one file or one directory with all its files."""
        self.git("rm", "-r", "-q", "-f", "--", path)
        return self

    def rename(self, old: str, new: str) -> Self:
        """Move one file or directory."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("add", "-A")
        self.git("mv", "--", old, new)
        return self

    def commit(self, message: str = "Change", *, when: datetime | None = None) -> str:
        """Commit everything as it stands, an empty change included, and return the commit id; by default an hour after the last."""
        self.git("add", "-A")
        moment = when or _FIRST_COMMIT + timedelta(hours=len(self.commits))
        self.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message, when=moment)
        self.commits.append(self.git("rev-parse", "HEAD"))
        return self.commits[-1]

    def revert(self, commit: str, message: str | None = None, *, when: datetime | None = None) -> str:
        """Undo a commit with `git revert` and return the new commit's id; `message` replaces git's own words."""
        self.git("revert", "--no-commit", commit)
        subject = self.git("log", "-1", "--format=%s", commit)
        return self.commit(message or f'Revert "{subject}"\n\nThis reverts commit {commit}.\n', when=when)

    def branch(self, name: str) -> Self:
        """Start a branch here and switch to it."""
        self.git("switch", "-q", "-c", name)
        return self

    def switch(self, name: str) -> Self:
        """Switch to a branch that exists."""
        self.git("switch", "-q", name)
        return self

    def merge(self, branch: str, message: str = "Merge") -> str:
        """Merge a branch with a merge commit and return its id."""
        moment = _FIRST_COMMIT + timedelta(hours=len(self.commits))
        self.git("merge", "-q", "--no-ff", "-m", message, branch, when=moment)
        self.commits.append(self.git("rev-parse", "HEAD"))
        return self.commits[-1]

    def submodule(self, path: str, source: Path) -> Self:
        """Add another repository as a submodule."""
        self.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(source), path)
        return self

    def clone(self, path: Path, *options: str) -> RepositoryBuilder:
        """Clone this repository, `--bare` or `--depth=1` as given, and return the clone."""
        run_git(self.path, "clone", "-q", *options, self.path.as_uri(), str(path))
        return RepositoryBuilder(path, list(self.commits))

    @property
    def head(self) -> str:
        """The id of the commit at HEAD."""
        return self.git("rev-parse", "HEAD")

    def _at(self, path: str | bytes) -> bytes:
        return os.path.join(os.fsencode(self.path), os.fsencode(path))  # noqa: PTH118


def make_repository(directory: Path, name: str = "repository") -> RepositoryBuilder:
    """Start an empty repository on branch `main` under a directory such as `tmp_path`."""
    path = directory / name
    path.mkdir(parents=True)
    run_git(path, "init", "-q", "-b", "main")
    return RepositoryBuilder(path)
