import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.anchors.frames import schema_of
from comind.anchors.head import heads_of
from comind.anchors.locate import commits_to_compare, files_to_compare, follow_anchors, locate_anchors, names_to_search, settle_deleted
from tests.builders.code_tables import (
    HEAD,
    OLD,
    REPO,
    anchored,
    anchors,
    code,
    definition,
    definitions,
    histories,
    placed,
    replace,
    searched,
)
from tests.builders.staleness import located, location

RUN = definition("run", path="app.py", within="Box")
ELSE = code(definition("other", body="else"), files=["README.md"])


def _followed(*rows, now=ELSE, renames=None):
    return follow_anchors(anchors(*rows), now.symbols, now.files, renames=renames or {}, heads=now.heads)


# deleted


def test_a_symbol_whose_name_is_in_no_file_is_deleted():
    row = location(anchored(RUN), ELSE, names=searched(absent=["run"]))
    assert (row["matched_by"], row["level"], row["path"], row["canonical_key"]) == ("deleted", None, None, None)
    assert row["detail"] == "the name run is in no file at 0f0f0f0f0f0f; whether it lives on under another name is not followed yet"


def test_a_symbol_whose_name_is_still_somewhere_is_unknown_and_says_so():
    row = location(anchored(RUN), ELSE, names=searched(present=["run"]))
    assert row["matched_by"] == "unknown"
    assert row["detail"].endswith("; the name run is still in some file")


@pytest.mark.parametrize("names", [searched(), searched(absent=["walk"]), searched(absent=["run"], repo="another")])
def test_a_name_that_was_not_searched_for_shows_nothing(names):
    assert location(anchored(RUN), ELSE, names=names)["matched_by"] == "unknown"


def test_two_searches_that_disagree_show_nothing():
    assert location(anchored(RUN), ELSE, names=searched(absent=["run"], present=["run"]))["matched_by"] == "unknown"


@pytest.mark.parametrize("name", ["operator+", "get value", "valid?", "$anon", "#count", "0"])
def test_a_name_that_is_no_word_is_never_shown_to_be_gone(name):
    lost = anchored(replace(RUN, name="x")) | {"name": name}
    assert location(lost, ELSE, names=searched(absent=[name]))["matched_by"] == "unknown"
    assert names_to_search(anchors(lost), _followed(lost)).is_empty()


def test_a_located_or_ambiguous_symbol_stays_that_whatever_the_search_says():
    gone = searched(absent=["run"])
    assert location(anchored(RUN), code(RUN), names=gone)["matched_by"] == "same"
    assert location(anchored(RUN), code(replace(RUN, path="b.py", name="walk")), names=gone)["matched_by"] == "ambiguous"


def test_a_symbol_of_a_repository_that_is_not_indexed_is_never_called_gone():
    row = location(anchored(RUN, repo_id="another"), ELSE, names=searched(absent=["run"], repo="another"))
    assert (row["matched_by"], row["commit"], row["detail"]) == ("unknown", None, "not followed: another is not indexed")


def test_a_symbol_whose_code_could_not_be_read_is_deleted_too_once_its_name_is_gone():
    assert (
        location(anchored(RUN, problem="the commit is not in this clone"), ELSE, names=searched(absent=["run"]))["matched_by"] == "deleted"
    )


# unknown


@pytest.mark.parametrize(
    ("anchor", "now", "detail"),
    [
        (anchored(RUN), ELSE, "not followed yet: Box.run is not defined in app.py, and no equal body was found"),
        (
            anchored(RUN, problem="app.py at 0a0a0a0a0a0a was not read"),
            ELSE,
            "not followed yet: not found under its name, and its code is not known: app.py at 0a0a0a0a0a0a was not read",
        ),
        (
            anchored(RUN),
            code(damaged={"app.py": "not UTF-8"}),
            "not followed yet: not found, and app.py was not read whole: not UTF-8",
        ),
        (
            anchored(replace(RUN, version="0")),
            ELSE,
            (
                "not followed yet: not found under its name, and no code here has fingerprints of version 0, grammar python-probe;"
                " if the rules changed, fingerprint both sides anew"
            ),
        ),
        (
            anchored(RUN) | {"canonical_key": None, "problem": "the anchor names no symbol that can be looked up"},
            ELSE,
            "not followed: the anchor names no symbol of a file: the anchor names no symbol that can be looked up",
        ),
    ],
    ids=["not found", "not read", "damaged", "other rules", "no symbol"],
)
def test_unknown_says_what_kept_the_symbol_from_being_followed(anchor, now, detail):
    row = location(anchor, now)
    assert (row["matched_by"], row["level"], row["candidates"], row["detail"]) == ("unknown", None, [], detail)


def test_a_location_names_the_head_that_was_looked_at():
    assert location(anchored(RUN), code(RUN, head="e" * 40))["commit"] == "e" * 40


# what is asked of the outside


def test_only_names_of_symbols_that_were_not_found_are_searched_for():
    rows = [
        anchored(RUN, record="found"),
        anchored(replace(RUN, name="lost"), record="lost"),
        anchored(replace(RUN, name="lost", path="b.py"), record="lost too"),
        anchored(replace(RUN, name="far"), record="far", repo_id="another"),
        placed("file", "gone.py", record="file"),
    ]
    now = code(replace(RUN, body="x"))
    assert names_to_search(anchors(*rows), _followed(*rows, now=now)).rows() == [(REPO, "lost")]


def test_only_commits_of_anchors_whose_path_is_gone_are_compared():
    rows = [
        anchored(RUN, record="a", commit="1" * 40),
        anchored(replace(RUN, path="b.py"), record="b", commit="2" * 40),
        placed("file", "gone.md", record="c", commit="3" * 40),
        placed("file", "README.md", record="d", commit="4" * 40),
        placed("org", record="e", repo_id=None, commit=None),
        placed("module", "docs", record="g", commit="6" * 40),
        placed("module", "docs/old", record="h", commit="7" * 40),
        anchored(RUN, record="f", repo_id="another", commit="5" * 40),
    ]
    now = code(definition("other"), files=["README.md", "docs/guide.md"])
    wanted = commits_to_compare(anchors(*rows), now.files, heads=now.heads)
    assert wanted.rows() == [(REPO, "2" * 40), (REPO, "3" * 40), (REPO, "7" * 40)]


def test_only_files_that_a_likely_body_led_to_are_worth_a_look_at_the_old_commit():
    rows = [anchored(RUN, record="a"), anchored(definition("other"), record="b")]
    followed = _followed(*rows, now=code(replace(RUN, path="b.py"), definition("other")))
    assert files_to_compare(anchors(*rows), followed).rows() == [(REPO, OLD, "b.py")]


def test_heads_are_read_off_the_rows_of_the_repositories():
    both = ELSE + code(repo="another", head="e" * 40)
    assert heads_of(both.files) == {"another": "e" * 40, REPO: HEAD}


# what must always hold


def _ask(then, history):
    _, now, renames, names = history
    asked = {"renames": renames, "names_present": names, "heads": now.heads}
    rows = [anchored(found, record=f"r{n}", n_twins=n % 2) for n, found in enumerate(then)]
    rows += [placed("file", "app.py", record="file"), placed("module", "core", record="module"), placed("org", record="org", repo_id=None)]
    rows += [anchored(replace(found, version="0"), record=f"old{n}") for n, found in enumerate(then[:2])]
    return rows, now, asked


@settings(deadline=None, max_examples=30)
@given(histories(), st.randoms())
def test_every_anchor_has_exactly_one_location_whatever_the_order_of_the_rows(history, shuffle):
    rows, now, asked = _ask(history[0], history)
    one = locate_anchors(anchors(*rows), now.symbols, now.files, **asked)
    assert one["anchor_id"].to_list() == sorted(row["anchor_id"] for row in rows)
    assert one.schema == schema_of("anchor_locations")
    assert one["detail"].null_count() == one["matched_by"].null_count() == one["candidates"].null_count() == 0
    assert one.filter(pl.col("level").is_not_null() != pl.col("matched_by").is_in(["same", "file_moved", "body"])).is_empty()
    shuffle.shuffle(rows)
    mixed = [frame.sample(fraction=1, shuffle=True, seed=shuffle.randrange(1000)) for frame in (now.symbols, now.files)]
    assert locate_anchors(anchors(*rows), *mixed, **asked).equals(one)


@settings(deadline=None, max_examples=30)
@given(histories(), st.integers(0, 12))
def test_anchors_located_together_and_apart_are_in_the_same_places(history, cut):
    rows, now, asked = _ask(history[0], history)
    parts = [locate_anchors(anchors(*part), now.symbols, now.files, **asked) for part in (rows[:cut], rows[cut:])]
    assert pl.concat(parts).sort("anchor_id").equals(locate_anchors(anchors(*rows), now.symbols, now.files, **asked))


@settings(deadline=None, max_examples=30)
@given(histories())
def test_a_located_symbol_is_a_row_of_the_index_and_a_deleted_one_is_searched_and_absent(history):
    rows, now, asked = _ask(history[0], history)
    places = set(now.symbols.select("path", "sid", "ordinal", "start_line").rows())
    absent = set(asked["names_present"].filter(~pl.col("present"))["name"])
    names = {row["anchor_id"]: row["name"] for row in rows}
    for row in located(rows, now, renames=asked["renames"], names=asked["names_present"]).values():
        if row["sid"] is not None:
            assert (row["path"], row["sid"], row["ordinal"], row["start_line"]) in places
        if row["matched_by"] == "deleted" and names[row["anchor_id"]]:
            assert names[row["anchor_id"]] in absent


@settings(deadline=None, max_examples=30)
@given(definitions(), st.sampled_from([None, {}]))
def test_in_an_unchanged_index_every_symbol_is_where_it_was(then, renames):
    now = code(*then)
    rows = [anchored(found, record=f"r{n}") for n, found in enumerate(then)]
    for n, found in enumerate(then):
        row = located(rows, now, renames=renames)[f"r{n}#0"]
        assert (row["matched_by"], row["path"], row["canonical_key"]) == ("same", found.path, found.key)
        bodies = [other.body for other in then if other.key == found.key]
        if found.body is not None or len(bodies) == 1:
            assert (row["level"], row["ordinal"]) == ("sure", found.ordinal)


def test_settling_twice_changes_nothing():
    rows = [anchored(RUN), anchored(replace(RUN, name="lost"), record="r2")]
    names = searched(absent=["run"], present=["lost"])
    once = settle_deleted(anchors(*rows), _followed(*rows), names)
    assert settle_deleted(anchors(*rows), once, names).equals(once)
