"""The files of a commit, what changed between two commits, and which names occur in a tree.

In: pygit2 trees of one repository. Out: frozen values with paths as text and object ids as hex.
Never follows a symbolic link, never enters a submodule, never looks at a work tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import DeltaStatus, DiffFind, DiffOption, FileMode

from comind.sources.git.objects import Unreadable, is_binary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

__all__ = [
    "ChangeStatus", "FileChange", "FileKind", "NamesFound", "TreeFile", "diff_trees", "escape_path", "find_entry", "find_names",
    "rename_map", "tree_file", "walk_tree",
]  # fmt: skip

_MAX_INEXACT_PAIRS = 1_000_000  # git's own limit: beyond a thousand files on each side only equal contents are paired
_MAX_SEARCHED_BYTES = 100_000_000
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Only ASCII letters, digits and the underscore hold a word together: a name between typographic quotes or Chinese signs counts too.
_WORD_BYTES = bytes(byte if chr(byte).isascii() and (chr(byte).isalnum() or byte == ord("_")) else ord(" ") for byte in range(256))


class FileKind(StrEnum):
    """What stands at a path."""

    FILE = "file"
    EXECUTABLE = "executable"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"


class ChangeStatus(StrEnum):
    """What happened to a file between two commits."""

    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class TreeFile:
    """One entry of a commit's tree that is not a directory."""

    path: str  # from the repository's root; bytes that are not UTF-8 stand as \xNN
    blob: str  # object id, hex; of a submodule, the commit it stands at
    kind: FileKind
    size: int | None  # bytes; None for a submodule, and where the object is missing
    escaped: bool = False  # the path is not UTF-8


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that differs between two commits."""

    path: str  # where it is after the change; before it, when it was deleted
    old_path: str | None  # None when it was added
    status: ChangeStatus
    blob: str | None  # None when it was deleted
    old_blob: str | None  # None when it was added


@dataclass(frozen=True, slots=True)
class NamesFound:
    """Which names occur in a tree, and the files that could not be searched for the others."""

    present: frozenset[str]
    unread: tuple[str, ...]  # paths; while there is one, absence of a name is not shown


_KINDS = {
    int(FileMode.BLOB): FileKind.FILE,
    int(FileMode.BLOB_EXECUTABLE): FileKind.EXECUTABLE,
    int(FileMode.LINK): FileKind.SYMLINK,
    int(FileMode.COMMIT): FileKind.SUBMODULE,
}
_STATUSES = {
    DeltaStatus.ADDED: ChangeStatus.ADDED,
    DeltaStatus.DELETED: ChangeStatus.DELETED,
    DeltaStatus.RENAMED: ChangeStatus.RENAMED,
}


def escape_path(raw: bytes) -> str:
    r"""Return a path of git as text; bytes that are not UTF-8 become ``\xNN``.

    >>> escape_path("größe.py".encode()), escape_path("größe.py".encode("latin-1"))
    ('größe.py', 'gr\\xf6\\xdfe.py')
    """
    return raw.decode("utf-8", "backslashreplace")


def walk_tree(tree: pygit2.Tree, size: Callable[[str], int | None], under: bytes = b"") -> Iterator[TreeFile]:
    """Yield every file of a tree, depth first, in git's order; `under` is put before each path.

    Raises:
        KeyError: a directory's object is missing.
        pygit2.GitError: a directory's object is damaged.
    """
    open_directories = [(iter(tree), under)]  # a stack, not recursion: directories may be nested deeper than Python calls
    while open_directories:
        entries, prefix = open_directories[-1]
        entry = next(entries, None)
        if entry is None:
            open_directories.pop()
            continue
        path = prefix + (entry.raw_name or b"")
        if (file := tree_file(entry, path, size)) is not None:
            yield file
        else:
            open_directories.append((iter(entry.peel(pygit2.Tree)), path + b"/"))


def find_entry(tree: pygit2.Tree, path: str) -> tuple[pygit2.Object, bytes] | None:
    """Return what stands at a path of a tree, a directory included, and the path as git has it; None when nothing does.

    A path that was escaped because it is not UTF-8 is found too.

    Raises:
        KeyError: a directory's object on the way is missing.
    """
    here: pygit2.Object = tree
    names: list[bytes] = []
    for part in path.split("/"):
        if here.type_str != "tree":
            return None
        found = _child(here.peel(pygit2.Tree), part)
        if found is None:
            return None
        here = found
        names.append(found.raw_name or b"")
    return here, b"/".join(names)


def tree_file(entry: pygit2.Object, path: bytes, size: Callable[[str], int | None]) -> TreeFile | None:
    """Return an entry of a tree as a file; None for a directory."""
    mode = int(entry.filemode or 0)
    if mode == FileMode.TREE:
        return None
    kind = _KINDS.get(mode, FileKind.FILE)  # git once wrote other permission bits, such as 100664
    blob = str(entry.id)
    text = escape_path(path)
    return TreeFile(text, blob, kind, None if kind is FileKind.SUBMODULE else size(blob), text.encode() != path)


def diff_trees(old: pygit2.Tree, new: pygit2.Tree, *, renames: bool) -> list[FileChange]:
    """List the files that differ, in order of path; with `renames`, git's rename detection pairs deleted with added ones."""
    diff = old.diff_to_tree(new, flags=DiffOption.SKIP_BINARY_CHECK | DiffOption.INCLUDE_TYPECHANGE)
    if renames:
        statuses = [delta.status for delta in diff.deltas]
        pairs = statuses.count(DeltaStatus.DELETED) * statuses.count(DeltaStatus.ADDED)
        exact = DiffFind.FIND_EXACT_MATCH_ONLY if pairs > _MAX_INEXACT_PAIRS else DiffFind(0)
        diff.find_similar(flags=DiffFind.FIND_RENAMES | exact, rename_limit=_MAX_INEXACT_PAIRS)
    return [_file_change(delta) for delta in diff.deltas]


def rename_map(changes: Iterable[FileChange]) -> dict[str, str]:
    """Map old path to new path of every renamed file."""
    return {change.old_path: change.path for change in changes if change.status is ChangeStatus.RENAMED and change.old_path}


def find_names(files: Iterable[TreeFile], names: Collection[str], read: Callable[[str], bytes | Unreadable]) -> NamesFound:
    """Tell which names occur as whole words in any text file: code, comments and documents alike.

    Where a word ends is judged so that a name is rather found than missed. Each content is read once, and none after every
    name was found. Binary files hold no names; a file that cannot be read, or is larger than 100 MB, is reported.
    """
    wanted = {name.encode("utf-8", "surrogatepass"): name for name in names}
    words = {raw for raw in wanted if raw and raw.translate(_WORD_BYTES) == raw}
    others = {raw: _whole_word(raw) for raw in wanted.keys() - words}
    seen: set[str] = set()
    unread: list[str] = []
    missing = set(wanted)
    for file in files:
        if file.blob in seen or file.kind is FileKind.SUBMODULE:
            continue
        if not missing:
            break
        seen.add(file.blob)
        text = _searched_text(file, read)
        if text is None:
            unread.append(file.path)
            continue
        missing.difference_update(words.intersection(text.translate(_WORD_BYTES).split()))
        missing.difference_update([raw for raw, pattern in others.items() if raw in missing and pattern.search(text)])
    return NamesFound(frozenset(wanted[raw] for raw in wanted.keys() - missing), tuple(unread))


def _searched_text(file: TreeFile, read: Callable[[str], bytes | Unreadable]) -> bytes | None:
    if file.size is None or file.size > _MAX_SEARCHED_BYTES:
        return None
    content = read(file.blob)
    if isinstance(content, Unreadable):
        return None
    if content.startswith(_UTF16_MARKS):
        return content.decode("utf-16", "replace").encode("utf-8", "replace")
    return b"" if is_binary(content) else content


def _whole_word(raw: bytes) -> re.Pattern[bytes]:
    # A name such as `operator==` or `größe` ends at its own edge; only an edge that is an ASCII letter needs a boundary.
    part = rb"[0-9A-Za-z_]"
    before = rb"(?<!" + part + rb")" if re.match(part, raw) else b""
    after = rb"(?!" + part + rb")" if re.match(part, raw[-1:]) else b""
    return re.compile(before + re.escape(raw) + after)


def _child(tree: pygit2.Tree, part: str) -> pygit2.Object | None:
    try:
        return tree[part]
    except KeyError:
        pass
    return next((entry for entry in tree if escape_path(entry.raw_name or b"") == part), None) if "\\x" in part else None


def _file_change(delta: pygit2.DiffDelta) -> FileChange:
    status = _STATUSES.get(delta.status, ChangeStatus.MODIFIED)
    old = None if status is ChangeStatus.ADDED else delta.old_file
    new = None if status is ChangeStatus.DELETED else delta.new_file
    old_path = escape_path(old.raw_path) if old else None
    return FileChange(
        path=escape_path(new.raw_path) if new else old_path or "",
        old_path=old_path,
        status=status,
        blob=str(new.id) if new else None,
        old_blob=str(old.id) if old else None,
    )
