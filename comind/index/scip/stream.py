"""A SCIP index, document by document, whatever its size.

In: something to open: a file, a blob; plain, or compressed with gzip or zstd. Out: its messages, one at a time.
Never holds more than one document; one that is broken, truncated or no SCIP index at all is refused with the reason in words.
"""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from io import BytesIO, IOBase
from typing import IO, TYPE_CHECKING, Any, Final, cast

import pyarrow as pa
from google.protobuf.message import DecodeError

from comind.errors import ComindError
from comind.index.scip.messages import DOCUMENTS, METADATA, Document, Metadata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["ScipIndexError", "ScipSource"]

_MAX_MESSAGE: Final = 64 << 20  # bytes; a document of a real index has a few hundred kilobytes
_MAX_INDEX: Final = 8 << 30  # bytes once decompressed; beyond, it is taken for an archive bomb
_SKIPPED: Final = {1: 8, 5: 4}  # wire type -> bytes
_VARINT, _LENGTH = 0, 2
_LONGEST_VARINT: Final = 10


class ScipIndexError(ComindError):
    """A file is not a whole SCIP index; nothing of it is used."""

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(f"{name!r} {problem}; make the index anew, or leave it out of `scip` in comind.toml")


@dataclass(frozen=True, slots=True)
class ScipSource:
    """Where the bytes of an index come from; it may be read any number of times."""

    name: str  # for people
    open: Callable[[], IO[bytes]]

    @classmethod
    def of_file(cls, path: Path) -> ScipSource:
        """Return the index that a file is."""
        return cls(str(path), lambda: path.open("rb"))

    @classmethod
    def of_bytes(cls, name: str, content: bytes) -> ScipSource:
        """Return the index that bytes are."""
        return cls(name, lambda: BytesIO(content))

    def metadata(self) -> Any:  # noqa: ANN401 - protobuf makes the class
        """Return the message `Metadata`.

        Raises:
            ScipIndexError: it cannot be read, or is no index.
        """
        for number, message in self._messages():
            if number == METADATA:
                return self._decoded(Metadata, message)
        raise ScipIndexError(self.name, "says nothing about the tool that made it")

    def documents(self) -> Iterator[Any]:
        """Yield each message `Document`.

        Raises:
            ScipIndexError: it cannot be read, is no index or not whole; what was yielded before is not to be used.
        """
        found = False
        for number, message in self._messages():
            if number == DOCUMENTS:
                found = True
                yield self._decoded(Document, message)
        if not found:
            raise ScipIndexError(self.name, "holds no document")

    def _decoded(self, kind: Any, message: bytes) -> Any:  # noqa: ANN401
        try:
            return kind.FromString(message)
        except DecodeError:
            raise ScipIndexError(self.name, f"is damaged: a message of {len(message):,} bytes is no {kind.DESCRIPTOR.name}") from None

    def _messages(self) -> Iterator[tuple[int, bytes]]:
        """Yield the fields of the message `Index` that hold messages: number and bytes."""
        try:
            with self.open() as raw, _decompressed(raw) as file:
                yield from _Fields(self.name, file).read()
        except EOFError:
            raise ScipIndexError(self.name, "is cut off: its compressed stream does not end") from None
        except (OSError, zlib.error) as error:
            why = getattr(error, "strerror", None)
            raise ScipIndexError(self.name, f"cannot be read ({why})" if why else f"cannot be decompressed ({error})") from None


def _decompressed(raw: IO[bytes]) -> IO[bytes]:
    start = raw.read(4)
    raw.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return cast("IO[bytes]", pa.CompressedInputStream(pa.PythonFile(cast("IOBase", raw), "r"), "zstd"))
    return raw


class _Fields:
    """Reads one protobuf message field by field, without holding it."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self.name, self.file, self.at = name, file, 0

    def read(self) -> Iterator[tuple[int, bytes]]:
        while (tag := self.varint(may_end=True)) is not None:
            number, wire = tag >> 3, tag & 7
            if number == 0 or wire not in {_VARINT, _LENGTH, *_SKIPPED}:
                raise ScipIndexError(self.name, f"is not a SCIP index: byte {self.at - 1:,} is no field of one")
            if wire == _LENGTH:
                yield number, self.message()
            elif wire == _VARINT:
                self.varint()
            else:
                self.exactly(_SKIPPED[wire])
        if self.at == 0:
            raise ScipIndexError(self.name, "is empty")

    def message(self) -> bytes:
        size = self.varint() or 0
        if size > _MAX_MESSAGE:
            raise ScipIndexError(self.name, f"is not a SCIP index: a message of {size:,} bytes at byte {self.at:,} is too large for one")
        if self.at + size > _MAX_INDEX:
            raise ScipIndexError(self.name, f"has more than {_MAX_INDEX:,} bytes once decompressed")
        return self.exactly(size)

    def varint(self, *, may_end: bool = False) -> int | None:
        value = 0
        for position in range(_LONGEST_VARINT):
            byte = self.file.read(1)
            if not byte:
                if may_end and position == 0:
                    return None
                self.exactly(1)
            self.at += 1
            value |= (byte[0] & 0x7F) << (7 * position)
            if byte[0] < 0x80:  # noqa: PLR2004 - the bit that says that more follows
                return value
        raise ScipIndexError(self.name, f"is not a SCIP index: no number at byte {self.at:,}")

    def exactly(self, size: int) -> bytes:
        content = self.file.read(size)
        self.at += len(content)
        if len(content) < size:
            raise ScipIndexError(self.name, f"is cut off after {self.at:,} bytes")
        return content
