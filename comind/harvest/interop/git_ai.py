"""Which tool and model wrote which lines, from the notes that git-ai keeps in a repository.

In: a repository. Out: `Found` with origins, no records. Notes are read at `refs/notes/ai`, and at the refs of its first draft.
A note on a commit that the indexed ref does not reach (of a squashed branch, mostly) speaks of code that nobody will ask about.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from comind.harvest.interop.git_ai_notes import read_note
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.origins import Origin, merged
from comind.sources.git import GitRepository
from comind.sources.git.errors import NotARepositoryError
from comind.sources.git.refs import list_notes, list_refs

if TYPE_CHECKING:
    from pathlib import Path

    from comind.harvest.interop.code import Code
    from comind.harvest.interop.git_ai_notes import Part
    from comind.harvest.interop.origins import Lines

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_git_ai", "is_git_ai"]

SOURCE = "git-ai"
HARVESTER_VERSION = "git-ai/1"
_NOTES = "refs/notes/ai"
_LEGACY = "refs/ai/authorship/"
_MAX_BYTES = 32_000_000  # of one note: some carry whole conversations, of which nothing is looked at


def is_git_ai(path: Path) -> bool:
    """Whether a repository surely has such notes: one of their refs is there."""
    try:
        repo = GitRepository.open(path)
    except NotARepositoryError:
        return False
    return bool(list_refs(repo, _LEGACY)) or _NOTES in list_refs(repo, _NOTES)


def import_git_ai(_path: Path, code: Code) -> Found:
    """Read every note of the repository; never raises for what stands in one."""
    found = Found(SOURCE, HARVESTER_VERSION)
    legacy = {name.removeprefix(_LEGACY): blob for name, blob in list_refs(code.repo, _LEGACY).items()}
    for commit, blob in sorted((legacy | list_notes(code.repo, _NOTES)).items()):
        found.read += 1
        if not code.is_on_ref(commit):
            found.losses.append(Loss(commit, "not_on_ref", "the indexed ref does not reach its commit", refused=False))
            continue
        try:
            found.origins += _origins(commit, read_note(_content(blob, code)), code, found.losses)
        except NotTakenError as problem:
            found.losses.append(problem.at(commit))
    return found


def _content(blob: str, code: Code) -> bytes:
    size = code.repo.size(blob)
    if size is not None and size > _MAX_BYTES:
        raise NotTakenError("too_large", f"it has {size:,} bytes, more than {_MAX_BYTES:,}")
    content = code.repo.read(blob)
    if not isinstance(content, bytes):
        raise NotTakenError("unreadable", content.reason)
    return content


def _origins(commit: str, parts: list[Part], code: Code, losses: list[Loss]) -> list[Origin]:
    """Return one origin per file and session; what a note says of one session in several lines belongs together."""
    lines: defaultdict[tuple[str, str, str | None, str | None], list[Lines]] = defaultdict(list)
    for part in parts:
        if part.tool is None or part.problem is not None:
            losses += [part.problem.at(f"{commit} {part.path}")] if part.problem else []
        elif not code.has_file(commit, part.path):
            losses.append(Loss(f"{commit} {part.path}", "place_not_found", "its commit has no such file", refused=False))
        else:
            lines[part.path, part.tool, part.model, part.session_hash] += part.lines
    return [
        Origin(commit=commit, path=path, lines=ranges, tool=tool, model=model, session_hash=session)
        for (path, tool, model, session), found in lines.items()
        if (ranges := merged(found))
    ]
