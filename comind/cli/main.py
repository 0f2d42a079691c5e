"""The command `comind`: one entry, one place where every error becomes a line and an exit code.

In: the command line. Out: an answer on standard output, at most one line about what went wrong on standard error, an exit code:
0 answered, 1 blocking finding, 2 the question is wrong, 3 could not find out, 130 interrupted, 141 the reader went away.
Never prints a traceback; one that nobody expected lies in a file under the state directory.
"""

from __future__ import annotations

import io
import os
import platform
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click
import typer

import comind
from comind.cli.screen import ReaderGoneError, warn
from comind.cli.verbs import Verbs
from comind.errors import ComindError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["app", "execute", "main"]

INTERRUPTED: Final = 130  # 128 + SIGINT, as a shell reports it
READER_GONE: Final = 141  # 128 + SIGPIPE

app = typer.Typer(
    cls=Verbs,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    suggest_commands=False,  # click does it already
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered, 1 blocking finding, 2 the question is wrong, 3 could not find out.",
)


def _print_version(value: bool) -> None:  # noqa: FBT001 - the shape of an option's callback
    if value:
        typer.echo(f"comind {comind.__version__}")
        raise typer.Exit


@app.callback(no_args_is_help=True)
def comind_command(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Why the code is this way: records of reasons, anchored to symbols, never shown stale without saying so.

    Start with `comind run --repo PATH`, then ask `comind why Flask.run` before you edit.
    """


def main() -> None:
    """Run `comind` with the arguments of this process and leave with its exit code."""
    sys.exit(execute(sys.argv[1:]))


def execute(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing but `SystemExit` of the interpreter gets past."""
    _never_fail_to_encode()
    try:
        code = typer.main.get_command(app).main(list(arguments), prog_name="comind", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, ReaderGoneError):
        _let_go_of_stdout()
        return READER_GONE
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        return _fail(_usage(error), ExitCode.USAGE)
    except ComindError as error:
        return _fail(str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - the one catch
        return _fail(_unexpected(error), ExitCode.COULD_NOT_FIND_OUT)
    return _fail("interrupted", INTERRUPTED) if code == INTERRUPTED else int(code or ExitCode.ANSWERED)  # typer catches some of them


def _fail(message: str, code: int) -> int:
    warn(message)
    return code


def _usage(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{error.format_message()} `{context.command_path if context else 'comind'} --help` tells more"


def _unexpected(error: Exception) -> str:
    """Write the traceback to a file and return the one line that names it."""
    what = f"{type(error).__name__}: {error}"
    try:
        path = _log_folder() / f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        system = f"comind {comind.__version__}, Python {platform.python_version()}, {platform.platform()}"
        path.write_text(f"{system}\n\n{''.join(traceback.format_exception(error))}", encoding="utf-8", errors="backslashreplace")
    except OSError:
        return f"something nobody expected went wrong: {what}"
    return f"something nobody expected went wrong: {what}; the traceback is in {path}"


def _log_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "comind" / "log"


def _never_fail_to_encode() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _let_go_of_stdout() -> None:
    # The interpreter flushes once more on its way out, and would complain then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
