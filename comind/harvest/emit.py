r"""Write a record as trailers of Lore, for the message of the commit that follows from it.

In: a record, the records that it takes the place of. Out: trailers that git and `comind.harvest.lore` read back to the same fields.
What Lore has no word for stays out; `Comind-Record` always leads back to the whole record.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.harvest.trailers import Trailer
from comind.records.record import AttemptRecord, ConstraintRecord, DecisionRecord, GotchaRecord, QuestionRecord
from comind.records.vocabulary import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.records.record import Reason

__all__ = ["trailers_of"]

_UNTIL = re.compile(r"\buntil (?P<until>\d{4}(?:-\d{2}){1,2})\b")
_UNTESTED = "This was not tested: "


def trailers_of(record: Reason, *, supersedes: Sequence[str] = ()) -> list[Trailer]:
    """Return the trailers of a record.

    Args:
        record: any record that is no relation.
        supersedes: ids of the records whose place it takes.
    """
    lines = [("Lore-id", record.id[:8]), *_claims(record)]
    lines += [("Supersedes", old[:8]) for old in supersedes]
    return [Trailer(key, " ".join(value.split())) for key, value in (*lines, ("Comind-Record", record.id))]


def _claims(record: Reason) -> Iterator[tuple[str, str]]:
    match record:
        case DecisionRecord(fields=fields):
            yield from (("Rejected", _rejected(one.option, one.why_not)) for one in fields.alternatives)
            if fields.reversibility:
                yield "Reversibility", fields.reversibility
        case ConstraintRecord(fields=fields):
            until = _UNTIL.search(fields.exceptions or "")
            key = "Constraint" if fields.severity is Severity.MUST else "Directive"
            yield key, fields.rule + (f" [until:{until['until']}]" if until else "")
        case AttemptRecord(fields=fields):
            quote = next((one.quote for one in record.evidence if one.quote), None)
            yield "Rejected", _rejected(fields.approach, f"{fields.outcome}{f': {quote}' if quote else ''}")
        case GotchaRecord(fields=fields):
            yield "Directive", f"{fields.symptom}: {fields.cause}"
        case QuestionRecord(fields=fields):
            yield "Not-tested", fields.question.removeprefix(_UNTESTED)
        case _:
            return


def _rejected(option: str, why: str) -> str:
    """Write an alternative and its reason; the first bar between blanks parts them."""
    return f"{option.replace(' | ', ' / ')} | {why}"
