"""Lua, 5.4 and LuaJIT."""

from __future__ import annotations

from dataclasses import replace

from comind.syntax.languages.model import Importing, Language, Naming, Place, Quotes, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["LUA"]

_PROBE = rb"""
local M = {}
-- doc
function M.f(a, ...) return a end
function M:m() self.x = 0xFF end
local function l() end
M.h = function(x) if x then return -x elseif y then goto z else break end ::z:: end
local a <const>, b = 1, "s"
X = [[long]]
for i = 1, 2 do print(i) end
for k, v in pairs(t) do local c = k .. v end
while not a do repeat until b ~= nil and true or false end
return { q = function() end, ["z"] = 2, 3; 1.5e3, #t, a // b }
"""
_FUNCTION = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD, naming=Naming.SEARCH)

_REFERENCES = References(
    calls=frozenset({"function_call"}),
    links=frozenset({"dot_index_expression", "method_index_expression"}),
    members=(". NAME", ": NAME"),
    shapes=(
        "(assignment_statement (variable_list NAME *NAME ) = (expression_list VALUE",
        "(assignment_statement (variable_list PATH ) = (expression_list VALUE",
    ),
    import_calls={"require": ""},
    importing=Importing.CALLS,
)
LUA = Language(
    name="lua",
    grammar="lua",
    suffixes=(".lua", ".rockspec"),
    definitions={
        "function_declaration": _FUNCTION,
        "assignment_statement": Rule(
            kind=SymbolKind.VARIABLE,
            many_names=True,
            kind_in_type=SymbolKind.FIELD,
            name="variable_list",
            naming=Naming.SEARCH,
            body=("expression_list",),
            place=Place.DIRECTLY,
            values={"function_definition": replace(_FUNCTION, name="variable_list")},
        ),
    },
    wrappers={"variable_declaration": Wrapping(extends=True)},
    name_holders={"variable_list": ("name",)},
    owned_names={"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")},
    identifiers=frozenset({"identifier"}),
    comments=frozenset({"comment", "hash_bang_line"}),
    doc_comments=(b"--",),
    strings=frozenset({"string"}),
    quotes=Quotes.VERBATIM,
    numbers=frozenset({"number"}),
    transparent=frozenset({"parenthesized_expression"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement"}),
    special={"function_definition": Special.SCOPE},
    references=_REFERENCES,
    probe=_PROBE,
)
