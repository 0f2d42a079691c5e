from __future__ import annotations

import pytest

from comind.query.resolve import Asked, nearest_names, resolve
from tests.builders.frames import PATH, REPO, anchor_rows, code_file, key_of, ledger, location, own_row, scip, symbol
from tests.builders.records import attempt, raw_anchor

RUN = "flask/app/Flask#run()."
CLI_RUN = "flask/cli/run()."
FLASK = "flask/app/Flask#"


@pytest.fixture
def flask():
    return ledger(
        symbols=[
            symbol(FLASK, lines=(5, 40), kind="class"),
            symbol(RUN),
            symbol(CLI_RUN, path="src/flask/cli.py", kind="function"),
            symbol("flask/cli/FlaskGroup#main().", path="src/flask/cli.py", lines=(50, 60)),
        ],
        code_files=[
            own_row(),
            code_file(),
            code_file("src/flask/cli.py"),
            code_file("tests/app.py"),
            code_file("README.md", language=None),
        ],
    )


def names(subjects):
    return [subject.canonical_key or f"{subject.kind} {subject.path}" for subject in subjects]


@pytest.mark.parametrize(
    "text",
    [
        "Flask.run",
        "Flask::run()",
        "Flask#run",
        "flask.app.Flask.run",
        scip(RUN),
        scip(RUN, version="2.0"),
        key_of(RUN),
        f"{PATH}:12",
        f"{PATH}:12:3",
    ],
)
def test_every_way_to_name_a_method_names_it_alone(flask, text):
    assert names(resolve(flask, Asked(text=text))) == [key_of(RUN)]


def test_a_bare_name_means_every_symbol_that_ends_in_it(flask):
    assert names(resolve(flask, Asked(text="run"))) == [key_of(RUN), key_of(CLI_RUN)]


def test_a_name_is_not_matched_in_the_middle_of_a_word(flask):
    assert resolve(flask, Asked(text="k.run")) == ()


def test_an_exact_qualified_name_shuts_out_longer_ones():
    tables = ledger(symbols=[symbol("a/B#c()."), symbol("a/x/A#B#c().", path="x.py")])
    assert names(resolve(tables, Asked(text="B.c"))) == [key_of("a/B#c().")]


def test_the_innermost_symbol_around_a_line_is_meant(flask):
    [method] = resolve(flask, Asked(text=f"{PATH}:12"))
    [klass] = resolve(flask, Asked(text=f"{PATH}:30"))
    [file] = resolve(flask, Asked(text=f"{PATH}:99"))
    assert (method.canonical_key, klass.canonical_key, file.kind, file.asked_line) == (key_of(RUN), key_of(FLASK), "file", 99)


def test_the_end_of_a_path_means_every_file_that_ends_in_it(flask):
    assert names(resolve(flask, Asked(text="app.py"))) == [f"file {PATH}", "file tests/app.py"]
    assert names(resolve(flask, Asked(text="flask/app.py"))) == [f"file {PATH}"]


def test_a_path_of_the_working_directory_means_that_file_alone(flask):
    assert names(resolve(flask, Asked(text="app.py", path="tests/app.py"))) == ["file tests/app.py"]


def test_a_directory_and_the_whole_repository_can_be_asked_about(flask):
    [directory] = resolve(flask, Asked(text="src/flask/"))
    [repository] = resolve(flask, Asked(text="."))
    assert (directory.kind, directory.path, repository.kind, repository.repo_id) == ("directory", "src/flask", "repository", REPO)


def test_a_repository_is_chosen_by_the_end_of_its_name():
    tables = ledger(symbols=[symbol(RUN), symbol(RUN, repo="gitlab.example/fork/flask")])
    assert len(resolve(tables, Asked(text="Flask.run"))) == 2
    assert [subject.repo_id for subject in resolve(tables, Asked(text="Flask.run", repo="pallets/flask"))] == [REPO]
    assert resolve(tables, Asked(text="Flask.run", repo="lask")) == ()


def test_the_repository_of_the_working_directory_goes_first():
    tables = ledger(symbols=[symbol(RUN), symbol(RUN, repo="gitlab.example/fork/flask")])
    assert [subject.repo_id for subject in resolve(tables, Asked(text="Flask.run", here=REPO))] == [REPO]


def test_a_redefinition_is_the_same_subject():
    tables = ledger(symbols=[symbol(RUN), symbol(RUN, ordinal=1, lines=(30, 40))])
    [subject] = resolve(tables, Asked(text="Flask.run"))
    assert subject.start_line == 10


def test_a_name_that_only_records_know_is_found_as_gone():
    record = attempt(anchors=[raw_anchor(repo=REPO, path=PATH, symbol=scip("flask/app/Flask#open_session()."))])
    tables = ledger(
        symbols=[symbol(RUN)], ledger_anchors=anchor_rows(record), anchor_locations=[location(record, path=None, matched_by="deleted")]
    )
    [subject] = resolve(tables, Asked(text="Flask.open_session"))
    assert (subject.kind, subject.qualified_name) == ("gone", "flask.app.Flask.open_session")


def test_the_former_name_of_a_symbol_leads_to_the_symbol():
    record = attempt(anchors=[raw_anchor(repo=REPO, path=PATH, symbol=scip("flask/app/Flask#serve()."))])
    tables = ledger(symbols=[symbol(RUN)], ledger_anchors=anchor_rows(record), anchor_locations=[location(record, RUN, matched_by="body")])
    [subject] = resolve(tables, Asked(text="Flask.serve"))
    assert (subject.kind, subject.canonical_key, subject.former_name) == ("symbol", key_of(RUN), "serve")


def test_a_path_that_only_records_know_is_found_as_gone():
    record = attempt(anchors=[{"scope": "file", "repo": REPO, "path": "src/flask/old.py", "commit": "a" * 40}])
    [subject] = resolve(ledger(ledger_anchors=anchor_rows(record)), Asked(text="flask/old.py"))
    assert (subject.kind, subject.path) == ("gone", "src/flask/old.py")


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE symbols; --", "%", "_", "", " ", ":", "a:b", "x:99999999999999999999", "\x1b[31m", "run OR true", "\0"]
)
def test_nothing_that_is_typed_breaks_the_question(flask, text):
    assert resolve(flask, Asked(text=text)) == ()


def test_the_nearest_names_are_offered(flask):
    assert nearest_names(flask, "Flask.rum") == ("run",)
