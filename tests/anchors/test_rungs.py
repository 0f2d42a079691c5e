import pytest

from comind.anchors.head import Limits
from tests.builders.code_tables import OLD, REPO, anchored, code, definition, fingerprints, replace, searched
from tests.builders.staleness import location

RUN = definition("run", path="app.py", within="Box", line=10)
MOVED = {(REPO, OLD): {"app.py": "core/app.py"}}


def _known(row):
    return row["matched_by"], row["level"], row["path"], row["qualified_name"]


def _in(path, found=RUN, **changes):
    return replace(found, path=path, **changes)


# same


def test_the_same_symbol_in_the_same_file_is_there_wherever_its_lines_and_body_went():
    row = location(anchored(RUN), code(replace(RUN, line=99, body="other", signature="(self, x)")))
    assert _known(row) == ("same", "sure", "app.py", "Box.run")
    assert (row["start_line"], row["canonical_key"], row["ordinal"]) == (99, RUN.key, 0)


def test_the_same_symbol_wins_over_an_equal_body_elsewhere():
    assert _known(location(anchored(RUN), code(replace(RUN, body="other"), _in("b.py", name="copy"))))[0] == "same"


def test_the_same_symbol_in_another_repository_is_another_symbol():
    assert location(anchored(RUN), code(repo="another") + code(RUN, repo="third"))["matched_by"] == "unknown"


# redefinitions


def test_of_redefinitions_the_equal_body_is_taken_whatever_its_position():
    now = code(replace(RUN, body="x"), replace(RUN, ordinal=1, line=20), replace(RUN, ordinal=2, line=30, body="y"))
    row = location(anchored(RUN), now)
    assert (row["level"], row["ordinal"], row["start_line"]) == ("sure", 1, 20)
    assert "of 3 definitions, the one with the equal body" in row["detail"]


def test_of_redefinitions_without_an_equal_body_the_position_is_likely():
    row = location(anchored(replace(RUN, ordinal=1)), code(replace(RUN, body="x"), replace(RUN, ordinal=1, line=20, body="y")))
    assert (row["matched_by"], row["level"], row["ordinal"]) == ("same", "likely", 1)


def test_of_redefinitions_with_equal_bodies_the_position_decides_and_is_sure():
    row = location(anchored(replace(RUN, ordinal=1)), code(RUN, replace(RUN, ordinal=1, line=20), replace(RUN, ordinal=2, line=30)))
    assert (row["level"], row["ordinal"]) == ("sure", 1)


def test_redefinitions_that_nothing_tells_apart_are_ambiguous():
    row = location(anchored(replace(RUN, ordinal=7)), code(replace(RUN, body="x"), replace(RUN, ordinal=1, body="y")))
    assert (row["matched_by"], row["level"], row["path"], row["candidates"]) == ("ambiguous", None, None, [RUN.key])
    assert row["detail"].startswith("2 candidates: definitions of the same symbol in one file")


def test_the_only_definition_left_of_several_is_the_one():
    assert location(anchored(replace(RUN, ordinal=3)), code(replace(RUN, body="x")))["level"] == "sure"


# file_moved


def test_a_symbol_follows_its_file_through_a_git_rename():
    row = location(anchored(RUN), code(_in("core/app.py", body="x")), renames=MOVED)
    assert _known(row) == ("file_moved", "sure", "core/app.py", "Box.run")
    assert "its file was app.py" in row["detail"]


def test_a_renamed_file_does_not_lead_to_another_overload_sort_or_container():
    others = [_in("core/app.py", body=n, **change) for n, change in enumerate([{"suffix": "(int)."}, {"suffix": "#"}, {"within": "Bag"}])]
    others = [replace(other, body=str(other.body)) for other in others]
    row = location(anchored(RUN), code(*others), renames=MOVED)
    assert row["matched_by"] == "unknown"
    assert "its file is now core/app.py, where Box.run is not defined" in row["detail"]


def test_a_rename_since_another_commit_says_nothing():
    row = location(anchored(RUN, commit="1" * 40), code(_in("core/app.py", body="x")), renames=MOVED)
    assert row["matched_by"] == "unknown"


def test_a_redefinition_follows_its_file_by_body():
    now = code(_in("core/app.py", body="x"), _in("core/app.py", ordinal=1, line=20))
    row = location(anchored(RUN), now, renames=MOVED)
    assert (row["matched_by"], row["level"], row["ordinal"]) == ("file_moved", "sure", 1)


def test_a_symbol_of_a_package_is_the_same_in_any_file_of_it():
    found = definition("Handle", path="web/a.go", module="web", signature="(r)")
    row = location(anchored(found), code(replace(found, path="web/b.go", body="x"), files=["web/a.go"]))
    assert _known(row) == ("file_moved", "sure", "web/b.go", "Handle")


def test_the_same_key_in_several_other_files_is_ambiguous():
    found = definition("Handle", path="web/a.go", module="web")
    row = location(anchored(found), code(replace(found, path="web/b.go", body="x"), replace(found, path="web/c.go", body="y")))
    assert (row["matched_by"], row["candidates"]) == ("ambiguous", [found.key])


# body


def test_equal_name_parameters_and_body_lead_to_another_file():
    row = location(anchored(RUN), code(_in("b.py", within="Bag")))
    assert _known(row) == ("body", "likely", "b.py", "Bag.run")
    assert "it was Box.run in app.py" in row["detail"]


def test_such_a_place_is_sure_once_it_is_shown_to_be_new():
    row = location(
        anchored(RUN), code(_in("b.py", within="Bag")), before=fingerprints(problems={"b.py": "there is no such file at that commit"})
    )
    assert (row["matched_by"], row["level"]) == ("body", "sure")
    row = location(anchored(RUN), code(_in("b.py", within="Bag")), before=fingerprints(_in("b.py", name="other")))
    assert (row["matched_by"], row["level"]) == ("body", "sure")


def test_a_twin_that_stood_there_already_is_not_where_it_went():
    row = location(anchored(RUN), code(_in("b.py", within="Bag")), before=fingerprints(_in("b.py", within="Bag", body="whatever")))
    assert row["matched_by"] == "unknown"


def test_a_short_body_is_likely_even_when_it_is_new_and_nothing_when_it_is_tiny():
    new = fingerprints(problems={"b.py": "there is no such file at that commit"})
    short, tiny = replace(RUN, tokens=12), replace(RUN, tokens=7)
    assert location(anchored(short), code(_in("b.py", short, within="Bag")), before=new)["level"] == "likely"
    assert location(anchored(tiny), code(_in("b.py", tiny, within="Bag")), before=new)["matched_by"] == "unknown"


@pytest.mark.parametrize("twins", [0, 1])
def test_within_its_file_a_short_body_is_sure_if_it_had_no_twin(twins):
    short = replace(RUN, tokens=12)
    row = location(anchored(short, n_twins=twins), code(replace(short, within="Bag")))
    assert (row["matched_by"], row["level"]) == ("body", "likely" if twins else "sure")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "walk", "path": "b.py"},
        {"signature": "(self, x)", "path": "b.py"},
        {"body": "x"},
        {"probe": "tsx"},
        {"version": "2"},
        {"body": None},
    ],
    ids=str,
)
def test_what_is_not_equal_in_name_parameters_body_and_language_is_not_followed(change):
    row = location(anchored(RUN), code(replace(RUN, **({"within": "Bag"} | change))))
    assert row["level"] is None


def test_two_equal_homes_are_ambiguous():
    homes = [_in("b.py", within="Bag"), _in("c.py", within="Bin")]
    row = location(anchored(RUN), code(*homes))
    assert (row["matched_by"], row["candidates"]) == ("ambiguous", sorted(home.key for home in homes))
    assert row["detail"].startswith("2 candidates: definitions with equal name, parameters and body; nothing was guessed")


def test_a_long_body_under_a_new_name_in_its_file_is_the_symbol():
    row = location(anchored(RUN), code(replace(RUN, name="walk")))
    assert _known(row) == ("body", "sure", "app.py", "Box.walk")
    assert "it was Box.run" in row["detail"]


def test_a_long_body_under_a_new_name_is_followed_through_a_renamed_file():
    assert _known(location(anchored(RUN), code(_in("core/app.py", name="walk")), renames=MOVED)) == (
        "body",
        "sure",
        "core/app.py",
        "Box.walk",
    )


@pytest.mark.parametrize(
    "now", [[replace(RUN, name="walk", tokens=29)], [replace(RUN, name="Walk", suffix="#", within="")]], ids=["too short", "another sort"]
)
def test_a_new_name_needs_a_long_body_of_the_same_sort(now):
    assert location(anchored(replace(RUN, tokens=now[0].tokens)), code(*now))["level"] is None


def test_a_body_that_had_a_twin_beside_it_does_not_lead_to_a_new_name():
    row = location(anchored(RUN, n_twins=1), code(replace(RUN, name="walk")))
    assert (row["matched_by"], row["candidates"]) == ("ambiguous", [replace(RUN, name="walk").key])


def test_two_new_names_in_its_file_are_ambiguous():
    row = location(anchored(RUN), code(replace(RUN, name="walk"), replace(RUN, name="crawl")))
    assert (row["matched_by"], len(row["candidates"])) == ("ambiguous", 2)


def test_an_equal_body_under_a_new_name_in_another_file_is_said_and_not_followed():
    row = location(anchored(RUN), code(_in("b.py", name="walk")))
    assert (row["matched_by"], row["candidates"]) == ("ambiguous", [_in("b.py", name="walk").key])


def test_an_equal_body_that_is_too_short_to_follow_still_keeps_a_symbol_of_its_file_from_being_called_gone():
    gone = searched(absent=["run"])
    for tokens, matched_by in ((29, "ambiguous"), (8, "ambiguous"), (7, "deleted")):
        short = replace(RUN, tokens=tokens)
        assert location(anchored(short), code(replace(short, name="walk")), names=gone)["matched_by"] == matched_by
        assert location(anchored(short), code(_in("b.py", short, name="walk")), names=gone)["matched_by"] == "deleted"


def test_candidates_are_listed_up_to_a_limit():
    row = location(anchored(RUN), code(*(_in(f"{n}.py") for n in "abcde")), limits=Limits(candidates=2))
    assert len(row["candidates"]) == 2
    assert row["detail"].startswith("5 candidates")


def test_fingerprints_that_a_record_carries_lead_as_far_as_a_body_that_is_likely():
    carried = anchored(RUN) | {"n_tokens": None, "n_twins": None, "start_line": None, "shape_hash": None, "doc_hash": None}
    assert _known(location(carried, code(_in("b.py")))) == ("body", "likely", "b.py", "Box.run")
    assert location(carried, code(replace(RUN, name="walk")))["matched_by"] == "ambiguous"
