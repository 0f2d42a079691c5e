"""Git repositories, read-only. The only package that imports pygit2."""

from __future__ import annotations

from comind.sources.git.identity import IdentifiedBy, RepositoryIdentity, normalise_origin
from comind.sources.git.objects import ObjectReader, Unreadable
from comind.sources.git.repository import GitRepository
from comind.sources.git.trees import ChangeStatus, FileChange, FileKind, NamesFound, TreeFile

__all__ = [
    "ChangeStatus", "FileChange", "FileKind", "GitRepository", "IdentifiedBy", "NamesFound", "ObjectReader", "RepositoryIdentity",
    "TreeFile", "Unreadable", "normalise_origin",
]  # fmt: skip
