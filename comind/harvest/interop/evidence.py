"""What a note of another tool names as its evidence: commits, files and addresses that can be looked up; the rest is told in words.

In: lines of text and the code they speak of. Out: evidence in plain JSON, and the lines that point nowhere.
A commit counts only if this repository holds it, a file only if it stood there at the note's time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.harvest.interop.fields import clean, one_line
from comind.harvest.touched import Rank, rank_of
from comind.records.limits import MAX_EVIDENCE, MAX_URL_CHARS
from comind.records.vocabulary import EvidenceKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.canonical import Json
    from comind.harvest.interop.code import Code

__all__ = ["address_evidence", "evidence_in"]

_COMMIT = re.compile(r"\b(?:commit|revert|sha|rev)[ :]+`?([0-9a-f]{7,40})\b", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s/@?#]+(?:/[^\s?#\"'<>)\]]*)?")
_PATH = re.compile(r"(?<![\w/.-])(?:[\w.-]+/)*[\w.-]+\.[A-Za-z]\w{0,9}(?![\w/])")
_MAX_WORDS = 10  # lines told in words


def evidence_in(lines: Iterable[object], code: Code, *, commit: str) -> tuple[list[Json], list[str]]:
    """Return what can be looked up, each once, and the lines that hold nothing of that kind.

    Args:
        lines: as the note has them.
        code: the repository that it speaks of.
        commit: that stood when it was written.

    Raises:
        NotTakenError: a line carries what no honest text has.
    """
    found: list[Json] = []
    told: list[str] = []
    for raw in lines:
        text = one_line(clean(raw))
        pointers = [one for one in _pointers(text, code, commit) if one not in found]
        found += pointers
        if text and not pointers:
            told.append(text)
    return found[:MAX_EVIDENCE], told[:_MAX_WORDS]


def address_evidence(kind: EvidenceKind, address: str) -> Json | None:
    """Return evidence at an address, without the query and fragment that may hold credentials; None for what is no address."""
    found = _ADDRESS.match(address.strip())
    return {"kind": kind, "url": found[0]} if found and len(found[0]) <= MAX_URL_CHARS else None


def _pointers(text: str, code: Code, commit: str) -> list[Json]:
    repo = code.repo_id
    found: list[Json] = [
        {"kind": EvidenceKind.COMMIT, "repo": repo, "commit": full} for short in _COMMIT.findall(text) if (full := code.resolve(short))
    ]
    found += [one for address in _ADDRESS.findall(text) if (one := address_evidence(EvidenceKind.DOCUMENT, address))]
    rest = _ADDRESS.sub(" ", text)
    for path in _PATH.findall(rest):
        if code.has_file(commit, path):
            kind = EvidenceKind.TEST if rank_of(path) is Rank.TEST else EvidenceKind.DOCUMENT
            # No commit: that one stood at the time would pass for a proof of the claim.
            found.append({"kind": kind, "repo": repo, "path": path})
    return found
