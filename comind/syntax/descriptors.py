"""SCIP descriptors: the address of a definition within its file.

In: names, kinds and parameter types. Out: text such as ``Flask#run().``.
Never a position: two definitions that share an address are told apart by the caller's ordinal.

Source: the SCIP symbol grammar (``scip.proto``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from blake3 import blake3

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.syntax.languages.model import SymbolKind

__all__ = ["descriptor", "disambiguator", "erased_type", "escaped", "squeezed", "type_parameter", "type_word"]

_TYPE_WORD = re.compile(r"[A-Za-z0-9_$-]+")  # `+` stands between types
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>")
_LONGEST = 80  # characters; a longer list of types is replaced by its hash


def escaped(name: str) -> str:
    """Write a name as SCIP does: as it is when it is simple, else in backticks.

    >>> escaped("run"), escaped("#x"), escaped("a`b")
    ('run', '`#x`', '`a``b`')
    """
    is_simple = (name.isascii() and name.isidentifier()) or _SIMPLE.fullmatch(name)
    return name if is_simple else "`" + name.replace("`", "``") + "`"


def descriptor(name: str, kind: SymbolKind, disambiguated_by: str = "") -> str:
    """Return one SCIP descriptor.

    >>> from comind.syntax.languages.model import SymbolKind
    >>> descriptor("run", SymbolKind.METHOD), descriptor("Flask", SymbolKind.CLASS), descriptor("put", SymbolKind.METHOD, "int+String")
    ('run().', 'Flask#', 'put(int+String).')
    """
    return f"{escaped(name)}({disambiguated_by})." if disambiguated_by else escaped(name) + kind.suffix


def type_parameter(text: str) -> str:
    """Return the SCIP descriptor that tells implementations of one type apart.

    >>> type_parameter("Display"), type_parameter("From<u8>")
    ('[Display]', '[`From<u8>`]')
    """
    return f"[{escaped(text)}]"


def disambiguator(types: Iterable[str]) -> str:
    """Return a legal SCIP method disambiguator made of parameter types; equal types give equal text.

    >>> disambiguator(["int", "String-"]), disambiguator([])
    ('int+String-', '')
    """
    joined = "+".join(types)
    return joined if len(joined) <= _LONGEST else type_word(joined.encode())


def type_word(text: bytes) -> str:
    """Return a type that is a plain name as it is, any other one as 8 hex digits of its BLAKE3.

    >>> type_word(b"string"), type_word(b"A | B")
    ('string', '39d8cf6b')
    """
    plain = text.decode("utf-8", "backslashreplace")
    return plain if _TYPE_WORD.fullmatch(plain) else blake3(text).hexdigest()[:8]


def erased_type(text: str) -> str:
    """Return a Java type as overload resolution sees it: no type arguments, no package, ``-`` for each array dimension.

    >>> erased_type("java.util.Map<String, List<int[]>>[]"), erased_type("int [] []")
    ('Map-', 'int--')
    """
    text = "".join(text.split())
    while (shorter := _TYPE_ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text.rpartition(".")[2].replace("[]", "-")


def squeezed(text: str) -> str:
    """Drop white space that separates nothing.

    >>> squeezed("Map< A , B >"), squeezed("const  char *")
    ('Map<A,B>', 'const char*')
    """
    return re.sub(r"\s+", " ", re.sub(r"\s*([^\w\s])\s*", r"\1", text)).strip()
