"""Edges through the pipeline: after any change they are those that a first run would give."""

import polars as pl
import pytest

from tests.builders.git import make_repository
from tests.pipeline.test_run import reported

PROJECT = '[project]\nname = "{}"\ndependencies = ["{}"]\n'
PARTS = "export function fast() {}\nexport function slow() {}\n"
LIBRARY = "class Store:\n    def get(self): return 1\n\ndef connect() -> Store: return Store()\n"
USER = "from lib import connect\n\ndef run():\n    return connect().get()\n"


@pytest.fixture
def library(tmp_path):
    return make_repository(tmp_path, "library").write("pyproject.toml", PROJECT.format("lib", "x")).write("lib.py", LIBRARY)


@pytest.fixture
def user(tmp_path):
    return make_repository(tmp_path, "user").write("pyproject.toml", PROJECT.format("user", "lib")).write("user.py", USER)


def edges(pipeline):
    lake = pipeline.lake
    names = lake.read("symbols", columns=["sid", "qualified_name"]).unique("sid")
    found = lake.read("edges").filter(pl.col("path") != "").join(names, left_on="dst", right_on="sid", how="left")
    named = found.join(names.rename({"qualified_name": "source"}), left_on="src", right_on="sid", how="left")
    return set(named.select("source", "qualified_name", "kind", "resolved_by").fill_null("").iter_rows())


def calls(pipeline):
    return {(source, name) for source, name, kind, _ in edges(pipeline) if kind == "calls"}


def anew(pipeline):
    pipeline.lake.delete("edges", "true")
    pipeline.run()
    return edges(pipeline)


def test_a_call_crosses_repositories_whichever_is_watched_first(pipeline, library, user):
    user.commit()
    pipeline.repositories = [user.path]
    pipeline.run()
    assert calls(pipeline) == set()
    library.commit()
    pipeline.repositories = [user.path, library.path]
    pipeline.run()
    assert calls(pipeline) == {("connect", "Store"), ("run", "connect"), ("run", "Store.get")}
    assert edges(pipeline) == anew(pipeline)


def test_a_change_inside_a_function_resolves_its_file_alone(pipeline, library, user):
    library.write("other.py", "from lib import connect\nconnect()\n").commit()
    user.commit()
    pipeline.repositories = [user.path, library.path]
    pipeline.run()
    before = pipeline.lake.read("edges", where="path = 'other.py' OR path = 'user.py'")
    library.write("lib.py", LIBRARY.replace("return Store()", "return connect()")).commit()
    told = reported(pipeline.run(), "edges")
    assert (told["written"], told["resolved_repositories"]) == (True, 1)
    assert calls(pipeline) == {("", "connect"), ("run", "connect"), ("run", "Store.get")}
    assert pipeline.lake.read("edges", where="path = 'other.py' OR path = 'user.py'").equals(before)
    assert edges(pipeline) == anew(pipeline)


def test_what_is_renamed_in_one_repository_is_no_longer_called_from_another(pipeline, library, user):
    library.commit()
    user.commit()
    pipeline.repositories = [user.path, library.path]
    pipeline.run()
    library.write("lib.py", LIBRARY.replace("def get", "def fetch")).commit()
    pipeline.run()
    assert calls(pipeline) == {("connect", "Store"), ("run", "connect")}
    assert edges(pipeline) == anew(pipeline)


def test_a_second_run_resolves_nothing(pipeline, library):
    library.commit()
    pipeline.repositories = [library.path]
    pipeline.run()
    told = reported(pipeline.run(), "edges")
    assert (told["written"], told["resolved_repositories"]) == (False, 0)


def test_a_repository_that_is_no_longer_at_hand_keeps_its_edges_and_is_still_called(pipeline, library, user):
    library.commit()
    user.commit()
    pipeline.repositories = [library.path]
    pipeline.run()
    pipeline.repositories = [user.path]
    pipeline.run()
    assert ("run", "Store.get") in calls(pipeline)


def test_a_change_of_what_a_module_exports_reaches_those_who_import_it_from_elsewhere(pipeline, tmp_path):
    kit = make_repository(tmp_path / "kit").write("package.json", '{"name": "kit"}').write("src/parts.ts", PARTS)
    kit.write("src/index.ts", "export { fast as go } from './parts'\n").commit()
    app = make_repository(tmp_path / "app").write("package.json", '{"name": "app", "dependencies": {"kit": "1"}}')
    app.write("main.ts", "import { go } from 'kit'\nfunction run() { go() }\n").commit()
    pipeline.repositories = [app.path, kit.path]
    pipeline.run()
    assert calls(pipeline) == {("run", "fast")}
    kit.write("src/index.ts", "export { slow as go } from './parts'\n").commit()
    pipeline.run()
    assert calls(pipeline) == {("run", "slow")}
    assert edges(pipeline) == anew(pipeline)
