"""A repository to harvest, and definitions as Python itself reads them."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pytest

from comind.harvest.reverts import harvest_reverts
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


@dataclass(frozen=True)
class PythonSymbol:
    symbol: str
    qualified_name: str
    start_line: int
    end_line: int


def python_symbols(repo):
    """Definitions of Python files, by the parser of Python; none for any other file."""

    def symbols_at(commit, path):
        blob = repo.blob_at(commit, path) if path.endswith(".py") else None
        return list(_definitions(ast.parse(repo.read(blob)), f"comind repo example . `{path}`/", ())) if blob else []

    return symbols_at


def _definitions(node, prefix, names):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            suffix = "#" if isinstance(child, ast.ClassDef) else "()."
            yield PythonSymbol(f"{prefix}{child.name}{suffix}", ".".join((*names, child.name)), child.lineno, child.end_lineno)
            yield from _definitions(child, f"{prefix}{child.name}{suffix}", (*names, child.name))


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


@pytest.fixture
def harvest():
    def run(builder, *, since=None, branches=(), ref=None):
        repo = GitRepository.open(builder.path, name="example", ref=ref)
        return harvest_reverts(repo, since=since, symbols_at=python_symbols(repo), branches=branches)

    return run
