"""Which repository a clone is: its configured name, else its origin, else its first commit.

In: a remote URL, an opened repository. Out: `RepositoryIdentity`, the same for every clone, worktree and subdirectory.
A path of a machine, a credential or a port never enters an identity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pygit2

__all__ = ["IdentifiedBy", "RepositoryIdentity", "find_origin", "find_root_commit", "normalise_origin"]

_NETWORK_SCHEMES = frozenset({"ftp", "ftps", "git", "git+http", "git+https", "git+ssh", "http", "https", "ssh", "ssh+git"})
# Forges answer ssh on a second name so that it passes firewalls; both names are one forge.
_SAME_FORGE = {"altssh.bitbucket.org": "bitbucket.org", "altssh.gitlab.com": "gitlab.com", "ssh.github.com": "github.com"}
_SCP_LIKE = re.compile(r"^(?:[^@/]+@)?(?P<host>\[[^\]]+\]|[^:/@\[\]]+):(?P<path>.+)$")
_MAX_CLONES_OF_CLONES = 8


class IdentifiedBy(StrEnum):
    """Where a repository's id comes from."""

    CONFIGURED = "configured"
    ORIGIN = "origin"
    ROOT_COMMIT = "root_commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryIdentity:
    """Which repository this is, wherever it lies."""

    repo_id: str
    identified_by: IdentifiedBy
    origin: str | None  # normalised, without credentials; None when origin is not on a network
    root_commit: str | None  # 40 hex digits; None in a shallow clone


def normalise_origin(url: str) -> str | None:
    r"""Return ``host/path`` of a remote, the same for its ssh and https forms; None for what is not on a network.

    Scheme, user, password, port, query, a trailing ``.git`` and slashes are dropped; the host is lower-cased.

    >>> normalise_origin("https://user:token@GitHub.com:443/pallets/flask.git/")
    'github.com/pallets/flask'
    >>> normalise_origin("git@github.com:pallets/flask.git")
    'github.com/pallets/flask'
    >>> normalise_origin("/srv/git/flask.git"), normalise_origin("file:///srv/flask"), normalise_origin(r"C:\git\flask")
    (None, None, None)
    """
    host, path = _host_and_path(url.strip())
    host = host.lower().rstrip(".")
    path = "/".join(part for part in path.split("/") if part)
    path = path.removesuffix(".git").rstrip("/")
    if not host or not path or ".." in path.split("/") or not f"{host}{path}".isprintable():
        return None
    azure = re.fullmatch(r"v3/([^/]+)/([^/]+)/([^/]+)", path) if host == "ssh.dev.azure.com" else None
    if azure:
        return "dev.azure.com/{}/{}/_git/{}".format(*azure.groups())
    return f"{_SAME_FORGE.get(host, host)}/{path}"


def find_origin(repository: pygit2.Repository) -> str | None:
    """Return the normalised origin of a repository, or of the local clone that its origin is, and so on; else None."""
    for _ in range(_MAX_CLONES_OF_CLONES):
        url = _origin_url(repository)
        if url is None or (origin := normalise_origin(url)):
            return origin if url else None
        source = _local_source(repository, url)
        if source is None:
            return None
        repository = source
    return None


def find_root_commit(repository: pygit2.Repository, start: pygit2.Commit) -> str:
    """Return the first commit of a history that is whole, following first parents: 40 hex digits.

    First parents only: a merge of a foreign history must not change which repository this is.

    Raises:
        KeyError: a commit of the history is missing.
    """
    commit = start
    while parents := commit.parent_ids:
        commit = repository[parents[0]].peel(pygit2.Commit)
    return str(commit.id)


def _host_and_path(url: str) -> tuple[str, str]:
    if "://" in url:
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:  # a bracket that never closes, say
            return "", ""
        return (host, parts.path) if parts.scheme.lower() in _NETWORK_SCHEMES else ("", "")
    scp_like = _SCP_LIKE.match(url)
    if scp_like is None or "::" in url or re.match(r"^[A-Za-z]:[\\/]", url):
        return "", ""
    return scp_like["host"].strip("[]"), scp_like["path"].removeprefix("~/")


def _origin_url(repository: pygit2.Repository) -> str | None:
    try:
        url = repository.config["remote.origin.url"]
        host = (normalise_origin(url or "") or "").partition("/")[0]
        # `insteadOf` is applied only to a shorthand such as `gh:owner/name`: a mirror of one machine must not enter the identity.
        return repository.remotes["origin"].url if host and "." not in host else url
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _local_source(repository: pygit2.Repository, url: str) -> pygit2.Repository | None:
    text = unquote(urlsplit(url).path) if url.startswith("file://") else url
    path = Path(repository.workdir or repository.path, text)
    try:
        return pygit2.Repository(str(path)) if path.is_dir() else None
    except (pygit2.GitError, ValueError, OSError):
        return None
