"""Lockfiles and manifests of every format are read; what cannot be read is a problem in words, never a crash."""

from __future__ import annotations

import json

import pytest

from comind.sources.manifests import Scope, Use, format_of, read_dependencies
from comind.sources.manifests.plain import from_json
from comind.sources.manifests.registry import MAX_LOCKFILE_BYTES
from tests.builders.lockfiles import SAMPLES

FORMATS = sorted(SAMPLES)


def found(path, content=None):
    """Each package of a sample: (versions, use)."""
    reading = read_dependencies(path, SAMPLES[path].encode() if content is None else content)
    assert reading.problem is None
    return {(one.ecosystem, one.package, str(one.use)): one for one in reading.dependencies}


def versions(path, package, content=None):
    return sorted({version for (_, name, _), one in found(path, content).items() if name == package for version in one.versions})


@pytest.mark.parametrize(
    ("path", "package", "wanted"),
    [
        ("Cargo.lock", "syn", ["1.0.0", "2.0.0"]),
        ("uv.lock", "zope-interface", ["7.1"]),
        ("poetry.lock", "zope-interface", ["7.1"]),
        ("Pipfile.lock", "idna", ["3.11"]),
        ("package-lock.json", "chalk", ["4.1.2", "5.6.2"]),
        ("yarn.lock", "@scope/part", ["1.2.3"]),
        ("berry/yarn.lock", "@scope/part", ["1.2.3"]),
        ("pnpm-lock.yaml", "@scope/part", ["1.2.3"]),
        ("bun.lock", "chalk", ["4.1.2", "5.6.2"]),
        ("deno.lock", "@std/path", ["1.0.6"]),
        ("go.sum", "golang.org/x/net", ["v0.57.0"]),
        ("go.mod", "golang.org/x/net", ["v0.57.0"]),
        ("Gemfile.lock", "ffi", ["1.17.0", "1.17.0-arm64-darwin"]),
        ("Package.resolved", "promises", ["2.4.0"]),
        ("requirements.txt", "zope-interface", ["7.1"]),
        ("flake.lock", "nixpkgs", ["a" * 40]),
        ("Directory.Packages.props", "entity.core", ["8.0.22", "9.0.15"]),
        ("composer.lock", "vendor/part", ["1.2.3"]),
        ("mix.lock", "plug", ["1.13.6"]),
        ("Podfile.lock", "Mockingjay", ["2.0.1"]),
        ("gradle.lockfile", "com.google.code.gson:gson", ["2.9.0", "2.9.1"]),
        ("packages.lock.json", "newtonsoft.json", ["13.0.3"]),
        ("gradle/libs.versions.toml", "guava", ["33.6.0-jre"]),
        ("gradle/libs.versions.toml", "com.google.guava:guava", ["33.6.0-jre"]),
    ],
)
def test_every_format_tells_the_versions_of_a_package(path, package, wanted):
    assert versions(path, package) == wanted


@pytest.mark.parametrize(
    ("path", "package", "use"),
    [
        ("Cargo.lock", "own", Use.OWN), ("Cargo.lock", "serde", Use.DIRECT), ("Cargo.lock", "memchr", Use.TRANSITIVE),
        ("uv.lock", "own", Use.OWN), ("uv.lock", "zope-interface", Use.DIRECT), ("uv.lock", "idna", Use.TRANSITIVE),
        ("package-lock.json", "own", Use.OWN), ("package-lock.json", "vitest", Use.DIRECT), ("package-lock.json", "debug", Use.TRANSITIVE),
        ("berry/yarn.lock", "@scope/part", Use.DIRECT), ("berry/yarn.lock", "ms", Use.TRANSITIVE), ("yarn.lock", "ms", Use.UNKNOWN),
        ("pnpm-lock.yaml", "@scope/part", Use.DIRECT), ("pnpm-lock.yaml", "ms", Use.TRANSITIVE),
        ("bun.lock", "ms", Use.TRANSITIVE), ("deno.lock", "@std/path", Use.DIRECT), ("deno.lock", "@std/internal", Use.TRANSITIVE),
        ("go.mod", "golang.org/x/net", Use.DIRECT), ("go.mod", "golang.org/x/sys", Use.TRANSITIVE), ("go.sum", "golang.org/x/net", Use.UNKNOWN),
        ("Gemfile.lock", "jekyll", Use.DIRECT), ("Gemfile.lock", "ffi", Use.TRANSITIVE), ("Gemfile.lock", "own", Use.OWN),
        ("Podfile.lock", "Mockingjay", Use.DIRECT), ("Podfile.lock", "URITemplate", Use.TRANSITIVE),
        ("flake.lock", "nixpkgs", Use.DIRECT), ("packages.lock.json", "build.tasks", Use.TRANSITIVE),
    ],
)  # fmt: skip
def test_what_the_repository_names_is_told_from_what_others_bring(path, package, use):
    assert {one.use for (_, name, _), one in found(path).items() if name == package} == {use}


def test_only_the_version_that_the_workspace_names_is_direct():
    rows = found("Cargo.lock")
    assert (rows["cargo", "syn", "direct"].versions, rows["cargo", "syn", "transitive"].versions) == (("2.0.0",), ("1.0.0",))


def test_an_old_npm_lockfile_tells_what_only_another_package_sees():
    lock = {
        "lockfileVersion": 1,
        "dependencies": {"a": {"version": "1.0.0", "dependencies": {"b": {"version": "2.0.0"}}}, "b": {"version": "3.0.0"}},
    }
    rows = found("package-lock.json", json.dumps(lock).encode())
    assert (rows["npm", "b", "transitive"].versions, rows["npm", "b", "unknown"].versions) == (("2.0.0",), ("3.0.0",))


def test_an_older_pnpm_lockfile_is_read_too():
    old = b"lockfileVersion: '6.0'\ndependencies:\n  ms:\n    specifier: ^2.1\n    version: 2.1.3\npackages:\n  /ms@2.1.3:\n    dev: false\n  /@a/b@1.0.0(ms@2.1.3):\n    dev: true\n"
    rows = found("pnpm-lock.yaml", old)
    assert rows["npm", "ms", "direct"].versions == ("2.1.3",)
    assert (rows["npm", "@a/b", "transitive"].versions, rows["npm", "@a/b", "transitive"].scope) == (("1.0.0",), Scope.DEV)
    older = b"lockfileVersion: 5.4\nspecifiers:\n  ms: ^2.1\ndependencies:\n  ms: 2.1.3\npackages:\n  /ms/2.1.3:\n    dev: false\n  /@a/b/1.0.0_ms@2.1.3:\n    dev: true\n"
    assert found("pnpm-lock.yaml", older).keys() == rows.keys()


def test_a_go_module_is_at_the_version_that_replaces_it():
    mod = b"module m\nrequire (\n\ta/b v1.0.0\n\tc/d v1.0.0\n\te/f v1.0.0 // indirect\n)\nreplace a/b => a/b v1.5.0\nreplace c/d => x/y v9.0.0\nreplace e/f => ../e\nexclude a/b v1.4.0\n"
    rows = found("go.mod", mod)
    assert rows["gomod", "a/b", "direct"].versions == ("v1.5.0",)
    assert rows["gomod", "a/b", "direct"].excluded == ("v1.4.0",)
    assert (rows["gomod", "c/d", "direct"].versions, rows["gomod", "x/y", "direct"].versions) == ((), ("v9.0.0",))
    assert rows["gomod", "e/f", "transitive"].versions == ()


def test_a_range_in_central_versions_resolves_nothing():
    row = found("Directory.Packages.props")["nuget", "awssdk.core", "unknown"]
    assert (row.versions, row.declared) == ((), ("[3.7.500.5, 4)",))


def test_a_property_stands_for_its_version():
    assert versions("Directory.Packages.props", "awssdk.s3") == ["4.0.1"]


def test_declarations_carry_their_ranges_and_scopes():
    package = found("package.json", b'{"dependencies": {"a": "^1.2", "b": "npm:c@~2"}, "devDependencies": {"d": "workspace:*"}}')
    assert {name: (one.declared, one.scope) for (_, name, _), one in package.items()} == {
        "a": (("^1.2",), Scope.RUNTIME), "c": (("~2",), Scope.RUNTIME), "d": (("workspace:*",), Scope.DEV),
    }  # fmt: skip
    crate = found(
        "Cargo.toml",
        b'[dependencies]\na = "1"\nb = { package = "c", version = "2", optional = true }\n[target.x.dev-dependencies]\nd = "3"\n',
    )
    assert {name: (one.declared, one.scope) for (_, name, _), one in crate.items()} == {
        "a": (("1",), Scope.RUNTIME), "c": (("2",), Scope.OPTIONAL), "d": (("3",), Scope.DEV),
    }  # fmt: skip
    python = found(
        "pyproject.toml",
        b'[project]\ndependencies = ["A>=1,<2"]\n[project.optional-dependencies]\nx = ["b"]\n[dependency-groups]\ny = ["c==3"]\n',
    )
    assert {name: (one.declared, one.scope) for (_, name, _), one in python.items()} == {
        "a": (("<2,>=1",), Scope.RUNTIME), "b": ((), Scope.OPTIONAL), "c": (("==3",), Scope.DEV),
    }  # fmt: skip


def test_lines_that_are_no_requirements_are_told_and_the_others_read():
    reading = read_dependencies(
        "requirements.txt", b"a==1\n<<<<<<< HEAD\n-e .[x]\n-r other.txt\nb @ git+https://x.invalid/b@1 \\\n  --hash=sha256:0\n"
    )
    assert [one.package for one in reading.dependencies] == ["a", "b"]
    assert reading.problem == "1 lines are no requirements, the first is '<<<<<<< HEAD'"


@pytest.mark.parametrize("path", FORMATS)
def test_a_file_cut_off_or_of_another_kind_never_crashes(path):
    whole = SAMPLES[path].encode()
    for end in range(0, len(whole), max(1, len(whole) // 60)):
        read_dependencies(path, whole[:end])
    for content in (
        b"",
        b"[]",
        b"[1]",
        b"{",
        b"null",
        b"\xff\xfe{\0}\0",
        b"\x80abc",
        b"\0" * 9,
        b"<a",
        b"a: [",
        b"<<<<<<< HEAD\nx\n",
        b'{"packages": [], "pins": 3}',
    ):
        reading = read_dependencies(path, content)
        assert not reading.dependencies or path == "requirements.txt"  # where almost any word is a name


@pytest.mark.parametrize("path", FORMATS)
def test_another_encoding_is_said(path):
    assert read_dependencies(path, SAMPLES[path].encode("utf-16")).problem.endswith("it holds NUL bytes: binary, or UTF-16")
    assert "it is not UTF-8" in read_dependencies(path, b"\x80" + SAMPLES[path].encode()).problem


@pytest.mark.parametrize("path", FORMATS)
def test_line_ends_and_a_byte_order_mark_change_nothing(path):
    plain = read_dependencies(path, SAMPLES[path].encode())
    assert read_dependencies(path, b"\xef\xbb\xbf" + SAMPLES[path].encode().replace(b"\n", b"\r\n")) == plain


@pytest.mark.parametrize("path", [path for path in FORMATS if path.endswith((".json", "bun.lock", "deno.lock"))])
def test_a_list_where_an_object_belongs_is_a_problem(path):
    content = from_json(SAMPLES[path].encode(), trailing_commas=True)
    for key, value in content.items():
        if isinstance(value, dict) and value:
            assert read_dependencies(path, json.dumps(content | {key: [1]}).encode()).problem


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("package.json", b'{"dependencies": {"a": "1", "a": "2"}}', "the key 'a' comes twice"),
        ("pnpm-lock.yaml", b"packages:\n  a@1.0.0: {}\n  a@1.0.0: {}\n", "the key 'a@1.0.0' comes twice"),
        ("pnpm-lock.yaml", b"a: &a [x]\nb: &b\n  <<: *a\n", "it merges mappings"),
        ("pnpm-lock.yaml", b"packages: " + b"[" * 100_000, "nested too deep"),
        ("pnpm-lock.yaml", b"packages: " + b"{a: " * 100_000, "nested too deep"),
        ("pnpm-lock.yaml", b"".join(b" " * level + b"a:\n" for level in range(1000)), "nested too deep"),
        ("package-lock.json", b'{"packages": ' + b"[" * 100_000, "RecursionError"),
        ("Cargo.lock", b"a = " + b"[" * 100_000, ""),
        ("Directory.Packages.props", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "it declares a document type"),
        ("package-lock.json", b'{"name": "a"}', "it lists no packages"),
        ("go.mod", b"module m\nrequire (\n\ta/b v1.0.0\n", "the block 'require' does not end"),
        ("go.sum", b"a/b v1.0.0 h1:x\na/b\n", "line 2 is not a module, a version and a hash"),
        ("yarn.lock", b'a@^1:\n  version "1.0.0"\nb@^1:\n  resolved "x"\n', "the entry 'b@^1' has no version"),
        ("mix.lock", b'%{\n  "a": {:hex, :a, "1"', "it is not a whole map"),
        ("Cargo.lock", b"\n", "it is empty"),
        ("Cargo.lock", b"x" * (MAX_LOCKFILE_BYTES + 1), "too many"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said(path, content, words):
    reading = read_dependencies(path, content)
    assert reading.dependencies == ()
    assert words in reading.problem


def test_aliases_of_aliases_are_read_without_being_spread():
    levels = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40)]
    assert (
        read_dependencies("pnpm-lock.yaml", "\n".join([*levels, "packages: *a39"]).encode()).problem
        == "not a readable pnpm-lock.yaml: 'packages' is not an object"
    )


def test_vendored_files_and_samples_are_no_manifests():
    assert [format_of(path) for path in ("vendor/a/go.mod", "a/testdata/Cargo.lock", "docs/package.json.md")] == [None, None, None]
    assert [format_of(path).name for path in ("dev-requirements.txt", "src/App/App.csproj", "a/b/go.mod")] == [
        "pip-requirements",
        "nuget-project",
        "gomod",
    ]
