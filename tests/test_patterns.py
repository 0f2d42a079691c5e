"""What every regular expression of the code keeps to, so that it reads alike on every Python we support."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [path for package in ("comind", "comind_assets", "comind_resources", "comind_sensors") for path in (ROOT / package).rglob("*.py")]
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[+*?]|\{\{?[0-9,]+\}\}?)\+")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_pattern_has_a_possessive_group(path):
    """Before 3.11.5 a possessive group with a choice in it fails to match what it should; an atomic group around it is right."""
    assert POSSESSIVE_GROUP.findall(path.read_text(encoding="utf-8")) == []


def test_a_possessive_group_is_seen():
    assert POSSESSIVE_GROUP.search(r"(?:a|b)++")
    assert POSSESSIVE_GROUP.search(r"(?:a|b){1,8}+")
    assert not POSSESSIVE_GROUP.search(r"(?>(?:a|b)+)[ab]++\)?")
