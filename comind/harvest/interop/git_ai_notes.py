"""Read one note of git-ai: which lines of which files which session wrote.

In: the bytes of a note, of either format. Out: `Part`s. Everything else of a note is not even looked at: prompts, answers, authors.
Source: the Git AI standard 3.0.0; and, for blobs below `refs/ai/authorship`, its first draft.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from comind.harvest.interop.fields import entries, section, word
from comind.harvest.interop.losses import NotTakenError
from comind.harvest.interop.origins import hash_of_session, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from comind.harvest.interop.origins import Lines

__all__ = ["Part", "read_note"]

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_BY_PERSON = re.compile(r"h_[0-9a-f]+")
_TOOLS = frozenset({
    "aider", "amp", "claude", "claude code", "codex", "continue", "copilot", "cursor", "devin", "gemini", "gemini cli", "github copilot",
    "opencode", "windsurf",
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a note says of some lines of a file; without a tool, why it is not taken."""

    path: str
    lines: tuple[Lines, ...] = ()
    tool: str | None = None
    model: str | None = None
    session_hash: str | None = None
    problem: NotTakenError | None = None


def read_note(content: bytes) -> list[Part]:
    """Read a note; the first draft was JSON alone, and both formats were kept at either ref.

    Raises:
        NotTakenError: it cannot be read, or is of a version that is not known.
    """
    text = _text(content)
    if text.lstrip().startswith("{"):
        return _read_draft(_json(text))
    attested, _, metadata = f"\n{text}".partition("\n---\n")
    told = _json(metadata)
    _check_version(told, "authorship/3.")
    writers = section(told, "prompts"), section(told, "sessions")
    return [_part(path, key, ranges, *writers) for path, key, ranges in _attested(attested)]


def _read_draft(told: Mapping[str, object]) -> list[Part]:
    """Read the first draft, which gives an author's name alone; one that is no known tool's is taken for a person's."""
    if "schema_version" in told or "files" not in told:
        _check_version(told, "authorship/0.")
    return [
        _draft_part(str(path), author)
        for path, file in section(told, "files").items()
        for author in entries(file if isinstance(file, dict) else {}, "authors")
        if isinstance(author, dict)
    ]


def _check_version(told: Mapping[str, object], wanted: str) -> None:
    version = word(told, "schema_version")
    if not version.startswith(wanted):
        raise NotTakenError("unknown_version", f"its schema is {version[:40]!r}")


def _attested(text: str) -> Iterator[tuple[str, str, str]]:
    path = ""
    for line in text.split("\n"):
        if line.startswith("  "):
            key, _, ranges = line.strip().partition(" ")
            if path and ranges:
                yield path, key, ranges
        elif line.strip():
            path = _unquoted(line.rstrip("\r"))


def _unquoted(line: str) -> str:
    if not line.startswith('"'):
        return line
    try:
        return str(json.loads(line))
    except ValueError:
        return line.strip('"')


def _part(path: str, key: str, ranges: str, prompts: Mapping[str, object], sessions: Mapping[str, object]) -> Part:
    if _BY_PERSON.fullmatch(key):
        return Part(path=path, problem=NotTakenError("by_person", "a person wrote these lines", refused=False))
    name = key.partition("::")[0]
    writer = section(sessions, name) or section(prompts, name)
    agent = section(writer, "agent_id")
    tool = name_of(agent.get("tool"))
    if tool is None:
        why = "no tool is named for these lines" if writer else "their session is not described in the note"
        return Part(path=path, problem=NotTakenError("no_tool" if writer else "unknown_session", why, refused=False))
    found = [(int(match[1]), int(match[2] or match[1])) for text in ranges.split(",") if (match := _RANGE.fullmatch(text.strip()))]
    return Part(
        path=path, lines=tuple(found), tool=tool, model=name_of(agent.get("model")), session_hash=hash_of_session(agent.get("id") or name)
    )


def _draft_part(path: str, author: Mapping[str, object]) -> Part:
    name = name_of(author.get("author"))
    if name is None or name.lower() not in _TOOLS:
        return Part(path=path, problem=NotTakenError("by_person", "a person wrote these lines", refused=False))
    return Part(path=path, lines=tuple(_pairs(entries(author, "lines"))), tool=name)


def _pairs(lines: Iterable[object]) -> Iterator[Lines]:
    for one in lines:
        match one:
            case int():
                yield one, one
            case [int() as first, int() as last]:
                yield first, last


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise NotTakenError("bad_encoding", "it is not UTF-8") from None


def _json(text: str) -> Mapping[str, object]:
    try:
        told = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise NotTakenError("not_json", f"its metadata is not JSON: {error.msg}") from None
    if not isinstance(told, dict):
        raise NotTakenError("not_json", "its metadata is no JSON object")
    return told
