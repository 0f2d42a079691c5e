"""The kinds of stores that can be imported, and which of them a path surely is.

In: a path. Out: kinds, what a store holds. A kind is a name, a test of the content and a reader; a new one is a line here.
Never decides by a name alone: a directory or file is only taken for a store whose content says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from comind.errors import UsageError
from comind.harvest.interop.agent_trace import import_agent_trace, is_agent_trace
from comind.harvest.interop.coderabbit import import_coderabbit, is_coderabbit
from comind.harvest.interop.entire import import_entire, is_entire
from comind.harvest.interop.git_ai import import_git_ai, is_git_ai
from comind.harvest.interop.kage import import_kage, is_kage
from comind.harvest.interop.memcontinuum import is_memcontinuum
from comind.harvest.interop.memcontinuum_records import import_memcontinuum

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from comind.harvest.interop.code import Code
    from comind.harvest.interop.losses import Found

__all__ = ["NoStoreHereError", "StoreKind", "import_store", "is_beside_code", "recognise"]


class StoreKind(StrEnum):
    """Whose store it is."""

    MEMCONTINUUM = "memcontinuum"
    KAGE = "kage"
    CODERABBIT = "coderabbit"
    GIT_AI = "git-ai"
    AGENT_TRACE = "agent-trace"
    ENTIRE = "entire"


class NoStoreHereError(UsageError):
    """A path holds no store that could be imported."""

    def __init__(self, path: Path, kind: StrEnum | None = None) -> None:
        self.path, self.kind = path, kind
        wanted = f"{str(path)!r} is no store of {kind}" if kind else f"no store of another tool is at {str(path)!r}"
        super().__init__(f"{wanted}; `comind import --help` says what is read from where")


@dataclass(frozen=True, slots=True)
class _Reader:
    is_at: Callable[[Path], bool]
    read: Callable[[Path, Code], Found]
    beside_code: bool  # it lies in the repository that it speaks of


_READERS = {
    StoreKind.MEMCONTINUUM: _Reader(is_memcontinuum, import_memcontinuum, beside_code=False),
    StoreKind.KAGE: _Reader(is_kage, import_kage, beside_code=True),
    StoreKind.CODERABBIT: _Reader(is_coderabbit, import_coderabbit, beside_code=False),
    StoreKind.GIT_AI: _Reader(is_git_ai, import_git_ai, beside_code=True),
    StoreKind.AGENT_TRACE: _Reader(is_agent_trace, import_agent_trace, beside_code=True),
    StoreKind.ENTIRE: _Reader(is_entire, import_entire, beside_code=True),
}


def recognise(path: Path) -> list[StoreKind]:
    """Return the kinds of stores that are surely at a path."""
    return [kind for kind, reader in _READERS.items() if reader.is_at(path)]


def import_store(kind: StoreKind, path: Path, code: Code) -> Found:
    """Read a store; nothing that stands in it raises.

    Raises:
        NoStoreHereError: the path holds no store of this kind.
    """
    if not _READERS[kind].is_at(path):
        raise NoStoreHereError(path, kind)
    return _READERS[kind].read(path, code)


def is_beside_code(kind: StoreKind) -> bool:
    """Whether stores of a kind lie in the repository that they speak of."""
    return _READERS[kind].beside_code
