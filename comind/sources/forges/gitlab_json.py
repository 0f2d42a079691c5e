"""A merge request of GitLab: its JSON, as the interface and `glab` have it, into ours.

In: parsed JSON. Out: a `MergeRequest`; or `NotARequestError`. Asks nobody. Notes that GitLab itself writes ("added 1 commit") are left out.
A thread is resolved when each of its resolvable notes is: GitLab says so of notes alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.sources.forges.fields import NotARequestError, Raw, commit, flag, inner, moment, name_of, needed, number, objects, word
from comind.sources.forges.hunks import changed_spans
from comind.sources.forges.model import FileChange, MergeRequest, Note, Position, State, Thread, Writer
from comind.sources.forges.texts import Cleaner

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["changes_of", "merge_request_of"]

_STATES = {"opened": State.OPEN, "locked": State.OPEN, "closed": State.CLOSED, "merged": State.MERGED}
_BOT = re.compile(r"(?:project|group)_\d+_bot\w*|.*[-_]bot|ghost[-_]?bot|support-bot|alert-bot")
_GHOST = "ghost"


def merge_request_of(raw: Raw, *, host: str, project: str, discussions: Sequence[Raw] | None = None) -> MergeRequest:
    """Read one merge request.

    Args:
        raw: as the interface lists it; `discussions` and `changes` are read where they stand.
        host: the forge.
        project: the path of the project.
        discussions: of the interface; None takes those that stand in `raw`.
    """
    threads = list(discussions) if discussions is not None else objects(raw, "discussions")
    state = _STATES.get(word(raw, "state") or "")
    if state is None:
        raise NotARequestError("state", "is not one that GitLab has")
    iid = needed(number(raw, "iid"), "iid")
    people, cleaner = _People(raw), Cleaner(raw, threads)
    merge_commit = commit(raw, "merge_commit_sha") or commit(raw, "squash_commit_sha")
    head = commit(raw, "sha") or commit(inner(raw, "diff_refs") or {}, "head_sha")
    url = word(raw, "web_url") or f"https://{host}/{project}/-/merge_requests/{iid}"
    return MergeRequest(
        host=host, project=project, iid=iid, url=url, state=state, writer=people.opened_by,
        title=cleaner.clean(needed(word(raw, "title"), "title")), description=cleaner.clean(word(raw, "description")),
        created=needed(moment(raw, "created_at"), "created_at"), updated=needed(moment(raw, "updated_at"), "updated_at"),
        merged=moment(raw, "merged_at"), closed=moment(raw, "closed_at"),
        # Fast-forward: the head itself is what came to the target.
        merge_commit=(merge_commit or head) if state is State.MERGED else None,
        head_commit=head, base_commit=commit(inner(raw, "diff_refs") or {}, "base_sha"),
        threads=tuple(thread for one in threads if (thread := _thread(one, people, cleaner, url))),
        changes=changes_of(objects(raw, "changes")),
    )  # fmt: skip


def changes_of(diffs: Sequence[Raw]) -> tuple[FileChange, ...]:
    """Read the files that a merge request changes."""
    return tuple(
        FileChange(
            path=needed(word(diff, "new_path"), "new_path"),
            path_before=None if flag(diff, "new_file") else word(diff, "old_path"),
            spans=changed_spans(word(diff, "diff") or ""),
        )
        for diff in diffs
    )


class _People:
    """Who had which part in one merge request."""

    def __init__(self, raw: Raw) -> None:
        author = inner(raw, "author")
        self._author = name_of(author)
        asked = [*objects(raw, "reviewers"), *objects(raw, "assignees"), inner(raw, "merged_by"), inner(raw, "merge_user")]
        self._reviewers = {name_of(account) for account in asked} - {None}
        opened_by = self.writer(author)
        self.opened_by = opened_by if opened_by in {Writer.BOT, Writer.GONE} else Writer.AUTHOR

    def writer(self, account: Raw | None) -> Writer:
        name = name_of(account)
        if account is not None and (flag(account, "bot") or (name and _BOT.fullmatch(name))):
            return Writer.BOT
        if name is None or name == _GHOST:
            return Writer.GONE
        if name == self._author:
            return Writer.AUTHOR
        return Writer.REVIEWER if name in self._reviewers else Writer.OTHER


def _thread(raw: Raw, people: _People, cleaner: Cleaner, url: str) -> Thread | None:
    notes = [note for note in objects(raw, "notes") if not flag(note, "system")]
    if not notes:
        return None
    resolvable = [note for note in notes if flag(note, "resolvable")]
    position = next((found for note in notes if (found := inner(note, "position"))), None)
    return Thread(
        id=str(needed(raw.get("id"), "id")),
        notes=tuple(_note(note, people, cleaner, url) for note in notes),
        resolvable=bool(resolvable),
        resolved=bool(resolvable) and all(flag(note, "resolved") for note in resolvable),
        position=_position(position) if position else None,
    )


def _note(raw: Raw, people: _People, cleaner: Cleaner, url: str) -> Note:
    note_id, written = needed(raw.get("id"), "id"), needed(moment(raw, "created_at"), "created_at")
    return Note(
        id=str(note_id), writer=people.writer(inner(raw, "author")), text=cleaner.clean(word(raw, "body")),
        written=written, edited=(moment(raw, "last_edited_at") or written) > written, url=f"{url}#note_{note_id}",
    )  # fmt: skip


def _position(raw: Raw) -> Position | None:
    line, path = number(raw, "new_line"), word(raw, "new_path")
    if path and line is not None:
        return Position(path=path, line=line, commit=commit(raw, "head_sha"))
    path_before = word(raw, "old_path") or path
    return Position(path=path_before, line=number(raw, "old_line"), commit=commit(raw, "base_sha"), removed=True) if path_before else None
