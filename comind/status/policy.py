"""What an organisation decides about its ledger: how long a record stays awake, and whose word counts.

In: nothing. Out: one frozen value, an argument of every derivation.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import polars as pl

from comind.records.vocabulary import AuthorKind, Source

__all__ = ["Policy"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How the ledger is read."""

    dormant_after: timedelta = timedelta(days=60)  # without a confirmation, and without evidence that a machine has proven
    trust_store_writers: bool = True  # an unsigned claim to be a person counts, since only trusted people can write to the store
    require_signatures: bool = False  # only a signed claim to be a person counts; this version reads no signatures, so none does

    def by_person(self) -> pl.Expr:
        """Return whether a row of `ledger_records` counts as a person's word: written by one, at the command line.

        An agent's tools can claim any author; the command line is the door that a person sits at.
        """
        counts = self.trust_store_writers and not self.require_signatures
        at_the_door = (pl.col("author_kind") == AuthorKind.HUMAN) & (pl.col("source") == Source.CLI)
        return at_the_door if counts else pl.lit(value=False)
