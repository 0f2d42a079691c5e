"""A pull request of GitHub: its JSON, as REST, GraphQL and `gh pr list --json` have it, into ours.

In: parsed JSON, with the threads and comments that GraphQL tells. Out: a `MergeRequest`; or `NotARequestError`. Asks nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.sources.forges.fields import NotARequestError, Raw, commit, flag, inner, moment, name_of, needed, number, objects, word
from comind.sources.forges.hunks import changed_spans
from comind.sources.forges.model import FileChange, MergeRequest, Note, Position, State, Thread, Writer
from comind.sources.forges.texts import Cleaner

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["changes_of", "pull_request_of"]

_MEMBERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_GHOST = "ghost"


def pull_request_of(raw: Raw, *, host: str, project: str, incomplete: str | None = None) -> MergeRequest:
    """Read one pull request.

    Args:
        raw: of any of GitHub's interfaces; its conversation stands in `reviewThreads`, `comments` and `reviews`.
        host: the forge.
        project: owner and name.
        incomplete: what could not be read of it.
    """
    iid = needed(number(raw, "number"), "number")
    people, cleaner = _People(raw), Cleaner(raw)
    merged, state = moment(raw, "merged_at") or moment(raw, "mergedAt"), _state(raw)
    merge_commit = commit(raw, "merge_commit_sha") or commit(inner(raw, "mergeCommit") or {}, "oid")
    return MergeRequest(
        host=host, project=project, iid=iid, state=state, writer=people.opened_by, incomplete=incomplete,
        url=word(raw, "html_url") or word(raw, "url") or f"https://{host}/{project}/pull/{iid}",
        title=cleaner.clean(needed(word(raw, "title"), "title")), description=cleaner.clean(word(raw, "body")),
        created=needed(moment(raw, "created_at") or moment(raw, "createdAt"), "created_at"),
        updated=needed(moment(raw, "updated_at") or moment(raw, "updatedAt"), "updated_at"),
        merged=merged, closed=moment(raw, "closed_at") or moment(raw, "closedAt"),
        # Of an open or closed request GitHub names a commit that it only tried.
        merge_commit=merge_commit if state is State.MERGED else None,
        head_commit=commit(inner(raw, "head") or {}, "sha") or commit(raw, "headRefOid"),
        base_commit=commit(raw, "merge_base_commit"),
        threads=tuple(_threads(raw, people, cleaner)),
        changes=changes_of(objects(raw, "changed")),
    )  # fmt: skip


def changes_of(files: Iterable[Raw]) -> tuple[FileChange, ...]:
    """Read the files that a pull request changes."""
    return tuple(
        FileChange(
            path=needed(word(file, "filename"), "filename"),
            path_before=None if word(file, "status") == "added" else word(file, "previous_filename") or word(file, "filename"),
            spans=changed_spans(word(file, "patch") or ""),
        )
        for file in files
    )


def _state(raw: Raw) -> State:
    if moment(raw, "merged_at") or moment(raw, "mergedAt"):
        return State.MERGED
    state = (word(raw, "state") or "").lower()
    if state not in {"open", "closed"}:
        raise NotARequestError("state", "is not one that GitHub has")
    return State(state)


class _People:
    """Who had which part in one pull request."""

    def __init__(self, raw: Raw) -> None:
        account = inner(raw, "user") or inner(raw, "author")
        self._author = name_of(account)
        asked = [*objects(raw, "requested_reviewers"), *objects(raw, "assignees")]
        self._reviewers = {name_of(one) for one in asked} - {None}
        opened_by = self.writer(account, "")
        self.opened_by = opened_by if opened_by in {Writer.BOT, Writer.GONE} else Writer.AUTHOR

    def writer(self, account: Raw | None, association: str | None) -> Writer:
        name = name_of(account)
        if account is not None and (
            "Bot" in {account.get("type"), account.get("__typename")} or account.get("is_bot") is True or (name or "").endswith("[bot]")
        ):
            return Writer.BOT
        if name is None or name == _GHOST:
            return Writer.GONE
        if name == self._author:
            return Writer.AUTHOR
        return Writer.REVIEWER if name in self._reviewers or association in _MEMBERS else Writer.OTHER


def _threads(raw: Raw, people: _People, cleaner: Cleaner) -> Iterable[Thread]:
    for thread in objects(raw, "reviewThreads"):
        notes = tuple(_note(comment, people, cleaner) for comment in objects(thread, "comments"))
        if notes:
            yield Thread(
                id=str(needed(thread.get("id"), "id")),
                notes=notes,
                resolvable=True,
                resolved=flag(thread, "isResolved"),
                position=_position(thread),
            )
    for comment in (*objects(raw, "comments"), *objects(raw, "reviews")):
        if (word(comment, "body") or "").strip():  # a review often has none
            note = _note(comment, people, cleaner)
            yield Thread(id=note.id, notes=(note,))


def _note(raw: Raw, people: _People, cleaner: Cleaner) -> Note:
    written = moment(raw, "createdAt") or moment(raw, "created_at") or moment(raw, "submittedAt")
    association = word(raw, "authorAssociation") or word(raw, "author_association")
    return Note(
        id=str(needed(raw.get("id"), "id")), writer=people.writer(inner(raw, "author") or inner(raw, "user"), association),
        text=cleaner.clean(word(raw, "body")), written=needed(written, "createdAt"),
        edited=moment(raw, "lastEditedAt") is not None or flag(raw, "includesCreatedEdit"), url=word(raw, "url") or word(raw, "html_url"),
    )  # fmt: skip


def _position(thread: Raw) -> Position | None:
    path = word(thread, "path")
    if not path:
        return None
    first = next(iter(objects(thread, "comments")))
    current = number(thread, "line")
    at = inner(first, "commit" if current is not None else "originalCommit") or {}
    line = current if current is not None else number(thread, "originalLine")
    return Position(path=path, line=line, commit=commit(at, "oid"), removed=word(thread, "diffSide") == "LEFT")
