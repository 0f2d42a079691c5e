r"""The vocabulary of Lore in the trailers of a commit: what must hold, what was rejected and why, what was not tested.

In: the trailers of a message. Out: `Lore`. A value that no page of Lore knows is kept as text; nothing is dropped for it.
Source: the protocol of lore-protocol 0.4 and arXiv 2603.15566. Its keys are read whatever their case, and without a `Lore-id` too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.harvest.trailers import Trailer

__all__ = ["Lore", "Rejected", "Rule", "may_carry_lore", "read_lore"]

_ID = re.compile(r"[0-9a-f]{8}")
_RECORD = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_UNTIL = re.compile(r"\s*\[until:\s*(?P<until>\d{4}(?:-\d{2}){1,2})\s*\]\s*", re.IGNORECASE)
_REASON = re.compile(r"^(?P<option>.+?)(?:\s+(?=because\b|since\b|due to\b)|\s+(?:\u2013|\u2014|--?)\s+)(?P<why>.+)$", re.IGNORECASE)
_WORDS = 3  # of a constraint that stands alone
_CARRIES = re.compile(r"^(?:Lore-id|Constraint|Rejected|Directive|Not-tested|Comind-Record)[ \t]*:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rejected:
    """An alternative that was turned down, and why."""

    option: str
    why: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that must or should hold, and how long."""

    text: str
    until: str | None = None  # ISO 8601 day or month


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """What the trailers of one commit say, in their order; equal ones once."""

    lore_id: str | None = None
    constraints: tuple[Rule, ...] = ()
    directives: tuple[Rule, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    unreasoned: tuple[str, ...] = ()  # rejected without a reason
    tested: tuple[str, ...] = ()
    not_tested: tuple[str, ...] = ()
    confidence: str | None = None
    scope_risk: str | None = None
    reversibility: str | None = None
    supersedes: tuple[str, ...] = ()  # Lore ids
    depends_on: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    records: tuple[str, ...] = ()  # ids of records that the commit names with `Comind-Record`
    unread: tuple[str, ...] = ()  # keys whose value is no id

    @property
    def says_something(self) -> bool:
        """Whether there is anything to record."""
        return bool(
            self.lore_id or self.constraints or self.directives or self.rejected or self.unreasoned or self.not_tested
            or self.records or self.unread
        )  # fmt: skip

    @property
    def restates(self) -> str | None:
        """The record whose trailers these are: what `comind emit-trailers` wrote carries its id twice."""
        return next((record for record in self.records if self.lore_id and record.startswith(self.lore_id)), None)


def may_carry_lore(message: str) -> bool:
    """Tell cheaply whether reading the trailers of a message is worth it."""
    return _CARRIES.search(message) is not None


def read_lore(trailers: Iterable[Trailer]) -> Lore:
    r"""Read trailers.

    >>> from comind.harvest.trailers import read_trailers
    >>> lore = read_lore(read_trailers("Cache prices\n\nLore-id: 1a2b3c4d\nRejected: Redis | one more server: no\n"))
    >>> lore.lore_id, lore.rejected
    ('1a2b3c4d', (Rejected(option='Redis', why='one more server: no'),))
    """
    said: dict[str, list[str]] = {}
    for trailer in trailers:
        values = said.setdefault(trailer.key.lower(), [])
        if trailer.value and trailer.value not in values:
            values.append(trailer.value)
    has_id = any(map(_ID.fullmatch, said.get("lore-id", ())))
    rejected = [(value, _rejected(value)) for value in said.get("rejected", ())]
    return Lore(
        lore_id=_first(said, "lore-id", _ID),
        constraints=tuple(_rule(value) for value in said.get("constraint", ()) if has_id or len(value.split()) >= _WORDS),
        directives=tuple(map(_rule, said.get("directive", ()))),
        rejected=tuple(one for _, one in rejected if one),
        unreasoned=tuple(value for value, one in rejected if not one),
        tested=tuple(said.get("tested", ())),
        not_tested=tuple(said.get("not-tested", ())),
        confidence=_first(said, "confidence"),
        scope_risk=_first(said, "scope-risk"),
        reversibility=_first(said, "reversibility"),
        supersedes=_ids(said, "supersedes", _ID),
        depends_on=_ids(said, "depends-on", _ID),
        related=_ids(said, "related", _ID),
        records=_ids(said, "comind-record", _RECORD),
        unread=_unread(said, has_id=has_id),
    )


def _rejected(value: str) -> Rejected | None:
    """Part an alternative from its reason: at the first bar, as Lore has it, else where people write a reason."""
    option, bar, why = value.partition(" | ")
    if not bar and (found := _REASON.match(value)):
        option, why = found["option"], found["why"]
    return Rejected(option.strip(), why.strip()) if option.strip() and why.strip() else None


def _rule(value: str) -> Rule:
    until = _UNTIL.search(value)
    return Rule(" ".join(_UNTIL.sub(" ", value).split()), until["until"] if until else None)


def _first(said: dict[str, list[str]], key: str, form: re.Pattern[str] | None = None) -> str | None:
    return next((value for value in said.get(key, ()) if form is None or form.fullmatch(value)), None)


def _ids(said: dict[str, list[str]], key: str, form: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(value for value in said.get(key, ()) if form.fullmatch(value.lower()))


def _unread(said: dict[str, list[str]], *, has_id: bool) -> tuple[str, ...]:
    """Return the keys whose value should be an id and is none; `Supersedes` and its like belong to Lore only beside a `Lore-id`."""
    forms: Sequence[tuple[str, re.Pattern[str]]] = (
        ("Comind-Record", _RECORD),
        ("Lore-id", _ID),
        *((key, _ID) for key in ("Supersedes", "Depends-on", "Related") if has_id),
    )
    return tuple(key for key, form in forms if not all(form.fullmatch(value.lower()) for value in said.get(key.lower(), ())))
