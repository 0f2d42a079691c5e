"""Records for tests: one builder per kind, and Hypothesis strategies over all of them.

A builder takes what the test is about and fills in the rest: ``attempt(title="…", fields={"outcome": "failed"})``.
`fields` and `provenance` are merged into the builder's own, everything else replaces it; None takes a field away.
``raw_…`` builders give the plain JSON, for what is not a record. Every strategy gives records that may be written.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache

import orjson
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from comind.ids import derived_id
from comind.records.authority import CLAIM_FIELDS
from comind.records.codec import encode
from comind.records.record import RECORD
from comind.records.vocabulary import Authority, AuthorKind, EvidenceKind, Kind, Outcome, RelationKind, Role, Scope, Severity, Source

# How long an example takes is the machine's business: a busy one is no reason to fail.
settings.register_profile("comind", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("comind")

COMMIT = "4f1c2a" + "0" * 34
REVERT = "9b2e01" + "0" * 34
REPO = "github.com/example/service"
SYMBOL = "comind pypi service 1.0 authz/check_permission()."
WHEN_MS = 1_700_000_000_000

FIELDS = {
    Kind.INTENT: {"need": "Permission checks must answer while the directory is down"},
    Kind.DECISION: {
        "chosen": "Ask the directory for each request",
        "alternatives": [{"option": "A cache in Redis", "why_not": "It served stale grants after a role change"}],
    },
    Kind.ATTEMPT: {"approach": "Cache permission checks in Redis", "outcome": "reverted"},
    Kind.CONSTRAINT: {"rule": "A revoked grant is denied within a second", "severity": "must"},
    Kind.GOTCHA: {"symptom": "A grant outlives its role", "cause": "Roles are read once per connection"},
    Kind.QUESTION: {"question": "Does the directory push revocations?"},
}


def v7(number=0, *, ms=WHEN_MS):
    """A UUIDv7 of the given millisecond; equal numbers give equal ids."""
    bits = (ms & (1 << 48) - 1) << 80 | 7 << 76 | (number >> 62 & 0xFFF) << 64 | 2 << 62 | number & (1 << 62) - 1
    digits = f"{bits:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def record_of(raw):
    """The record of plain JSON; only its shape is checked."""
    return RECORD.validate_json(orjson.dumps(raw))


def raw_anchor(**overrides):
    anchor = {
        "scope": "symbol",
        "repo": REPO,
        "path": "authz/check.py",
        "symbol": SYMBOL,
        "start_line": 40,
        "end_line": 88,
        "commit": COMMIT,
    }
    return _present(anchor | overrides)


def raw_reason(kind, **overrides):
    """Plain JSON of a reason that may be written."""
    raw = {
        "schema": 1,
        "id": v7(),
        "lamport": 0,
        "kind": str(kind),
        "provenance": {"author_kind": "human", "source": "cli", "repo": REPO},
        "title": "Permission checks are not cached",
        "trigger": "relevant when adding a cache to authorisation paths",
        "body": "",
        "anchors": [raw_anchor()],
        "evidence": [{"kind": "revert", "repo": REPO, "commit": REVERT}],
        "fields": FIELDS[kind],
    }
    return _merged(raw, overrides)


def raw_harvested(*, source_id=REVERT, **overrides):
    """Plain JSON of the attempt that a revert becomes; another `source_id` is another record."""
    provenance = {"author_kind": "harvested", "source": "git", "harvester": "reverts/1", "source_time": "2023-11-14T22:13:20Z"}
    raw = raw_reason(Kind.ATTEMPT, id=derived_id("revert", REPO, source_id), provenance=provenance)
    return _merged(raw, overrides)


def raw_relation(kind, **overrides):
    """Plain JSON of a relation that may be written; it is about ``v7(0)`` and ``v7(1)``."""
    old, new = v7(0), v7(1)
    fields = {
        RelationKind.SUPERSEDES: {"old": old, "new": new},
        RelationKind.RETRACTS: {"id": old, "reason": "The directory pushes revocations now"},
        RelationKind.CONFIRMS: {"id": old, "at_commit": COMMIT},
        RelationKind.DISPUTES: {"id": old, "reason": "Measured again: no stale grant in a month"},
        RelationKind.RELATES: {"a": old, "b": new, "label": "same incident"},
    }[kind]
    provenance = {"author_kind": "human", "source": "cli"}
    return _merged({"schema": 1, "id": v7(2), "lamport": 1, "kind": str(kind), "provenance": provenance, "fields": fields}, overrides)


def intent(**overrides):
    return record_of(raw_reason(Kind.INTENT, **overrides))


def decision(**overrides):
    return record_of(raw_reason(Kind.DECISION, **overrides))


def attempt(**overrides):
    return record_of(raw_reason(Kind.ATTEMPT, **overrides))


def constraint(**overrides):
    return record_of(raw_reason(Kind.CONSTRAINT, **overrides))


def gotcha(**overrides):
    return record_of(raw_reason(Kind.GOTCHA, **overrides))


def question(**overrides):
    return record_of(raw_reason(Kind.QUESTION, **overrides))


def harvested(*, source_id=REVERT, **overrides):
    return record_of(raw_harvested(source_id=source_id, **overrides))


def supersedes(old, new, **overrides):
    return record_of(_merged(raw_relation(RelationKind.SUPERSEDES, fields={"old": old, "new": new}), overrides))


def retracts(record_id, **overrides):
    return record_of(_merged(raw_relation(RelationKind.RETRACTS, fields={"id": record_id}), overrides))


def confirms(record_id, *, at_commit=COMMIT, **overrides):
    return record_of(_merged(raw_relation(RelationKind.CONFIRMS, fields={"id": record_id, "at_commit": at_commit}), overrides))


def disputes(record_id, **overrides):
    return record_of(_merged(raw_relation(RelationKind.DISPUTES, fields={"id": record_id}), overrides))


def relates(a, b, **overrides):
    return record_of(_merged(raw_relation(RelationKind.RELATES, fields={"a": a, "b": b}), overrides))


def contents(records):
    """The bytes of records, as they lie in the inbox."""
    return [encode(record) for record in records]


# --- strategies -------------------------------------------------------------------------------------------------------

_WORDS = [
    "cache",
    "grants",
    "Rollen",
    "été",
    "проверка",
    "権限",
    "naïve",
    "🙂",
    "`authz/check.py`",
    "stale;",
    "e.g.",
    "“quoted”",
    "a<b>c",
    "100 %",
]
_NAMES = ["a", "run", "Flask", "check_permission", "_private", "isEmpty2", "x" * 40, "été"]
_FILES = ["src", "a b", "née.py", "it's", "a\nb", ".github", "check.py", "authz"]


def _hex(digits):
    """One choice of the search, where text of so many characters would be as many."""
    return st.integers(0, 16**digits - 1).map(f"{{:0{digits}x}}".format)


identifiers = st.sampled_from(_NAMES[:-1])
commits = _hex(40) | _hex(64)
hashes = _hex(32)
repos = st.integers(0, 9).map("github.com/example/service-{}".format) | _hex(40)
paths = st.lists(st.sampled_from(_FILES), min_size=1, max_size=3).map("/".join)
_descriptor = st.builds(str.format, st.sampled_from(["{}/", "{}#", "{}().", "{}(+1).", "{}.", "[{}]", "`{} x`."]), identifiers)
descriptors = st.lists(_descriptor, min_size=1, max_size=3).map("".join)
symbols = st.builds(
    "comind {} {} {} {}".format, st.sampled_from(["pypi", "npm", "."]), identifiers, st.sampled_from([".", "3.0"]), descriptors
)
_WORD_LISTS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)
_NUMBERED = st.builds("{} {}".format, _WORD_LISTS, st.integers(0, 10**6))  # so that two texts seldom are the same


def texts(max_size=120):
    """One line that says nothing dangerous, in several scripts."""
    return _TEXTS if max_size >= 120 else _TEXTS.map(lambda text: text[:max_size].strip())


_TEXTS = _WORD_LISTS | _NUMBERED


def v7_ids(*, first_ms=WHEN_MS, last_ms=WHEN_MS + 10**10):
    return st.builds(lambda when, number: v7(number, ms=when), st.integers(first_ms, last_ms), st.integers(0, 2**74 - 1))


def derived_ids():
    return st.builds(derived_id, st.sampled_from(["revert", "trailer"]), repos, commits)


_OPTIONAL_COMMITS = st.none() | commits
_COIN = st.booleans()
_SPANS = st.none() | st.tuples(st.integers(1, 10**6), st.integers(0, 500))
_OPTIONAL_TEXTS = st.none() | _TEXTS
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS = st.integers(-(10**9), 10**10).map(lambda seconds: f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}")


def _words(vocabulary):
    return st.sampled_from([str(word) for word in vocabulary])


_SCOPES, _ROLES, _EVIDENCE_KINDS, _SOURCES, _AUTHORITIES = map(_words, (Scope, Role, EvidenceKind, Source, Authority))
_DERIVED = {AuthorKind.HARVESTED, AuthorKind.DISTILLED}


@st.composite
def _anchor(draw, role, *, derived):
    scope = draw(_SCOPES)
    anchor = {"scope": scope, "role": role or draw(_ROLES)}
    if scope in {Scope.SYMBOL, Scope.FILE, Scope.MODULE}:
        anchor |= {"repo": draw(repos), "path": draw(paths), "commit": draw(commits)}
    if scope == Scope.SYMBOL:
        anchor["symbol"] = draw(symbols)
        if not derived and draw(_COIN):
            anchor["fingerprints"] = {"fingerprint_version": "1", "grammar_probe": draw(hashes), "body_hash": draw(hashes)}
    if scope in {Scope.SYMBOL, Scope.FILE} and (span := draw(_SPANS)):
        anchor |= {"start_line": span[0], "end_line": sum(span)}
    if scope == Scope.REPO:
        anchor["repo"] = draw(repos)
    if scope == Scope.DEPENDENCY:
        anchor |= {"package": f"pypi {draw(identifiers)}", "version_range": draw(_RANGES)}
    return anchor


_RANGES = st.sampled_from(["==1.0.1", ">=2,<3", "^4.2"])


@cache
def raw_anchors(role=None, *, derived=False):
    return _anchor(role, derived=derived)


@st.composite
def _piece_of_evidence(draw):
    kind = draw(_EVIDENCE_KINDS)
    if kind in {EvidenceKind.COMMIT, EvidenceKind.REVERT, EvidenceKind.REVERTED}:
        return {"kind": kind, "repo": draw(repos), "commit": draw(commits)}
    if kind in {EvidenceKind.MERGE_REQUEST, EvidenceKind.ISSUE, EvidenceKind.REVIEW}:
        return {"kind": kind, "url": f"https://forge.example/service/{draw(st.integers(1, 9999))}"}
    return {"kind": kind, "path": draw(paths), "quote": draw(_TEXTS)}


raw_evidence = _piece_of_evidence()


@cache
def _fields_of(kind, *, harvested):
    alternative = st.fixed_dictionaries({"option": _TEXTS, "why_not": _TEXTS})
    shapes = {
        Kind.INTENT: {"need": _TEXTS, "link": st.none() | st.just("https://tracker.example/T-1")},
        Kind.DECISION: {
            "chosen": _TEXTS,
            "alternatives": st.lists(alternative, min_size=0 if harvested else 1, max_size=2),
            "reversibility": _OPTIONAL_TEXTS,
            "revisit_when": _OPTIONAL_TEXTS,
        },
        Kind.ATTEMPT: {"approach": _TEXTS, "outcome": _words(Outcome), "conditions": _OPTIONAL_TEXTS, "retry_when": _OPTIONAL_TEXTS},
        Kind.CONSTRAINT: {"rule": _TEXTS, "severity": _words(Severity), "check": _OPTIONAL_TEXTS, "exceptions": _OPTIONAL_TEXTS},
        Kind.GOTCHA: {"symptom": _TEXTS, "cause": _TEXTS, "workaround": _OPTIONAL_TEXTS},
        Kind.QUESTION: {"question": _TEXTS, "owner_team": st.none() | identifiers, "blocking": st.none() | _COIN},
    }
    return st.fixed_dictionaries(shapes[kind])


@cache
def _provenance(author):
    shape = {"author_kind": st.just(str(author)), "source": _SOURCES, "repo": st.none() | repos}
    if author in _DERIVED:
        return st.fixed_dictionaries(shape | {"harvester": st.sampled_from(["reverts/1", "adr/12"]), "source_time": _SECONDS})
    return st.fixed_dictionaries(shape | {"actor": st.none() | st.just("quiet-heron-7"), "head_commit": _OPTIONAL_COMMITS})


@cache
def _entries(kind, author):
    derived = author in _DERIVED
    least = 0 if isinstance(kind, Kind) else 1
    shape = {
        "schema": st.just(1),
        "id": derived_ids() if derived else v7_ids(),
        "lamport": st.just(0) if derived else st.integers(least, 2**53 - 1),
        "kind": st.just(str(kind)),
        "provenance": _provenance(author),
        "evidence": st.lists(raw_evidence, min_size=1 if kind == Kind.ATTEMPT else 0, max_size=2),
        "authority": st.dictionaries(st.sampled_from(CLAIM_FIELDS[kind]), _AUTHORITIES, max_size=2),
    }
    if kind in Kind:
        anchors = st.tuples(raw_anchors("subject", derived=derived), st.lists(raw_anchors(derived=derived), max_size=2))
        shape |= {
            "title": _TEXTS,
            "trigger": _TEXTS,
            "body": st.just("") | _TEXTS,
            "anchors": anchors.map(
                lambda found: [anchor for n, anchor in enumerate([found[0], *found[1]]) if anchor not in [found[0], *found[1]][:n]]
            ),
            "valid_from": _OPTIONAL_COMMITS,
            "fields": _fields_of(kind, harvested=author is AuthorKind.HARVESTED),
        }
    return st.fixed_dictionaries(shape)


def raw_reasons(*, kinds=tuple(Kind), authors=tuple(AuthorKind)):
    """Plain JSON of reasons; ``kinds`` and ``authors`` restrict them."""
    return st.one_of([_entries(kind, author) for kind in kinds for author in authors])


_IDS = v7_ids() | derived_ids()


@st.composite
def raw_relations(draw, *, among=None, kinds=tuple(RelationKind), authors=tuple(AuthorKind)):
    """Plain JSON of relations; ``among`` restricts what they are about to the given ids, at least two."""
    kind, author = draw(st.sampled_from(kinds)), draw(st.sampled_from(authors))
    raw = draw(_entries(kind, author))
    ids = draw(
        st.lists(st.sampled_from(among) if among else _IDS, min_size=2, max_size=2, unique=True).filter(lambda two: raw["id"] not in two)
    )
    fields = {
        RelationKind.SUPERSEDES: {"old": ids[0], "new": ids[1]},
        RelationKind.RETRACTS: {"id": ids[0], "reason": draw(_TEXTS)},
        RelationKind.CONFIRMS: {"id": ids[0], "at_commit": draw(commits)},
        RelationKind.DISPUTES: {"id": ids[0], "reason": draw(_TEXTS)},
        RelationKind.RELATES: {"a": ids[0], "b": ids[1], "label": draw(texts(60))},
    }
    return raw | {"fields": fields[kind]}


def reasons(**options):
    """Records proper, of all kinds and author kinds unless told otherwise."""
    return raw_reasons(**options).map(record_of)


def relations(**options):
    """Relations; `among` restricts them to two or more given ids."""
    return raw_relations(**options).map(record_of)


def records():
    """Any record of the log, reason or relation."""
    return _RECORDS


_RECORDS = st.one_of(reasons(), relations())


def _present(raw):
    return {name: value for name, value in raw.items() if value is not None}


def _merged(raw, overrides):
    nested = {
        name: _present(raw[name] | value) for name, value in overrides.items() if name in {"fields", "provenance"} and value is not None
    }
    return _present(raw | overrides | nested)
