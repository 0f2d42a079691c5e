"""The code that a document names: files, directories and definitions, in backticks or behind links.

In: texts of documents, the tree of a commit, the definitions of its files. Out: places, those named first.
A name counts only if it means one thing at that commit; a word that several files define, or that is no name of code, counts for nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from comind.harvest.pages import parts_of
from comind.harvest.touched import Place, Rank, rank_of
from comind.records.vocabulary import Role, Scope
from comind.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from comind.harvest.touched import SymbolAt, SymbolsAt
    from comind.sources.git.repository import GitRepository

__all__ = ["PlaceFinder", "names_in"]

MAX_PLACES = 8
_MAX_MENTIONS = 60  # of one document
_MAX_FILES = 12  # that hold a name; what stands in more is everybody's word
_MAX_FILE_BYTES = 1_000_000
_MENTION = re.compile(r"`(?P<code>[^`\n]{2,200})`|\]\(<?(?P<link>[^()\s>]{1,300})>?[^()]*\)")
_LINES = re.compile(r"(?:#L?\d[\w-]*|:\d+(?::\d+)?|[?#].*)$")
_NAME = re.compile(r"(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*){0,5})(?P<call>\([^()]*\))?;?")
_PARTS = re.compile(r"\.|::|#|->")
_LOOKS_LIKE_CODE = re.compile(r"[a-z\d][A-Z]|[A-Z]+[a-z]|_")
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_NO_CODE = re.compile(r"\.(?:md|rst|adoc|txt|png|jpe?g|gif|svg|webp|drawio|puml|pdf)$", re.IGNORECASE)
_SHORTEST = 4  # letters of a name that may stand alone


def names_in(text: str) -> list[str]:
    """List what a document names, the most often named first.

    >>> names_in("The `Shop` is in [shop](../src/shop.py); `Shop` sells.")
    ['Shop', '../src/shop.py']
    """
    prose = "".join(part for is_code, part in parts_of(text) if not is_code)
    found = (match["code"] or match["link"] for match in _MENTION.finditer(prose))
    counted = Counter(" ".join(name.split()) for name in found if "://" not in name)
    return [name for name, _ in counted.most_common(_MAX_MENTIONS)]


@dataclass(frozen=True, slots=True)
class _Tree:
    """What stands at one commit."""

    files: frozenset[str]
    directories: frozenset[str]
    holding: dict[str, list[str]]  # word -> code files that it stands in


class PlaceFinder:
    """Finds places by name; remembers which names stand in which content, since most contents stand in most commits."""

    def __init__(self, repo: GitRepository, symbols_at: SymbolsAt, names: Iterable[str]) -> None:
        """Prepare to look for names; one that is not among these is not found in code."""
        self._repo, self._symbols_at = repo, symbols_at
        self._wanted = frozenset(word.encode() for name in names if (word := _last_word(name)))
        self._words: dict[str, frozenset[str]] = {}
        self._tree = lru_cache(4)(self._read_tree)

    def find(self, names: Sequence[str], commit: str, document: str) -> list[Place]:
        """Return what names mean at a commit: files and directories as subjects, a definition as context with its file as subject.

        Args:
            names: in the order that they matter.
            commit: where they are looked up.
            document: the document that names them; what it says is relative to it, or to the root.
        """
        places: dict[Place, None] = {}
        for name in names:
            places.update(dict.fromkeys(self._places(name, commit, document)))
            if sum(place.role is Role.SUBJECT for place in places) >= MAX_PLACES:
                break
        return list(places)[: 2 * MAX_PLACES]

    def _places(self, name: str, commit: str, document: str) -> Iterator[Place]:
        tree = self._tree(commit)
        path = _path(name, document, tree)
        if path is not None:
            scope = Scope.FILE if path in tree.files else Scope.MODULE
            if rank_of(path if scope is Scope.FILE else f"{path}/") is not Rank.PAPER and not _NO_CODE.search(path):
                yield _place(path, commit, scope)
        elif word := _last_word(name):
            yield from self._definition(name, commit, tree.holding.get(word, []))

    def _definition(self, name: str, commit: str, holding: Sequence[str]) -> Iterator[Place]:
        parts = _parts(name)
        homes = [path for path in holding if path.rpartition("/")[2].partition(".")[0] in parts]  # a file that is called so has it
        for paths in (homes, holding if len(holding) <= _MAX_FILES else ()):
            found = {(path, one.symbol): one for path in paths for one in self._symbols_at(commit, path) if _is_called(one, parts)}
            if found:
                if len(found) == 1:
                    (((path, _), one),) = found.items()
                    yield _place(path, commit, Scope.FILE)
                    yield _symbol(one, path, commit)
                return

    def _read_tree(self, commit: str) -> _Tree:
        files = {file.path: file.blob for file in self._repo.files(commit)}
        holding: defaultdict[str, list[str]] = defaultdict(list)
        for path, blob in files.items() if self._wanted else ():
            if _is_code(path):
                for word in self._words_of(blob):
                    holding[word].append(path)
        return _Tree(frozenset(files), frozenset(folder for path in files for folder in _folders(path)), dict(holding))

    def _words_of(self, blob: str) -> frozenset[str]:
        if blob not in self._words:
            content = self._repo.read(blob) if (self._repo.size(blob) or 0) <= _MAX_FILE_BYTES else b""
            found = self._wanted.intersection(_WORD.findall(content)) if isinstance(content, bytes) else frozenset()
            self._words[blob] = frozenset(word.decode() for word in found)
        return self._words[blob]


def _parts(name: str) -> tuple[str, ...]:
    found = _NAME.fullmatch(name)
    return tuple(_PARTS.split(found["name"])) if found else ()


def _is_called(one: SymbolAt, parts: Sequence[str]) -> bool:
    return f".{one.qualified_name}".endswith(f".{'.'.join(parts)}")


def _last_word(name: str) -> str | None:
    """Return the last part of a name of code; None for what is no such name, or says too little."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    parts = _parts(name)
    telling = len(parts) > 1 or found["call"] is not None or _LOOKS_LIKE_CODE.search(parts[0])
    return parts[-1] if telling and max(map(len, parts)) >= _SHORTEST else None


def _path(name: str, document: str, tree: _Tree) -> str | None:
    """Return the path that a name means: from the root, from the document, or of the one file that is called so."""
    bare = _LINES.sub("", name).rstrip("/")
    if not bare or " " in bare:
        return None
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(document), bare))
    for path in (posixpath.normpath(bare.lstrip("/")), beside):
        if path in tree.files or path in tree.directories:
            return path
    called = [path for path in tree.files if path.rpartition("/")[2] == bare] if "." in bare and "/" not in bare else []
    return called[0] if len(called) == 1 else None


def _place(path: str, commit: str, scope: Scope) -> Place:
    return Place(scope=scope, commit=commit, path=path, name=path if scope is Scope.FILE else f"{path}/", rank=rank_of(path))


def _symbol(one: SymbolAt, path: str, commit: str) -> Place:
    # What a document decides about a definition does not end when its body changes: it leads to the record and is no subject.
    return Place(
        scope=Scope.SYMBOL, role=Role.CONTEXT, commit=commit, path=path, name=one.qualified_name, symbol=one.symbol,
        start_line=one.start_line, end_line=one.end_line, rank=Rank.CODE,
    )  # fmt: skip


@lru_cache(100_000)
def _is_code(path: str) -> bool:
    return language_of(path) is not None and rank_of(path) is Rank.PLAIN


def _folders(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
