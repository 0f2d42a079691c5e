"""Which of our definitions a SCIP symbol means.

In: rows of `symbols` and `code_files`, and what an index defines where. Out: a sid, or None.
Joins by place where the index defines the symbol in a file of ours, by canonical key, or by package, type and member where only one
definition has these names. Never guesses beyond that.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from comind.index.names import module_key, sid_of
from comind.index.scip.symbols import read_symbol

if TYPE_CHECKING:
    import polars as pl

    from comind.index.scip.documents import Mention
    from comind.index.scip.symbols import ScipSymbol

__all__ = ["Outline", "SymbolMap"]

_METHOD = "()."


class Outline:
    """The definitions of one repository by file and line.

    Args:
        symbols: rows of `symbols` of the repository; ``path, sid, name, qualified_name, canonical_key, start_line, end_line`` are read.
        files: rows of `code_files` of the repository; ``path, package, module`` are read.
    """

    def __init__(self, symbols: pl.DataFrame, files: pl.DataFrame) -> None:
        self._here: dict[str, list[tuple[int, int, str, str, str, int]]] = defaultdict(list)
        columns = ("path", "start_line", "end_line", "name", "qualified_name", "canonical_key", "sid")
        for path, *definition in symbols.select(columns).drop_nulls().iter_rows():
            self._here[path].append(tuple(definition))
        self._painted: tuple[str | None, list[int | None]] = (None, [])  # the innermost definition at each line of one file
        for found in self._here.values():
            found.sort(key=lambda one: (one[0], -one[1]))
        named = files.filter(files["package"].is_not_null()).select("path", "package", "module")
        self._modules = {path: sid_of(_module_key(package, module)) for path, package, module in named.iter_rows() if path}

    def around(self, path: str, line: int) -> int | None:
        """Return the sid of the innermost definition around a line, at top level that of the module; None for an unknown file."""
        if path != self._painted[0]:
            self._painted = path, self._paint(path)
        lines = self._painted[1]
        sid = lines[line] if line < len(lines) else None
        return self._modules.get(path) if sid is None else sid

    def _paint(self, path: str) -> list[int | None]:
        here = self._here.get(path, [])
        lines: list[int | None] = [None] * (1 + max((end for _, end, *_ in here), default=0))
        for start, end, *_, sid in here:  # the outer ones come first
            lines[start : end + 1] = [sid] * (end + 1 - start)
        return lines

    def defined(self, path: str, mention: Mention, symbol: ScipSymbol) -> int | None:
        """Return the sid of our definition that the definition of an index is."""
        if symbol.is_parameter:
            return None
        found = None
        for start, end, name, qualified, key, sid in self._here.get(path, ()):
            if start > mention.line:
                break
            if end >= mention.line and name == mention.name and (qualified.split(".") == symbol.names or _alike(key, symbol)):
                found = sid  # the innermost comes last
        return found


def _module_key(package: str, module: str | None) -> str:
    manager, _, name = package.partition(" ")
    return module_key(manager, name, module or "")


def _alike(key: str, symbol: ScipSymbol) -> bool:
    """Say whether both are methods, both types or both values."""
    suffix = symbol.descriptors[-1].suffix
    return key.endswith(").") if suffix == _METHOD else key.endswith(suffix) and not key.endswith(").")


class SymbolMap:
    """Answers what symbols mean; the same question is looked up once.

    Args:
        symbols: rows of `symbols` of every repository that an index may refer to; ``canonical_key, sid`` are read.
        files: rows of `code_files` of the same; ``package, module`` are read.
    """

    def __init__(self, symbols: pl.DataFrame, files: pl.DataFrame) -> None:
        self._by_key: dict[str, int] = dict(symbols.select("canonical_key", "sid").iter_rows())
        modules = files.select("package", "module").filter(files["package"].is_not_null()).unique()
        for package, module in modules.iter_rows():
            key = _module_key(package, module)
            self._by_key.setdefault(key, sid_of(key))
        self.packages = frozenset(modules["package"].to_list())
        self._by_tail: dict[tuple[str, str], int | None] = {}
        for key, sid in self._by_key.items():
            self._note_tail(key, sid)
        self._learned: dict[str, set[int]] = defaultdict(set)
        self._answers: dict[str, int | None] = {}
        self._read: dict[str, ScipSymbol | None] = {}

    def read(self, text: str) -> ScipSymbol | None:
        """Read a symbol."""
        if text not in self._read:
            self._read[text] = read_symbol(text)
        return self._read[text]

    def learn(self, text: str, sid: int) -> None:
        """Note that a symbol is this definition, since the index defines it there."""
        self._learned[text].add(sid)

    def sid(self, text: str) -> int | None:
        """Return the sid of what a symbol means; None for what is not among the definitions, or may be several of them."""
        if text not in self._answers:
            symbol, learned = self.read(text), self._learned.get(text)
            named = None if symbol is None else self._find(symbol)
            self._answers[text] = named if not learned or named in learned else min(learned) if len(learned) == 1 else None
        return self._answers[text]

    def sids(self, text: str) -> frozenset[int]:
        """Return the sids of all that a symbol may mean: a tool may give one symbol to several definitions."""
        sid = self.sid(text)
        return frozenset(self._learned.get(text, ())) | (frozenset() if sid is None else {sid})

    def is_undecided(self, text: str) -> bool:
        """Say whether an index leaves open what is meant: one of several definitions, or what a parameter or attribute of ours holds."""
        symbol = self.read(text)
        return len(self._learned.get(text, ())) > 1 or (symbol is not None and symbol.holds_a_value and self.is_ours(text))

    def is_ours(self, text: str) -> bool:
        """Say whether a symbol belongs to a package of ours, whether or not we list it."""
        symbol = self.read(text)
        return symbol is not None and symbol.package in self.packages

    def _find(self, symbol: ScipSymbol) -> int | None:
        for key in symbol.possible_keys():
            if (sid := self._by_key.get(key)) is not None:
                return sid
        tail = symbol.tail()
        return self._by_tail.get((symbol.package, tail)) if tail else None

    def _note_tail(self, key: str, sid: int) -> None:
        symbol = read_symbol(f"comind {key}")
        tail = symbol.tail() if symbol else None
        if symbol is not None and tail is not None:
            place = symbol.package, tail
            self._by_tail[place] = sid if self._by_tail.get(place, sid) == sid else None
