from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

import pytest
import typer

from comind.cli import main, verbs
from comind.errors import ComindError, ExitCode, UsageError

READING = [("why", "Cart.total"), ("log",), ("search", "x"), ("status",), ("show", "0000"), ("review",)]
HEAVY = ("polars", "lance", "pyarrow", "pygit2", "dagster", "tree_sitter", "pydantic", "rich", "obstore", "github", "gitlab")


def loaded(python, *arguments):
    """The heavy modules that a command imports."""
    code = f"import sys; from comind.cli.main import execute; execute({list(arguments)!r}); print('|', *[m for m in {HEAVY!r} if m in sys.modules])"
    return set(python(code=code).stdout.rpartition("|")[2].split())


@pytest.fixture
def python(ledger, environment):
    def run(*, code):
        return subprocess.run(
            [sys.executable, "-c", code], cwd=ledger.repository.path, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), (), ("wyh",)])
def test_help_and_mistakes_load_nothing_heavy(python, arguments):
    assert loaded(python, *arguments) <= {"rich"}


@pytest.mark.parametrize(
    "arguments", [*READING, ("schema",), ("remember", "constraint", "--on", "Cart", "--rule", "N", "--severity", "must")]
)
def test_no_command_that_reads_or_remembers_imports_dagster_a_parser_or_the_client_of_a_forge(python, arguments):
    assert not loaded(python, *arguments) & {"dagster", "tree_sitter", "github", "gitlab"}


def test_remembering_a_place_opens_no_table(python):
    assert not loaded(python, "remember", "constraint", "--on", "file:shop/cart.py", "--rule", "N", "--severity", "must") & {"lance"}


@pytest.mark.parametrize("name", [name for name in verbs.VERBS if name != "run"])
def test_the_list_of_verbs_says_what_their_help_says(comind, name):
    ran = comind(name, "--help")
    assert ran.code == 0
    assert " ".join(ran.out.split("\n\n")[1].split()) == verbs.VERBS[name]


@pytest.mark.parametrize("name", [name for name in verbs.VERBS if name not in {"run", "eval"}])
def test_every_help_teaches_with_an_example(comind, name):
    assert f"Examples:\n    comind {name}" in comind(name, "--help").out


@pytest.mark.parametrize("name", [name for name in verbs.VERBS if name not in {"run", "eval"}])
def test_every_verb_speaks_json(comind, name):
    assert "--json" in comind(name, "--help").out


def test_a_verb_whose_module_is_not_there_is_not_listed(monkeypatch):
    monkeypatch.setitem(verbs.VERBS, "nothing", "Do nothing.")
    assert "nothing" not in typer.main.get_command(main.app).commands


def test_a_mistyped_verb_is_one_line_with_the_nearest_one(comind):
    ran = comind("wyh", "Cart")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "'why'" in ran.err


def test_the_version_is_printed(comind):
    assert re.fullmatch(r"comind \d+\.\d+\S*\n", comind("--version").out)


class WrongError(UsageError):
    """A message with an escape in it."""


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ComindError("the store is \x1b[31mgone\nfor good"), ExitCode.COULD_NOT_FIND_OUT, "comind: the store is gone for good\n"),
        (WrongError("no"), ExitCode.USAGE, "comind: no\n"),
        (KeyboardInterrupt(), 130, "comind: interrupted\n"),
        (typer.Abort(), 130, "comind: interrupted\n"),
        (typer.BadParameter("bad"), 2, "comind: Invalid value: bad `comind schema --help` tells more\n"),
    ],
)
def test_every_error_becomes_one_line_and_an_exit_code(comind, monkeypatch, error, code, said):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("comind.cli.schema.json_schema", fail)
    ran = comind("schema")
    assert (ran.code, ran.out, ran.err) == (code, "", said)


class WrongWayError(Exception):
    def __str__(self):
        return "so\x1b[31m it\nis"


def test_what_nobody_expected_is_one_line_and_a_file_with_the_traceback(comind, monkeypatch, tmp_path):
    def fail():
        raise WrongWayError

    monkeypatch.setattr("comind.cli.schema.json_schema", fail)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ran = comind("schema")
    [log] = (tmp_path / "state" / "comind" / "log").iterdir()
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == f"comind: something nobody expected went wrong: WrongWayError: so it is; the traceback is in {log}\n"
    assert "Traceback (most recent call last)" in log.read_text()


def test_the_reader_may_leave(comind_process):
    process = comind_process.start("schema", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    _, said = process.communicate(timeout=60)
    assert (said, process.returncode) == (b"", main.READER_GONE)


def test_an_interrupt_is_130_and_one_line(ledger, environment):
    # A shell that runs the tests in the background has the signal ignored; a person's shell has not.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from comind.cli.main import main; main()"
    command = [sys.executable, "-c", code, "remember", "-"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ledger.repository.path, env=environment)
    process.stdin.write(b" " * 100_000)  # more than a pipe holds: once it is written, the command is reading
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (said, process.returncode) == (b"comind: interrupted\n", 130)


def on_terminal(environment, cwd, *arguments):
    """What a command prints on a terminal of 100 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "comind", *arguments], stdout=slave, stderr=slave, stdin=slave, env=environment, cwd=cwd
    )
    os.close(slave)
    seen = b""
    try:
        while chunk := os.read(master, 65536):
            seen += chunk
    except OSError as error:
        if error.errno != errno.EIO:  # how a terminal says that everybody left
            raise
    os.close(master)
    return process.wait(timeout=60), seen.decode()


def test_colours_are_for_a_terminal_and_vanish_in_a_pipe_or_with_no_color(comind, comind_process, environment, ledger):
    comind("remember", "constraint", "--on", "Cart.total", "--rule", "Never negative", "--severity", "must")
    asked = ("why", "Cart.total")
    code, coloured = on_terminal(environment, ledger.repository.path, *asked)
    _, quiet = on_terminal(environment | {"NO_COLOR": "1"}, ledger.repository.path, *asked)
    _, dumb = on_terminal(environment | {"TERM": "dumb"}, ledger.repository.path, *asked)
    piped = comind_process(*asked).stdout
    assert code == 0
    assert "\x1b[1mconstraint\x1b[0m" in coloured
    assert quiet == dumb == piped.replace("\n", "\r\n")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == quiet


def test_an_ascii_pipe_gets_escapes_and_no_error(comind, comind_process, environment):
    comind("remember", "constraint", "--on", "Cart.total", "--rule", "Größe ≥ 0", "--severity", "must")
    ran = comind_process("why", "Cart.total", env=environment | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
    assert ran.returncode == 0
    assert r"Gr\xf6\xdfe \u2265 0" in ran.stdout


@pytest.mark.parametrize(
    ("words", "position", "completed"),
    [
        ("comind wh", 1, "why"),
        ("comind why --js", 2, "--json"),
        ("comind remember con", 2, "constraint"),
        ("comind review acc", 2, "accept"),
    ],
)
def test_completion_knows_verbs_options_and_kinds(comind_process, environment, words, position, completed):
    asked = {"_COMIND_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(position)}
    assert completed in comind_process(env=environment | asked).stdout.split()


def test_completing_a_verb_loads_nothing_heavy(python, environment):
    environment |= {"_COMIND_COMPLETE": "complete_bash", "COMP_WORDS": "comind ", "COMP_CWORD": "1"}
    code = f"import sys, atexit; atexit.register(lambda: print('|', *[m for m in {HEAVY!r} if m in sys.modules])); from comind.cli.main import main; main()"
    said, _, heavy = python(code=code).stdout.rpartition("|")
    assert {"why", "remember", "status"} <= set(said.split())
    assert set(heavy.split()) <= {"rich"}
