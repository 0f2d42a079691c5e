"""A record written anew by a person, who has read it against the code of now: the new record, and the relation that puts it in place.

In: a desk, a target, an edited text. Out: a `Decision` of two entries, or nothing where nothing changed. Writes nothing.
The new record is anchored where the old one's code is now, where that is sure; evidence stays, and what was left as it was is ratified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from comind.cli.deciding import CannotDecideError, Decision
from comind.cli.drafting import title_of, trigger_of
from comind.cli.editing import edit_text, read_edited
from comind.ids import new_id
from comind.query.governing import anchors_with_places
from comind.query.where import all_of, among, equal
from comind.records.authority import CLAIM_FIELDS
from comind.records.problems import RecordInvalidError
from comind.records.validate import build
from comind.records.vocabulary import Authority, Kind, RelationKind, Scope
from comind.status.waiting import RETIRED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.canonical import Json
    from comind.cli.deciding import Desk, Said
    from comind.cli.targets import Target
    from comind.query.view import LedgerView

__all__ = ["about_lines", "require_editable", "rewrite"]

_SPAN = ("start_line", "end_line")


def require_editable(target: Target) -> None:
    """Raise `CannotDecideError` for what nobody can write anew: a relation, a record that was retired."""
    if target.is_relation or target.status in RETIRED:
        message = "is a relation, and has no text" if target.is_relation else f"is {target.status} already: {target.status_reason}"
        raise CannotDecideError(message)


def rewrite(desk: Desk, target: Target, text: str, said: Said) -> Decision | None:
    """Make the record that an edited text says, and the supersession of the old one; None when the text says what the old one does.

    Raises:
        RecordInvalidError: with everything that is wrong with it.
    """
    edited = read_edited(text)
    if edited.problems:
        raise RecordInvalidError(edited.problems)
    old = _said(read_edited(edit_text(target.plain)).parts)  # not the record: an editor is shown no tab and no hidden character
    new = _said(edited.parts)
    if new == old:
        return None
    raw: dict[str, Json] = {
        "schema": 1,
        "id": new_id(),
        "lamport": 0,
        "kind": target.kind,
        **new,
        "anchors": anchors_now(desk.session.view, target),
        "provenance": desk.provenance(target.repo_id, said),
        **{name: target.plain[name] for name in ("evidence", "valid_from") if name in target.plain},
    }
    if kept := _kept(target.kind, old, new):
        raw["authority"] = dict.fromkeys(kept, str(Authority.OWNER_RATIFIED))
    made = {"title": title_of(Kind(target.kind), new["fields"]), "trigger": trigger_of(raw["anchors"])}
    record = build(raw | {name: words for name, words in made.items() if words and not raw[name]})
    fields: dict[str, Json] = {"old": target.id, "new": record.id}
    relation = desk.relation((RelationKind.SUPERSEDES, fields, [target.lamport, record.lamport]), target.repo_id, said)
    return Decision(verb="edit", target=target, entries=(record, relation))


def anchors_now(view: LedgerView, target: Target) -> list[Json]:
    """Return the anchors of a record where their code is now; one that is not surely located stays as it was recorded."""
    rows = {row["position"]: row for row in anchors_with_places(view, equal("record_id", target.id)).iter_rows(named=True)}
    keys = [row["now_canonical_key"] for row in rows.values() if row["now_canonical_key"]]
    symbols = view.read("symbols", columns=["repo_id", "path", "canonical_key", "symbol"], where=all_of(among("canonical_key", keys)))
    named = {(repo_id, path, key): symbol for repo_id, path, key, symbol in symbols.iter_rows()}
    found = [_moved(anchor, rows.get(position, {}), named) for position, anchor in enumerate(target.plain["anchors"])]
    return [anchor for position, anchor in enumerate(found) if anchor not in found[:position]]  # two that were merged are one now


def about_lines(view: LedgerView, target: Target) -> list[str]:
    """Say where a record will be anchored, a line for each anchor."""
    lines = []
    for anchor in anchors_now(view, target):
        words = [anchor.get(name) for name in ("scope", "path", "start_line", "package", "symbol")] if isinstance(anchor, dict) else []
        lines.append(f"on: {' '.join(str(word) for word in words if word)}")
    return lines


def _moved(anchor: dict[str, Json], row: Mapping[str, Any], symbols: Mapping[tuple[str, str, str], str]) -> Json:
    if row.get("now_level") != "sure" or not row["now_path"] or not row["now_commit"]:
        return anchor
    kept: dict[str, Json] = {name: value for name, value in anchor.items() if name not in {*_SPAN, "fingerprints"}}
    moved = kept | {"path": row["now_path"], "commit": row["now_commit"]}
    if anchor["scope"] == Scope.SYMBOL:
        symbol = symbols.get((row["now_repo_id"], row["now_path"], row["now_canonical_key"]))
        if symbol is None:
            return anchor
        moved["symbol"] = symbol
    if row["now_start_line"] and row["now_end_line"] and anchor["scope"] in {Scope.SYMBOL, Scope.FILE}:
        moved |= {"start_line": row["now_start_line"], "end_line": row["now_end_line"]}
    return moved


def _said(parts: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: parts.get(name, "") for name in ("title", "trigger")} | {"fields": parts.get("fields", {})}
    body = parts.get("body", "").strip()
    return said | {"body": body} if body else said


def _kept(kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """List the claims that the person left as they were: these are ratified, the others are their own words."""
    was, now = {**old, **old["fields"]}, {**new, **new["fields"]}
    return [name for name in CLAIM_FIELDS[kind] if name in now and was.get(name) == now[name]]
