"""What reviewers taught CodeRabbit, as constraints: the learnings of its CSV export.

In: an export and the code of one repository. Out: `Found`; learnings of other repositories are left.
Who taught it is left out, in columns and in the header that a learning may carry. A reviewer said so in a review, and nothing more is
claimed: each is a `should`, with the review's address as its evidence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.harvest.interop.csv_rows import read_columns, read_rows
from comind.harvest.interop.evidence import address_evidence
from comind.harvest.interop.fields import clean, moment_of, one_line
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.wording import Note, body_of, reason_of
from comind.harvest.revert_text import shorten
from comind.ids import derived_id
from comind.records.limits import MAX_CLAIM_CHARS
from comind.records.vocabulary import Authority, EvidenceKind, Kind, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from comind.harvest.interop.code import Code
    from comind.records.record import AnyRecord

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_coderabbit", "is_coderabbit"]

SOURCE = "coderabbit"
HARVESTER_VERSION = "coderabbit/1"
MAX_ROWS = 10_000  # of one export, whose pages have a thousand: more would bury every other reason
_ITSELF = ("id", "learning", "usage_count")
_NEEDED = ("learning", "repository_name", "created_at")
_HEADER = re.compile(
    r"(?P<name>learn(?:t|ed) from|repo|repository|pr|pull request|file|applie[sd] to|timestamp|learning)[ \t]*:[ \t]*(?P<value>.*)",
    re.IGNORECASE,
)
_PLACES = frozenset({"file", "applies to", "applied to"})
_LINES = re.compile(r":\d+(?:-\d+)?$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def is_coderabbit(path: Path) -> bool:
    """Whether a file is surely such an export, or meant to be one: its first row names what only that has."""
    return path.suffix.lower() == ".csv" and path.is_file() and set(_ITSELF) <= set(read_columns(path))


def import_coderabbit(path: Path, code: Code) -> Found:
    """Read an export and word its learnings; never raises for what stands in it."""
    found, seen = Found(SOURCE, HARVESTER_VERSION), set[str]()
    missing = [name for name in _NEEDED if name not in read_columns(path)]
    if missing:
        found.losses.append(Loss("line 1", "missing_columns", f"the export has no column {', '.join(missing)}, so nothing of it was read"))
        return found
    for number, row in read_rows(path):
        if found.read == MAX_ROWS:
            found.losses.append(Loss(f"line {number}", "too_many_rows", f"{MAX_ROWS:,} rows were read; nothing from this line on was"))
            break
        found.read += 1
        try:
            found.records.append(_record(row, code, seen, found.losses, f"line {number}"))
        except NotTakenError as problem:
            found.losses.append(problem.at(f"line {number}"))
    return found


def _record(row: Mapping[str, str] | NotTakenError, code: Code, seen: set[str], losses: list[Loss], where: str) -> AnyRecord:
    if isinstance(row, NotTakenError):
        raise row
    if not _is_same_repository(row["repository_name"], code.repo_id):
        raise NotTakenError("other_repository", f"it is about another repository than {code.repo_id}", refused=False)
    header, learning = _without_header(row["learning"])
    text = clean(learning)
    if not text:
        raise NotTakenError("no_rule", "it says nothing")
    moment = moment_of(row["created_at"].strip())
    if moment is None:
        raise NotTakenError("no_date", "it has no time of creation that can be read")
    identity = row.get("id", "").strip() or f"{row['created_at'].strip()} {one_line(text)}"
    if identity in seen:
        raise NotTakenError("duplicate_id", "a row before it has the same id")
    seen.add(identity)
    named = row.get("file", "").strip() or header
    references = [_LINES.sub("", part.strip()) for part in named.split(",") if part.strip() not in {"", "*", "**", "**/*"}]
    places = code.find(references, int(moment.timestamp()))
    if references and not places.found:
        raise NotTakenError("place_not_found", "none of the code that it names stood here then or later")
    losses += [Loss(f"{where} {loss.where}", loss.code, loss.why, refused=False) for loss in places.missed]
    address = address_evidence(EvidenceKind.REVIEW, row.get("source_url", ""))
    rule = one_line(text)
    note = Note(
        id=derived_id("coderabbit learning", HARVESTER_VERSION, code.repo_id, identity), kind=Kind.CONSTRAINT,
        title=_SENTENCE_END.split(rule)[0], body=body_of([("As learned", text)], "A learning of CodeRabbit."),
        fields={"rule": shorten(rule, MAX_CLAIM_CHARS), "severity": Severity.SHOULD}, evidence=[address] if address else [],
        authority=dict.fromkeys(("title", "trigger", "body"), Authority.AGENT_INFERENCE) | {"rule": Authority.REVIEWER_FINDING},
        places=places, moment=moment, harvester=HARVESTER_VERSION,
    )  # fmt: skip
    return reason_of(note, code)


def _without_header(learning: str) -> tuple[str, str]:
    """Return the file that the header of a learning names, and the learning without its header."""
    named, lines = "", learning.strip().splitlines()
    while lines and (found := _HEADER.fullmatch(lines[0].strip())):
        name = found["name"].lower()
        named = found["value"].strip() if name in _PLACES else named
        if name == "learning":
            return named, "\n".join((found["value"], *lines[1:]))
        del lines[0]
    return named, "\n".join(lines)


def _is_same_repository(name: str, repo_id: str) -> bool:
    wanted = name.strip().strip("/").lower()
    return bool(wanted) and f"/{repo_id.lower()}".endswith(f"/{wanted}")
