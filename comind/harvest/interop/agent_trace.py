"""Which tool and model wrote which lines, from records of Agent Trace.

In: lines of JSON, in a file or below `.agent-trace`, and the code that they speak of. Out: `Found` with origins, no records.
A conversation is known by the hash of its address alone: nothing is fetched, and neither the address nor what is related to it is kept.
Source: the specification 0.1.0. The reference implementation names the commit that was checked out while the lines were written.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

import orjson

from comind.harvest.interop.fields import entries, section, word
from comind.harvest.interop.files import files_under
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.origins import Origin, hash_of_session, merged, name_of
from comind.store.bulk import MAX_LINE_BYTES, BulkFileError, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from comind.harvest.interop.code import Code
    from comind.harvest.interop.origins import Lines

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_agent_trace", "is_agent_trace"]

SOURCE = "agent-trace"
HARVESTER_VERSION = "agent-trace/1"
_FOLDER = ".agent-trace"
_NEEDED = frozenset({"version", "id", "timestamp", "files"})
_BY_MACHINE = frozenset({"ai", "mixed"})
_Written: TypeAlias = "defaultdict[tuple[str, str, str, str | None, str | None], list[Lines]]"
_LOOKED_AT = 20  # lines, to tell whether a file holds such records


def is_agent_trace(path: Path) -> bool:
    """Whether a file, or one in the folder of a directory, surely holds such records: one of its first lines is one."""
    for file in _files(path):
        try:
            for _, line in zip(range(_LOOKED_AT), read_lines(str(file)), strict=False):
                if _is_record(_parsed(line)):
                    return True
        except BulkFileError:
            continue
    return False


def import_agent_trace(path: Path, code: Code) -> Found:
    """Read every record; never raises for what stands in one."""
    found = Found(SOURCE, HARVESTER_VERSION)
    lines: _Written = defaultdict(list)
    for file in _files(path):
        try:
            for number, line in enumerate(read_lines(str(file)), start=1):
                if line.strip():
                    found.read += 1
                    _take(f"{file.name} line {number}", line, code, lines, found.losses)
        except BulkFileError as error:
            found.losses.append(Loss(file.name, "unreadable", str(error)))
    found.origins = [
        Origin(commit=commit, path=path, lines=ranges, tool=tool, model=model, session_hash=session)
        for (commit, path, tool, model, session), written in lines.items()
        if (ranges := merged(written))
    ]
    return found


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield from [path] if path.suffix in {".json", ".jsonl", ".ndjson"} else []
    else:
        yield from (path / name for suffix in (".json", ".jsonl", ".ndjson") for name in files_under(path, [_FOLDER], suffix))


def _parsed(line: bytes) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


def _is_record(told: object) -> bool:
    return isinstance(told, dict) and told.keys() >= _NEEDED and isinstance(told["files"], list)


def _take(where: str, line: bytes, code: Code, lines: _Written, losses: list[Loss]) -> None:
    try:
        told = _record(line)
        commit, tool = _commit(told, code), _tool(told)
    except NotTakenError as problem:
        losses.append(problem.at(where))
        return
    for file in entries(told, "files"):
        path = word(file, "path") if isinstance(file, dict) else ""
        if not isinstance(file, dict) or not path or not code.has_file(commit, path):
            losses.append(Loss(f"{where} {path}".rstrip(), "place_not_found", "its commit has no such file", refused=False))
            continue
        for conversation in entries(file, "conversations"):
            if isinstance(conversation, dict):
                session = hash_of_session(conversation.get("url"))
                for written, model in _ranges(conversation, f"{where} {path}", losses):
                    lines[commit, path, tool, model, session].append(written)


def _record(line: bytes) -> Mapping[str, object]:
    if len(line) >= MAX_LINE_BYTES - 2:
        raise NotTakenError("too_large", f"it is longer than {MAX_LINE_BYTES:,} bytes")
    told = _parsed(line)
    if not isinstance(told, dict):
        raise NotTakenError("not_json", "it is not JSON, or no object")
    if not _is_record(told):
        missing = ", ".join(sorted(_NEEDED - told.keys())) or "a list of files"
        raise NotTakenError("bad_record", f"it is no record of Agent Trace: it has no {missing}")
    if not word(told, "version").startswith("0."):
        raise NotTakenError("unknown_version", f"its version is {word(told, 'version')[:20]!r}")
    return told


def _tool(told: Mapping[str, object]) -> str:
    tool = name_of(section(told, "tool").get("name"))
    if tool is None:
        raise NotTakenError("no_tool", "it names no tool", refused=False)
    return tool


def _commit(told: Mapping[str, object], code: Code) -> str:
    vcs = section(told, "vcs")
    if word(vcs, "type") != "git" or not word(vcs, "revision"):
        raise NotTakenError("no_commit", "it names no commit of git", refused=False)
    commit = code.resolve(word(vcs, "revision"))
    if commit is None or not code.is_on_ref(commit):
        raise NotTakenError("not_on_ref", "the indexed ref does not reach its commit", refused=False)
    return commit


def _ranges(conversation: Mapping[str, object], where: str, losses: list[Loss]) -> Iterator[tuple[Lines, str | None]]:
    for one in entries(conversation, "ranges"):
        if not isinstance(one, dict):
            continue
        contributor = section(one, "contributor") or section(conversation, "contributor")
        first, last = one.get("start_line"), one.get("end_line")
        if word(contributor, "type") not in _BY_MACHINE:
            losses.append(Loss(where, "by_person", "a person, or nobody known, wrote these lines", refused=False))
        elif isinstance(first, int) and isinstance(last, int) and 1 <= first <= last:
            yield (first, last), name_of(contributor.get("model_id"))
        else:
            losses.append(Loss(where, "bad_lines", "a range has no first and last line, from 1"))
