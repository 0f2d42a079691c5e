"""SCIP indexes through the pipeline: taken in when they change, told when they cannot be."""

import polars as pl
import pytest

from tests.builders.clocks import SHOP, SHOP_MARKS, make_clocks
from tests.builders.scip import document, index, mentioned
from tests.pipeline.test_run import reported

WHOLE = index(document("shop.py", SHOP, *SHOP_MARKS))
# The type checker knows better than our own reading: it says that `start` is another function.
OTHERWISE = index(
    document("shop.py", SHOP, mentioned("start", "Clock `clock.clock`/Clock#start().", nth=1), mentioned("dumps", "json json/dumps()."))
)


@pytest.fixture
def clones(tmp_path, pipeline):
    made = make_clocks(tmp_path / "organisation")
    pipeline.repositories = [one.path for one in made.values()]
    return made


def resolved(pipeline):
    """What the method of the shop calls, and how that is known."""
    lake = pipeline.lake
    names = lake.read("symbols", columns=["sid", "qualified_name"]).unique("sid")
    found = lake.read("edges", where="path = 'shop.py' AND kind = 'calls'").join(names, left_on="dst", right_on="sid")
    return sorted(found.select("qualified_name", "resolved_by").rows())


def told(pipeline):
    rows = pipeline.lake.read("scip_indexes").filter(pl.col("path") != "")
    return rows.select("path", "made_by", "current_documents", "stale_documents", "problem").rows()


def test_an_index_stands_above_our_own_answer_as_long_as_it_is_there(clones, pipeline):
    pipeline.run()
    assert (resolved(pipeline), told(pipeline)) == ([("start", "import")], [])
    file = clones["shop"].path / "index.scip"
    file.write_bytes(WHOLE)
    pipeline.run()
    assert (resolved(pipeline), told(pipeline)) == ([("start", "scip")], [("index.scip", "scip-test 1", 1, 0, None)])
    again = pipeline.run()
    assert [reported(again, name)["written"] for name in ("edges", "scip_indexes")] == [False, False]
    file.write_bytes(OTHERWISE)
    pipeline.run()
    assert resolved(pipeline) == []
    file.unlink()
    pipeline.run()
    assert (resolved(pipeline), told(pipeline)) == ([("start", "import")], [])


def test_a_broken_index_is_a_row_with_the_reason_and_takes_nothing_away(clones, pipeline):
    (clones["shop"].path / "index.scip").write_bytes(WHOLE[:-3])
    pipeline.run()
    assert resolved(pipeline) == [("start", "import")]
    ((path, *_, problem),) = told(pipeline)
    assert (path, problem) == ("index.scip", f"is cut off after {len(WHOLE) - 3:,} bytes")


def test_a_committed_index_of_an_older_commit_gives_way_where_the_code_has_changed(clones, pipeline):
    clones["shop"].write("index.scip", WHOLE).commit("Commit the index")
    pipeline.run()
    assert resolved(pipeline) == [("start", "scip")]
    clones["shop"].write("shop.py", "\n" + SHOP).commit("Move everything")
    pipeline.run()
    assert resolved(pipeline) == [("start", "import")]
    assert told(pipeline)[0][2:4] == (0, 1)
    clones["shop"].write("shop.py", SHOP).commit("Move it back")
    pipeline.run()
    assert resolved(pipeline) == [("start", "scip")]


def test_a_named_index_is_found_wherever_it_lies_and_named_by_its_name_alone(clones, pipeline, tmp_path):
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "shop.scip").write_bytes(WHOLE)
    entry = f'{{ path = "{clones["shop"].path}", scip = ["ci/shop.scip", "ci/none.scip"] }}'
    (tmp_path / "comind.toml").write_text(f'repositories = [{entry}, "{clones["clock"].path}"]\n')
    pipeline.repositories = []
    pipeline.run()
    assert resolved(pipeline) == [("start", "scip")]
    assert told(pipeline) == [
        ("none.scip", None, None, None, "cannot be read (No such file or directory)"), ("shop.scip", "scip-test 1", 1, 0, None),
    ]  # fmt: skip
