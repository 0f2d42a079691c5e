"""The lines of code under an anchor, for a reader who has to judge a record.

In: an anchor of an answer, what is checked out on this machine. Out: `CodeShown`: lines, or why there are none.
Reads the commit that was looked at, never the work tree: these are the lines that the place is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.errors import ComindError

if TYPE_CHECKING:
    from comind.query.answer import AnchorShown
    from comind.query.checkouts import FindsRepositories
    from comind.sources.git import GitRepository

__all__ = ["CodeShown", "code_under"]

_MAX_BYTES: Final = 4_000_000  # of a file; nobody reads a larger one in a terminal
_MAX_LINES: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeShown:
    """Lines of one file at one commit."""

    path: str | None = None
    commit: str | None = None
    first_line: int = 1
    lines: tuple[str, ...] = ()
    is_now: bool = True  # false: the code is gone or was not located, and these lines are as it was anchored
    problem: str | None = None  # why there are no lines


def code_under(anchor: AnchorShown | None, checkouts: FindsRepositories) -> CodeShown:
    """Return the lines where an anchor is now; where that is not known, the lines that it was anchored to."""
    if anchor is None or anchor.scope not in {"symbol", "file"}:
        return CodeShown(problem=f"anchored to {_WIDE.get(anchor.scope if anchor else '', 'no code')}")
    now, then = anchor.now, anchor.then
    located = now is not None and now.path is not None
    place = now if now is not None and now.path is not None else then
    if not (place.path and place.commit and then.repo_id):
        return CodeShown(problem="it was not located")
    repository = checkouts.find(then.repo_id)
    if repository is None:
        return CodeShown(path=place.path, problem=f"no checkout of {then.repo_id} is known here")
    try:
        text = _text(repository, place.commit, place.path)
    except ComindError as error:
        return CodeShown(path=place.path, commit=place.commit, is_now=located, problem=str(error))
    if text is None:
        return CodeShown(path=place.path, commit=place.commit, is_now=located, problem="the file cannot be read there")
    first = place.start_line or 1
    lines = text.splitlines()[first - 1 : place.end_line][:_MAX_LINES]
    return CodeShown(path=place.path, commit=place.commit, first_line=first, lines=tuple(lines), is_now=located)


_WIDE = {"module": "a whole directory", "repo": "a whole repository", "org": "every repository", "dependency": "a dependency"}


def _text(repository: GitRepository, commit: str, path: str) -> str | None:
    blob = repository.blob_at(commit, path)
    if blob is None or (repository.size(blob) or 0) > _MAX_BYTES:
        return None
    content = repository.read(blob)
    return content.decode(errors="replace") if isinstance(content, bytes) else None
