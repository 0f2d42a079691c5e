"""Make a repository of a bundle file, for as long as it is needed.

In: a bundle, an empty place. Out: a bare repository there. Needs the `git` command, since libgit2 reads no bundles.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from comind.errors import ComindError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["BundleUnreadableError", "clone_bundle"]


class BundleUnreadableError(ComindError):
    """A bundle could not be made into a repository."""

    def __init__(self, bundle: Path, problem: str) -> None:
        self.bundle, self.problem = bundle, problem
        super().__init__(f"cannot clone the bundle {str(bundle)!r}: {problem}")


def clone_bundle(bundle: Path, directory: Path) -> Path:
    """Clone a bundle into a bare repository at ``directory``, which must not exist, and return it.

    Raises:
        BundleUnreadableError: there is no `git` command, or the file is no whole bundle.
    """
    git = shutil.which("git")
    if git is None:
        raise BundleUnreadableError(bundle, "there is no `git` command; install git, or clone it elsewhere")
    command = [git, "clone", "--quiet", "--bare", "--", str(bundle), str(directory)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - a fixed command; the paths follow `--`
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise BundleUnreadableError(bundle, words[-1] if words else "git gave no reason")
    return directory
