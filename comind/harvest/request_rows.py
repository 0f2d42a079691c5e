"""Merge requests as rows of the table `merge_requests`, and back.

In: requests, the repository they belong to; rows. Out: rows; requests. Both ways lose nothing but why a title and not a description
was withheld.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from comind.schemas import TABLES
from comind.sources.forges.model import FileChange, MergeRequest, Note, Position, State, Text, Thread, Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["FROM_FILE", "FROM_FORGE", "request_id", "request_of", "request_rows"]

FROM_FORGE: Final = "forge"
FROM_FILE: Final = "file"


def request_id(host: str, project: str, iid: int) -> str:
    """Return the name of the row of a request.

    >>> request_id("gitlab.com", "group/shop", 7)
    'gitlab.com/group/shop!7'
    """
    return f"{host}/{project}!{iid}"


def request_rows(requests: Iterable[MergeRequest], *, repo_id: str, read_from: str) -> pa.Table:
    """Return one row per request, in the schema of `merge_requests`; of two with one number the later stands."""
    rows = {request.iid: _row(request, repo_id, read_from) for request in requests}
    return pa.Table.from_pylist(list(rows.values()), schema=TABLES["merge_requests"].schema)


def request_of(row: Mapping[str, Any]) -> MergeRequest:
    """Return the request of a row."""
    withheld = row["withheld"]
    return MergeRequest(
        host=row["host"], project=row["project"], iid=row["number"], url=row["url"], title=Text(row["title"], withheld),
        description=Text(row["description"], withheld), writer=Writer(row["writer"]), state=State(row["state"]),
        created=row["created_at"], updated=row["updated_at"], merged=row["merged_at"], closed=row["closed_at"],
        merge_commit=row["merge_commit"], head_commit=row["head_commit"], base_commit=row["base_commit"],
        threads=tuple(map(_thread_of, row["threads"])), changes=tuple(map(_change_of, row["changes"])), incomplete=row["incomplete"],
    )  # fmt: skip


def _row(request: MergeRequest, repo_id: str, read_from: str) -> dict[str, Any]:
    return {
        "request_id": request_id(request.host, request.project, request.iid), "repo_id": repo_id, "host": request.host,
        "project": request.project, "number": request.iid, "url": request.url, "title": request.title.words,
        "description": request.description.words, "withheld": request.title.withheld or request.description.withheld,
        "writer": request.writer, "state": request.state, "created_at": request.created, "updated_at": request.updated,
        "merged_at": request.merged, "closed_at": request.closed, "merge_commit": request.merge_commit,
        "head_commit": request.head_commit, "base_commit": request.base_commit,
        "threads": [_thread_row(thread) for thread in request.threads], "changes": [_change_row(change) for change in request.changes],
        "incomplete": request.incomplete, "read_from": read_from,
    }  # fmt: skip


def _thread_row(thread: Thread) -> dict[str, Any]:
    at = thread.position
    notes = [
        {
            "id": note.id, "writer": note.writer, "text": note.text.words, "withheld": note.text.withheld, "written_at": note.written,
            "edited": note.edited, "url": note.url,
        }
        for note in thread.notes
    ]  # fmt: skip
    return {
        "id": thread.id, "resolvable": thread.resolvable, "resolved": thread.resolved, "notes": notes,
        "path": at.path if at else None, "line": at.line if at else None, "line_commit": at.commit if at else None,
        "line_removed": bool(at and at.removed),
    }  # fmt: skip


def _thread_of(row: Mapping[str, Any]) -> Thread:
    position = None
    if row["path"] is not None:
        position = Position(path=row["path"], line=row["line"], commit=row["line_commit"], removed=row["line_removed"])
    notes = tuple(
        Note(
            id=note["id"], writer=Writer(note["writer"]), text=Text(note["text"], note["withheld"]), written=note["written_at"],
            edited=note["edited"], url=note["url"],
        )
        for note in row["notes"]
    )  # fmt: skip
    return Thread(id=row["id"], notes=notes, resolvable=row["resolvable"], resolved=row["resolved"], position=position)


def _change_row(change: FileChange) -> dict[str, Any]:
    spans = [{"first": first, "last": last} for first, last in change.spans]
    return {"path": change.path, "path_before": change.path_before, "spans": spans}


def _change_of(row: Mapping[str, Any]) -> FileChange:
    spans = tuple((span["first"], span["last"]) for span in row["spans"])
    return FileChange(path=row["path"], path_before=row["path_before"], spans=spans)
