"""Rows of tables for tests of pure functions over them: name what the test is about, the rest is filled in.

``ledger(symbols=[symbol("Flask.run")], …)`` is a table reader; a table that is not named is empty.
"""

from __future__ import annotations

from datetime import UTC, datetime

import orjson
import polars as pl

from comind.query.names import descriptor_names
from comind.query.view import FrameTables, LedgerView
from comind.records.codec import encode, recorded_at, subject_and_successor
from comind.records.record import Reason
from comind.schemas import TABLES

REPO = "github.com/pallets/flask"
HEAD = "4f1c2a" + "0" * 34
OLD = "01d" + "0" * 37
PATH = "src/flask/app.py"


def frame(table, rows):
    empty = pl.from_arrow(TABLES[table].schema.empty_table())
    filled = [{name: row.get(name, _blank(kind)) for name, kind in empty.schema.items()} for row in rows]
    unknown = {name for row in rows for name in row} - set(empty.columns)
    assert not unknown, f"{table} has no column {unknown}"
    return pl.DataFrame(filled, schema=empty.schema)


def _blank(kind):
    return [] if isinstance(kind, pl.List) else None


def ledger(**tables):
    """A view over tables that are given as lists of rows."""
    return LedgerView(tables=FrameTables({name: frame(name, rows) for name, rows in tables.items()}))


def key_of(descriptors, package="pypi flask"):
    return f"{package} . {descriptors}"


def scip(descriptors, package="pypi flask", version="3.1.0"):
    return f"comind {package} {version} {descriptors}"


def qualified(symbol):
    """Containers within the file and name, joined by dots: what comes after the last namespace."""
    return ".".join(descriptor_names(symbol)[symbol.partition(" . ")[2].count("/") or symbol.rpartition(" ")[2].count("/") :])


def symbol(descriptors, *, repo=REPO, path=PATH, lines=(10, 20), kind="method", **more):
    """A definition at the head; ``symbol("flask/app/Flask#run().")``."""
    row = {
        "repo_id": repo, "path": path, "sid": 0, "ordinal": 0, "symbol": scip(descriptors), "canonical_key": key_of(descriptors),
        "name": descriptor_names(key_of(descriptors))[-1], "qualified_name": qualified(key_of(descriptors)), "kind": kind, "language": "python",
        "start_line": lines[0], "end_line": lines[1],
    }  # fmt: skip
    return row | more


def code_file(path=PATH, *, repo=REPO, status="parsed", language="python", **more):
    return {"repo_id": repo, "path": path, "blob": "b" * 40, "language": language, "status": status, "n_symbols": 1} | more


def own_row(repo=REPO, head=HEAD):
    """The row of a repository itself."""
    return {"repo_id": repo, "path": "", "blob": "", "status": "repository", "n_symbols": 0, "head_commit": head}


def record_row(record, **more):
    """The row that a fold makes of a record."""
    subject, successor = subject_and_successor(record)
    content = encode(record)
    row = {
        "id": record.id, "content_hash": "0" * 64, "object_key": f"_ledger/inbox/{record.id}", "kind": str(record.kind), "lamport": record.lamport,
        "recorded_at": recorded_at(record), "author_kind": str(record.provenance.author_kind), "source": str(record.provenance.source),
        "repo_id": record.provenance.repo, "subject_id": subject, "successor_id": successor, "record": content.decode(),
    }  # fmt: skip
    if isinstance(record, Reason):
        row |= {"title": record.title, "trigger": record.trigger, "body": record.body, "valid_from": record.valid_from}
    return row | more


def anchor_rows(record):
    """The rows of ``ledger_anchors`` of a record."""
    rows = []
    for position, anchor in enumerate(orjson.loads(encode(record)).get("anchors", [])):
        key = key_of(anchor["symbol"].split(" ", 4)[4], package=" ".join(anchor["symbol"].split(" ")[1:3])) if "symbol" in anchor else None
        rows.append({
            "anchor_id": f"{record.id}#{position}", "record_id": record.id, "position": position, "role": anchor.get("role", "subject"),
            "scope": anchor["scope"], "repo_id": anchor.get("repo"), "path": anchor.get("path"), "symbol": anchor.get("symbol"),
            "commit": anchor.get("commit"), "canonical_key": key, "name": descriptor_names(key)[-1] if key else None,
            "start_line": anchor.get("start_line"), "end_line": anchor.get("end_line"), "package": anchor.get("package"),
            "version_range": anchor.get("version_range"),
        })  # fmt: skip
    return rows


def location(record, descriptors=None, *, position=0, path=PATH, **more):
    """Where an anchor is now."""
    row = {
        "anchor_id": f"{record.id}#{position}", "record_id": record.id, "repo_id": REPO, "commit": HEAD, "matched_by": "same", "level": "sure",
        "path": path, "detail": "the same key in the same file", "start_line": 10, "end_line": 20,
    }  # fmt: skip
    if descriptors:
        row |= {"canonical_key": key_of(descriptors), "qualified_name": qualified(key_of(descriptors))}
    return row | more


def drift(record, word="unchanged", *, position=0, detail="equal hashes"):
    return {
        "anchor_id": f"{record.id}#{position}",
        "record_id": record.id,
        "role": "subject",
        "drift": word,
        "detail": detail,
        "commit": HEAD,
    }


def current(record, *, status="active", trust="T2", **more):
    """What the ledger believes about a record."""
    row = {
        "id": record.id, "kind": str(record.kind), "title": record.title, "status": status, "status_reason": f"it is {status}",
        "status_rule": status, "trust": trust, "trust_reason": "its evidence is proven", "enforcement": "CONTEXT",
        "author_kind": str(record.provenance.author_kind), "recorded_at": recorded_at(record), "repo_id": REPO, "path": PATH,
        "start_line": 10, "end_line": 20, "located_commit": HEAD, "matched_by": "same", "drift": "unchanged",
    }  # fmt: skip
    return row | more


def moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
