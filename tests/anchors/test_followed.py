"""What the index leaves uncertain is walked; the rest keeps its location, and every answer says what it rests on."""

from __future__ import annotations

import polars as pl
import pytest

from comind.anchors.follow import Follower
from comind.anchors.followed import anchors_to_walk, walk_anchors
from comind.anchors.frames import conform, schema_of
from comind.index.blobs import MemoryParseCache
from comind.index.past import definitions_at
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository

WORDS = """\
def {name}(text):
    words = [word.strip() for word in text.split(",") if word]
    if not words:
        raise ValueError("no words")
    return {{word: len(word) for word in words}}
"""


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


class World:
    """The anchors of everything that a file defined at its first commit, and the code at the head."""

    def __init__(self, repository, path="a.py"):
        self.opened = GitRepository.open(repository.path, name="service")
        start, head = repository.commits[0], self.opened.head
        files = [file.path for file in self.opened.files(head)]
        was = self._code([(start, path)]).filter(pl.col("canonical_key").is_not_null()).with_row_index("position")
        self.anchors = conform(
            was.with_columns(
                anchor_id=pl.format("r#{}", "position"), record_id=pl.lit("r"), scope=pl.lit("symbol"), role=pl.lit("subject")
            ),
            schema_of("ledger_anchors"),
        )  # fmt: skip
        self.symbols = conform(self._code([(head, file) for file in files]), schema_of("symbols")).filter(
            pl.col("canonical_key").is_not_null()
        )
        lost = {"matched_by": "unknown", "detail": "not followed yet", "commit": head, "candidates": []}
        columns = {name: pl.lit(value, schema_of("anchor_locations")[name]) for name, value in lost.items()}
        self.locations = conform(self.anchors.select("anchor_id", "record_id", "repo_id", **columns), schema_of("anchor_locations"))

    def _code(self, places):
        return definitions_at(self.opened, places, MemoryParseCache(), workers=0)

    def walked(self, name):
        """The location of one anchor after the walk, by the name that it had."""
        uncertain = anchors_to_walk(self.anchors, self.locations, self.symbols)
        rows = walk_anchors(uncertain, self.locations, self.symbols, {"service": Follower(self.opened)})
        anchor = self.anchors.filter(pl.col("name") == name)["anchor_id"].item()
        return rows.row(by_predicate=pl.col("anchor_id") == anchor, named=True)


def test_a_renamed_function_gets_the_row_of_its_new_name(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    renamed = repository.write("a.py", "import sys\n\n\n" + WORDS.format(name="count_words")).commit()
    row = World(repository).walked("count")
    assert (row["matched_by"], row["qualified_name"], row["start_line"]) == ("similar", "count_words", 4)
    assert row["canonical_key"].endswith("count_words().")
    assert renamed[:12] in row["detail"]


def test_the_candidates_of_an_ambiguous_anchor_are_keys_of_the_head(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    twins = WORDS.format(name="count_left") + "\n\n" + WORDS.format(name="count_west")
    repository.write("a.py", f"import sys\n\n\n{twins}\n\nsys.exit()\n").commit()
    world = World(repository)
    row = world.walked("count")
    assert (row["matched_by"], row["level"], row["path"]) == ("ambiguous", None, None)
    assert row["candidates"] == sorted(world.symbols.filter(pl.col("name").str.starts_with("count"))["canonical_key"])


def test_what_went_names_the_commit_in_which_it_went(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    gone = repository.write("a.py", "import sys\n").commit()
    repository.write("b.py", "x = 1\n").commit()
    row = World(repository).walked("count")
    assert (row["matched_by"], row["level"], row["detail"].split()[3]) == ("deleted", None, gone[:12] + ",")


def test_a_forwarder_that_is_left_is_reported(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    repository.write("a.py", WORDS.format(name="count_words") + "\n\ndef count(text):\n    return count_words(text)\n").commit()
    row = World(repository).walked("count")
    assert (row["qualified_name"], "count is still there and calls it" in row["detail"]) == ("count_words", True)


def test_an_anchor_that_cannot_be_walked_keeps_its_location_and_says_why(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    repository.write("a.py", "import sys\n").commit()
    world = World(repository)
    world.anchors = world.anchors.with_columns(commit=pl.lit("f" * 40))
    row = world.walked("count")
    assert (row["matched_by"], row["detail"]) == ("unknown", "not followed: commit ffffffffffff is not in this clone")


def test_an_anchor_of_a_repository_that_is_not_at_hand_keeps_its_location(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    world = World(repository)
    uncertain = anchors_to_walk(world.anchors, world.locations, world.symbols)
    assert walk_anchors(uncertain, world.locations, world.symbols, {}).equals(world.locations)


def test_what_stands_where_it_stood_with_its_body_is_not_walked(repository):
    repository.write("a.py", WORDS.format(name="count")).commit()
    world = World(repository)
    stands = world.symbols.select("path", "sid", "ordinal", "canonical_key").row(0, named=True)
    sure = world.locations.with_columns(pl.lit(value).cast(world.locations.schema[name]).alias(name) for name, value in stands.items())
    sure = sure.with_columns(matched_by=pl.lit("same"), level=pl.lit("sure"))
    assert anchors_to_walk(world.anchors, sure, world.symbols).is_empty()
    edited = world.symbols.with_columns(body_hash=pl.lit(b"other"), shape_hash=pl.lit(b"other"))
    assert anchors_to_walk(world.anchors, sure, edited).height == 1
