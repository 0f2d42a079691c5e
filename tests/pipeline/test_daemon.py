"""The real thing once: `dg dev` with its daemon, a person who remembers, a commit that moves a head."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders.git import make_repository

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sys.executable).parent
# A background process of a shell ignores SIGINT, and would hand that on to the daemon.
LISTENING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
PATIENCE = 200.0  # seconds; the daemon takes about 20 to start on an idle machine


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, answer, patience=PATIENCE):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := answer():
            return found
        time.sleep(1)
    pytest.fail(f"{what} did not happen within {patience:.0f} s")


@contextmanager
def daemon(env, log):
    port = free_port()
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-c", LISTENING, PROGRAMS / "dg", "dev", "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        wait_for("the UI", lambda: process.poll() is not None or answers(f"http://127.0.0.1:{port}/server_info"))
        assert process.poll() is None, log.read_text()[-2000:]
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        finally:
            os.killpg(process.pid, signal.SIGKILL) if process.poll() is None else None


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return response.status == 200
    except OSError:
        return False


@pytest.mark.daemon
def test_what_is_remembered_is_folded_and_what_is_committed_is_indexed_by_the_next_tick(tmp_path):
    repository = make_repository(tmp_path / "shop")
    repository.write("shop.py", "def price(item):\n    return item.cost * 2\n").commit("Sell things")
    home = tmp_path / "dagster"
    home.mkdir()
    (home / "dagster.yaml").write_text((ROOT / "dagster.yaml").read_text())
    env = os.environ | {
        "DAGSTER_HOME": str(home), "COMIND_STORE": str(tmp_path / "store"), "COMIND_REPOS": str(repository.path),
        "XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }  # fmt: skip

    def comind(*arguments):
        done = subprocess.run([sys.executable, "-m", "comind", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def status(key):
        return (comind("status", "--json") or {}).get(key)

    with daemon(env, tmp_path / "daemon.log"):
        wait_for("the first index", lambda: any(one["indexed_commit"] for one in status("repositories") or ()))
        said = comind(
            "remember", "gotcha", "--on", "price", "--symptom", "Prices double", "--cause", "Cost already holds the margin", "--json"
        )
        answer = comind("why", "price", "--json")
        assert [one["record"]["id"] for one in answer["records"]] == [said["id"]], "a reader sees it before any fold"
        wait_for("the fold", lambda: status("unfolded") == 0)
        head = repository.write("shop.py", "def price(item):\n    return item.cost\n").commit("Stop doubling")
        wait_for("the index of the new head", lambda: any(one["indexed_commit"] == head for one in status("repositories") or ()))
        wait_for("the status", lambda: comind("why", "price", "--json")["records"][0]["record"]["status"] == "stale")
