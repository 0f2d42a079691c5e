"""Whether a record that stands in the log must stay at T0, whatever it says about itself.

In: records of any writer, some of whom did not ask `validate`. Out: the reason, or a pattern for a whole column of records.
A record may call itself untrustworthy (`provenance.quarantine`); nothing that it says can make it trustworthy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from comind.records.codec import as_json
from comind.records.speech import safety_findings
from comind.safety import QUARANTINE_CLASS, QUARANTINE_PHRASES, Level

if TYPE_CHECKING:
    from comind.records.record import AnyRecord

__all__ = ["QUARANTINE_PATTERN", "quarantine_reason"]

QUARANTINE_PATTERN: Final = rf'"quarantine":"|{QUARANTINE_CLASS}|{QUARANTINE_PHRASES}'
"""Matches, in Python and in Polars (`str.contains`), the canonical JSON of every record that may have to be quarantined."""


def quarantine_reason(record: AnyRecord) -> str | None:
    """Return the code of what keeps a record at T0, such as `hidden_bidi`; None if nothing does."""
    if record.provenance.quarantine is not None:
        return record.provenance.quarantine
    return next((finding.code for _, finding in safety_findings(as_json(record)) if finding.level is Level.QUARANTINE), None)
