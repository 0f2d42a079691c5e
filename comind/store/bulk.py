"""Lines in bulk files outside the store: a local path, s3:// and whatever else fsspec has a client for.

In: a URL, lines. Out: lines, or a file that is there whole or not at all. Compression goes by the name's end (.gz, .bz2, .xz).
Never touches a store's own layout; a person may name any file.
"""

from __future__ import annotations

from contextlib import contextmanager
from io import BufferedReader
from typing import TYPE_CHECKING, cast

import fsspec
from fsspec.compression import compr
from fsspec.core import get_compression
from fsspec.implementations.local import LocalFileSystem

from comind.errors import ComindError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase

__all__ = ["BulkFileError", "read_chunks", "read_lines", "write_lines"]

_READ_BYTES = 1 << 20  # at once; the files of some clients can only read whole lines by themselves
MAX_LINE_BYTES = 4_000_000  # a record has at most a quarter of it; a file that is one endless line is refused early


class BulkFileError(ComindError):
    """A bulk file cannot be opened, read or written."""

    def __init__(self, url: str, doing: str, why: str) -> None:
        self.url = url
        super().__init__(f"{url} cannot be {doing}: {why}")


@contextmanager
def write_lines(url: str) -> Iterator[BufferedIOBase]:
    """Open a file for bytes; it appears at its name when the block ends, and not at all when the block fails.

    Raises:
        BulkFileError: there is no client for the URL, or the file cannot be written.
    """
    with _translated(url, "written"):
        files, path = fsspec.url_to_fs(url)
        # Locally the finished file would be moved into the directory, under a name that nobody gave it.
        if url.endswith("/") or (isinstance(files, LocalFileSystem) and files.isdir(path)):
            raise BulkFileError(url, "written", "it is a directory; name a file in it")
        with files.transaction, files.open(path, "wb") as raw:
            packed = get_compression(path, "infer")
            if packed is None:
                yield cast("BufferedIOBase", raw)
            else:
                with compr[packed](raw, mode="wb") as file:
                    yield file


def read_lines(url: str) -> Iterator[bytes]:
    """Yield the lines of a file without their ends, as they are read; a line longer than `MAX_LINE_BYTES` comes cut off.

    Raises:
        BulkFileError: the file cannot be opened or read on.
    """
    with _translated(url, "read"), fsspec.open(url, "rb", compression="infer") as opened, BufferedReader(opened, _READ_BYTES) as file:
        while line := file.readline(MAX_LINE_BYTES):
            yield line.rstrip(b"\r\n")
            while line and not line.endswith(b"\n"):  # the rest of an endless line
                line = file.readline(MAX_LINE_BYTES)


def read_chunks(url: str) -> Iterator[bytes]:
    """Yield the content of a file in pieces, as they are read; raises as `read_lines` does."""
    with _translated(url, "read"), fsspec.open(url, "rb", compression="infer") as file:
        while chunk := file.read(_READ_BYTES):
            yield chunk


@contextmanager
def _translated(url: str, doing: str) -> Iterator[None]:
    try:
        yield
    except ComindError:
        raise
    except FileNotFoundError:
        raise BulkFileError(url, doing, "there is no such file or directory") from None
    except Exception as error:  # every client of fsspec has errors of its own
        said = str(error).partition("\n")[0] or "no reason given"
        raise BulkFileError(url, doing, f"{type(error).__name__}: {said}") from error
