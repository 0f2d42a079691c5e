"""A SCIP symbol in parts, and under the names that our own index gives: manager, package, module, descriptors.

In: the text of a symbol, as scip-python, scip-typescript, scip-java, scip-go or rust-analyzer writes it. Out: a `ScipSymbol`.
Never looks anything up; what each tool spells differently is evened out here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from comind.index.modules import DEFAULT_ROOTS
from comind.index.names import package_field
from comind.syntax.descriptors import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Descriptor", "ScipSymbol", "read_symbol"]

_FIELD = r"((?>(?:[^ ]|  )+))"
_SYMBOL = re.compile(rf"{_FIELD} {_FIELD} {_FIELD} {_FIELD} (?s:(.+))")
_NAME = r"(?:[A-Za-z0-9_+$-]+|`(?>(?:[^`]|``)+)`)"
_DESCRIPTOR = re.compile(
    rf"\[(?P<type>{_NAME})\]|\((?P<parameter>{_NAME})\)|(?P<name>{_NAME})(?P<suffix>[/#.:!]|\((?P<told>[A-Za-z0-9_+$-]*)\)\.)"
)
_MANAGERS: Final = {"python": "pypi", "pip": "pypi"}
_ROOTS: Final = frozenset(root for roots in DEFAULT_ROOTS.values() for root in roots)
_OTHER_FORM: Final = {".": "().", "().": "."}
_CONSTRUCTORS: Final = frozenset({"<constructor>", "<init>"})
_ACCESSOR = re.compile(r"<(?:get|set)>")
_CODE_MODULE: Final = "__init__"  # scip-python ends the symbol of a module with `__init__:`


@dataclass(frozen=True, slots=True)
class Descriptor:
    """One part of a symbol's address."""

    name: str
    suffix: str  # one of `/ # . : ! (). [] ()`, the brackets of the last two around the name
    told_apart_by: str = ""  # of a method: what tells overloads apart

    def __str__(self) -> str:
        name = escaped(self.name)
        if self.suffix in {"[]", "()"}:
            return f"{self.suffix[0]}{name}{self.suffix[1]}"
        return f"{name}({self.told_apart_by})." if self.suffix == "()." else name + self.suffix


@dataclass(frozen=True)
class ScipSymbol:
    """What a symbol says, in our spelling: no version, no constructor or accessor marks, no second name of a module."""

    package: str  # `<manager> <name>`
    descriptors: tuple[Descriptor, ...]

    @property
    def names(self) -> list[str]:
        """The names within the file, outermost first; none for a module."""
        return [part.name for part in self.descriptors if part.suffix != "/"]

    @property
    def name(self) -> str:
        """The last name; that of a module where the symbol is one."""
        return self.descriptors[-1].name if self.descriptors else ""

    @cached_property
    def written_name(self) -> str:
        """The name that code uses: of a module the last part."""
        return self.name.rpartition(".")[2] if self.is_module else self.name

    @property
    def owner(self) -> str | None:
        """The name of what it is a member of; None for what is no member."""
        names = self.names
        return names[-2] if len(names) > 1 else None

    @property
    def is_module(self) -> bool:
        """Whether it names nothing within a module."""
        return all(part.suffix == "/" for part in self.descriptors)

    @property
    def is_parameter(self) -> bool:
        """Whether it is a parameter or a type parameter, which our index does not list."""
        return bool(self.descriptors) and self.descriptors[-1].suffix in {"()", "[]"}

    @property
    def is_meta(self) -> bool:
        """Whether it is what no code can name: scip-typescript counts the keys of object literals, `key0:`."""
        return bool(self.descriptors) and self.descriptors[-1].suffix == ":"

    @property
    def holds_a_value(self) -> bool:
        """Whether it is a parameter, an attribute or a variable, so that what is called through it is something else."""
        return bool(self.descriptors) and self.descriptors[-1].suffix in {"()", "."}

    def possible_keys(self) -> Iterator[str]:
        """Yield the canonical keys that it may have, the likeliest first: as it is, then with each source root stripped."""
        start = f"{package_field(*self.package.split(' ', 1))} . "
        for parts in (self.descriptors, *self._without_roots()):
            yield start + "".join(map(str, parts))
            if (other := _OTHER_FORM.get(parts[-1].suffix)) is not None:  # a value that is a function: which of both is a matter of taste
                yield start + "".join(map(str, (*parts[:-1], Descriptor(parts[-1].name, other))))

    def tail(self) -> str | None:
        """Return the name of a member with that of its type, without what tells overloads apart; None for what is no member."""
        if len(self.descriptors) < 2 or self.descriptors[-2].suffix != "#":  # noqa: PLR2004
            return None
        member = Descriptor(self.name, "()." if self.descriptors[-1].suffix == "." else self.descriptors[-1].suffix)
        return f"{self.descriptors[-2]}{member}"

    def _without_roots(self) -> Iterator[tuple[Descriptor, ...]]:
        """Yield the descriptors with more and more directories gone, each time up to one that may be a source root."""
        for position, part in enumerate(self.descriptors):
            if part.suffix != "/":
                return
            if part.name in _ROOTS:
                yield self.descriptors[position + 1 :]
            pieces = part.name.split(".") if self.package.startswith("pypi ") else []
            for count in range(1, len(pieces)):
                if pieces[count - 1] in _ROOTS:
                    yield (Descriptor(".".join(pieces[count:]), "/"), *self.descriptors[position + 1 :])


def read_symbol(text: str) -> ScipSymbol | None:
    """Read a symbol; None for one that is local to its file, or breaks the grammar.

    >>> str(read_symbol("scip-python python Flask 3.1.3 `flask.app`/Flask#run().").package)
    'pypi flask'
    >>> next(read_symbol("semanticdb maven maven/org.apache/text 1.0 org/apache/Text#`<init>`(+1).").possible_keys())
    'maven org.apache:text . org/apache/Text#Text(+1).'
    >>> list(read_symbol("scip-python python flask 3.0 `src.flask.app`/__init__:").possible_keys())
    ['pypi flask . `src.flask.app`/', 'pypi flask . `flask.app`/']
    >>> read_symbol("local 12")
    """
    found = _SYMBOL.fullmatch(text)
    if found is None or text.startswith("local "):
        return None
    manager, package = (found[group].replace("  ", " ") for group in (2, 3))
    parts = _descriptors(found[5])
    return ScipSymbol(_package(manager, package), _evened(parts, manager)) if parts else None


def _descriptors(address: str) -> list[Descriptor] | None:
    parts, at = [], 0
    for match in _DESCRIPTOR.finditer(address):
        if match.start() != at:
            return None
        at = match.end()
        if match["name"]:
            suffix = "()." if match["told"] is not None else match["suffix"]
            parts.append(Descriptor(_bare(match["name"]), suffix, match["told"] or ""))
        else:
            parts.append(Descriptor(_bare(match["type"] or match["parameter"]), "[]" if match["type"] else "()"))
    return parts if at == len(address) else None


def _bare(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


def _package(manager: str, package: str) -> str:
    manager = _MANAGERS.get(manager, manager)
    if manager == "pypi":
        package = re.sub(r"[-_.]+", "-", package).lower()
    elif manager == "maven":
        package = package.removeprefix("maven/").replace("/", ":")
    return f"{manager} {package}"


def _evened(parts: list[Descriptor], manager: str) -> tuple[Descriptor, ...]:
    evened: list[Descriptor] = []
    for part in parts:
        before = evened[-1] if evened else None
        if part.suffix == ":" and part.name == _CODE_MODULE and (before is None or before.suffix == "/"):
            continue
        if before == part and part.suffix == ".":  # scip-python says a variable with a declared type twice
            continue
        if manager == "cargo" and part.suffix == "[]" and before is not None and before.name == "impl":
            evened[-1] = Descriptor(part.name, "#")  # rust-analyzer: `impl#[Type][Trait]method().`
            continue
        evened.append(_renamed(part, before, manager) if "<" in part.name else part)
    return tuple(evened)


def _renamed(part: Descriptor, before: Descriptor | None, manager: str) -> Descriptor:
    if part.name in _CONSTRUCTORS and before is not None:
        return replace(part, name="constructor" if manager == "npm" else before.name)
    return replace(part, name=_ACCESSOR.sub("", part.name) or part.name)
