"""The rows of `packages`: every manifest with the name and version that it has once all is inherited."""

from __future__ import annotations

import pytest

from comind.index.package_rows import index_packages
from comind.sources.git import GitRepository
from tests.builders.git import make_repository


@pytest.fixture
def rows(tmp_path):
    def read(**files):
        repository = make_repository(tmp_path, "shop")
        for path, content in files.items():
            repository.write(path, content)
        repository.commit("Start")
        git = GitRepository.open(repository.path, name="shop")
        return {row["path"]: row for row in index_packages(git, git.head).rows.to_pylist() if row["path"]}

    return read


def named(found):
    return {path: (row["manager"], row["name"], row["version"], row["workspace"]) for path, row in found.items()}


POM = '<project xmlns="http://maven.apache.org/POM/4.0.0">{}</project>'


@pytest.mark.parametrize(
    ("path", "content", "package"),
    [
        ("pyproject.toml", '[project]\nname = "Zope.Interface"\nversion = "7.1"\n', ("pypi", "zope-interface", "7.1")),
        ("pyproject.toml", '[project]\nname = "a"\ndynamic = ["version"]\n', ("pypi", "a", None)),
        ("pyproject.toml", '[tool.poetry]\nname = "a"\nversion = "1"\n', ("pypi", "a", "1")),
        ("setup.cfg", "[metadata]\nname = A_b\nversion = attr: a.__version__\n", ("pypi", "a-b", None)),
        ("setup.py", "from setuptools import setup\nsetup(name='A', version='1.2', packages=find())\n", ("pypi", "a", "1.2")),
        ("package.json", '{"name": "@a/b", "version": "1.0.0"}', ("npm", "@a/b", "1.0.0")),
        ("go.mod", "module example.org/a/v2\n", ("gomod", "example.org/a/v2", None)),
        ("Cargo.toml", '[package]\nname = "a"\nversion = "0.1.0"\n', ("cargo", "a", "0.1.0")),
        ("pom.xml", POM.format("<groupId>g</groupId><artifactId>a</artifactId><version>1</version>"), ("maven", "g:a", "1")),
        ("a.gemspec", 'Gem::Specification.new do |s|\n  s.name = "a"\n  s.version = A::VERSION\nend\n', ("gem", "a", None)),
        ("a.gemspec", "Gem::Specification.new do |spec|\n  spec.name    = 'a'\n  spec.version = '1.2'\nend\n", ("gem", "a", "1.2")),
        ("composer.json", '{"name": "Vendor/Part"}', ("composer", "vendor/part", None)),
        ("src/App.csproj", "<Project><PropertyGroup><Version>1.2</Version></PropertyGroup></Project>", ("nuget", "app", "1.2")),
        ("App.csproj", "<Project><PropertyGroup><PackageId>My.App</PackageId></PropertyGroup></Project>", ("nuget", "my.app", None)),
    ],
)
def test_each_manifest_tells_its_package(rows, path, content, package):
    assert named(rows(**{path: content})) == {path: (*package, None)}


def test_crates_of_a_workspace_have_its_version(rows):
    found = rows(
        **{
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n[workspace.package]\nversion = "2.0.0"\n',
            "crates/a/Cargo.toml": '[package]\nname = "a"\nversion.workspace = true\n',
            "crates/old/Cargo.toml": '[package]\nname = "old"\nversion = "0.1.0"\n',
        }
    )
    assert named(found) == {
        "Cargo.toml": ("cargo", None, None, None),
        "crates/a/Cargo.toml": ("cargo", "a", "2.0.0", "Cargo.toml"),
        "crates/old/Cargo.toml": ("cargo", "old", "0.1.0", None),
    }


def test_workspaces_of_npm_yarn_and_pnpm_name_their_members(rows):
    found = rows(
        **{
            "package.json": '{"name": "root", "workspaces": {"packages": ["packages/*", "!packages/left"]}}',
            "packages/a/package.json": '{"name": "a", "version": "1.0.0"}',
            "packages/left/package.json": '{"name": "left"}',
            "web/pnpm-workspace.yaml": "packages:\n  - 'apps/**'\n",
            "web/apps/x/y/package.json": '{"name": "y"}',
        }
    )
    assert {path: row["workspace"] for path, row in found.items()} == {
        "package.json": None, "packages/a/package.json": "package.json", "packages/left/package.json": None,
        "web/apps/x/y/package.json": "web/pnpm-workspace.yaml",
    }  # fmt: skip


def test_a_pom_inherits_group_version_and_properties_from_its_parents(rows):
    parent = "<parent><groupId>g</groupId><artifactId>root</artifactId><version>${revision}</version></parent>"
    found = rows(
        **{
            "pom.xml": POM.format(
                "<groupId>g</groupId><artifactId>root</artifactId><version>${revision}</version>"
                "<properties><revision>3.1</revision></properties><modules><module>a</module></modules>"
            ),
            "a/pom.xml": POM.format(f"{parent}<artifactId>a-${{flavour}}</artifactId><properties><flavour>x</flavour></properties>"),
            "b/pom.xml": POM.format("<parent><groupId>o</groupId><artifactId>p</artifactId><version>9</version><relativePath/></parent><artifactId>b</artifactId>"),
            "c/pom.xml": POM.format("<groupId>g</groupId><artifactId>c</artifactId><version>${unknown}</version>"),
            "d/pom.xml": POM.format("<groupId>g</groupId><artifactId>d</artifactId><version>${loop}</version><properties><loop>${loop}</loop></properties>"),
        }
    )  # fmt: skip
    assert named(found) == {
        "pom.xml": ("maven", "g:root", "3.1", None), "a/pom.xml": ("maven", "g:a-x", "3.1", "pom.xml"), "b/pom.xml": ("maven", "o:b", "9", None),
        "c/pom.xml": ("maven", "g:c", None, None), "d/pom.xml": ("maven", "g:d", None, None),
    }  # fmt: skip


def test_modules_of_gradle_have_the_group_of_the_builds_above(rows):
    found = rows(
        **{
            "settings.gradle.kts": 'rootProject.name = "shop"\ninclude(":core", ":web:api")\n',
            "build.gradle.kts": 'plugins { kotlin("jvm") version "2.0" }\nallprojects {\n  group = "org.shop"\n  version = "1.4"\n}\n',
            "core/build.gradle": "dependencies {\n  implementation group: 'x', version: '9'\n}\n",
            "web/api/build.gradle.kts": 'version = "2.0"\n',
            "other/build.gradle": "version = computed()\n",
        }
    )
    assert named(found) == {
        "build.gradle.kts": ("maven", "org.shop:shop", "1.4", None),
        "core/build.gradle": ("maven", "org.shop:core", "1.4", "settings.gradle.kts"),
        "web/api/build.gradle.kts": ("maven", "org.shop:api", "2.0", "settings.gradle.kts"),
        "other/build.gradle": ("maven", "org.shop:other", None, None),
    }


def test_the_group_of_a_task_or_an_exclusion_is_not_that_of_a_module(rows):
    build = (
        'tasks.register("lint") {\n  group = "verification"\n}\nconfigurations.all {\n  exclude(group = "x")\n}\n'
        'publishing {\n  publications {\n    group = "y"\n  }\n}\nif (group == "z") println("")\nversion "1.0"\n'
    )
    assert named(rows(**{"core/build.gradle.kts": build})) == {"core/build.gradle.kts": ("maven", None, "1.0", None)}


def test_a_manifest_that_cannot_be_read_has_a_row_that_says_so(rows, tmp_path):
    found = rows(**{"package.json": "{", "Cargo.toml": "[package", "pom.xml": "<!DOCTYPE a><a/>", "setup.py": "print 1", "go.mod": "x" * 1_000_001,
                    "pnpm-workspace.yaml": "packages: " + "[" * 1000, "pyproject.toml": "project = []\n", "vendor/package.json": "{"})  # fmt: skip
    assert {path for path, row in found.items() if row["problem"]} == {
        "package.json", "Cargo.toml", "pom.xml", "setup.py", "go.mod", "pnpm-workspace.yaml", "pyproject.toml",
    }  # fmt: skip
    assert found["go.mod"]["problem"] == "1,000,001 bytes are too many for a manifest"


def test_a_commit_that_changes_no_manifest_changes_the_own_row_alone(tmp_path):
    repository = make_repository(tmp_path, "shop").write("package.json", '{"name": "a"}')
    old = repository.commit("Start")
    head = repository.write("a.js", "").commit("Code")
    git = GitRepository.open(repository.path, name="shop")
    found = index_packages(git, head, old=old)
    assert (found.paths, found.rows["head_commit"].to_pylist()) == ((), [head])
    repository.write("package.json", '{"name": "b"}')
    found = index_packages(git, repository.commit("Rename"), old=head)
    assert (found.paths, found.rows["name"].to_pylist()) == (None, [None, "b"])
