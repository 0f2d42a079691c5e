"""The root of every error that Comind raises on purpose.

In: nothing. Out: one exception class and the exit codes of the CLI.
Subclasses live beside the code that raises them; this module only avoids import loops.

ComindError            the command could not find out (exit code 3)
└── UsageError         the question itself is wrong: a bad argument, a missing file (exit code 2)
"""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ComindError", "ExitCode", "UsageError"]


class ExitCode(IntEnum):
    """What a command's exit code means; the same four everywhere."""

    ANSWERED = 0
    BLOCKING_FINDING = 1
    USAGE = 2
    COULD_NOT_FIND_OUT = 3


class ComindError(Exception):
    """Something kept Comind from answering; the message says what, where and what next, in one line."""

    exit_code: ExitCode = ExitCode.COULD_NOT_FIND_OUT


class UsageError(ComindError):
    """The caller asked for something that cannot be asked: an unknown argument, path or commit."""

    exit_code = ExitCode.USAGE
