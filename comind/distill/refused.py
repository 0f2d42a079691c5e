"""How judging a source ends early: with a code, wherever the reason is found.

In: nothing. Out: an exception that never leaves a gate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from comind.distill.brief import SkipCode

__all__ = ["Refused"]


class Refused(Exception):  # noqa: N818 - ends the judgement of one source, and is no error
    """One source is not asked about."""

    def __init__(self, code: SkipCode, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(code, detail)
