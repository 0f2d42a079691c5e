"""Findings that are not written, each with its reason: nothing is dropped silently.

In: what a harvest refused. Out: rows of `harvest_refusals`. A detail names no person and repeats nothing of a quarantined text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from comind.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Refusal", "refusal_id", "refusal_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One finding that was not written, and why."""

    repo_id: str
    source: str  # what was harvested, such as `reverts`
    source_id: str  # where it stands: a commit id, or whatever names a thing of that source
    code: str  # machine-readable
    detail: str  # in words
    harvester_version: str

    @property
    def refusal_id(self) -> str:
        """Name of the row: a finding that is refused again replaces itself."""
        return refusal_id(self.source, self.repo_id, self.source_id)


def refusal_id(source: str, repo_id: str, source_id: str) -> str:
    """Return the name of the row that says why one finding of a source was refused.

    >>> refusal_id("reverts", "github.com/pallets/flask", "1f" * 4)
    'reverts github.com/pallets/flask 1f1f1f1f'
    """
    return f"{source} {repo_id} {source_id}"


def refusal_rows(refusals: Iterable[Refusal]) -> pa.Table:
    """Return one row per refusal, in the schema of `harvest_refusals`; of two with one id the later stands."""
    rows = {refusal.refusal_id: refusal for refusal in refusals}
    names = TABLES["harvest_refusals"].schema.names
    return pa.Table.from_pylist(
        [{name: getattr(refusal, name) for name in names} for refusal in rows.values()], schema=TABLES["harvest_refusals"].schema
    )
