"""Put what the history walk found in place of what the index alone could not tell.

In: `ledger_anchors`, their locations so far, `symbols` at the heads, a `Follower` for each repository at hand. Out: `anchor_locations`.
An anchor that stands where it stood, with its body, is not walked; each of the others is judged by itself.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import polars as pl

from comind.anchors.frames import FOUND, conform
from comind.index.names import qualified_name
from comind.records.vocabulary import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from comind.anchors.changes import Place
    from comind.anchors.follow import Followed, Follower

__all__ = ["anchors_to_walk", "walk_anchors"]

_CODE = ("path", "canonical_key", "sid", "ordinal", "qualified_name", "start_line", "end_line")
_LISTED = 20


def anchors_to_walk(anchors: pl.DataFrame, locations: pl.DataFrame, symbols: pl.DataFrame) -> pl.DataFrame:
    """Return the symbol anchors whose location is not certain: not `sure`, or with another body than they had.

    Args:
        anchors: `ledger_anchors`.
        locations: what the index made of them.
        symbols: `symbols` at the heads that the locations speak of.
    """
    stands = symbols.select("repo_id", "path", "sid", "ordinal", now_body="body_hash", now_shape="shape_hash")
    known = locations.join(stands, on=["repo_id", "path", "sid", "ordinal"], how="left")
    was = anchors.filter((pl.col("scope") == Scope.SYMBOL) & pl.all_horizontal(pl.col("commit", "path", "canonical_key").is_not_null()))
    both = was.join(known.select("anchor_id", "level", "now_body", "now_shape", head="commit"), on="anchor_id")
    same = pl.col("body_hash").eq_missing(pl.col("now_body")) | (pl.col("shape_hash") == pl.col("now_shape")).fill_null(value=False)
    certain = (pl.col("level") == "sure").fill_null(value=False) & same
    return both.filter(pl.col("head").is_not_null() & ~certain).select(*anchors.columns, "head")


def walk_anchors(
    walked: pl.DataFrame,
    locations: pl.DataFrame,
    symbols: pl.DataFrame,
    followers: Mapping[str, Follower],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> pl.DataFrame:
    """Return the locations with those of the walked anchors replaced, where history told more than the index.

    Args:
        walked: what `anchors_to_walk` returned.
        locations: what the index made of all anchors.
        symbols: `symbols` at the heads.
        followers: by repository; anchors of others keep their locations.
        progress: told how many anchors are walked, and of how many.

    Returns:
        `anchor_locations`, by ``anchor_id``. What could not be followed keeps its location and, if that is unknown, gets the reason.
    """
    at_hand = walked.filter(pl.col("repo_id").is_in(list(followers))).sort("repo_id", "path", "commit", "anchor_id")
    known = _Symbols(symbols.join(at_hand.select("repo_id").unique(), on="repo_id", how="semi"))
    before = {row["anchor_id"]: row for row in locations.join(at_hand, on="anchor_id", how="semi").to_dicts()}
    rows = []
    for done, anchor in enumerate(at_hand.iter_rows(named=True), start=1):
        rows.append(before[anchor["anchor_id"]] | _location(anchor, before[anchor["anchor_id"]], followers[anchor["repo_id"]], known))
        if progress:
            progress(done, at_hand.height)
    kept = locations.join(at_hand, on="anchor_id", how="anti")
    return conform(pl.concat([kept, pl.DataFrame(rows, schema=FOUND)]), FOUND).sort("anchor_id")


class _Symbols:
    """The definitions at the heads, by file."""

    def __init__(self, symbols: pl.DataFrame) -> None:
        self._files = symbols.partition_by("repo_id", "path", as_dict=True)
        self._rows: dict[tuple[Any, ...], list[dict[str, Any]]] = {}

    def at(self, repo_id: str, place: Place) -> dict[str, Any] | None:
        """Return the row of a place."""
        key = repo_id, place.path
        if key not in self._rows:
            found = self._files.get(key)
            self._rows[key] = [] if found is None else found.to_dicts()
        fitting = [row for row in self._rows[key] if row["ordinal"] == place.ordinal and row["canonical_key"].endswith(place.descriptors)]
        # All keys of a file begin with its module: of those that end alike, the shortest has no other container.
        return min(fitting, key=lambda row: len(row["canonical_key"]), default=None)


def _location(anchor: dict[str, Any], before: dict[str, Any], follower: Follower, known: _Symbols) -> dict[str, Any]:
    """Return the columns of a location that history decides; none where it tells nothing."""
    place = follower.place_of(anchor["commit"], anchor["path"], anchor["canonical_key"], anchor["ordinal"] or 0)
    if isinstance(place, str):
        return _unfollowed(before, place)
    found = follower.follow(place, anchor["commit"], anchor["head"])
    if found.matched_by == "unknown":
        return _unfollowed(before, found.problem)
    nowhere = dict.fromkeys(_CODE) | {"level": None, "candidates": [], "matched_by": found.matched_by}
    if found.place is None:
        return nowhere | {"detail": _lost(anchor, found), "candidates": _listed(anchor, found, known)}
    row = known.at(anchor["repo_id"], found.place)
    if row is None:
        return _unfollowed(
            before, f"history leads to {qualified_name(found.place.descriptors)} in {found.place.path}, which is not indexed"
        )
    if found.matched_by == "same" and before["matched_by"] == "same" and before["canonical_key"] == row["canonical_key"]:
        return {}
    return nowhere | {name: row[name] for name in _CODE} | {"level": found.level, "detail": _moved(anchor, found)}


def _unfollowed(before: dict[str, Any], problem: str) -> dict[str, Any]:
    return {"detail": f"not followed: {problem}"} if before["matched_by"] == "unknown" else {}


def _listed(anchor: dict[str, Any], found: Followed, known: _Symbols) -> list[str]:
    """Return the keys of the candidates; the descriptors alone of those that the head does not have."""
    keys: defaultdict[str, None] = defaultdict()
    for place in found.candidates:
        row = known.at(anchor["repo_id"], place)
        keys[row["canonical_key"] if row else f"{place.path} {place.descriptors}"] = None
    return sorted(keys)[:_LISTED]


def _moved(anchor: dict[str, Any], found: Followed) -> str:
    commits = ", ".join(commit[:12] for commit in found.moves) or "no commit"
    text = f"it was {anchor['qualified_name']} in {anchor['path']} and moved in {commits}; probability {found.p:.2f}"
    return text + (f"; {anchor['name']} is still there and calls it" if found.forwarder else "")


def _lost(anchor: dict[str, Any], found: Followed) -> str:
    commit = found.moves[-1][:12] if found.moves else "an unknown commit"
    if found.matched_by == "ambiguous":
        return f"{len(found.candidates)} candidates for {anchor['qualified_name']} in {commit}; nothing was guessed"
    return f"{anchor['qualified_name']} went in {commit}, and nothing that came then is like it"
