import pytest

from comind.tables import repository_files
from comind.tables.catalog import Table
from comind.tables.errors import SchemaMismatchError
from tests.tables.builders import symbols

TABLE = "symbols"
HEAD = "2" * 40


def standing(lake, repo="r"):
    rows = lake.read(TABLE, columns=["path", "name"], where=f"repo_id = '{repo}' AND path <> ''")
    return sorted(rows.iter_rows())


def test_the_first_rows_of_a_repository_make_the_table(lake):
    assert lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f", "g"], "b.py": ["h"]})) == 4
    assert standing(lake) == [("a.py", "f"), ("a.py", "g"), ("b.py", "h")]
    assert lake.head_of(TABLE, "r") == "1" * 40


def test_changed_files_are_replaced_and_others_stay(lake):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"], "b.py": ["h"], "c.py": ["x"]}))
    lake.replace_repository_files(TABLE, "r", ["a.py", "c.py", "d.py"], symbols("r", {"a.py": ["f2"], "d.py": ["y"]}, head=HEAD))
    assert standing(lake) == [("a.py", "f2"), ("b.py", "h"), ("d.py", "y")]
    assert lake.head_of(TABLE, "r") == HEAD
    assert lake.count(TABLE, "path = ''") == 1


def test_a_replacement_is_one_version(lake):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"]}))
    version = lake.version(TABLE)
    lake.replace_repository_files(TABLE, "r", ["a.py"], symbols("r", {"a.py": ["g"]}))
    assert lake.version(TABLE) == version + 1


@pytest.mark.parametrize("paths", [None, ["a.py", "b.py"]])
def test_rows_that_stand_already_write_no_version(lake, paths):
    rows = symbols("r", {"a.py": ["f"], "b.py": ["h"]})
    lake.replace_repository_files(TABLE, "r", None, rows)
    version = lake.version(TABLE)
    assert lake.replace_repository_files(TABLE, "r", paths, rows) == 0
    assert lake.version(TABLE) == version


def test_a_new_head_alone_is_written(lake):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"]}))
    assert lake.replace_repository_files(TABLE, "r", [], symbols("r", {}, head=HEAD)) == 1
    assert (standing(lake), lake.head_of(TABLE, "r")) == ([("a.py", "f")], HEAD)


def test_all_files_of_a_repository_are_replaced(lake):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"], "b.py": ["h"]}))
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"c.py": ["x"]}))
    assert standing(lake) == [("c.py", "x")]


def test_other_repositories_are_left_alone(lake):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"]}))
    lake.replace_repository_files(TABLE, "other", None, symbols("other", {"a.py": ["g"]}))
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["z"]}))
    assert (standing(lake), standing(lake, "other")) == ([("a.py", "z")], [("a.py", "g")])


@pytest.mark.parametrize("path", ["it's.py", 'a "b".py', "new\nline.py", "back\\slash.py", "ünï.py", "per%cent_.py", "-- x.py"])
def test_odd_file_names_are_only_names(lake, path):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {path: ["f"], "b.py": ["h"]}))
    lake.replace_repository_files(TABLE, "r", [path], symbols("r", {path: ["f2"]}))
    assert standing(lake) == sorted([(path, "f2"), ("b.py", "h")])
    lake.replace_repository_files(TABLE, "r", [path], symbols("r", {}))
    assert standing(lake) == [("b.py", "h")]


def test_a_large_change_writes_the_repository_side_by_side(lake, monkeypatch):
    monkeypatch.setattr(repository_files, "_FEW", 2)
    files = {f"f{number}.py": ["a", "b"] for number in range(10)}
    lake.replace_repository_files(TABLE, "r", None, symbols("r", files))
    changed = {path: ["c", "d"] for path in list(files)[:5]}
    assert lake.replace_repository_files(TABLE, "r", [*changed, "gone.py"], symbols("r", changed)) == 21
    assert standing(lake) == sorted((path, name) for path, names in (files | changed).items() for name in names)
    assert len(lake.table(TABLE).open().get_fragments()) == 1


def test_many_rows_of_a_file_are_deleted_by_the_filter(lake, monkeypatch):
    monkeypatch.setattr(repository_files, "_ADDRESSES", 2)
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f", "g", "h"], "b.py": ["x"]}))
    lake.replace_repository_files(TABLE, "r", ["a.py"], symbols("r", {"a.py": ["z"]}))
    assert standing(lake) == [("a.py", "z"), ("b.py", "x")]


def test_a_conflict_is_tried_again_on_what_stands_then(lake, monkeypatch):
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"]}))
    update = repository_files._update

    def overtaken(*arguments):
        monkeypatch.undo()
        lake.replace_repository_files(TABLE, "r", ["b.py"], symbols("r", {"b.py": ["theirs"]}))
        return update(*arguments)

    monkeypatch.setattr(repository_files, "_update", overtaken)
    lake.replace_repository_files(TABLE, "r", ["b.py"], symbols("r", {"b.py": ["ours"]}, head=HEAD))
    assert (standing(lake), lake.head_of(TABLE, "r")) == ([("a.py", "f"), ("b.py", "ours")], HEAD)


def test_two_first_writers_of_a_repository_do_not_double_its_rows(lake, monkeypatch):
    lake.replace_repository_files(TABLE, "other", None, symbols("other", {"a.py": ["f"]}))
    write = Table.extend

    def overtaken(*arguments):
        monkeypatch.undo()
        lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"], "b.py": ["g"]}))
        return write(*arguments)

    monkeypatch.setattr(Table, "extend", overtaken)
    lake.replace_repository_files(TABLE, "r", None, symbols("r", {"a.py": ["f"]}))
    assert standing(lake) == [("a.py", "f")]


@pytest.mark.parametrize(
    ("paths", "rows", "problem"),
    [
        (None, symbols("other", {"a.py": ["f"]}), "must be 'r'"),
        (None, symbols("r", {"a.py": ["f"]}).slice(1), "the repository's own one among them"),
        (["b.py"], symbols("r", {"a.py": ["f"]}), "'a.py' is not one of the files"),
        (None, symbols("r", {"a.py": ["f", "f"]}), "stands twice"),
    ],
)
def test_rows_that_would_break_the_table_are_refused(lake, paths, rows, problem):
    with pytest.raises(SchemaMismatchError, match=problem):
        lake.replace_repository_files(TABLE, "r", paths, rows)
    assert not lake.exists(TABLE)
