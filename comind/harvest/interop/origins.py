"""Which tool and model wrote which lines, as the tool's own store says: provenance of code, and no record of the ledger.

In: origins. Out: rows of `code_origins`. That a model wrote a line is no reason for it, so it never becomes a record: the table is one of
its own, which joins the ledger by commit, path and session.
Only what is on a white list gets here: a tool, a model, ranges of lines, a hash of a session's id. Never a person, a prompt or an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import pyarrow as pa

from comind.canonical import content_hash
from comind.ids import derived_id
from comind.safety import inspect
from comind.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Lines", "Origin", "hash_of_session", "merged", "name_of", "origin_rows"]

_NAME = re.compile(r"[A-Za-z0-9][\w .:/+()\[\]-]{0,99}")
_NO_NAMES = frozenset({"", "agent", "auto", "default", "none", "null", "unknown"})
_HASH_DIGITS = 32
_MAX_LINE = 2**31 - 1

Lines = tuple[int, int]
"""First and last line, 1-based and inclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Lines of one file that one session wrote."""

    commit: str
    path: str
    lines: tuple[Lines, ...] | None  # None: the source names the file alone
    tool: str
    model: str | None
    session_hash: str | None


def name_of(value: object) -> str | None:
    """Return the name of a tool or a model; None for what is none, or could be anything else.

    >>> name_of("claude-opus-4-6"), name_of("unknown"), name_of("Ada <ada@lovelace.uk>")
    ('claude-opus-4-6', None, None)
    """
    return value.strip() if isinstance(value, str) and _is_name(value.strip()) else None


def hash_of_session(value: object) -> str | None:
    """Return a hash of what identifies a session; None where nothing does."""
    return content_hash(value.encode(errors="replace"))[:_HASH_DIGITS] if isinstance(value, str) and value else None


@lru_cache(1_000)
def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and text.lower() not in _NO_NAMES and not inspect(text)


def merged(lines: Iterable[Lines]) -> tuple[Lines, ...]:
    """Return the same lines as ranges in order that neither meet nor overlap; what is no range is left out.

    >>> merged([(7, 9), (1, 2), (3, 4), (8, 8), (5, 1)])
    ((1, 4), (7, 9))
    """
    ranges: list[Lines] = []
    for first, last in sorted(lines):
        if not 1 <= first <= last <= _MAX_LINE:
            continue
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], max(last, ranges[-1][1]))
        else:
            ranges.append((first, last))
    return tuple(ranges)


def origin_rows(origins: Sequence[Origin], repo_id: str, source: str, version: str) -> pa.Table:
    """Return rows in the schema of `code_origins`, one per commit, path and session."""
    rows = {}
    for one in origins:
        row = _row(one, repo_id, source, version)
        rows[row["origin_id"]] = row
    return pa.Table.from_pylist(list(rows.values()), schema=TABLES["code_origins"].schema)


def _row(one: Origin, repo_id: str, source: str, version: str) -> dict[str, object]:
    lines = None if one.lines is None else ",".join(str(a) if a == b else f"{a}-{b}" for a, b in one.lines)
    return {
        "origin_id": derived_id("origin", source, repo_id, one.commit, one.path, one.session_hash or f"{one.tool} {one.model}"),
        "repo_id": repo_id, "source": source, "commit": one.commit, "path": one.path, "lines": lines,
        "n_lines": None if one.lines is None else sum(last - first + 1 for first, last in one.lines),
        "tool": one.tool, "model": one.model, "session_hash": one.session_hash, "harvester_version": version,
    }  # fmt: skip
