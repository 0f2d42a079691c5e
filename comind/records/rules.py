"""The rules between the fields of a record, which its shape cannot say.

In: the plain JSON of a record, whole or broken. Out: every rule it breaks.
A rule that meets a value of the wrong type stays silent, since the shape already complains: so all problems come at once.
Never looks at what a text says; `comind.safety` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from comind.ids import InvalidIdError, parse_id
from comind.records.authority import CLAIM_FIELDS
from comind.records.limits import MAX_BODY_BYTES
from comind.records.problems import Problem
from comind.records.scip import symbol_problem
from comind.records.vocabulary import AuthorKind, EvidenceKind, Kind, RelationKind, Role, Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["ANCHOR_FIELDS", "EVIDENCE_FIELDS", "AnchorFields", "rule_problems"]

_SPAN = frozenset({"start_line", "end_line"})


@dataclass(frozen=True, slots=True)
class AnchorFields:
    """Which fields an anchor of one scope needs, and which others it may have."""

    needed: frozenset[str]
    allowed: frozenset[str] = frozenset()


ANCHOR_FIELDS: Final[dict[str, AnchorFields]] = {
    Scope.SYMBOL: AnchorFields(frozenset({"repo", "path", "symbol", "commit"}), _SPAN | {"fingerprints"}),
    Scope.FILE: AnchorFields(frozenset({"repo", "path", "commit"}), _SPAN),
    Scope.MODULE: AnchorFields(frozenset({"repo", "path", "commit"})),
    Scope.REPO: AnchorFields(frozenset({"repo"}), frozenset({"commit"})),
    Scope.ORG: AnchorFields(frozenset()),
    Scope.DEPENDENCY: AnchorFields(frozenset({"package", "version_range"}), frozenset({"repo", "path", "commit"})),
}
# One of these says where to look; a piece of evidence that points nowhere proves nothing.
EVIDENCE_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    EvidenceKind.COMMIT: ("commit",),
    EvidenceKind.REVERT: ("commit",),
    EvidenceKind.REVERTED: ("commit",),
    EvidenceKind.TEST: ("path", "commit", "url", "quote"),
    EvidenceKind.ERROR: ("quote", "url", "path", "commit"),
    EvidenceKind.BENCHMARK: ("path", "commit", "url", "quote"),
    EvidenceKind.MERGE_REQUEST: ("url",),
    EvidenceKind.ISSUE: ("url",),
    EvidenceKind.DOCUMENT: ("path", "url"),
    EvidenceKind.REVIEW: ("url", "quote"),
}
_READ = (AuthorKind.HARVESTED, AuthorKind.DISTILLED)  # compared one by one: a broken record may have anything there
_DERIVED = frozenset(_READ)
_CITED: Final[dict[str, tuple[str, ...]]] = {
    RelationKind.SUPERSEDES: ("old", "new"),
    RelationKind.RETRACTS: ("id",),
    RelationKind.CONFIRMS: ("id",),
    RelationKind.DISPUTES: ("id",),
    RelationKind.RELATES: ("a", "b"),
}


def rule_problems(plain: Mapping[str, object]) -> list[Problem]:
    """Return every rule that a record in plain JSON breaks, in the order of the rules."""
    return [problem for rule in _RULES for problem in rule(plain)]


def _identity(plain: Mapping[str, object]) -> Iterator[Problem]:
    author = _word(_within(plain, "provenance"), "author_kind")
    version = _version(plain.get("id"))
    if version == 0:
        yield Problem("id", "bad_id", "is no UUIDv7 or UUIDv5 in its canonical form; take `comind.ids.new_id()`")
    elif version and author in _DERIVED and version != _V5:
        yield Problem("id", "bad_id", f"a {author} record has the UUIDv5 of its source's identity, so that it is found again")
    elif version and author and author not in _READ and version != _V7:
        yield Problem("id", "bad_id", f"a record by {author} has a UUIDv7; take `comind.ids.new_id()`")


def _derivation(plain: Mapping[str, object]) -> Iterator[Problem]:
    provenance, lamport = _within(plain, "provenance"), plain.get("lamport")
    author = _word(provenance, "author_kind")
    if author in _DERIVED:
        if isinstance(lamport, int) and lamport != 0:
            yield Problem("lamport", "bad_lamport", f"is 0 in a {author} record, whose content depends on its source alone")
        for field in ("source_time", "harvester"):
            if provenance.get(field) is None:
                yield Problem(f"provenance.{field}", "missing", f"a {author} record needs it; add it")
    elif author:
        for field in ("source_time", "harvester"):
            if provenance.get(field) is not None:
                yield Problem(f"provenance.{field}", "not_allowed", "only a derived record has it; remove it")
        if _word(plain, "kind") in _CITED and lamport == 0:
            yield Problem("lamport", "bad_lamport", "is at least 1 in a relation, which comes after what it cites")


def _source_time(plain: Mapping[str, object]) -> Iterator[Problem]:
    text = _within(plain, "provenance").get("source_time")
    try:
        _ = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        yield Problem("provenance.source_time", "bad_form", "is no time of the calendar; write such as `2026-11-30T08:15:00Z`")


def _body(plain: Mapping[str, object]) -> Iterator[Problem]:
    body = plain.get("body")
    # Beyond as many characters the shape complains already.
    if isinstance(body, str) and len(body) <= MAX_BODY_BYTES < len(body.encode(errors="replace")):
        yield Problem("body", "too_long", f"shorten it to {MAX_BODY_BYTES} bytes of UTF-8")


def _anchors(plain: Mapping[str, object]) -> Iterator[Problem]:
    anchors = list(_items(plain, "anchors"))
    if anchors and all(_word(anchor, "role") in {Role.CONTEXT, Role.EVIDENCE} for _, anchor in anchors):
        yield Problem("anchors", "no_subject", "make at least one of them a subject; it is what the record is about")
    seen: list[Mapping[str, object]] = []
    for where, anchor in anchors:
        yield from _anchor_fields(where, anchor)
        yield from _anchor_place(where, anchor)
        if anchor in seen:
            yield Problem(where, "duplicate", "stands here twice; remove one")
        seen.append(anchor)


def _anchor_fields(where: str, anchor: Mapping[str, object]) -> Iterator[Problem]:
    scope = _word(anchor, "scope")
    fields = ANCHOR_FIELDS.get(scope)
    if fields is None:
        return
    given = {name for name in _ANCHORING if anchor.get(name) is not None}
    for name in sorted(fields.needed - given):
        yield Problem(f"{where}.{name}", "missing", f"an anchor of scope {scope} needs it; add it")
    for name in sorted(given - fields.needed - fields.allowed):
        yield Problem(f"{where}.{name}", "not_allowed", f"an anchor of scope {scope} has none; remove it")


def _anchor_place(where: str, anchor: Mapping[str, object]) -> Iterator[Problem]:
    symbol, path = anchor.get("symbol"), anchor.get("path")
    start, end = anchor.get("start_line"), anchor.get("end_line")
    if isinstance(symbol, str) and (wrong := symbol_problem(symbol)):
        yield Problem(f"{where}.symbol", "bad_symbol", wrong)
    if isinstance(path, str) and (wrong := _path_problem(path)):
        yield Problem(f"{where}.path", "bad_path", wrong)
    if (start is None) != (end is None):
        missing = "start_line" if start is None else "end_line"
        yield Problem(f"{where}.{missing}", "missing", "a span has a first and a last line; add it")
    if isinstance(start, int) and isinstance(end, int) and start > end:
        yield Problem(f"{where}.end_line", "bad_span", "comes before start_line; exchange them")


def _fingerprints(plain: Mapping[str, object]) -> Iterator[Problem]:
    derived = _word(_within(plain, "provenance"), "author_kind") in _DERIVED
    for where, anchor in _items(plain, "anchors"):
        fingerprints = anchor.get("fingerprints")
        if derived and fingerprints is not None:
            yield Problem(f"{where}.fingerprints", "not_allowed", "a derived record must not change with the parser; remove them")
        if isinstance(fingerprints, dict) and not any(fingerprints.get(name) for name in ("sig_hash", "body_hash", "shape_hash")):
            yield Problem(f"{where}.fingerprints", "empty", "give at least one hash, or leave them out")


def _evidence(plain: Mapping[str, object]) -> Iterator[Problem]:
    for where, evidence in _items(plain, "evidence"):
        kind, path = _word(evidence, "kind"), evidence.get("path")
        pointers = EVIDENCE_FIELDS.get(kind, ())
        if pointers and all(evidence.get(name) is None for name in pointers):
            yield Problem(f"{where}.{pointers[0]}", "missing", f"evidence of kind {kind} needs {' or '.join(pointers)}; add it")
        if isinstance(path, str) and (wrong := _path_problem(path)):
            yield Problem(f"{where}.path", "bad_path", wrong)


def _alternatives(plain: Mapping[str, object]) -> Iterator[Problem]:
    author = _within(plain, "provenance").get("author_kind")
    if plain.get("kind") == Kind.DECISION and author not in _READ and _within(plain, "fields").get("alternatives") == []:
        yield Problem("fields.alternatives", "too_few", "name at least one option that was not chosen, and why")


def _authority(plain: Mapping[str, object]) -> Iterator[Problem]:
    kind = _word(plain, "kind")
    claims = CLAIM_FIELDS.get(kind, ())
    for field in _within(plain, "authority"):
        if claims and field not in claims:
            yield Problem("authority", "unknown_field", f"{kind} records make claims in {', '.join(claims)}; name one of these")


def _relation(plain: Mapping[str, object]) -> Iterator[Problem]:
    fields = _within(plain, "fields")
    roles = _CITED.get(_word(plain, "kind"), ())
    cited = [(role, fields[role]) for role in roles if isinstance(fields.get(role), str)]
    for role, record_id in cited:
        if record_id == plain.get("id"):
            yield Problem(f"fields.{role}", "self_reference", "is the relation itself; name another record")
        elif _version(record_id) == 0:
            yield Problem(f"fields.{role}", "bad_id", "is not a record id; `comind log` lists ids")
    if len({record_id for _, record_id in cited}) < len(cited):
        yield Problem(f"fields.{roles[-1]}", "self_reference", f"is the same record as {roles[0]}; name two")


_V5, _V7 = 5, 7
_ANCHORING = ("repo", "path", "symbol", "start_line", "end_line", "commit", "package", "version_range", "fingerprints")
_RULES: tuple[Callable[[Mapping[str, object]], Iterator[Problem]], ...] = (
    _identity, _derivation, _source_time, _body, _anchors, _fingerprints, _evidence, _alternatives, _authority, _relation,
)  # fmt: skip


def _version(record_id: object) -> int | None:
    """Return 5 or 7, 0 for what has the form of an id and is none; None where the shape complains already."""
    if not isinstance(record_id, str):
        return None
    try:
        return parse_id(record_id).version
    except InvalidIdError:
        return 0


def _path_problem(path: str) -> str | None:
    parts = path.split("/")
    if path.startswith("/"):
        return "starts at the root of a machine; write it from the root of the repository"
    if any(part in {"", ".", ".."} for part in parts):
        return "is not in its shortest form; write it without `.`, `..`, `//` and a slash at the end"
    return None


def _within(plain: Mapping[str, object], name: str) -> Mapping[str, object]:
    inner = plain.get(name)
    return inner if isinstance(inner, dict) else {}


def _word(plain: Mapping[str, object], name: str) -> str:
    word = plain.get(name)
    return word if isinstance(word, str) else ""


def _items(plain: Mapping[str, object], name: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    items = plain.get(name)
    for position, item in enumerate(items if isinstance(items, (list, tuple)) else ()):
        if isinstance(item, dict):
            yield f"{name}[{position}]", item
