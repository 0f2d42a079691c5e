"""The package and module of files: nearest manifest, own language first, source root stripped."""

from __future__ import annotations

import pytest

from comind.index.packages import ManifestReader, PackageFinder, Place, package_of
from comind.sources.git import GitRepository, Unreadable
from tests.builders.git import make_repository

PYPROJECT = '[project]\nname = "{}"\n'
POM = "<project><groupId>g</groupId><artifactId>{}</artifactId></project>"


class Contents:
    """Contents by path, standing for the repository that manifests are read from."""

    def __init__(self, files):
        self.files = files

    def read(self, blob):
        content = self.files[blob]
        return content if isinstance(content, Unreadable) else content.encode()

    def size(self, blob):
        return 10**7 if self.files[blob] == "huge" else 10


def finder(files):
    """The finder of a commit that has these files; a path is its own object id."""
    return PackageFinder("github.com/acme/repo", lambda path: path if path in files else None, ManifestReader(Contents(files)))


def test_the_nearest_manifest_above_a_file_wins():
    files = {"pyproject.toml": PYPROJECT.format("outer"), "examples/tutorial/pyproject.toml": PYPROJECT.format("flaskr")}
    assert finder(files).place_of("examples/tutorial/flaskr/db.py", "python") == Place("pypi flaskr", "`flaskr.db`/")
    assert finder(files).place_of("examples/other/db.py", "python") == Place("pypi outer", "`examples.other.db`/")


def test_a_manifest_of_the_own_language_goes_before_a_nearer_one_of_another():
    files = {"pyproject.toml": PYPROJECT.format("mono"), "web/package.json": '{"name": "web"}'}
    packages = finder(files)
    assert packages.place_of("web/build.py", "python").package == "pypi mono"
    assert packages.place_of("web/app.ts", "typescript").package == "npm web"
    assert packages.place_of("tool.go", "go").package == "pypi mono"
    assert packages.place_of("web/style.css", None).package == "npm web"


def test_a_manifest_without_a_name_is_passed_over():
    files = {"package.json": '{"name": "root"}', "packages/a/package.json": '{"type": "module"}', "Cargo.toml": "[workspace]\n"}
    assert finder(files).place_of("packages/a/index.js", "javascript").package == "npm root"
    assert finder({"Cargo.toml": "[workspace]\n"}).place_of("src/lib.rs", "rust").package == "repo github.com/acme/repo"


def test_a_repository_without_a_manifest_is_its_own_package():
    assert finder({}).place_of("cmd/main.c", "c") == Place("repo github.com/acme/repo", "cmd/`main.c`/")
    assert finder({}).place_of("cmd/main.go", "go") == Place("repo github.com/acme/repo", "cmd/")


def test_setup_py_names_a_package_that_pyproject_does_not():
    files = {"pyproject.toml": "[tool.black]\n", "setup.py": 'setup(name="old", package_dir={"": "python"})'}
    assert finder(files).place_of("python/old/app.py", "python") == Place("pypi old", "`old.app`/")


@pytest.mark.parametrize(
    ("path", "language", "module"),
    [
        ("src/flask/app.py", "python", "`flask.app`/"),
        ("src/flask/__init__.py", "python", "flask/"),
        ("lib/flask/__main__.py", "python", "`flask.__main__`/"),
        ("flask/app.py", "python", "`flask.app`/"),
        ("flask/app.pyi", "python", "`flask.app`/"),
        ("tests/test_app.py", "python", "`tests.test_app`/"),
        ("my-scripts/a b.py", "python", "`my-scripts.a b`/"),
        ("__init__.py", "python", ""),
        ("src/index.ts", "typescript", "`index.ts`/"),
        ("src/jsx/dom/render.tsx", "tsx", "jsx/dom/`render.tsx`/"),
        ("lib/application.js", "javascript", "`application.js`/"),
        ("src/lib.rs", "rust", ""),
        ("src/main.rs", "rust", ""),
        ("src/runtime/mod.rs", "rust", "runtime/"),
        ("src/runtime/task.rs", "rust", "runtime/task/"),
        ("src/bin/tool/main.rs", "rust", "bin/tool/main/"),
        ("build.rs", "rust", "build/"),
        ("src/main/java/org/apache/lang3/Text.java", "java", "org/apache/lang3/"),
        ("src/test/java/org/apache/lang3/TextTest.java", "java", "org/apache/lang3/"),
        ("core/src/main/kotlin/a/B.kt", "kotlin", "a/"),
        ("src/java/org/apache/Text.java", "java", "org/apache/"),
        ("src/test/org/apache/TextTest.java", "java", "org/apache/"),
        ("Main.java", "java", ""),
    ],
)
def test_modules_are_named_as_the_indexers_of_their_language_name_them(path, language, module):
    assert finder({}).place_of(path, language).module == module


def test_go_modules_are_named_by_their_import_path():
    files = {"go.mod": "module github.com/gin-gonic/gin\n", "tools/go.mod": "module example.org/tools\n"}
    assert finder(files).place_of("binding/json.go", "go") == Place("gomod github.com/gin-gonic/gin", "`github.com/gin-gonic/gin/binding`/")
    assert finder(files).place_of("gin.go", "go").module == "`github.com/gin-gonic/gin`/"
    assert finder(files).place_of("tools/x/y.go", "go") == Place("gomod example.org/tools", "`example.org/tools/x`/")


def test_a_directory_called_src_that_is_itself_a_package_is_not_stripped():
    assert finder({"src/__init__.py": ""}).place_of("src/app.py", "python").module == "`src.app`/"
    assert finder({"src/__init__.py": ""}).place_of("src/app.ts", "typescript").module == "`app.ts`/"


def test_the_longest_source_root_is_stripped():
    files = {"pyproject.toml": PYPROJECT.format("x") + '[tool.setuptools.packages.find]\nwhere = ["src/py"]\n'}
    assert finder(files).place_of("src/py/x/app.py", "python").module == "`x.app`/"
    assert finder(files).place_of("src/other.py", "python").module == "other/"


def test_a_source_root_stays_where_its_manifest_is():
    files = {"services/api/pyproject.toml": PYPROJECT.format("api")}
    assert finder(files).place_of("services/api/src/api/main.py", "python") == Place("pypi api", "`api.main`/")


def test_a_broken_manifest_is_passed_over_and_says_why():
    packages = finder({"pyproject.toml": PYPROJECT.format("outer"), "sub/pyproject.toml": "[project"})
    assert packages.place_of("sub/a.py", "python").package == "pypi outer"
    assert "not a readable pyproject.toml" in packages.problem_of("sub/pyproject.toml")
    assert packages.problem_of("pyproject.toml") is None
    assert packages.problem_of("sub/a.py") is None


def test_an_unreadable_or_huge_manifest_is_passed_over():
    packages = finder({"a/package.json": Unreadable("missing"), "b/package.json": "huge"})
    assert packages.place_of("a/x.js", "javascript").package == "repo github.com/acme/repo"
    assert packages.place_of("b/x.js", "javascript").package == "repo github.com/acme/repo"
    assert "missing" in packages.problem_of("a/package.json")
    assert "too many" in packages.problem_of("b/package.json")


def test_directories_nested_deeper_than_python_calls_are_climbed():
    path = "d/" * 3_000 + "a.py"
    assert finder({"pyproject.toml": PYPROJECT.format("x")}).place_of(path, "python").package == "pypi x"


def test_the_package_of_a_file_at_an_old_commit_is_that_of_the_time(tmp_path):
    builder = make_repository(tmp_path)
    builder.write("src/a.py", "").write("pyproject.toml", PYPROJECT.format("before")).commit("Before")
    builder.write("pyproject.toml", PYPROJECT.format("after")).commit("After")
    repository = GitRepository.open(builder.path)
    assert [package_of(repository, commit, "src/a.py", "python").package for commit in builder.commits] == ["pypi before", "pypi after"]
