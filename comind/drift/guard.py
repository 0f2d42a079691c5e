"""Whether one run would take the ground from under too many anchors at once.

In: `anchor_drift` as it stands and as a run would publish it, a limit. Out: the anchors that would fall, and the verdict.
Never decides why: so many at once are more often a wrong ref, a wrong checkout or a broken index than a change of the code, and a person
looks before the ledger says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

__all__ = ["MIN_FALLEN", "FlipGuard", "guard_flips"]

MIN_FALLEN = 10  # anchors; fewer are published whatever share they are
_STANDS = pl.col("drift").is_in(["unchanged", "moved", "signature"])


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipGuard:
    """What one run would do to the anchors that stood after the last one."""

    stood: int  # anchors
    fallen: pl.DataFrame  # anchor_id, record_id, repo_id, was, drift; by anchor_id
    max_share: float  # of `stood`

    @property
    def refuses(self) -> bool:
        """Whether the run must not publish."""
        return self.fallen.height >= MIN_FALLEN and self.fallen.height > self.max_share * self.stood

    def __str__(self) -> str:
        by_class = self.fallen.group_by("drift").len("n").sort("drift").iter_rows()
        classes = ", ".join(f"{count} {drift}" for drift, count in by_class)
        return f"{self.fallen.height} of {self.stood} anchors that stood would not any more" + (f": {classes}" if classes else "")


def guard_flips(before: pl.DataFrame, after: pl.DataFrame, locations: pl.DataFrame, *, max_share: float) -> FlipGuard:
    """Compare what stands with what a run would publish.

    Anchors count as standing while their drift is `unchanged`, `moved` or `signature`. Anchors that are new, or whose record is gone, are
    no flips.

    Args:
        before: `anchor_drift` as published.
        after: `anchor_drift` of this run.
        locations: `anchor_locations` of this run; says which repository an anchor belongs to.
        max_share: of the standing anchors, above 0 up to 1.
    """
    stood = before.filter(_STANDS).select("anchor_id", was="drift").join(after, on="anchor_id", how="inner")
    fallen = stood.filter(~_STANDS).join(locations.select("anchor_id", "repo_id"), on="anchor_id", how="left")
    return FlipGuard(
        stood=stood.height,
        fallen=fallen.select("anchor_id", "record_id", "repo_id", "was", "drift").sort("anchor_id"),
        max_share=max_share,
    )
