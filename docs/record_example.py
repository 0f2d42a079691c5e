"""Record the example of the README: real commands on a real clone of Flask.

Usage: python docs/record_example.py PATH_OF_A_FLASK_CLONE > docs/example.txt
What differs between runs (seconds, the Dagster run) is left out of the record; everything else must come out the same.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["record"]

_COMMANDS = ("run --repo flask", "why SecureCookieSessionInterface.save_session", "log --limit 3")
_ORIGIN = "https://github.com/pallets/flask"


def record(clone: Path) -> str:
    """Run the commands of the example in a fresh place and return what a terminal would show."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        subprocess.run(["git", "clone", "-q", clone, place / "flask"], check=True)
        subprocess.run(["git", "-C", place / "flask", "remote", "set-url", "origin", _ORIGIN], check=True)
        env = os.environ | {
            "HOME": str(place),
            "COMIND_STORE": "store",
            "XDG_DATA_HOME": "",
            "XDG_STATE_HOME": "",
            "XDG_CACHE_HOME": "",
            "COMIND_REPOS": "",
            "DAGSTER_HOME": "",
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
        return "\n".join(_shown(command, place, env) for command in _COMMANDS)


def _shown(command: str, place: Path, env: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "comind", *command.split()], cwd=place, env=env, capture_output=True, text=True, check=False
    )
    text = re.sub(r"  run [0-9a-f]{8}, [\d.]+ s", "", done.stdout + done.stderr).replace(str(place) + "/", "")
    return f"$ comind {command}\n{text}"


if __name__ == "__main__":
    sys.stdout.write(record(Path(sys.argv[1])))
