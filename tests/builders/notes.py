"""Stores of other tools for tests, made by hand in the shapes that these tools write.

In: a directory and entries. Out: files. Nothing in them comes from anybody's store.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from tests.builders.git import run_git

if TYPE_CHECKING:
    from pathlib import Path

    from tests.builders.git import RepositoryBuilder

__all__ = ["authorship", "learnings", "link", "trace", "write_checkpoint", "write_packet", "write_topic"]


def link(name: str, text: str, **more: Any) -> dict[str, Any]:
    """Return one ruling of a MemContinuum chain; keyword arguments add fields or replace them, None takes one away."""
    entry = {
        "link": name, "date": "2024-01-01", "status": "active", "kind": "adopted",
        "ruling": {"text": text, "authority": "agent-inference", "source": "design note 2024-01-01"},
        "recorded_by": "Grace Recorder", "recorded_at": "2024-01-02",
    }  # fmt: skip
    return {key: value for key, value in (entry | more).items() if value is not None}


def write_topic(root: Path, path: str, links: list[Any] | None, *, prose: str = "# Prose that is free to change", **front: Any) -> Path:
    """Write one MemContinuum topic; JSON is YAML, so the front matter may be written as JSON."""
    keys = {"type": "topic", "id": "TOP-1", "title": "How carts add up", "code_refs": ["shop/cart.py"], "links": links} | front
    lines = [f"{key}: {json.dumps(value)}" for key, value in keys.items() if value is not None]
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("---\n" + "\n".join(lines) + f"\n---\n{prose}\n")
    return target


def write_packet(root: Path, name: str, **more: Any) -> Path:
    """Write one packet of Kage; keyword arguments add to its state or replace parts of it, None takes one away."""
    state = {
        "schema_version": 2, "id": f"repo:shop:{name}", "title": "Prices are added up in cents", "type": "decision", "status": "approved",
        "visibility": "team", "sensitivity": "internal", "body": "Floats lost a cent.", "paths": ["shop/cart.py"],
        "created_at": "2024-01-02T10:00:00.000Z", "author_name": "Grace Recorder", "author_branch": "grace/cents", "context": {},
    }  # fmt: skip
    plain = json.dumps({key: value for key, value in (state | more).items() if value is not None})
    target = root / ".agent_memory" / "packets" / f"{name}.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"---\ntitle: x\n---\n# x\n\n```json kage-state\n{plain}\n```\n")
    return target


def learnings(*rows: dict[str, Any]) -> str:
    """Return an export of CodeRabbit's learnings; each row adds to a plain learning or replaces parts of it."""
    text = io.StringIO()
    plain = {
        "id": "", "learning": "Prices are integers of cents.", "repository_name": "shop", "author_username": "gracer",
        "created_at": "2024-01-02T10:00:00Z", "updated_at": "2024-01-03T10:00:00Z", "usage_count": 3, "file": "shop/cart.py",
        "source_url": "https://example.org/shop/pull/7#discussion_r1",
    }  # fmt: skip
    writer = csv.DictWriter(text, plain)
    writer.writeheader()
    writer.writerows({**plain, "id": f"l-{number}", **row} for number, row in enumerate(rows, start=1))
    return text.getvalue()


def authorship(attested: str, **more: Any) -> str:
    """Return one note of git-ai: the lines of files, then what is known of the sessions; it carries what must not be taken."""
    agent = {"tool": "claude", "id": "0b5e-session", "model": "opus-9"}
    session = {"agent_id": agent, "human_author": "Grace Recorder <grace@recorder.uk>", "messages_url": "https://example.org/talk"}
    prompt = session | {"messages": [{"type": "user", "text": "make it fast"}], "custom_attributes": {"team": "tills"}}
    told = {
        "schema_version": "authorship/3.0.0", "base_commit_sha": "", "logical_commit_id": "new", "sessions": {"s_1": session},
        "prompts": {"c0ffee1": prompt}, "humans": {"h_2": {"author": "Grace Recorder <grace@recorder.uk>"}},
    }  # fmt: skip
    return f"{attested}---\n{json.dumps(told | more, indent=2)}"


def trace(commit: str, path: str, *ranges: tuple[int, int], by: str = "ai", **more: Any) -> str:
    """Return one record of Agent Trace, on a line; it names a conversation that must not be kept."""
    conversation = {
        "url": "file:///home/grace/talk.jsonl", "contributor": {"type": by, "model_id": "anthropic/opus-9"},
        "ranges": [{"start_line": first, "end_line": last, "content_hash": "murmur3:9f2e"} for first, last in ranges],
        "related": [{"type": "session", "url": "https://example.org/grace"}],
    }  # fmt: skip
    record = {
        "version": "0.1.0", "id": "8f3e", "timestamp": "2024-01-02T10:00:00Z", "vcs": {"type": "git", "revision": commit},
        "tool": {"name": "cursor", "version": "2.4.0"}, "files": [{"path": path, "conversations": [conversation]}],
    }  # fmt: skip
    return json.dumps({key: value for key, value in (record | more).items() if value is not None}) + "\n"


def write_checkpoint(repository: RepositoryBuilder, checkpoint: str, *sessions: str | dict[str, Any], ref: bool = False) -> None:
    """Keep one checkpoint of Entire, on its branch or at a ref of its own; beside each session lies what must not be opened."""
    plain = {"checkpoint_id": checkpoint, "session_id": "5e55-10n", "agent": "Claude Code", "transcript_path": "/home/grace/talk.jsonl"}
    told = [session if isinstance(session, str) else json.dumps(plain | session) for session in sessions]
    folder = "" if ref else f"{checkpoint[:2]}/{checkpoint[2:]}/"
    files = {f"{folder}metadata.json": json.dumps({"checkpoint_id": checkpoint, "files_touched": ["root.py"]})}
    for number, metadata in enumerate(told):
        beside = dict.fromkeys(("full.jsonl", "prompt.txt", "context.md"), "the words of Grace Recorder")
        files |= {f"{folder}{number}/{name}": text for name, text in ({"metadata.json": metadata} | beside).items()}
    repository.git("read-tree", "--empty")
    for path, text in files.items():
        blob = run_git(repository.path, "hash-object", "-w", "--stdin", content=text.encode())
        repository.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    name = f"refs/entire/checkpoints/{checkpoint[-2:]}/{checkpoint}" if ref else "refs/heads/entire/checkpoints/v1"
    repository.git("update-ref", name, repository.git("commit-tree", "-m", "checkpoint", repository.git("write-tree")))
    repository.git("read-tree", "HEAD")
