"""Go."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Place, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["GO"]

_PROBE = rb"""
package p
import ("a"; b "c")
const (X = iota; Y, Z int = 1, 0x1F)
var v, w = 1.5e3, 'r'
type (
	A[T any] struct { B; c, d *int `json:"c"`; e func(int, ...string) error }
	I interface { M(x int) (string, error); J; ~int | string }
	L = map[string][]chan<- int
)
func (r *A[T]) M(a, b int) (n int, err error) {
	defer func() { recover() }()
	for i := 0; i < 1; i++ { continue }
	for k, v := range m { go f(k, v...) }
	if x := f(); x > 0 && !y { goto L } else if z { return }
	switch y := x.(type) { case int, *T: fallthrough; default: }
	select { case <-c: case d <- 1: }
L:
	return &A[int]{c: []int{1, 2}[1:2:3]}, x.(error)
}
"""

_STRUCT = Rule(kind=SymbolKind.STRUCT, container=True, body=())
_INTERFACE = Rule(kind=SymbolKind.INTERFACE, container=True, body=())
_TYPE = Rule(kind=SymbolKind.TYPE, body=("type",), values={"struct_type": _STRUCT, "interface_type": _INTERFACE})

_REFERENCES = References(
    calls=frozenset({"call_expression", "composite_literal", "type_conversion_expression"}),
    links=frozenset({"selector_expression", "qualified_type"}),
    through=frozenset({"unary_expression", "pointer_type", "generic_type", "type_elem"}),
    passed=frozenset({"type_arguments"}),
    skipped=frozenset({"&", "*"}),
    shapes=(
        "(field_declaration ?* BASE )",
        "(field_declaration ?* BASE WORD )",
        "(field_declaration NAMES TYPE",
        "(interface_type interface { BASES",
        "(type_alias ~_ ~(type_parameter_list = BASE",
        "(parameter_declaration NAMES TYPE",
        "(variadic_parameter_declaration NAMES ... TYPE",
        "(var_spec NAMES != TYPE",
        "(var_spec NAMES = (expression_list VALUE",
        "(const_spec NAMES != TYPE",
        "(short_var_declaration (expression_list NAME *NAME ) := (expression_list (type_assertion_expression ~_ . TYPE",
        "(short_var_declaration (expression_list NAME *NAME ) := (expression_list VALUE",
        "(short_var_declaration (expression_list NAMES ) := LOCAL",
        "(range_clause (expression_list NAMES ) := LOCAL",
        "(receive_statement (expression_list NAMES ) := LOCAL",
        "(assignment_statement (expression_list PATH ) = (expression_list VALUE",
        "(function_declaration func NAME ~(type_parameter_list ~(parameter_list !(block RESULT",
        "(method_declaration func ~(parameter_list ~_ ~(parameter_list !(block RESULT",
        "(method_elem ~_ ~(parameter_list RESULT",
        "(import_spec IMPORT",
    ),
    separators={"parameter_list": ",", "type_arguments": ","},
    importing=Importing.GO,
)
GO = Language(
    name="go",
    grammar="go",
    suffixes=(".go",),
    definitions={
        "function_declaration": Rule(kind=SymbolKind.FUNCTION),
        "method_declaration": Rule(kind=SymbolKind.METHOD, naming=Naming.RECEIVER),
        "method_elem": Rule(kind=SymbolKind.METHOD, body=(), place=Place.IN_TYPE),
        "type_spec": _TYPE,
        "type_alias": _TYPE,
        "field_declaration": Rule(kind=SymbolKind.FIELD, many_names=True, body=("tag",), place=Place.IN_TYPE),
        "const_spec": Rule(kind=SymbolKind.CONSTANT, many_names=True, body=("value",), place=Place.OUTSIDE_FUNCTIONS),
        "var_spec": Rule(kind=SymbolKind.VARIABLE, many_names=True, body=("value",), place=Place.OUTSIDE_FUNCTIONS),
    },
    wrappers=dict.fromkeys(("type_declaration", "const_declaration", "var_declaration", "var_spec_list"), Wrapping()),
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"}),
    blank_name=b"_",
    comments=frozenset({"comment"}),
    doc_comments=(b"//", b"/*"),
    numbers=frozenset({"int_literal", "float_literal", "imaginary_literal"}),
    verbatim=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    transparent=frozenset({"parenthesized_expression", "parenthesized_type", "expression_statement"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement"}),
    special={"func_literal": Special.SCOPE},
    # What `;` tells apart: `for a; ; {`, `for ; a; {`, `if f(); x {`, `switch f(); {`.
    labelled={
        "for_clause": ("initializer", "condition", "update"),
        "if_statement": ("initializer",),
        "expression_switch_statement": ("initializer",),
        "type_switch_statement": ("initializer",),
    },
    references=_REFERENCES,
    probe=_PROBE,
)
