"""What is kept of old commits, in a folder of this machine."""

import polars as pl
import pytest

from comind.anchors.frames import conform, schema_of
from comind.query.past_cache import PastCache

ANCHORS = conform(
    pl.DataFrame({"anchor_id": ["a#0", "b#0"], "record_id": ["a", "b"], "position": [0, 0], "role": "subject", "scope": "symbol"}),
    schema_of("ledger_anchors"),
)


class Locating:
    """Locates every anchor and remembers which it was asked for."""

    def __init__(self, matched_by="same"):
        self.asked, self.matched_by = [], matched_by

    def __call__(self, anchors):
        self.asked.append(anchors["anchor_id"].to_list())
        found = anchors.select("anchor_id", "record_id", matched_by=pl.lit(self.matched_by), detail=pl.lit("as asked"))
        return conform(found.with_columns(candidates=pl.lit([], pl.List(pl.String))), schema_of("anchor_locations"))


@pytest.fixture
def cache(tmp_path):
    return PastCache(tmp_path / "past")


def test_an_anchor_is_located_once_for_a_commit(cache):
    locate = Locating()
    first = cache.located("commit", ANCHORS, locate)
    assert cache.located("commit", ANCHORS, locate).equals(first)
    assert locate.asked == [["a#0", "b#0"]]


def test_only_anchors_that_are_new_or_changed_are_located_again(cache):
    locate = Locating()
    cache.located("commit", ANCHORS.head(1), locate)
    cache.located("commit", ANCHORS, locate)
    cache.located("commit", ANCHORS.with_columns(path=pl.lit("elsewhere.py")), locate)
    assert locate.asked == [["a#0"], ["b#0"], ["a#0", "b#0"]]


def test_another_commit_has_places_of_its_own(cache):
    locate = Locating()
    cache.located("one", ANCHORS, locate)
    cache.located("other", ANCHORS, locate)
    assert len(locate.asked) == 2


def test_what_is_not_known_is_asked_again(cache):
    locate = Locating(matched_by="unknown")
    cache.located("commit", ANCHORS, locate)
    cache.located("commit", ANCHORS, locate)
    assert len(locate.asked) == 2


def test_a_damaged_file_is_as_good_as_none(cache):
    locate = Locating()
    first = cache.located("commit", ANCHORS, locate)
    (kept,) = cache.folder.rglob("*.arrow")
    kept.write_bytes(kept.read_bytes()[:100])
    assert cache.located("commit", ANCHORS, locate).equals(first)


def test_a_folder_that_cannot_be_made_keeps_nothing_and_answers(tmp_path):
    (tmp_path / "file").write_text("in the way")
    locate = Locating()
    assert PastCache(tmp_path / "file" / "past").located("commit", ANCHORS, locate).height == 2
    assert PastCache(None).located("commit", ANCHORS, locate).height == 2
