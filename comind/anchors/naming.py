"""What the text of a SCIP symbol says by itself: its canonical key and its names.

In: a SCIP symbol, as a record carries it. Out: the key that joins it to the index, and what it is called.
Never looks at code; it is what is left to go by when the anchored commit cannot be read.

Source: the grammar in `scip.proto` of sourcegraph/scip (message `Symbol`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from comind.index.names import qualified_name

__all__ = ["SymbolNames", "names_of"]

_FIELD = r"(?>(?:[^ ]|  )+)"  # a blank within a field is doubled
_NAME = r"(?:[A-Za-z0-9_+$-]++|`(?>(?:[^`]|``)+)`)"
_DESCRIPTOR = rf"(?:\[{_NAME}\]|\({_NAME}\)|{_NAME}(?:[/#.:!]|\([A-Za-z0-9_+$-]*+\)\.))"
_INSIDE = rf"(?P<inside>{_DESCRIPTOR}*(?P<last>{_DESCRIPTOR}))"
_SYMBOL = re.compile(rf"{_FIELD} (?P<package>{_FIELD} {_FIELD}) {_FIELD} (?P<module>(?>(?:{_NAME}/)*)){_INSIDE}")


@dataclass(frozen=True, slots=True)
class SymbolNames:
    """How one symbol is called."""

    canonical_key: str  # `<manager> <package> . <descriptors>`
    name: str  # bare, as written in the code
    qualified_name: str  # containers within the file, and the name, joined by dots


def names_of(symbol: str) -> SymbolNames | None:
    """Read a SCIP symbol; None if it is not one, or names nothing but a namespace.

    Leading namespaces are taken for the module of the file, since nothing in the text tells them from namespaces within it.

    >>> names_of("comind pypi flask 3.0 `flask.app`/Flask#run().")
    SymbolNames(canonical_key='pypi flask . `flask.app`/Flask#run().', name='run', qualified_name='Flask.run')
    """
    match = _SYMBOL.fullmatch(symbol)
    if match is None:
        return None
    key = f"{match['package']} . {match['module']}{match['inside']}"
    return SymbolNames(key, qualified_name(match["last"]), qualified_name(match["inside"]))
