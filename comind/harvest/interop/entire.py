"""Which tool wrote the files of a commit, from the checkpoints that Entire keeps in a repository.

In: a repository. Out: `Found` with origins, no records. A commit names its checkpoint; the checkpoint lies below
`refs/entire/checkpoints/`, or on the branch `entire/checkpoints/v1`. Of its files only the `metadata.json` are ever opened: no
transcript, no prompt, no context. Of these the agent, a hash of the session and the files are taken; a summary is words of a transcript.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from comind.harvest.interop.fields import entries, word
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.origins import Origin, hash_of_session, name_of
from comind.sources.git import GitRepository
from comind.sources.git.errors import NotARepositoryError
from comind.sources.git.refs import list_refs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from comind.harvest.interop.code import Code

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_entire", "is_entire"]

SOURCE = "entire"
HARVESTER_VERSION = "entire/1"
_REFS = "refs/entire/checkpoints/"
_BRANCHES = ("refs/heads/entire/checkpoints/v1", "refs/remotes/origin/entire/checkpoints/v1")
_TRAILER = re.compile(r"^Entire-Checkpoint:[ \t]*([0-9a-f]{12}|[0-9A-HJKMNP-TV-Z]{26})[ \t]*$", re.MULTILINE)
_METADATA = "metadata.json"
_MAX_BYTES = 4_000_000


def is_entire(path: Path) -> bool:
    """Whether a repository surely has checkpoints: one of their refs is there."""
    try:
        repo = GitRepository.open(path)
    except NotARepositoryError:
        return False
    return bool(list_refs(repo, _REFS)) or any(list_refs(repo, branch) for branch in _BRANCHES)


def import_entire(_path: Path, code: Code) -> Found:
    """Read the checkpoint of every commit that names one; never raises for what stands in it."""
    found = Found(SOURCE, HARVESTER_VERSION)
    checkpoints = _Checkpoints(code.repo)
    for commit in reversed(code.history.walk(code.repo.head)):
        for checkpoint in dict.fromkeys(_TRAILER.findall(code.history.text(commit).message)):
            found.read += 1
            try:
                changed = {change.path for change in code.history.changes(commit) if change.new_blob is not None}
                for where, metadata in checkpoints.sessions(checkpoint):
                    _take(f"{commit} {where}", commit, metadata, changed, found)
            except NotTakenError as problem:
                found.losses.append(problem.at(f"{commit} {checkpoint}"))
    return found


class _Checkpoints:
    """Finds checkpoints in both layouts, and opens nothing of them but their metadata."""

    def __init__(self, repo: GitRepository) -> None:
        self._repo = repo
        self._refs = list_refs(repo, _REFS)
        self._branches = [tip for branch in _BRANCHES for tip in list_refs(repo, branch).values()]

    def sessions(self, checkpoint: str) -> Iterator[tuple[str, bytes]]:
        """Yield the metadata of each session of a checkpoint, with its name.

        Raises:
            NotTakenError: there is no such checkpoint here, or it holds no session.
        """
        tip, folder = self._find(checkpoint)
        prefix = f"{folder}/" if folder else ""
        files = [file for file in self._repo.files(tip, folder) if re.fullmatch(rf"{re.escape(prefix)}\d+/{_METADATA}", file.path)]
        if not files:
            raise NotTakenError("no_session", "its checkpoint holds no session", refused=False)
        for file in files:
            content = self._repo.read(file.blob) if (file.size or 0) <= _MAX_BYTES else b""
            yield f"{checkpoint}/{file.path.removeprefix(prefix)}", content if isinstance(content, bytes) else b""

    def _find(self, checkpoint: str) -> tuple[str, str]:
        """Return the commit and the folder of a checkpoint: its own ref first, then the branch."""
        if tip := self._refs.get(f"{_REFS}{checkpoint[-2:]}/{checkpoint}"):
            return tip, ""
        folder = f"{checkpoint[:2]}/{checkpoint[2:]}"
        for tip in self._branches:
            if next(self._repo.files(tip, folder), None) is not None:
                return tip, folder
        raise NotTakenError("dangling_checkpoint", "its checkpoint is not in this clone; it may lie in another repository", refused=False)


def _take(where: str, commit: str, content: bytes, changed: set[str], found: Found) -> None:
    try:
        told = _metadata(content)
    except NotTakenError as problem:
        found.losses.append(problem.at(where))
        return
    tool = name_of(told.get("agent"))
    paths = [path for path in entries(told, "files_touched") if isinstance(path, str) and path in changed]
    if tool is None:
        found.losses.append(Loss(where, "no_tool", "it does not say which agent it was", refused=False))
    elif not paths:
        found.losses.append(Loss(where, "place_not_found", "the commit changed none of the files that it touched", refused=False))
    else:
        session = hash_of_session(word(told, "session_id"))
        found.origins += [
            Origin(commit=commit, path=path, lines=None, tool=tool, model=None, session_hash=session) for path in dict.fromkeys(paths)
        ]


def _metadata(content: bytes) -> Mapping[str, object]:
    try:
        told = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise NotTakenError("not_json", f"its metadata is not JSON: {error.msg}") from None
    if not isinstance(told, dict):
        raise NotTakenError("not_json", "its metadata is no JSON object")
    return told
