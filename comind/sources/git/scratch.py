"""A repository of one's own, made of given contents: for measurements, never for the code of anybody.

In: an empty directory, files of one commit after the other. Out: a bare repository and the ids of its commits.
The same files give the same ids everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygit2

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["commit_files"]

_WHO, _MAIL, _FIRST = "comind eval", "eval@example.invalid", 1_700_000_000


def commit_files(directory: Path, commits: Sequence[Mapping[str, str]]) -> list[str]:
    """Make a bare repository whose commits hold exactly these files, each commit a minute after the one before."""
    repository = pygit2.init_repository(str(directory), bare=True, initial_head="main")
    made: list[str] = []
    for number, files in enumerate(commits):
        index = pygit2.Index()
        for path, text in files.items():
            index.add(pygit2.IndexEntry(path, repository.create_blob(text.encode()), pygit2.enums.FileMode.BLOB))
        who = pygit2.Signature(_WHO, _MAIL, _FIRST + 60 * number)
        tree = index.write_tree(repository)
        made.append(str(repository.create_commit("refs/heads/main", who, who, f"Step {number}", tree, made[-1:])))
    return made
