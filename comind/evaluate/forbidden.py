"""What of another tool's store must never reach the ledger: who wrote or said something, and where conversations lie.

In: a store. Out: the words in its fields about people and conversations that stand nowhere else in it.
Reads a store on its own, past the readers that it checks. What a conversation says is not read here either.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import orjson

from comind.harvest.interop.files import MAX_DOCUMENT_BYTES, files_under
from comind.harvest.interop.stores import StoreKind
from comind.harvest.pages import read_front_matter
from comind.safety.names import is_tool
from comind.sources.git.refs import list_notes, list_refs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from comind.sources.git import GitRepository

__all__ = ["forbidden_words"]

_SHORTEST = 6  # letters; a shorter word may stand anywhere by chance
_FIELDS: Mapping[StoreKind, frozenset[str]] = {
    StoreKind.MEMCONTINUUM: frozenset({"recorded_by", "source"}),
    StoreKind.KAGE: frozenset({"author_name", "author_email", "reviewer"}),
    StoreKind.CODERABBIT: frozenset({"author_username", "author_id", "organization_id", "user"}),
    StoreKind.GIT_AI: frozenset({"human_author", "author", "messages_url", "custom_attributes", "id"}),
    StoreKind.AGENT_TRACE: frozenset({"url", "related", "content_hash"}),
    StoreKind.ENTIRE: frozenset({"session_id", "transcript_path", "summary", "transcript_identifier_at_start"}),
}
_UNREAD = frozenset({"messages"})  # a conversation itself
_JSON_BLOCK = re.compile(r"^```json kage-state\n(.*?)\n```", re.DOTALL | re.MULTILINE)


def forbidden_words(kind: StoreKind, path: Path, repo: GitRepository) -> set[str]:
    """Return the words of a store that nothing made from it may hold."""
    found, elsewhere = set[str](), set[str]()
    for entry in _ENTRIES[kind](path, repo):
        _sort_out(entry, _FIELDS[kind], found, elsewhere, forbidden=False)
    told = "\n".join(elsewhere).lower()  # drafts of git-ai name a tool where they name an author: `Cursor`, elsewhere `cursor`
    return {word for word in found if len(word) >= _SHORTEST and word.lower() not in told and not is_tool(word)}


def _sort_out(value: object, fields: frozenset[str], found: set[str], elsewhere: set[str], *, forbidden: bool) -> None:
    if isinstance(value, str):
        (found if forbidden else elsewhere).add(value.strip())
    elif isinstance(value, list):
        for one in value:
            _sort_out(one, fields, found, elsewhere, forbidden=forbidden)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in _UNREAD:
                _sort_out(one, fields, found, elsewhere, forbidden=forbidden or name in fields)


def _memcontinuum(path: Path, _repo: GitRepository) -> Iterator[object]:
    for name in files_under(path, ["topics", "concepts", "incidents"], ".md"):
        front, _ = read_front_matter((path / name).read_text(errors="replace")[:MAX_DOCUMENT_BYTES], most=MAX_DOCUMENT_BYTES)
        yield front


def _kage(path: Path, _repo: GitRepository) -> Iterator[object]:
    for name in files_under(path, [".agent_memory/packets"], ".md"):
        for block in _JSON_BLOCK.findall((path / name).read_text(errors="replace")[:MAX_DOCUMENT_BYTES]):
            yield _parsed(block)


def _coderabbit(path: Path, _repo: GitRepository) -> Iterator[object]:
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as lines:
        yield from csv.DictReader(line.replace("\0", "") for line in lines)


def _git_ai(_path: Path, repo: GitRepository) -> Iterator[object]:
    for blob in {**list_refs(repo, "refs/ai/authorship/"), **list_notes(repo, "refs/notes/ai")}.values():
        content = repo.read(blob)
        text = content.decode(errors="replace") if isinstance(content, bytes) else ""
        yield _parsed(text if text.startswith("{") else f"\n{text}".partition("\n---\n")[2])


def _agent_trace(path: Path, _repo: GitRepository) -> Iterator[object]:
    files = [path] if path.is_file() else [path / name for name in files_under(path, [".agent-trace"], "l")]
    for file in files:
        with file.open(errors="replace") as lines:
            yield from map(_parsed, lines)


def _entire(_path: Path, repo: GitRepository) -> Iterator[object]:
    refs = {**list_refs(repo, "refs/entire/checkpoints/"), **list_refs(repo, "refs/heads/entire/checkpoints/")}
    for tip in refs.values():
        for file in repo.files(tip):
            if file.path.endswith("metadata.json"):
                content = repo.read(file.blob)
                yield _parsed(content.decode(errors="replace")) if isinstance(content, bytes) else None


def _parsed(text: str) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


_ENTRIES: Mapping[StoreKind, Callable[[Path, GitRepository], Iterator[object]]] = {
    StoreKind.MEMCONTINUUM: _memcontinuum, StoreKind.KAGE: _kage, StoreKind.CODERABBIT: _coderabbit, StoreKind.GIT_AI: _git_ai,
    StoreKind.AGENT_TRACE: _agent_trace, StoreKind.ENTIRE: _entire,
}  # fmt: skip
