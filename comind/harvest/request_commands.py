"""Commands in comments: `/comind remember KIND: TITLE`, with fields below it and a text below those.

In: the text of a comment. Out: what it asks to remember, or why a command cannot be understood. Judges neither writer nor words.

    /comind remember constraint: Prices are never cached across a sale
    on: shop.py Shop.price
    severity: must
    They went stale after every sale.

A command begins a line of its own, outside of code and quotations, and ends with the comment or the next command. Fields are those of
the kind, `on` (a path, a name, or both), `trigger`, and for a decision `instead of: OPTION | WHY NOT`. Only kind and title must be there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from comind.records.vocabulary import Kind, Outcome, Severity

__all__ = ["BadCommand", "Command", "commands_in", "fields_of"]

_FENCED: Final = re.compile(r"^[ ]{0,3}(```|~~~).*?(?:^[ ]{0,3}\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_COMMAND: Final = re.compile(r"^/comind\b[ \t]*(?P<verb>\S*)[ \t]*(?P<kind>\w*)[ \t]*:?[ \t]*(?P<title>[^\n]*)$", re.MULTILINE)
_FIELD: Final = re.compile(r"(?P<name>[a-z][a-z_ ]{1,20}?)[ \t]*:[ \t]*(?P<value>\S.*)")
_HOW: Final = "write `/comind remember KIND: TITLE` with a kind of intent, decision, attempt, constraint, gotcha, question"
_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    Kind.INTENT: ("need", "link"),
    Kind.DECISION: ("chosen", "reversibility", "revisit_when", "instead_of"),
    Kind.ATTEMPT: ("approach", "outcome", "conditions", "retry_when"),
    Kind.CONSTRAINT: ("rule", "severity", "check", "exceptions"),
    Kind.GOTCHA: ("symptom", "cause", "workaround"),
    Kind.QUESTION: ("question", "owner_team"),
}
_SAID_BY_TITLE: Final = {
    Kind.INTENT: "need", Kind.DECISION: "chosen", Kind.ATTEMPT: "approach", Kind.CONSTRAINT: "rule", Kind.GOTCHA: "symptom",
    Kind.QUESTION: "question",
}  # fmt: skip
_WORDS: Final = {"outcome": frozenset(map(str, Outcome)), "severity": frozenset(map(str, Severity))}
_USUAL: Final[dict[str, dict[str, str]]] = {Kind.ATTEMPT: {"outcome": Outcome.FAILED}, Kind.CONSTRAINT: {"severity": Severity.SHOULD}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What somebody asked to remember."""

    position: int  # among the commands of the comment, from 0
    kind: Kind
    title: str
    body: str
    places: tuple[str, ...]  # as they were written
    trigger: str | None
    given: dict[str, tuple[str, ...]]  # fields of the kind, as often as they were written


@dataclass(frozen=True, slots=True)
class BadCommand:
    """A command that cannot be understood."""

    position: int
    code: str
    problem: str


def commands_in(text: str) -> list[Command | BadCommand]:
    r"""Read the commands of a comment.

    >>> [command] = commands_in("Right.\n/comind remember constraint: Never cache prices\non: shop.py\nThey went stale.")
    >>> command.kind.value, command.title, command.places, command.body
    ('constraint', 'Never cache prices', ('shop.py',), 'They went stale.')
    """
    if "/comind" not in text:
        return []
    # As many blanks as there was code, so that every position stays what it was.
    prose = _FENCED.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text.replace("\r\n", "\n"))
    whole = text.replace("\r\n", "\n")
    found = list(_COMMAND.finditer(prose))
    ends = [*(match.start() for match in found), len(whole)]
    return [_read(position, match, whole[match.end() : end]) for position, (match, (_, end)) in enumerate(zip(found, pairwise(ends)))]  # noqa: B905 - one pair per match


def fields_of(command: Command) -> dict[str, object] | BadCommand:
    """Return the fields of the record that a command asks for; a title says what nothing else says."""
    told: dict[str, object] = {_SAID_BY_TITLE[command.kind]: command.title, **_USUAL.get(command.kind, {})}
    told |= {name: values[-1] for name, values in command.given.items() if name != "instead_of"}
    for name, words in _WORDS.items():
        if name in told and told[name] not in words:
            return BadCommand(command.position, "bad_field", f"`{name}` is one of {', '.join(sorted(words))}")
    if command.kind is Kind.GOTCHA and "cause" not in told:
        return BadCommand(command.position, "no_cause", "a gotcha needs `cause: WHY`, in a line of its own")
    if command.kind is Kind.DECISION:
        options = [text.partition("|") for text in command.given.get("instead_of", ())]
        if any(not why.strip() for _, _, why in options):
            return BadCommand(command.position, "bad_field", "`instead of` is written `instead of: OPTION | WHY NOT`")
        told["alternatives"] = [{"option": option.strip(), "why_not": why.strip()} for option, _, why in options]
    return told


def _read(position: int, match: re.Match[str], below: str) -> Command | BadCommand:
    kind, title = match["kind"].lower(), match["title"].strip()
    if match["verb"].lower() != "remember" or kind not in set(Kind):
        return BadCommand(position, "unclear", f"this command is not understood; {_HOW}")
    if not title:
        return BadCommand(position, "no_title", f"this command has no title; {_HOW}")
    lines = below.removeprefix("\n").split("\n")
    given: dict[str, list[str]] = {}
    while lines and (field := _FIELD.fullmatch(lines[0].strip())) and (name := _known(field["name"], kind)):
        given.setdefault(name, []).append(field["value"].strip())
        lines.pop(0)
    return Command(
        position=position, kind=Kind(kind), title=title, body="\n".join(lines).strip(), places=tuple(given.pop("on", ())),
        trigger=given.pop("trigger", [None])[-1], given={name: tuple(values) for name, values in given.items()},
    )  # fmt: skip


def _known(name: str, kind: str) -> str | None:
    """Return the field that a word means in a kind; None for a sentence that happens to have a colon."""
    field = name.strip().replace(" ", "_")
    return field if field in {"on", "trigger", *_FIELDS[kind]} else None
