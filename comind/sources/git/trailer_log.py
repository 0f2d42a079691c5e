"""Ask git itself for the trailers of every commit, to compare with.

In: the path of a repository. Out: the trailers of each commit that any ref reaches, as git prints them.
Needs the `git` command, and tells it to leave out what the machine's configuration would change.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from comind.errors import ComindError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TrailersUnreadableError", "trailers_by_git"]

_FORMAT = "--format=%H%n%(trailers:only,unfold)%x00"
_PLAIN = ("-c", "trailer.separators=:", "-c", "core.commentChar=#", "-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.showSignature=false")


class TrailersUnreadableError(ComindError):
    """Git did not tell the trailers of a repository."""

    def __init__(self, repository: Path, problem: str) -> None:
        self.repository, self.problem = repository, problem
        super().__init__(f"cannot read the trailers of {str(repository)!r}: {problem}")


def trailers_by_git(repository: Path) -> dict[str, str]:
    """Return one ``Key: value`` line per trailer for each commit, empty for a commit that has none.

    Raises:
        TrailersUnreadableError: there is no `git` command, or the path is no repository.
    """
    git = shutil.which("git")
    if git is None:
        raise TrailersUnreadableError(repository, "there is no `git` command; install git")
    command = [git, *_PLAIN, "-C", str(repository), "log", "--all", _FORMAT]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a fixed command; the path follows `-C`
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise TrailersUnreadableError(repository, words[-1] if words else "git gave no reason")
    entries = done.stdout.decode(errors="replace").split("\0\n")
    return {commit: block.removesuffix("\n") for commit, _, block in (entry.partition("\n") for entry in entries) if commit}
