"""What package managers write into their manifests, and what people break in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.index.manifests import MANIFEST_FILES, Manifest, read_manifest


def name_in(file_name, text):
    manifest = read_manifest(file_name, text.encode())
    assert manifest.problem is None
    return manifest.name


@pytest.mark.parametrize(
    ("file_name", "text", "name"),
    [
        ("pyproject.toml", '[project]\nname = "Flask_SQLAlchemy.Ext"\n', "flask-sqlalchemy-ext"),
        ("pyproject.toml", '[tool.poetry]\nname = "Django"\n', "django"),
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n", None),
        ("setup.cfg", "[metadata]\nname = Werkzeug\n", "werkzeug"),
        ("setup.cfg", "[flake8]\nmax-line-length = 100\n", None),
        ("setup.py", 'from setuptools import setup\nsetup(name="Flask", packages=["flask"])\n', "flask"),
        ("setup.py", 'import setuptools\nX = Extension(name="x")\nsetuptools.setup(ext_modules=[X], name="real")\n', "real"),
        ("setup.py", "from distutils.core import setup\nprint \"building\"\nsetup(\n  name='Old-Style')\n", "old-style"),
        ("setup.py", "setup(name=NAME)\n", None),
        ("setup.py", 'P = "\\d"\nsetup(name="x")\n', "x"),
        ("package.json", '{"name": "@vue/runtime-core", "version": "3"}', "@vue/runtime-core"),
        ("package.json", '{"private": true}', None),
        ("package.json", '\ufeff{"name": "bom"}', "bom"),
        ("go.mod", "// about\nmodule github.com/gin-gonic/gin\n\ngo 1.21\n", "github.com/gin-gonic/gin"),
        ("go.mod", 'module "example.org/quoted" // why\n', "example.org/quoted"),
        ("go.mod", "module (\n\texample.org/block\n)\n", "example.org/block"),
        ("go.mod", "go 1.21\n", None),
        ("Cargo.toml", '[package]\nname = "tokio"\nversion.workspace = true\n', "tokio"),
        ("Cargo.toml", '[workspace]\nmembers = ["a"]\n', None),
        ("pom.xml", "<project><groupId>org.apache</groupId><artifactId>text</artifactId></project>", "org.apache:text"),
        (
            "pom.xml",
            (
                '<?xml version="1.0" encoding="ISO-8859-1"?><project xmlns="http://maven.apache.org/POM/4.0.0"><parent><groupId>org.apache'
                "</groupId><artifactId>parent</artifactId></parent><artifactId>commons-lang3</artifactId></project>"
            ),
            "org.apache:commons-lang3",
        ),
        (
            "pom.xml",
            (
                '<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><g>org.x</g></properties><groupId>${g}</groupId>'
                "<artifactId>a</artifactId></project>"
            ),
            "org.x:a",
        ),
        ("pom.xml", "<project><groupId>${unknown}</groupId><artifactId>a</artifactId></project>", None),
    ],
)
def test_the_name_is_read_as_its_manager_compares_it(file_name, text, name):
    assert name_in(file_name, text) == name


@pytest.mark.parametrize(
    ("file_name", "text", "roots"),
    [
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "lib"\n', ("lib",)),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["src/python", "./extra/"]\n', ("src/python", "extra")),
        ("pyproject.toml", '[tool.setuptools]\npackages = ["a"]\n', ()),
        ("pyproject.toml", '[[tool.poetry.packages]]\ninclude = "a"\nfrom = "python"\n', ("python",)),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["py/flask", "top"]\n', ("py",)),
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "../elsewhere"\n', ()),
        ("setup.cfg", "[options]\npackage_dir =\n    = source\n", ("source",)),
        ("setup.cfg", "[options]\npackage_dir = =source\n[options.packages.find]\nwhere = source\n", ("source",)),
        ("setup.py", 'setup(name="x", package_dir={"": "src/py"})\n', ("src/py",)),
        (
            "pom.xml",
            (
                "<project><groupId>g</groupId><artifactId>a</artifactId><build><sourceDirectory>${basedir}/src/java</sourceDirectory>"
                "</build></project>"
            ),
            ("src/java",),
        ),
    ],
)
def test_source_roots_are_read(file_name, text, roots):
    assert read_manifest(file_name, text.encode()).source_roots == roots


@pytest.mark.parametrize(
    ("file_name", "content"),
    [
        ("pyproject.toml", b"[project\nname"),
        ("pyproject.toml", b"\xff\xfe"),
        ("pyproject.toml", b'project = "text"\n'),
        ("pyproject.toml", b'tool = 1\n[project]\nname = "x"\n'),
        ("package.json", b"{"),
        ("package.json", b"[]"),
        ("package.json", b"[" * 100_000),
        ("Cargo.toml", b'package = "x"'),
        ("pom.xml", b"<project>"),
        ("pom.xml", b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project><artifactId>&b;</artifactId></project>'),
        ("pom.xml", '<?xml version="1.0" encoding="UTF-16"?><project/>'.encode("utf-16")),
        ("setup.cfg", b"no section"),
        ("go.mod", b"\xff"),
    ],
)
def test_a_broken_manifest_names_no_package_and_says_why_in_one_line(file_name, content):
    manifest = read_manifest(file_name, content)
    assert manifest.name is None
    assert manifest.problem.startswith(f"not a readable {file_name}")
    assert "\n" not in manifest.problem


def test_a_manifest_is_never_run(tmp_path):
    trap = tmp_path / "trap"
    read_manifest("setup.py", f'open({str(trap)!r}, "w")\nsetup(name=open({str(trap)!r}, "w").name)\n'.encode())
    assert not trap.exists()


@pytest.mark.parametrize("name", ['"a\\nb"', '" "', "5", "true"])
def test_a_name_that_is_no_printable_text_is_no_name(name):
    assert not read_manifest("package.json", f'{{"name": {name}}}'.encode()).name


@given(st.sampled_from(sorted(MANIFEST_FILES)), st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
def test_no_content_raises(file_name, content):
    assert isinstance(read_manifest(file_name, content), Manifest)
