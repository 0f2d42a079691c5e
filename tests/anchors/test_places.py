import pytest

from tests.builders.code_tables import HEAD, OLD, REPO, code, definition, placed
from tests.builders.staleness import location

NOW = code(definition("run", path="core/app.py"), files=["README.md", "docs/guide/intro.md"])
ASKED = {(REPO, OLD): {}}


def _place(scope, path=None, *, renames=None, now=NOW, **options):
    row = location(placed(scope, path, **options), now, renames=renames)
    return row["matched_by"], row["level"], row["path"]


def test_a_file_is_where_it_was():
    assert _place("file", "README.md") == ("same", "sure", "README.md")


def test_a_file_follows_a_git_rename():
    row = location(placed("file", "guide.md"), NOW, renames={(REPO, OLD): {"guide.md": "docs/guide/intro.md"}})
    assert (row["matched_by"], row["level"], row["path"]) == ("file_moved", "sure", "docs/guide/intro.md")
    assert row["detail"] == "it was guide.md"


def test_a_file_is_deleted_when_git_found_no_rename_and_no_file_has_its_name():
    assert _place("file", "lib/old.py", renames=ASKED) == ("deleted", None, None)


@pytest.mark.parametrize("renames", [None, {(REPO, HEAD): {}}, {("another", OLD): {}}])
def test_a_file_is_not_called_deleted_before_git_was_asked(renames):
    row = location(placed("file", "lib/old.py"), NOW, renames=renames)
    assert row["matched_by"] == "unknown"
    assert row["detail"] == "not followed yet: lib/old.py is gone, and renames since 0a0a0a0a0a0a were not looked at"


def test_a_file_is_not_called_deleted_while_another_has_its_name():
    row = location(placed("file", "lib/app.py"), NOW, renames=ASKED)
    assert (row["matched_by"], row["detail"]) == ("unknown", "not followed yet: lib/app.py is gone, other files are called app.py")


def test_a_directory_is_there_while_a_file_is_below_it():
    assert _place("module", "docs") == ("same", "sure", "docs")
    assert _place("module", "docs/guide") == ("same", "sure", "docs/guide")


def test_a_directory_is_not_there_because_a_file_or_directory_starts_with_its_name():
    assert _place("module", "doc", renames=ASKED)[0] == "deleted"
    assert _place("module", "README.md", renames=ASKED)[0] == "deleted"


def test_a_directory_whose_file_was_renamed_is_not_called_deleted():
    row = location(placed("module", "manual"), NOW, renames={(REPO, OLD): {"manual/intro.md": "docs/guide/intro.md"}})
    assert row["matched_by"] == "unknown"
    assert "one of its files is now docs/guide/intro.md" in row["detail"]


def test_a_directory_is_not_called_deleted_before_git_was_asked():
    assert _place("module", "manual")[0] == "unknown"


@pytest.mark.parametrize("scope", ["file", "module"])
def test_a_place_in_a_repository_that_is_not_indexed_is_unknown(scope):
    row = location(placed(scope, "README.md", repo_id="another"), NOW)
    assert (row["matched_by"], row["commit"], row["detail"]) == ("unknown", None, "another is not indexed")


def test_a_repository_and_the_organisation_are_always_there():
    assert _place("repo") == ("same", "sure", None)
    assert _place("repo", repo_id="another") == ("same", "sure", None)
    assert _place("org", repo_id=None, commit=None) == ("same", "sure", None)


def test_a_dependency_stands_in_no_place_and_its_versions_are_compared_elsewhere():
    row = location(placed("dependency", repo_id=None, commit=None, package="pypi redis"), NOW)
    assert (row["matched_by"], row["detail"]) == ("same", "pypi redis is no code of ours; its versions are compared")
