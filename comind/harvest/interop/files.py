"""The files of a store on disk, each read once, none through a symbolic link.

In: a directory. Out: paths within it, and texts. What is too large, no UTF-8 or gone is a loss with its reason.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from comind.harvest.interop.losses import NotTakenError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_DOCUMENT_BYTES", "files_under", "read_text"]

MAX_DOCUMENT_BYTES = 2_000_000  # of one document; a chain of a thousand rulings has less


def files_under(root: Path, folders: Iterable[str], suffix: str) -> Iterator[str]:
    """Yield the files below some folders of a directory that end so, in the order of their paths; links are not followed."""
    for folder in folders:
        for directory, below, names in os.walk(root / folder):
            below.sort()
            for name in sorted(names):
                path = Path(directory, name)
                if name.endswith(suffix) and path.is_file() and not path.is_symlink():
                    yield path.relative_to(root).as_posix()


def read_text(path: Path) -> str:
    """Return the text of a document.

    Raises:
        NotTakenError: it is too large, no UTF-8, or cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MAX_DOCUMENT_BYTES:
            raise NotTakenError("too_large", f"it has {size:,} bytes, more than {MAX_DOCUMENT_BYTES:,}")
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise NotTakenError("bad_encoding", "it is not UTF-8") from None
    except OSError as error:
        raise NotTakenError("unreadable", f"it cannot be read: {error.strerror}") from None
