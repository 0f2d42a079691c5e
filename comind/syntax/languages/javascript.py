"""JavaScript with JSX, TypeScript, and TypeScript with JSX: one table, of which TypeScript's is a superset."""

from __future__ import annotations

import re
from dataclasses import replace

from comind.syntax.languages.model import (
    Importing,
    Language,
    Naming,
    Overloads,
    Place,
    Quotes,
    References,
    Rule,
    Special,
    SymbolKind,
    Wrapping,
)

__all__ = ["JAVASCRIPT", "TSX", "TYPESCRIPT"]

_PROBE = rb"""
import x, { y as z } from 'q'; export * from "r";
export default class A extends B { static #x = 1; y = () => 2; async *m(a, b = 1, ...c) { super.m(); }
  get k() { return 1 } [s]() {} static { ; } }
const f = x => x + 1, g = async (x, { y, z: [w] }) => ({ a, 'b': 2, get c() { return 1 }, [d]: e, ...h });
function* gen() { yield* a; label: for (let i = 0, j; ;) { continue label; } for (const k of o) ; for (k in o) ; }
try { throw new E } catch (e) { debugger } finally { do { } while (a) }
switch (a) { case 1: break; default: } if (a ?? b?.c?.[d]) { } else var v = [1, , 2], r = /a[/]b+/g;
x = a ? typeof b : (await c, void 0, `t${d}u`), y **= -1.5e3; delete z.w; new.target; import('m'); f`t`;
"""
_MARKUP = rb"""
const m = <div a="b" {...c} d={e}> text {" "} <b.c/> <></> </div>;
"""
_TYPES = rb"""
abstract class AA<T extends B = C> implements I { private readonly a?: number = 1;
  constructor(public b: string) { super() } abstract n(): void; declare x; }
function over(a: string): void; function over(this: X, a?: any): asserts a is string {}
interface J extends K<L> { a: string; 'b'?: number; m(x: string): void; (x: number): string; readonly [k: string]: any; new (x: number): I }
type U<T> = | 'a' | B & C[] | (typeof x)['y'] | { [P in keyof T]?: T[P] } | [a: string, ...b: D[]] | (T extends infer V ? V : never);
enum E { A, B = 2, 'c' } declare module "foo" { export const x: unique symbol; } namespace N.M { const y = 1 as const; }
declare function d(x: number): void; @dec export class Z { @dec() m() { return <any>x! satisfies Y } } type F = (a: () => void) => `t${U}`;
"""

_FUNCTION_VALUE = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD)
_CLASS = Rule(kind=SymbolKind.CLASS, container=True)
_VALUES = {
    "arrow_function": _FUNCTION_VALUE,
    "function_expression": _FUNCTION_VALUE,
    "generator_function": _FUNCTION_VALUE,
    "class": _CLASS,
}
_PROPERTY = frozenset({"property_identifier"})  # `f = …` gives a new value to what has its definition elsewhere
_MEMBER = replace(_FUNCTION_VALUE, name="left", naming=Naming.SEARCH, only_names=_PROPERTY, place=Place.OUTSIDE_FUNCTIONS)
_ASSIGNED = {
    "arrow_function": _MEMBER,
    "function_expression": _MEMBER,
    "generator_function": _MEMBER,
    "class": replace(_CLASS, name="left", naming=Naming.SEARCH, only_names=_PROPERTY, place=Place.OUTSIDE_FUNCTIONS),
}
# `{ open: function () {} }` is `{ open() {} }`. An arrow function has no `this`, so it is no method.
_KEYED = Rule(kind=SymbolKind.METHOD, name="key")
_FUNCTION = Rule(kind=SymbolKind.FUNCTION)
_FIELD = Rule(kind=SymbolKind.FIELD, body=("value",), place=Place.IN_TYPE, values=_VALUES)

_REFERENCES = References(
    calls=frozenset({"call_expression", "new_expression"}),
    links=frozenset({"member_expression"}),
    members=(". NAME", "?. NAME", "(optional_chain ?. ) NAME"),
    roots=frozenset({"this", "super", "import"}),
    through=frozenset({"await_expression", "import"}),
    passed=frozenset({"type_arguments"}),
    skipped=frozenset({"new", "await"}),
    shapes=(
        "(class_heritage extends BASES",
        "(jsx_opening_element < ELEMENT",
        "(jsx_self_closing_element < ELEMENT",
        "(variable_declarator NAME = VALUE",
        "(variable_declarator (object_pattern UNPACK",
        "(assignment_expression PATH = (object ENTRIES",
        "(assignment_expression PATH = VALUE",
        "(field_definition *(decorator ?static NAME = VALUE",
        "(import_statement IMPORT",
        "(export_statement *(decorator export ?type (export_clause IMPORT",
        "(export_statement *(decorator export ?type * IMPORT",
        "(export_statement *(decorator export ?type (namespace_export IMPORT",
        "(export_statement *(decorator export default (class_declaration class EXPORT",
        "(export_statement *(decorator export default (abstract_class_declaration abstract class EXPORT",
        "(export_statement *(decorator export default (interface_declaration interface EXPORT",
        "(export_statement *(decorator export default (function_declaration ?async function EXPORT",
        "(export_statement *(decorator export default (generator_function_declaration ?async function * EXPORT",
        "(export_statement *(decorator export default EXPORT",
        "(export_statement *(decorator export = EXPORT",
    ),
    import_calls={"require": "", "import": ""},
    importing=Importing.ECMASCRIPT,
)
JAVASCRIPT = Language(
    name="javascript",
    grammar="javascript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    definitions={
        "function_declaration": _FUNCTION,
        "generator_function_declaration": _FUNCTION,
        "function_expression": _FUNCTION,  # where it has a name: `exports.f = function f() {}`
        "generator_function": _FUNCTION,
        "method_definition": Rule(kind=SymbolKind.METHOD),
        "class_declaration": _CLASS,
        "class": _CLASS,
        "field_definition": replace(_FIELD, name="property"),
        "assignment_expression": Rule(
            kind=SymbolKind.FIELD, name="left", naming=Naming.SEARCH, body=("right",), values=_ASSIGNED, only_values=True
        ),
        "pair": Rule(
            kind=SymbolKind.FIELD,
            name="key",
            body=("value",),
            values={"function_expression": _KEYED, "generator_function": _KEYED},
            only_values=True,
        ),
        "variable_declarator": Rule(kind=SymbolKind.VARIABLE, body=("value",), place=Place.DIRECTLY, values=_VALUES),
    },
    owned_names={"member_expression": ("object", "property")},
    silent_owners=frozenset({"exports", "module", "prototype", "this", "globalThis", "window"}),
    wrappers={"export_statement": Wrapping(extends=True), "lexical_declaration": Wrapping(), "variable_declaration": Wrapping()},
    identifiers=frozenset(
        {
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "statement_identifier",
        }
    ),
    other_names=frozenset({"string", "number", "computed_property_name", "nested_identifier"}),
    comments=frozenset({"comment", "html_comment"}),
    doc_comments=(b"/**",),
    strings=frozenset({"string"}),
    quotes=Quotes.EITHER,
    string_pieces=frozenset({"string_fragment", "escape_sequence"}),
    numbers=frozenset({"number"}),
    whole_numbers_are_floats=True,
    verbatim=frozenset({"regex", "hash_bang_line"}),
    transparent=frozenset({"parenthesized_expression", "expression_statement"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement"}),
    special={
        "arrow_function": Special.ARROW,
        "function_expression": Special.SCOPE,
        "generator_function": Special.SCOPE,
        "class": Special.SCOPE,
        "array": Special.HOLES,
        "array_pattern": Special.HOLES,
        "jsx_text": Special.MARKUP_TEXT,
    },
    # What `;` tells apart: `for (a; ;)`, `for (; a;)`, `for (; ; a)`.
    labelled={"for_statement": ("initializer", "condition", "increment")},
    arrow_parameter=("formal_parameters",),
    quoted_names=frozenset({"pair", "pair_pattern", "method_definition", "field_definition"}),
    references=_REFERENCES,
    probe=_PROBE + _MARKUP,
)
_BEFORE_FIELD = "*(decorator ?declare ~(accessibility_modifier ?static ~(override_modifier ?readonly"
_TYPED = replace(
    _REFERENCES,
    through=_REFERENCES.through | {"non_null_expression", "as_expression", "satisfies_expression", "generic_type"},
    links=_REFERENCES.links | {"nested_type_identifier"},
    shapes=(
        "(extends_clause extends BASES",
        "(implements_clause implements BASES",
        "(extends_type_clause extends BASES",
        "(required_parameter *(decorator (accessibility_modifier ~_ ) ?override ?readonly FIELD ?? (type_annotation : TYPE",
        "(required_parameter *(decorator readonly FIELD ?? (type_annotation : TYPE",
        "(required_parameter *(decorator ?(rest_pattern ?... NAME ?) (type_annotation : TYPE",
        "(optional_parameter *(decorator (accessibility_modifier ~_ ) ?override ?readonly FIELD ?? (type_annotation : TYPE",
        "(optional_parameter *(decorator NAME ?? (type_annotation : TYPE",
        "(variable_declarator NAME ?! (type_annotation : TYPE",
        "(variable_declarator NAME = (as_expression ~_ as TYPE",
        f"(public_field_definition {_BEFORE_FIELD} NAME ?? ?! (type_annotation : TYPE",
        f"(public_field_definition {_BEFORE_FIELD} NAME = VALUE",
        "(property_signature ~(accessibility_modifier ?static ?readonly NAME ?? (type_annotation : TYPE",
        "~(formal_parameters (type_annotation : RESULT",
        *_REFERENCES.shapes,
    ),
    separators={"type_arguments": ",", "tuple_type": ",", "union_type": "|", "intersection_type": "&"},
)

_OVERLOADS = Overloads()  # implementations have no such mark: a function keeps its symbol when overloads come and go
_SIGNATURE = Rule(kind=SymbolKind.FUNCTION, body=(), overloads=_OVERLOADS)
_METHOD_SIGNATURE = Rule(kind=SymbolKind.METHOD, body=(), overloads=_OVERLOADS, place=Place.DIRECTLY_IN_TYPE)

TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    grammar="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    definitions={
        **JAVASCRIPT.definitions,
        "abstract_class_declaration": _CLASS,
        "public_field_definition": _FIELD,
        "function_signature": _SIGNATURE,
        "method_signature": _METHOD_SIGNATURE,
        "abstract_method_signature": _METHOD_SIGNATURE,
        "property_signature": Rule(kind=SymbolKind.FIELD, body=(), place=Place.DIRECTLY_IN_TYPE),
        "interface_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "type_alias_declaration": Rule(kind=SymbolKind.TYPE, container=True, body=("value",)),
        "enum_declaration": Rule(
            kind=SymbolKind.ENUM, container=True, members=frozenset({"property_identifier", "private_property_identifier", "string"})
        ),
        "enum_assignment": Rule(kind=SymbolKind.ENUM_MEMBER, body=("value",)),
        "internal_module": Rule(kind=SymbolKind.NAMESPACE, container=True),
        "module": Rule(kind=SymbolKind.NAMESPACE, container=True),
    },
    wrappers={**JAVASCRIPT.wrappers, "ambient_declaration": Wrapping(extends=True)},
    identifiers=JAVASCRIPT.identifiers | {"type_identifier"},
    transparent=JAVASCRIPT.transparent | {"parenthesized_type"},
    special={
        **JAVASCRIPT.special,
        "decorator": Special.ATTRIBUTE,
        "accessibility_modifier": Special.MODIFIERS,
        "override_modifier": Special.MODIFIERS,
        "union_type": Special.FLAT,
        "intersection_type": Special.FLAT,
    },
    arrow_parameter=("formal_parameters", "required_parameter"),
    list_separators=frozenset({"|", "&"}),
    quoted_names=JAVASCRIPT.quoted_names | {"property_signature", "method_signature", "public_field_definition", "enum_assignment"},
    references=_TYPED,
    missed_ends=re.compile(rb"(?m)^([ \t]*)[ \t](?=<)"),  # a signature without a name in an interface
    probe=_PROBE + _TYPES,
)

TSX = replace(
    TYPESCRIPT,
    name="tsx",
    grammar="tsx",
    suffixes=(".tsx",),
    missed_ends=None,  # there `<` may begin an element, and `;` be the text before it
    probe=_PROBE + _MARKUP + _TYPES.replace(b"<any>x!", b"x!"),
)
