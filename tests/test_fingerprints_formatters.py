"""Formatters change source, not fingerprints: black and ruff over modules of the standard library."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from comind.fingerprints import parse_source

MODULES = 45
LARGEST = 14_000  # bytes, so that black ends within seconds
MOST_CHANGED = 0.001  # of the body hashes in files that a formatter changed
COMMANDS = {
    "black": (sys.executable, "-m", "black", "--quiet", "--fast", "--workers", "1"),
    "ruff": (sys.executable, "-m", "ruff", "format", "--quiet", "--isolated"),
    "ruff, 60 columns": (sys.executable, "-m", "ruff", "format", "--quiet", "--isolated", "--line-length", "60"),
}


def modules():
    folder = Path(sysconfig.get_path("stdlib"))
    return [path for path in sorted(folder.glob("*.py")) if 2_000 < path.stat().st_size <= LARGEST][:MODULES]


def bodies(path):
    """Return the body hash of each symbol of a file."""
    definitions = parse_source(path.read_bytes(), "python").definitions
    return {(one.descriptors, one.ordinal): one.body_hash for one in definitions}


@pytest.mark.parametrize("formatter", COMMANDS)
def test_formatting_changes_at_most_one_body_hash_in_a_thousand(formatter, tmp_path):
    originals = modules()
    assert len(originals) >= 40
    for path in originals:
        shutil.copy(path, tmp_path)
    run = subprocess.run([*COMMANDS[formatter], str(tmp_path)], check=False, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    reformatted = [path for path in originals if path.read_bytes() != (tmp_path / path.name).read_bytes()]
    pairs = [(bodies(path), bodies(tmp_path / path.name)) for path in reformatted]
    unpaired = [key for before, after in pairs for key in before.keys() ^ after.keys()]
    changed = [key for before, after in pairs for key in before.keys() & after.keys() if before[key] != after[key]]
    paired = sum(len(before.keys() & after.keys()) for before, after in pairs)
    sys.stdout.write(
        f"{formatter}: {len(reformatted)} of {len(originals)} files changed, {paired} symbols, {len(changed)} body hashes changed\n"
    )
    assert len(reformatted) > len(originals) / 2
    assert unpaired == []
    assert len(changed) <= MOST_CHANGED * paired, changed
