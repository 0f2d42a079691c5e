"""What every harvest has in common: what a source is given, and what it gives back.

In: nothing. Out: `GitSource`, `Reading`, `Harvest`. Never reads or writes anything; `comind_assets.harvesting` drives the sources.

To add something that is read from repositories, write a function from `Reading` to `Harvest` and wrap it in a `GitSource`: a name, the
version of its rules, the function. Then name it in an asset (`comind_assets.harvest`). The cursor, the writing to the inbox, the rows
of refusals and the counts that the asset reports come with it. A source that is no repository gives a `Harvest`, too, and hands it to
`comind_assets.harvesting.settle` with a `Cursor` of its own; what it counts as its position is its own affair.

What makes a second harvest write nothing: the id of a record is a `derived_id` of the source's identity and the rules' version, and its
content depends on the source alone (`comind.harvest.wording` words provenance and anchors that way).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa

    from comind.harvest.refusals import Refusal
    from comind.harvest.touched import SymbolsAt
    from comind.records.record import AnyRecord
    from comind.sources.git.repository import GitRepository

__all__ = ["GitSource", "Harvest", "Reading"]


@dataclass(frozen=True, slots=True)
class Harvest:
    """What one harvest of one source found."""

    position: str  # everything up to here has been read: a commit id, or whatever orders the source
    read: int  # units of the source: commits, documents
    records: Sequence[AnyRecord] = ()
    refusals: Sequence[Refusal] = ()
    settled: Sequence[str] = ()  # `source_id` of findings whose earlier refusals no longer stand
    tables: Mapping[str, pa.Table] = field(default_factory=dict)  # rows of tables of the source's own, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a source is given to read."""

    repository: GitRepository
    since: str | None  # position of the last harvest by these rules; None reads everything
    branches: Sequence[str]  # release branches
    symbols_at: SymbolsAt
    progress: Callable[[int, int], None]  # told how many units are done, and of how many


@dataclass(frozen=True, slots=True, kw_only=True)
class GitSource:
    """One thing that is harvested from repositories, and by which rules."""

    name: str  # such as `reverts`
    version: str  # of the rules, such as `reverts/1`; another one reads everything again
    read: Callable[[Reading], Harvest]
