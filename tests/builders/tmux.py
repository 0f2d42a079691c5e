"""A terminal that a test types on and looks at: a pane of a tmux server of its own.

``with pane(command, cwd=…, environment=…) as terminal: terminal.type("a", "n"); terminal.until("2 of 50")``.
What tmux draws is what a person sees: control codes are obeyed, not compared.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60.0  # seconds; a busy machine is no reason to fail
ENDED = "The command has ended with"


@dataclass
class Pane:
    """One terminal."""

    socket: Path

    def type(self, *keys):
        """Type keys by their names in tmux (``Enter``, ``Left``, ``C-c``), or characters."""
        self._tmux("send-keys", "-t", "0", *keys)

    def write(self, text):
        """Type a text as it stands."""
        self._tmux("send-keys", "-t", "0", "-l", text)

    def paste(self, text):
        """Paste a text, marked as such where the program asked for it."""
        self._tmux("set-buffer", text)
        self._tmux("paste-buffer", "-p", "-t", "0")

    def resize(self, columns, rows):
        self._tmux("resize-window", "-t", "0", "-x", str(columns), "-y", str(rows))

    def screen(self, *, colours=False):
        """What the terminal shows now."""
        return self._tmux("capture-pane", "-p", "-t", "0", *(["-e"] if colours else []))

    def until(self, *texts):
        """Wait until the terminal shows some texts, all at once, and return what it shows."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            shown = self.screen()
            if all(text in shown for text in texts):
                return shown
            if ENDED in shown:
                break
            time.sleep(0.1)
        pytest.fail(f"{texts} did not appear:\n{shown}")

    def _tmux(self, *arguments):
        command = ["tmux", "-u", "-f", os.devnull, "-S", str(self.socket), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


@contextmanager
def pane(command, *, cwd, environment, columns=100, rows=30):
    """Run a command in a terminal; when it has ended, the terminal says with which exit code, and stays."""
    if shutil.which("tmux") is None:
        assert "CI" not in os.environ, "CI installs tmux"
        pytest.skip("tmux is not installed")
    folder = tempfile.mkdtemp(prefix="tmux")  # not the test's own: the name of a socket must be short
    terminal = Pane(Path(folder) / "socket")
    line = f"trap : INT; {shlex.join(command)}; code=$?; echo; echo '{ENDED}' $code; exec sleep 600"
    size = ("-x", str(columns), "-y", str(rows))
    said = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
    start = ["tmux", "-u", "-f", os.devnull, "-S", str(terminal.socket), "new-session", "-d", *size, *said, "sh", "-c", line]
    subprocess.run(start, check=True, cwd=cwd, env=environment | {"LC_ALL": "C.UTF-8"}, timeout=PATIENCE)
    try:
        yield terminal
    finally:
        terminal._tmux("kill-server")
        shutil.rmtree(folder)
