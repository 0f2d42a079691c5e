"""Records for tests: one builder per kind, and Hypothesis strategies over all of them.

A builder takes what the test is about and fills in the rest: ``attempt(title="…", fields={"outcome": "failed"})``.
`fields` and `provenance` are merged into the builder's own, everything else replaces it; None takes a field away.
``raw_…`` builders give the plain JSON, for what is not a record. Every strategy gives records that may be written.
"""

from __future__ import annotations

import orjson
from hypothesis import strategies as st

from comind.ids import derived_id
from comind.records.authority import CLAIM_FIELDS
from comind.records.codec import encode
from comind.records.record import RECORD
from comind.records.vocabulary import Authority, AuthorKind, EvidenceKind, Kind, Outcome, RelationKind, Role, Scope, Severity, Source

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
_HEX = "0123456789abcdef"

identifiers = st.text("abcdefghijklmnopqrstuvwxyzABCXYZ019_", min_size=1, max_size=12).map("x{}".format)
commits = st.one_of(st.text(_HEX, min_size=40, max_size=40), st.text(_HEX, min_size=64, max_size=64))
hashes = st.text(_HEX, min_size=32, max_size=32)
repos = st.builds("github.com/{}/{}".format, identifiers, identifiers)
paths = st.lists(st.one_of(identifiers, st.sampled_from(["a b", "née.py", "it's", "a\nb", ".github"])), min_size=1, max_size=4).map(
    "/".join
)
descriptors = st.lists(
    st.one_of(
        identifiers.map("{}/".format), identifiers.map("{}#".format), identifiers.map("{}().".format), identifiers.map("`{} x`.".format)
    ),
    min_size=1,
    max_size=4,
).map("".join)
symbols = st.builds(
    "comind {} {} {} {}".format, st.sampled_from(["pypi", "npm", "."]), identifiers, st.sampled_from([".", "3.0"]), descriptors
)


def texts(max_size=120):
    """One line that says nothing dangerous, in several scripts."""
    words = st.one_of(st.sampled_from(_WORDS), identifiers)
    return st.lists(words, min_size=1, max_size=12).map(" ".join).map(lambda text: text[:max_size].strip())


def v7_ids(*, first_ms=WHEN_MS, last_ms=WHEN_MS + 10**10):
    return st.builds(lambda when, number: v7(number, ms=when), st.integers(first_ms, last_ms), st.integers(0, 2**74 - 1))


def derived_ids():
    return st.builds(derived_id, st.sampled_from(["revert", "trailer"]), repos, commits)


@st.composite
def raw_anchors(draw, *, role=None, derived=False):
    scope = draw(st.sampled_from(Scope))
    anchor = {"scope": str(scope), "role": role or draw(st.sampled_from([str(word) for word in Role]))}
    if scope in {Scope.SYMBOL, Scope.FILE, Scope.MODULE}:
        anchor |= {"repo": draw(repos), "path": draw(paths), "commit": draw(commits)}
    if scope is Scope.SYMBOL:
        anchor["symbol"] = draw(symbols)
    if scope is Scope.SYMBOL and not derived and draw(st.booleans()):
        probe, body = draw(hashes), draw(hashes)
        anchor["fingerprints"] = {"fingerprint_version": "1", "grammar_probe": probe, "body_hash": body}
    if scope in {Scope.SYMBOL, Scope.FILE} and draw(st.booleans()):
        start = draw(st.integers(1, 10**6))
        anchor |= {"start_line": start, "end_line": start + draw(st.integers(0, 500))}
    if scope is Scope.REPO:
        anchor["repo"] = draw(repos)
    if scope is Scope.DEPENDENCY:
        anchor |= {"package": f"pypi {draw(identifiers)}", "version_range": draw(st.sampled_from(["==1.0.1", ">=2,<3", "^4.2"]))}
    return anchor


@st.composite
def raw_evidence(draw):
    kind = draw(st.sampled_from(EvidenceKind))
    if kind in {EvidenceKind.COMMIT, EvidenceKind.REVERT, EvidenceKind.REVERTED}:
        return {"kind": str(kind), "repo": draw(repos), "commit": draw(commits)}
    if kind in {EvidenceKind.MERGE_REQUEST, EvidenceKind.ISSUE, EvidenceKind.REVIEW}:
        return {"kind": str(kind), "url": f"https://forge.example/{draw(identifiers)}/{draw(st.integers(1, 9999))}"}
    return {"kind": str(kind), "path": draw(paths), "quote": draw(texts())}


def _fields_of(kind, *, derived):
    optional = st.none() | texts(1000)
    alternatives = st.lists(st.fixed_dictionaries({"option": texts(), "why_not": texts()}), min_size=0 if derived else 1, max_size=3)
    link = st.none() | st.just("https://tracker.example/T-1")
    return {
        Kind.INTENT: st.fixed_dictionaries({"need": texts(), "link": link}),
        Kind.DECISION: st.fixed_dictionaries(
            {"chosen": texts(), "alternatives": alternatives, "reversibility": optional, "revisit_when": optional}
        ),
        Kind.ATTEMPT: st.fixed_dictionaries(
            {"approach": texts(), "outcome": st.sampled_from(Outcome).map(str), "conditions": optional, "retry_when": optional}
        ),
        Kind.CONSTRAINT: st.fixed_dictionaries(
            {"rule": texts(), "severity": st.sampled_from(Severity).map(str), "check": optional, "exceptions": optional}
        ),
        Kind.GOTCHA: st.fixed_dictionaries({"symptom": texts(), "cause": texts(), "workaround": optional}),
        Kind.QUESTION: st.fixed_dictionaries(
            {"question": texts(), "owner_team": st.none() | identifiers, "blocking": st.none() | st.booleans()}
        ),
    }[kind]


@st.composite
def raw_provenance(draw, author):
    provenance = {"author_kind": str(author), "source": str(draw(st.sampled_from(Source))), "repo": draw(st.none() | repos)}
    if author in {AuthorKind.HARVESTED, AuthorKind.DISTILLED}:
        seconds = draw(st.datetimes()).replace(microsecond=0)
        provenance |= {"harvester": f"{draw(identifiers).lower()}/1", "source_time": f"{seconds.isoformat()}Z"}
    else:
        provenance |= {"actor": draw(st.none() | identifiers), "head_commit": draw(st.none() | commits)}
    return provenance


@st.composite
def _entries(draw, kind, author):
    derived = author in {AuthorKind.HARVESTED, AuthorKind.DISTILLED}
    claims = st.sampled_from(CLAIM_FIELDS[kind])
    least = 0 if isinstance(kind, Kind) else 1
    return {
        "schema": 1,
        "id": draw(derived_ids() if derived else v7_ids()),
        "lamport": 0 if derived else draw(st.integers(least, 2**53 - 1)),
        "kind": str(kind),
        "provenance": draw(raw_provenance(author)),
        "evidence": draw(st.lists(raw_evidence(), min_size=1 if kind == Kind.ATTEMPT else 0, max_size=3)),
        "authority": draw(st.dictionaries(claims, st.sampled_from(Authority).map(str), max_size=3)),
    }


@st.composite
def raw_reasons(draw, *, kinds=tuple(Kind), authors=tuple(AuthorKind)):
    kind, author = draw(st.sampled_from(kinds)), draw(st.sampled_from(authors))
    derived = author in {AuthorKind.HARVESTED, AuthorKind.DISTILLED}
    subject = draw(raw_anchors(role="subject", derived=derived))
    others = draw(st.lists(raw_anchors(derived=derived), max_size=2))
    anchors = [anchor for position, anchor in enumerate([subject, *others]) if anchor not in [subject, *others][:position]]
    return draw(_entries(kind, author)) | {
        "title": draw(texts(120)),
        "trigger": draw(texts(200)),
        "body": draw(st.just("") | texts(500)),
        "anchors": anchors,
        "valid_from": draw(st.none() | commits),
        "fields": draw(_fields_of(kind, derived=author is AuthorKind.HARVESTED)),
    }


@st.composite
def raw_relations(draw, *, among=None, kinds=tuple(RelationKind), authors=tuple(AuthorKind)):
    kind, author = draw(st.sampled_from(kinds)), draw(st.sampled_from(authors))
    ids = st.sampled_from(among) if among else v7_ids() | derived_ids()
    raw = draw(_entries(kind, author))
    one = draw(ids.filter(lambda found: found != raw["id"]))
    other = (
        draw(ids.filter(lambda found: found not in {raw["id"], one})) if kind in {RelationKind.SUPERSEDES, RelationKind.RELATES} else one
    )
    fields = {
        RelationKind.SUPERSEDES: {"old": one, "new": other},
        RelationKind.RETRACTS: {"id": one, "reason": draw(texts())},
        RelationKind.CONFIRMS: {"id": one, "at_commit": draw(commits)},
        RelationKind.DISPUTES: {"id": one, "reason": draw(texts())},
        RelationKind.RELATES: {"a": one, "b": other, "label": draw(texts(60))},
    }[kind]
    return raw | {"fields": fields}


def reasons(**options):
    """Records proper, of all kinds and author kinds unless told otherwise."""
    return raw_reasons(**options).map(record_of)


def relations(**options):
    """Relations; `among` restricts them to two or more given ids."""
    return raw_relations(**options).map(record_of)


def records():
    """Any record of the log, reason or relation."""
    return st.one_of(reasons(), relations())


def _present(raw):
    return {name: value for name, value in raw.items() if value is not None}


def _merged(raw, overrides):
    nested = {
        name: _present(raw[name] | value) for name, value in overrides.items() if name in {"fields", "provenance"} and value is not None
    }
    return _present(raw | overrides | nested)
