"""Small hand-built tables of code and anchors: a line of code is a word, and a hash is the hash of a word.

``definition("run", body="a b")`` is a definition, ``code(definition("run"))`` the index that holds it, and ``anchored(definition("run"))``
an anchor to it. What a test does not say is the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import polars as pl
from blake3 import blake3
from hypothesis import strategies as st

from comind.anchors.frames import FINGERPRINTS, NAMES, conform, schema_of
from comind.index.names import sid_of
from comind.records.codec import encode, recorded_at, subject_and_successor

__all__ = [
    "HEAD", "OLD", "REPO", "Code", "Definition", "anchored", "anchors", "code", "definition", "definitions", "fingerprints", "folded",
    "hash_of", "histories", "placed", "replace", "row_of", "searched",
]  # fmt: skip

REPO = "github.com/example/service"
OLD, HEAD = "0a" * 20, "0f" * 20
VERSION, PROBE = "1", "python-probe"


def hash_of(text):
    return None if text is None else blake3(text.encode()).digest(length=16)


@dataclass(frozen=True)
class Definition:
    """One definition; its hashes are those of the words given here."""

    name: str
    path: str = "app.py"
    within: str = ""  # names of the containers, joined by dots
    suffix: str = "()."
    ordinal: int = 0
    line: int = 1
    length: int = 5
    signature: str | None = "(self)"
    body: str | None = "body"
    shape: str | None = None
    doc: str | None = None
    tokens: int = 50
    version: str = VERSION
    probe: str = PROBE
    package: str = "pypi service"
    module: str | None = None

    @property
    def key(self):
        module = (self.module if self.module is not None else self.path.removesuffix(".py")) + "/"
        return f"{self.package} . {module}{''.join(f'{name}#' for name in self.within.split('.') if name)}{self.name}{self.suffix}"

    @property
    def symbol(self):
        return "comind " + self.key.replace(" . ", " 1.0 ")

    def row(self, repo=REPO):
        return {
            "repo_id": repo, "path": self.path, "sid": sid_of(self.key), "ordinal": self.ordinal, "symbol": self.symbol,
            "canonical_key": self.key, "name": self.name, "qualified_name": ".".join(filter(None, [self.within, self.name])),
            "kind": "function", "start_line": self.line, "end_line": self.line + self.length - 1,
            "sig_hash": hash_of(self.signature and self.name + self.signature), "body_hash": hash_of(self.body),
            "shape_hash": hash_of(self.shape or self.body), "doc_hash": hash_of(self.doc), "n_tokens": self.tokens,
            "fingerprint_version": self.version, "grammar_probe": self.probe,
        }  # fmt: skip


def definition(name, **parts):
    return Definition(name, **parts)


@dataclass(frozen=True)
class Code:
    """The index of one or more repositories at their heads."""

    symbols: pl.DataFrame
    files: pl.DataFrame
    heads: dict[str, str] = field(default_factory=dict)

    def __add__(self, other):
        return Code(pl.concat([self.symbols, other.symbols]), pl.concat([self.files, other.files]), self.heads | other.heads)


def code(*definitions, files=(), repo=REPO, head=HEAD, damaged=None):
    """The index of a repository with these definitions, and with further `files` that define nothing."""
    damaged = damaged or {}
    paths = sorted({found.path for found in definitions} | set(files) | set(damaged))
    rows = [
        {"repo_id": repo, "path": path, "status": "unreadable" if path in damaged else "parsed", "problem": damaged.get(path)}
        for path in paths
    ]
    own = {"repo_id": repo, "path": "", "status": "repository", "head_commit": head}
    sentinel = {"repo_id": repo, "path": "", "kind": "package", "name": "service", "head_commit": head, "ordinal": 0}
    return Code(
        conform(pl.DataFrame([*(found.row(repo) for found in definitions), sentinel], schema=schema_of("symbols")), schema_of("symbols")),
        conform(pl.DataFrame([*rows, own], schema=schema_of("code_files")), schema_of("code_files")),
        {repo: head},
    )


def anchored(found, *, record="r1", position=0, problem=None, repo_id=REPO, **columns):
    """A row of `ledger_anchors`: an anchor to a definition as it was at a commit; other columns as they are given."""
    row = found.row(repo_id) | {"n_twins": 0, "problem": problem}
    if problem is not None:
        unread = ("sig_hash", "body_hash", "shape_hash", "doc_hash", "n_tokens", "fingerprint_version", "grammar_probe", "n_twins")
        row |= dict.fromkeys(unread)
    return _anchor(row, record, position, scope="symbol", **columns)


def placed(scope, path=None, *, record="r1", position=0, **columns):
    """A row of `ledger_anchors` of an anchor that names a place; other columns as they are given."""
    return _anchor({"repo_id": REPO, "path": path}, record, position, scope=scope, **columns)


def _anchor(row, record, position, **columns):
    named = {"anchor_id": f"{record}#{position}", "record_id": record, "position": position, "role": "subject", "commit": OLD}
    whole = row | named | columns
    return {name: whole.get(name) for name in schema_of("ledger_anchors")}


def anchors(*rows):
    return pl.DataFrame(list(rows), schema=schema_of("ledger_anchors"))


def fingerprints(*definitions, repo=REPO, commit=OLD, problems=None):
    """Definitions at a commit, as the caller of `explode_anchors` reads them."""
    rows = [found.row(repo) | {"commit": commit} for found in definitions]
    rows += [{"repo_id": repo, "commit": commit, "path": path, "problem": problem} for path, problem in (problems or {}).items()]
    return conform(pl.DataFrame([{name: row.get(name) for name in FINGERPRINTS} for row in rows], schema=FINGERPRINTS), FINGERPRINTS)


def searched(*, present=(), absent=(), repo=REPO):
    rows = [(repo, name, True) for name in present] + [(repo, name, False) for name in absent]
    return pl.DataFrame(rows, schema=NAMES, orient="row")


def row_of(record):
    """The row of `ledger_records` that a record is folded into."""
    subject, successor = subject_and_successor(record)
    text = encode(record).decode()
    return {
        "id": record.id, "content_hash": blake3(text.encode()).hexdigest(), "object_key": f"_ledger/inbox/{record.id}",
        "kind": str(record.kind), "lamport": record.lamport, "recorded_at": recorded_at(record),
        "author_kind": str(record.provenance.author_kind), "source": str(record.provenance.source), "repo_id": record.provenance.repo,
        "title": getattr(record, "title", None), "trigger": getattr(record, "trigger", None), "body": getattr(record, "body", None),
        "subject_id": subject, "successor_id": successor, "valid_from": getattr(record, "valid_from", None), "record": text,
    }  # fmt: skip


def folded(*several):
    return pl.DataFrame([row_of(record) for record in several], schema=schema_of("ledger_records"))


@st.composite
def definitions(draw, *, most=8):
    """Definitions of a few names, bodies and files, each with its own address: redefinitions have ordinals."""
    few = st.lists(
        st.tuples(
            st.sampled_from(["app.py", "core/util.py"]), st.sampled_from(["", "Box"]), st.sampled_from(["run", "stop", "go"]),
            st.sampled_from(["a", "b", "c", None]), st.sampled_from(["()", "(x)"]), st.sampled_from([3, 12, 60]),
        ),
        max_size=most,
    )  # fmt: skip
    rows, seen = [], {}
    for line, (path, within, name, body, signature, tokens) in enumerate(draw(few), start=1):
        ordinal = seen.setdefault((path, within, name), 0)
        seen[path, within, name] += 1
        made = definition(name, path=path, within=within, body=body, signature=signature, tokens=tokens, ordinal=ordinal, line=10 * line)
        rows.append(made)
    return rows


@st.composite
def histories(draw):
    """Code as it was and as it is: definitions then, definitions now, renames, and what a text search showed."""
    then, now = draw(definitions()), draw(definitions())
    renames = draw(
        st.sampled_from([{}, {(REPO, OLD): {}}, {(REPO, OLD): {"app.py": "core/util.py"}}, {(REPO, OLD): {"core/util.py": "new.py"}}])
    )
    living = {found.name for found in now}
    names = [(REPO, name, name in living or draw(st.booleans())) for name in ("run", "stop") if draw(st.booleans())]
    return then, code(*now, files=["README.md"]), renames, pl.DataFrame(names, schema=NAMES, orient="row")
