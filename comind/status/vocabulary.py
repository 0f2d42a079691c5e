"""The words in which the ledger says what it believes: status, trust, flags.

In: nothing. Out: closed sets of words, in the order in which they are decided and shown.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Effect", "Flag", "Status", "Trust"]


class Status(StrEnum):
    """What may be done with a record now; the first that applies."""

    QUARANTINED = "quarantined"  # T0: shown only to whoever asks for it
    RETRACTED = "retracted"  # somebody took it back
    SUPERSEDED = "superseded"  # another record took its place
    ORPHANED = "orphaned"  # the code it is about is gone
    STALE = "stale"  # the code it is about changed
    DORMANT = "dormant"  # nobody confirmed it for long
    ACTIVE = "active"  # nothing speaks against it


class Trust(StrEnum):
    """How far a record is believed; never stored in a record."""

    QUARANTINED = "T0"
    ASSERTED = "T1"  # somebody said so
    EVIDENCED = "T2"  # its evidence was proven by a machine
    CONFIRMED = "T3"  # a person stands behind it
    ENFORCED = "T4"  # a compiled check passes on the code of now


class Flag(StrEnum):
    """What a reader should know beside the status."""

    CHALLENGED = "challenged"  # a relation speaks against it and waits for a person
    AMBIGUOUS = "ambiguous"  # a subject anchor has several places that are as good
    LIKELY_LOCATION = "likely_location"  # a subject anchor was followed to a likely place
    UNKNOWN_LOCATION = "unknown_location"  # a subject anchor was not followed
    UNKNOWN_DRIFT = "unknown_drift"  # a subject anchor's code could not be compared
    SIGNATURE_CHANGED = "signature_changed"  # a subject's name, parameters or return type changed, its body did not
    PARTLY_DELETED = "partly_deleted"  # some of the subjects are gone, not all
    EVIDENCE_CHANGED = "evidence_changed"  # code that it cites changed or is gone
    CONTEXT_CHANGED = "context_changed"  # code that it was written beside changed or is gone
    CALLEE_CHANGED = "callee_changed"  # what its code calls is under a constraint and changed
    RETRY_CONDITION_MET = "retry_condition_met"  # an attempt: a lockfile has left the range of versions that it failed under
    RE_CHECK = "re_check"  # a constraint: a lockfile has a version outside of the range that it was written for


class Effect(StrEnum):
    """What a relation does to the record it is about."""

    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    CONFIRMED = "confirmed"
    CHALLENGED = "challenged"
