"""A merge request as a project export of GitLab has it (`tree/project/merge_requests.ndjson`), into the shape of its interface.

In: parsed JSON. Out: parsed JSON. An export names people by number, keeps comments in one row and times in a table of their own.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from comind.sources.forges.fields import Raw, flag, inner, number, objects, word

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["as_listed", "is_export"]

_KEPT = ("iid", "title", "description", "state", "created_at", "updated_at", "merge_commit_sha", "squash_commit_sha", "web_url")
_RESOLVABLE = frozenset({"DiffNote", "DiscussionNote", "LegacyDiffNote"})


def is_export(raw: Raw) -> bool:
    """Whether a merge request comes from a project export."""
    return "iid" in raw and ("notes" in raw or "merge_request_diff" in raw)


def as_listed(raw: Raw) -> dict[str, Any]:
    """Return the same merge request as the interface would list it, with its discussions and changes."""
    diff, metrics = inner(raw, "merge_request_diff") or {}, inner(raw, "metrics") or {}
    notes = objects(raw, "notes")
    names = {note.get("author_id"): word(inner(note, "author") or {}, "name") for note in notes}

    def account(number: int | None) -> Raw | None:
        return None if number is None else {"username": f"account-{number}", "name": names.get(number)}

    asked = [*objects(raw, "merge_request_reviewers"), *objects(raw, "merge_request_assignees")]
    return {
        **{name: raw.get(name) for name in _KEPT},
        "author": account(number(raw, "author_id")),
        "reviewers": [account(number(one, "user_id")) for one in asked],
        "assignees": [account(number(raw, "assignee_id"))],
        "merge_user": account(number(raw, "merge_user_id")),
        "merged_at": word(metrics, "merged_at") or _last_time(raw, "merged"),
        "closed_at": word(metrics, "latest_closed_at") or _last_time(raw, "closed"),
        "sha": word(diff, "head_commit_sha"),
        "diff_refs": {"base_sha": word(diff, "base_commit_sha")},
        "changes": [{**file, "diff": word(file, "utf8_diff") or word(file, "diff")} for file in objects(diff, "merge_request_diff_files")],
        "discussions": [
            {"id": name, "notes": [_note(note, account(number(note, "author_id"))) for note in within]} for name, within in _threads(notes)
        ],
    }


def _threads(notes: Iterable[Raw]) -> list[tuple[str, list[Raw]]]:
    def thread(note: Raw) -> str:
        return str(note.get("discussion_id") or note.get("id"))

    ordered = sorted(notes, key=lambda note: (thread(note), str(note.get("created_at")), str(note.get("id"))))
    return [(name, list(within)) for name, within in groupby(ordered, key=thread)]


def _note(raw: Raw, author: Raw | None) -> dict[str, Any]:
    return {
        "id": raw.get("id"), "body": word(raw, "note"), "author": author, "system": flag(raw, "system"),
        "created_at": word(raw, "created_at"), "last_edited_at": word(raw, "last_edited_at"), "resolvable": raw.get("type") in _RESOLVABLE,
        "resolved": word(raw, "resolved_at") is not None, "position": _position(raw.get("position")),
    }  # fmt: skip


def _position(told: object) -> Raw | None:
    """Read a position, which older exports keep as text."""
    if isinstance(told, str):
        try:
            told = json.loads(told)
        except ValueError:
            return None
    return told if isinstance(told, dict) else None


def _last_time(raw: Raw, state: str) -> str | None:
    times = [time for event in objects(raw, "resource_state_events") if event.get("state") == state and (time := word(event, "created_at"))]
    return max(times, default=None)
