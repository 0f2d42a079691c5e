from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from comind.cli.main import execute
from tests.builders.ledger import Ledger

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command line did."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture(scope="session")
def indexed_shop(tmp_path_factory):
    return Ledger.make(tmp_path_factory.mktemp("indexed")).index()


@pytest.fixture
def ledger(indexed_shop, tmp_path):
    """A repository that is indexed, and nothing recorded yet."""
    return indexed_shop.copy_to(tmp_path)


@pytest.fixture
def environment(tmp_path, ledger):
    """The environment of a person whose home is empty."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMIND_", "XDG_", "_COMIND", "AWS_"))}
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"):
        kept.pop(name, None)
    home = tmp_path / "home"
    home.mkdir()
    return kept | {"HOME": str(home), "COMIND_STORE": str(ledger.store), "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}


@pytest.fixture
def comind(ledger, environment, monkeypatch, capsys):
    """Run a command line in this process, in the work tree of the repository."""
    for name in os.environ.keys() - environment.keys():
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ledger.repository.path)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = execute([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


class Processes:
    """Runs command lines in processes of their own."""

    def __init__(self, cwd, environment):
        self.options = {"cwd": cwd, "env": environment}

    def __call__(self, *arguments, **options):
        command = [sys.executable, "-m", "comind", *arguments]
        return subprocess.run(
            command,
            **self.options | {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": 60} | options,
            check=False,
        )

    def start(self, *arguments, **options):
        return subprocess.Popen([sys.executable, "-m", "comind", *arguments], **self.options | options)


@pytest.fixture
def comind_process(ledger, environment):
    return Processes(ledger.repository.path, environment)
