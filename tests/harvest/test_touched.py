"""A record is attached to what changed most: definitions before files, code before its tests and documents."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from comind.harvest.touched import MAX_CONTEXT, MAX_SUBJECTS, Rank, rank_of, touched_places
from comind.records.vocabulary import Role, Scope
from comind.sources.git.line_diffs import FileDiff, Hunk, LineDiff


@dataclass(frozen=True)
class Symbol:
    symbol: str
    qualified_name: str
    start_line: int
    end_line: int


def symbol(name, start, end):
    return Symbol(f"comind repo example . {name}", name.rstrip("#().").replace("#", "."), start, end)


def added(path, start, *lines, old="1"):
    return FileDiff(path, old, "2", (Hunk(start - 1, 0, start, len(lines)),), (), tuple(lines))


def removed(path, start, *lines, new="2"):
    return FileDiff(path, "1", new, (Hunk(start, len(lines), start - 1, 0),), tuple(lines), ())


def places(*files, after=None, before=None, directories=()):
    """The places of a change; ``after`` and ``before`` hold the definitions by path."""
    definitions = {"after": after or {}, "before": before or after or {}}
    found = touched_places(
        LineDiff(files),
        "after",
        "before",
        lambda commit, path: definitions[commit].get(path, []),
        has_directory=lambda path: path in directories,
    )
    return [(str(place.role), str(place.scope), place.path, place.name, place.commit) for place in found.places]


def test_the_innermost_definition_is_the_subject():
    definitions = {"app.py": [symbol("App#", 1, 20), symbol("App#run().", 5, 9)]}
    assert places(added("app.py", 6, b"x = 1"), after=definitions) == [("subject", "symbol", "app.py", "App.run", "after")]


def test_lines_taken_out_of_a_definition_touch_it():
    definitions = {"app.py": [symbol("run().", 5, 9)]}
    assert places(removed("app.py", 7, b"x = 1"), after=definitions) == [("subject", "symbol", "app.py", "run", "after")]


def test_a_definition_that_went_is_context_and_its_container_the_subject():
    before = {"app.py": [symbol("App#", 1, 20), symbol("App#load().", 5, 9)]}
    after = {"app.py": [symbol("App#", 1, 15)]}
    assert places(removed("app.py", 5, b"def load():", b"    return 1"), after=after, before=before) == [
        ("subject", "symbol", "app.py", "App", "after"),
        ("context", "symbol", "app.py", "App.load", "before"),
    ]


def test_a_function_that_went_from_a_file_leaves_the_file_as_subject():
    before = {"app.py": [symbol("load().", 5, 9)]}
    assert places(removed("app.py", 5, b"def load():", b"    return 1"), after={}, before=before) == [
        ("subject", "file", "app.py", "app.py", "after"),
        ("context", "symbol", "app.py", "load", "before"),
    ]


def test_a_file_that_went_is_represented_by_the_nearest_directory():
    gone = removed("src/cache/redis/store.py", 1, b"A = 1", new=None)
    assert places(gone, directories={"src", "src/cache"}) == [("subject", "module", "src/cache", "src/cache/", "after")]
    assert places(gone) == [("subject", "repo", "", "the repository", "after")]


def test_the_repository_is_no_subject_beside_a_file():
    assert places(removed("README", 1, b"hello", new=None), added("setup.cfg", 1, b"a = 1")) == [
        ("subject", "file", "setup.cfg", "setup.cfg", "after")
    ]


def test_tests_and_change_logs_are_context_of_code():
    definitions = {"app.py": [symbol("run().", 5, 9)], "tests/test_app.py": [symbol("test_run().", 1, 30)]}
    change = added("app.py", 6, b"x = 1"), added("tests/test_app.py", 2, *[b"assert run()"] * 9), added("CHANGES.rst", 3, b"- run")
    assert places(*change, after=definitions) == [
        ("subject", "symbol", "app.py", "run", "after"),
        ("context", "symbol", "tests/test_app.py", "test_run", "after"),
        ("context", "file", "CHANGES.rst", "CHANGES.rst", "after"),
    ]


def test_tests_are_the_subject_of_a_change_to_tests():
    definitions = {"tests/test_app.py": [symbol("test_run().", 1, 30)]}
    change = added("tests/test_app.py", 2, b"assert run()"), added("CHANGES.rst", 3, *[b"- run"] * 5)
    assert places(*change, after=definitions) == [
        ("subject", "symbol", "tests/test_app.py", "test_run", "after"),
        ("context", "file", "CHANGES.rst", "CHANGES.rst", "after"),
    ]


def test_documents_are_the_subject_of_a_change_to_documents():
    assert places(added("docs/cli.rst", 3, b"Use --debug")) == [("subject", "file", "docs/cli.rst", "docs/cli.rst", "after")]


def test_imports_and_comments_do_not_make_a_file_a_subject():
    definitions = {"app.py": [symbol("run().", 5, 9)]}
    change = (
        added("app.py", 6, b"x = 1"),
        added("other.py", 1, *[b"import os"] * 20),
        added("third.py", 1, b"# why", b"", b"from a import b"),
    )
    assert places(*change, after=definitions) == [("subject", "symbol", "app.py", "run", "after")]


def test_a_change_of_imports_alone_still_has_its_file():
    assert places(added("other.py", 1, b"import os")) == [("subject", "file", "other.py", "other.py", "after")]


def test_what_changed_most_comes_first():
    definitions = {"app.py": [symbol("run().", 5, 9), symbol("load().", 15, 40)]}
    found = places(added("app.py", 6, b"x = 1"), added("app.py", 16, b"a = 1", b"b = 1"), after=definitions)
    assert [name for _, _, _, name, _ in found] == ["load", "run"]


def test_what_is_defined_inside_a_function_belongs_to_the_function():
    definitions = {"app.py": [symbol("run().", 5, 9), symbol("run().helper().", 6, 8)]}
    assert [name for _, _, _, name, _ in places(added("app.py", 7, b"x = 1"), after=definitions)] == ["run"]


def test_places_are_capped_and_counted():
    definitions = {f"m{number:02}.py": [symbol(f"f{number:02}().", 1, 9)] for number in range(20)}
    logs = [added(f"docs/d{number:02}.md", 1, b"text") for number in range(20)]
    found = touched_places(
        LineDiff((*(added(path, 2, b"x = 1") for path in definitions), *logs)),
        "after", "before", lambda _, path: definitions.get(path, []), has_directory=lambda _: False,
    )  # fmt: skip
    roles = [place.role for place in found.places]
    assert (roles.count(Role.SUBJECT), roles.count(Role.CONTEXT)) == (MAX_SUBJECTS, MAX_CONTEXT)
    assert (found.subjects_in_all, found.context_in_all) == (20, 20)


def test_a_binary_file_has_no_lines_to_look_up():
    def never(commit, path):
        raise AssertionError((commit, path))

    found = touched_places(
        LineDiff((FileDiff("logo.png", "1", "2", (), (b"\0001",), (b"\0002",)),)), "after", "before", never, has_directory=lambda _: False
    )
    assert [(place.scope, place.path) for place in found.places] == [(Scope.FILE, "logo.png")]


@pytest.mark.parametrize(
    ("path", "rank"),
    [
        ("src/flask/app.py", Rank.PLAIN),
        ("pom.xml", Rank.PLAIN),
        ("contest.py", Rank.PLAIN),
        ("src/latest/x.go", Rank.PLAIN),
        ("logger_test.go", Rank.TEST),
        ("src/hono.test.ts", Rank.TEST),
        ("src/test/java/org/x/StringUtilsTest.java", Rank.TEST),
        ("tests/conftest.py", Rank.TEST),
        ("docs/conf.py", Rank.PAPER),
        ("src/changes/changes.xml", Rank.PAPER),
        ("CHANGELOG.md", Rank.PAPER),
        ("package-lock.json", Rank.PAPER),
        (".github/workflows/ci.yml", Rank.PAPER),
    ],
)
def test_a_path_tells_code_from_what_accompanies_it(path, rank):
    assert rank_of(path) is rank
