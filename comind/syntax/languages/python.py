"""Python, 3.14 and before."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Overloads, Place, Quotes, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["PYTHON"]

_PROBE = rb'''
import os.path as p; from . import (a, b as c)
@deco(1)
async def f[T](a, b: int = 2, /, *args: T, k=.5e3, **kw) -> dict[str, int]:
    """doc"""
    global g
    x = y = f"{a!r:>{b}} {{}}" "tail" rb"\x00"
    a, *b = (yield), lambda q: not q
    async with a as b, (c): await d
    for i, j in z[1:2, ::3]: continue
    else: pass
    try: raise E from None
    except* (A, B) as e: del e, (a)
    finally: assert a is not b, a not in c
    return [i async for i in z if i] + {**a, "b": 1}[0](*a, x=1) if a < b <= c else {i for i in y}
class A(B, metaclass=M):
    x: int = -1
    if (n := len(x)) > 1 or x and y: x += 0x1F
    match x:
        case {"a": [1, *_]} | P(q=r) if s: type X = int
'''

PYTHON = Language(
    name="python",
    grammar="python",
    suffixes=(".py", ".pyi", ".pyw"),
    file_names=("SConstruct", "SConscript", "wscript"),
    definitions={
        "function_definition": Rule(
            kind=SymbolKind.FUNCTION,
            kind_in_type=SymbolKind.METHOD,
            overloads=Overloads(decorator=b"overload", ignored=frozenset({"keyword_separator", "positional_separator"})),
        ),
        "class_definition": Rule(kind=SymbolKind.CLASS, container=True, drop_if_empty="superclasses"),
        "assignment": Rule(
            kind=SymbolKind.VARIABLE, kind_in_type=SymbolKind.FIELD, name="left", body=("right",), place=Place.OUTSIDE_FUNCTIONS
        ),
        "type_alias_statement": Rule(kind=SymbolKind.TYPE, name="left", body=("right",), place=Place.OUTSIDE_FUNCTIONS),
    },
    wrappers={"decorated_definition": Wrapping(extends=True)},
    identifiers=frozenset({"identifier"}),
    name_lists=frozenset({"pattern_list", "tuple_pattern", "list_splat_pattern", "type", "generic_type"}),
    comments=frozenset({"comment", "line_continuation"}),
    docstring_opens="block",
    strings=frozenset({"string"}),
    quotes=Quotes.PYTHON,
    string_pieces=frozenset({"string_content"}),
    string_ends=frozenset({"string_start", "string_end"}),
    numbers=frozenset({"integer", "float"}),
    verbatim=frozenset({"format_specifier"}),
    # Builds of the grammar differ in whether a statement stands in an expression_statement.
    transparent=frozenset({"parenthesized_expression", "parenthesized_list_splat", "expression_statement"}),
    synonyms={"expression_list": "tuple", "pattern_list": "tuple", "tuple_pattern": "tuple"},
    dropped=frozenset({",", ";", "(", ")"}),
    special={
        "lambda": Special.SCOPE,
        "tuple_pattern": Special.SINGLETON,
        "generator_expression": Special.LONE_ARGUMENT,
        "concatenated_string": Special.CONCATENATION,
        "interpolation": Special.INTERPOLATION,
    },
    references=References(
        calls=frozenset({"call"}),
        links=frozenset({"attribute"}),
        through=frozenset({"await"}),
        generics=frozenset({"subscript"}),
        skipped=frozenset({"await"}),
        shapes=(
            "(class_definition class NAME (argument_list BASES",
            "(typed_parameter NAME : TYPE",
            "(typed_parameter (list_splat_pattern * NAME ) : TYPE",
            "(typed_default_parameter NAME : TYPE",
            "(assignment PATH : TYPE",
            "-> RESULT",
            "(assignment PATH = VALUE",
            "(import_statement IMPORT",
            "(import_from_statement IMPORT",
        ),
        separators={"type_parameter": ",", "subscript": ","},
        importing=Importing.PYTHON,
    ),
    probe=_PROBE,
)
