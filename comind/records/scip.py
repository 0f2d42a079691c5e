"""Whether a text is a legal SCIP symbol that can be found again from outside its file.

In: text. Out: what is wrong with it, in words. Never builds a symbol; the index does.
Source: the grammar in `scip.proto` of sourcegraph/scip (message `Symbol`).
"""

from __future__ import annotations

import re

__all__ = ["symbol_problem"]

_FIELD = r"(?>(?:[^ ]|  )+)"  # a blank within a field is doubled
_SIMPLE = r"[A-Za-z0-9_+$-]++"
_NAME = rf"(?:{_SIMPLE}|`(?>(?:[^`]|``)+)`)"  # a backtick within backticks is doubled
_DESCRIPTOR = rf"(?:{_NAME}(?:[/#.:!]|\((?:{_SIMPLE})?\)\.)|\[{_NAME}\]|\({_NAME}\))"
_SYMBOL = re.compile(rf"(?P<scheme>{_FIELD}) {_FIELD} {_FIELD} {_FIELD} (?>(?:{_DESCRIPTOR})+)")


def symbol_problem(symbol: str) -> str | None:
    """Say what keeps a text from being a SCIP symbol that an anchor can name; None if nothing does.

    >>> symbol_problem("comind pypi flask 3.0 flask/app/Flask#run().")
    >>> symbol_problem("local 12")
    'is local to its file; anchor to the definition around it'
    """
    if symbol.startswith("local "):
        return "is local to its file; anchor to the definition around it"
    if _SYMBOL.fullmatch(symbol) is None:
        return "is not a SCIP symbol: `<scheme> <manager> <package> <version> <descriptors>`, as `comind search` shows it"
    return None
