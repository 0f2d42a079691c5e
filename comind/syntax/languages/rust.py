"""Rust."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Place, References, Rule, Special, SymbolKind

__all__ = ["RUST"]

_PROBE = rb"""
/// doc
#[derive(Debug)] pub struct S<'a, T: A + ?B = u8> where T: A { pub(crate) a: &'a mut u32, b: [u8; 4] }
struct T1(u32, pub String); struct U; union Un { a: u8 }
enum E { A, B(u32), C { x: u8 }, D = 3 }
impl<T: X> S<'_, T> { pub const K: u8 = 1; pub async unsafe fn m(&self, mut x: impl Y) -> Result<u8, ()> { x.await?; 1 } }
impl<'a> From<&'a str> for m::S<u8> { type Q = dyn Fn(u8) -> u8; }
trait Tr: Sup { fn a(&self); const C: u8; type D: E; }
mod mm { use a::{b, c as d, e::*}; static mut ST: &[u8] = b"a\""; type Al<T> = Vec<T>; extern "C" { fn ex(x: u8, ...); } }
macro_rules! mac { ($($x:expr),* $(,)?) => { $($x)::* }; }
fn g<const N: usize>() -> ! {
    foo!(a, (b), {c},); let (x, y): (u8, _) = (1_u8, 0x1F) else { return };
    match x { 1 | 2..=3 if z => { 2 } S { a, .. } => 4, ref q @ _ => { f(); } }
    'l: loop { while let Some(x) = y { break 'l 1.5e3; } for i in 0..n { continue } }
    let c = move |x: u8| -> u8 { x as u8 }; if x { !y } else { *p + r#"a"#['c' as usize] }; unsafe { q::<u8>() }; [0; 4]
}
"""

_CONSTANT = Rule(kind=SymbolKind.CONSTANT, body=("value",), place=Place.OUTSIDE_FUNCTIONS)
_TYPE = Rule(kind=SymbolKind.TYPE, body=("type",))
_FUNCTION = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD)

_REFERENCES = References(
    calls=frozenset({"call_expression", "struct_expression", "macro_invocation"}),
    marks={"macro_invocation": "!"},
    links=frozenset({"field_expression", "scoped_identifier", "scoped_type_identifier"}),
    members=(". NAME", ":: NAME"),
    roots=frozenset({"self", "super", "crate"}),
    through=frozenset(
        {
            "try_expression",
            "await_expression",
            "unary_expression",
            "reference_expression",
            "reference_type",
            "generic_function",
            "generic_type",
            "generic_type_with_turbofish",
            "bracketed_type",
            "qualified_type",
        }
    ),
    passed=frozenset({"type_arguments", "lifetime"}),
    skipped=frozenset({"&", "*", "<", "::", "mut"}),
    shapes=(
        "(impl_item ?unsafe impl ~(type_parameters BASE for",
        "(trait_item ~(visibility_modifier ?unsafe trait ~_ ~(type_parameters (trait_bounds : BASES",
        "(parameter ?mut NAME : TYPE",
        "(field_declaration ~(visibility_modifier NAME : TYPE",
        "(const_item ~(visibility_modifier const NAME : TYPE",
        "(static_item ~(visibility_modifier static ?mut NAME : TYPE",
        "(let_declaration let ?mut NAME : TYPE",
        "(let_declaration let ?mut NAME = (type_cast_expression ~_ as TYPE",
        "(let_declaration let ?mut NAME = VALUE",
        "(assignment_expression PATH = VALUE",
        "(function_item ~(visibility_modifier ~(function_modifiers fn ~_ ~(type_parameters ~(parameters -> RESULT",
        "(function_signature_item ~(visibility_modifier ~(function_modifiers fn ~_ ~(type_parameters ~(parameters -> RESULT",
        "(use_declaration IMPORT",
        "(extern_crate_declaration IMPORT",
        "(mod_item ~(visibility_modifier mod ~_ ) IMPORT",
        "PATH \\( CALLED",  # arguments of a macro
    ),
    separators={"type_arguments": ",", "tuple_type": ",", "parameters": ","},
    importing=Importing.RUST,
)
RUST = Language(
    name="rust",
    grammar="rust",
    suffixes=(".rs",),
    definitions={
        "function_item": _FUNCTION,
        "function_signature_item": _FUNCTION,
        "struct_item": Rule(kind=SymbolKind.STRUCT, container=True),
        "union_item": Rule(kind=SymbolKind.UNION, container=True),
        "enum_item": Rule(kind=SymbolKind.ENUM, container=True),
        "enum_variant": Rule(kind=SymbolKind.ENUM_MEMBER, body=("body", "value")),
        "field_declaration": Rule(kind=SymbolKind.FIELD, body=(), place=Place.IN_TYPE),
        "trait_item": Rule(kind=SymbolKind.TRAIT, container=True),
        "impl_item": Rule(kind=SymbolKind.IMPLEMENTATION, naming=Naming.IMPLEMENTATION, container=True),
        "mod_item": Rule(kind=SymbolKind.NAMESPACE, container=True),
        "const_item": _CONSTANT,
        "static_item": Rule(kind=SymbolKind.VARIABLE, body=("value",), place=Place.OUTSIDE_FUNCTIONS),
        "type_item": _TYPE,
        "associated_type": _TYPE,
        "macro_definition": Rule(kind=SymbolKind.MACRO, body=("macro_rule",)),
    },
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier", "shorthand_field_identifier", "metavariable"}),
    blank_name=b"_",
    comments=frozenset({"line_comment", "block_comment"}),
    doc_comments=(b"///", b"/**"),
    numbers=frozenset({"integer_literal", "float_literal"}),
    verbatim=frozenset({"string_literal", "raw_string_literal", "char_literal", "token_repetition", "token_repetition_pattern"}),
    transparent=frozenset({"parenthesized_expression"}),
    dropped=frozenset({",", ";", "(", ")", "{", "}", "empty_statement"}),
    special={
        "attribute_item": Special.ATTRIBUTE,
        "visibility_modifier": Special.MODIFIERS,
        "closure_expression": Special.SCOPE,
        "expression_statement": Special.STATEMENT,
        "token_tree": Special.TOKEN_TREE,
        "token_tree_pattern": Special.TOKEN_TREE,
        "tuple_pattern": Special.SINGLETON,
    },
    unwrapped={"match_arm": "value", "closure_expression": "body"},
    jumps=frozenset({"return_expression", "break_expression", "continue_expression"}),
    labelled={"array_expression": ("length",)},  # `[x; n]` is not `[x, n]`
    references=_REFERENCES,
    probe=_PROBE,
)
