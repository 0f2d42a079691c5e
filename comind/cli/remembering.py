"""From options to a record: anchors are looked up, commits completed, titles made, and everything that is wrong is said at once.

In: a session, a kind, the options of `comind remember`. Out: a `Draft`; `finish` makes the record of it. Writes nothing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, cast

import orjson

from comind.cli.anchoring import Anchoring
from comind.cli.drafting import Draft
from comind.cli.remember_options import FIELDS, FLAGS, IDS
from comind.errors import UsageError
from comind.ids import new_id, parse_id
from comind.records.codec import next_lamport
from comind.records.limits import MAX_RECORD_BYTES
from comind.records.problems import Problem
from comind.records.vocabulary import AuthorKind, RelationKind, Source
from comind.store.failures import StoreUnreadableError, Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.canonical import Json
    from comind.cli.context import Session

__all__ = ["NotJsonError", "draft", "provenance"]

_NOT_TEXT = {*FLAGS, "alternatives"}


class NotJsonError(UsageError):
    """What stands on standard input is no JSON object."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"standard input is not the JSON object of a record: {problem}; `comind schema` prints its form")


def draft(session: Session, kind: str, given: Mapping[str, Any]) -> Draft:
    """Put a record together from the options of one command; `kind` ``-`` reads the rest of it from standard input."""
    started = Draft(_standard_input() if kind == "-" else {"kind": kind})
    raw = started.raw
    anchoring = Anchoring(session, repo=given["repo"], path=given.get("path"), commit=given.get("commit"))
    raw |= {name: given[name] for name in ("title", "trigger", "body") if given.get(name)}
    _fields(started, str(raw.get("kind")), given)
    started.add("anchors", given.get("on", ()), anchoring.anchor)
    started.add("anchors", given.get("context", ()), lambda text: anchoring.anchor(text) | {"role": "context"})
    started.add("evidence", given["evidence"], anchoring.evidence)
    if raw.get("kind") in set(RelationKind):
        _cite(started, session, anchoring)
    raw.setdefault("schema", 1)
    raw.setdefault("id", new_id())
    raw.setdefault("lamport", 0)
    raw.setdefault("provenance", provenance(anchoring, given))
    return started


def _fields(started: Draft, kind: str, given: Mapping[str, Any]) -> None:
    names = (*FIELDS.get(kind, ()), *IDS.get(kind, ()))
    fields: dict[str, Json] = {name: given[name] for name in names if given.get(name)}
    if "alternatives" in fields:
        fields["alternatives"] = [_alternative(started, text) for text in given["alternatives"]]
    for text in given["field"]:
        name, equals, value = text.partition("=")
        if equals and name not in _NOT_TEXT:
            fields[name] = value
            continue
        try:
            fields[name] = orjson.loads(value)
        except orjson.JSONDecodeError:
            wanted = "NAME=VALUE" if not equals else f"{name}= and JSON"
            started.problems.append(Problem("--field", "unclear", f"{text!r} is not {wanted}"))
    said = started.raw.get("fields")
    started.raw["fields"] = (said if isinstance(said, dict) else {}) | fields


def _alternative(started: Draft, text: str) -> Json:
    option, bar, why_not = (part.strip() for part in text.partition("|"))
    if not (option and bar and why_not):
        started.problems.append(Problem("fields.alternatives", "unclear", f"{text!r} is not 'OPTION | WHY NOT'"))
    return {"option": option, "why_not": why_not}


def _cite(started: Draft, session: Session, anchoring: Anchoring) -> None:
    """Complete the ids that a relation cites, and take the Lamport time after theirs."""
    fields = cast("dict[str, Json]", started.raw["fields"])
    lamports: list[int] = []
    for name in IDS[RelationKind(cast("str", started.raw["kind"]))]:
        try:
            cited, lamport = _cited(session, str(fields.get(name) or ""))
        except UsageError as error:
            started.problems.append(Problem(f"fields.{name}", "unclear", str(error)))
        else:
            fields[name] = cited
            lamports.append(lamport)
    started.raw.setdefault("lamport", next_lamport(lamports or [0]))
    if started.raw["kind"] == RelationKind.CONFIRMS:
        wanted = fields.get("at_commit")
        checkout = anchoring.checkout
        if checkout is not None:
            fields["at_commit"] = checkout.resolve(str(wanted)) if wanted else checkout.head


def _cited(session: Session, text: str) -> tuple[str, int]:
    """Return the id that a text begins, and its Lamport time; 0 where this identity may not read and so cannot know."""
    from comind.query.show import complete_id  # noqa: PLC0415 - whoever only writes needs no table
    from comind.query.where import equal  # noqa: PLC0415

    try:
        record_id = complete_id(session.view, text)
    except StoreUnreadableError as error:
        if error.trouble is not Trouble.DENIED:
            raise
        return str(parse_id(text)), 0
    return record_id, int(session.view.read("ledger_records", columns=["lamport"], where=equal("id", record_id))["lamport"][0])


def provenance(anchoring: Anchoring, given: Mapping[str, Any]) -> dict[str, Json]:
    """Say where a record comes from: this command line, by a person unless an agent is named, and what is checked out."""
    checkout = anchoring.checkout
    said: dict[str, Json] = {name: given[name] for name in ("agent", "model", "actor") if given[name]}
    if anchoring.repo_id:
        said["repo"] = anchoring.repo_id
    if checkout is not None:
        said |= {"head_commit": checkout.head, "branch": checkout.ref.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/")}
    author = AuthorKind.AGENT if given["agent"] else AuthorKind.HUMAN
    return said | {"author_kind": str(author), "source": str(Source.CLI)}


def _standard_input() -> dict[str, Json]:
    content = sys.stdin.buffer.read(2 * MAX_RECORD_BYTES)
    try:
        said = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise NotJsonError(str(error)) from None
    if isinstance(said, dict):
        return said
    problem = f"it is a {type(said).__name__}"
    raise NotJsonError(problem)
