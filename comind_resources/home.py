"""Where Dagster keeps its history, so that every run shows in the UI.

In: an environment. Out: a folder with our `dagster.yaml` in it.
"""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["dagster_home"]

_FILE = "dagster.yaml"


def dagster_home(env: Mapping[str, str]) -> Path:
    """Choose DAGSTER_HOME: the environment's, else the root of a checkout of ours, else a state folder with a copy of our file."""
    if told := env.get("DAGSTER_HOME"):
        return Path(told)
    checkout = Path(__file__).parents[1]
    if (checkout / _FILE).is_file() and (checkout / "pyproject.toml").is_file():
        return checkout
    state = Path(env["XDG_STATE_HOME"]) if env.get("XDG_STATE_HOME") else Path(env.get("HOME", "~")).expanduser() / ".local" / "state"
    home = state / "comind" / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    if not (home / _FILE).exists():
        with as_file(files("comind_resources") / _FILE) as shipped:
            shutil.copyfile(shipped, home / _FILE)
    return home
