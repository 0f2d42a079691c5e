"""C#, 12 and before. A namespace is no symbol: written as a block or for the whole file, it names the same."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Overloads, Place, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["CSHARP"]

_PROBE = rb"""
using System; using A = B.C;
namespace N {
/// <summary>doc</summary>
[Foo(1)] public partial class C<T> : D, IE where T : class, new() {
  private readonly int a, b = 1; const int K = 0xFF;
  public C(int x) : base(x) { } ~C() { }
  public int P { get; private set; } = 3; public int this[int i] => i; public event EventHandler Ev;
  public async Task<int?> M(ref int a, out string o, int d = 1, params string[] b) { int L(int z) { return z; }
    await f(x => x, (y, z) => { });
    for (int i = 0; i < 1; i++) { continue; } foreach (var e in es) { } while (a is int q && !b) break; do { } while (x);
    switch (a) { case 1: break; default: throw new E(); } var s = a switch { 1 => 'c', _ => null };
    try { } catch (E e) when (x) { } finally { lock (x) { } } using (var r = q) { } return s ?? (int) a[1] + b?.C; }
  public static C operator +(C a, C b) => a; public static implicit operator int(C c) => 1; enum Q { R, S = 1 } delegate int Del(int x);
}
struct S { int f; } record R(int A, string B); interface I { void M(); } }
"""
_OVERLOADS = Overloads(
    whole=True,
    ignored=frozenset({"identifier", "attribute_list"}),
    kept=frozenset({"modifier"}),
    also=("explicit_interface_specifier",),
    arity="type_parameters",
)

_REFERENCES = References(
    calls=frozenset({"invocation_expression", "object_creation_expression", "constructor_initializer"}),
    links=frozenset({"member_access_expression", "qualified_name", "conditional_access_expression", "alias_qualified_name"}),
    members=(". NAME", "? (member_binding_expression . NAME )"),
    roots=frozenset({"this", "base"}),
    through=frozenset({"generic_name", "await_expression", "postfix_unary_expression", "primary_constructor_base_type"}),
    passed=frozenset({"type_argument_list"}),
    skipped=frozenset({"new", "await", ":"}),
    shapes=(
        "(base_list : BASES",
        "(parameter *(attribute_list *(modifier ?this ?params ?ref ?out ?in TYPE NAME",
        "(variable_declaration TYPE (variable_declarator NAME",
        "(property_declaration *(attribute_list *(modifier TYPE NAME",
        "(foreach_statement foreach TYPE NAME in",
        "(declaration_pattern TYPE NAME",
        "(catch_declaration TYPE NAME",
        "(method_declaration *(attribute_list *(modifier RESULT",
        "(variable_declarator NAME = VALUE",
        "(assignment_expression PATH = VALUE",
        "(using_directive IMPORT",
        "(namespace_declaration IMPORT",
        "(file_scoped_namespace_declaration IMPORT",
    ),
    separators={"type_argument_list": ",", "tuple_type": ","},
    importing=Importing.CSHARP,
)
CSHARP = Language(
    name="csharp",
    grammar="csharp",
    suffixes=(".cs", ".csx"),
    definitions={
        "class_declaration": Rule(kind=SymbolKind.CLASS, container=True),
        "record_declaration": Rule(kind=SymbolKind.CLASS, container=True),
        "struct_declaration": Rule(kind=SymbolKind.STRUCT, container=True),
        "record_struct_declaration": Rule(kind=SymbolKind.STRUCT, container=True),
        "interface_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "enum_declaration": Rule(kind=SymbolKind.ENUM, container=True),
        "enum_member_declaration": Rule(kind=SymbolKind.ENUM_MEMBER, body=("value",)),
        "delegate_declaration": Rule(kind=SymbolKind.TYPE, body=()),
        "method_declaration": Rule(kind=SymbolKind.METHOD, overloads=_OVERLOADS),
        "constructor_declaration": Rule(kind=SymbolKind.CONSTRUCTOR, overloads=_OVERLOADS, body=("body", "constructor_initializer")),
        "operator_declaration": Rule(kind=SymbolKind.METHOD, name="operator", overloads=_OVERLOADS),
        "local_function_statement": Rule(kind=SymbolKind.FUNCTION, overloads=_OVERLOADS),
        "property_declaration": Rule(kind=SymbolKind.FIELD, body=("accessors", "value")),
        "event_declaration": Rule(kind=SymbolKind.FIELD, body=("accessors",)),
        "variable_declarator": Rule(kind=SymbolKind.FIELD, body=("=",), place=Place.DIRECTLY_IN_TYPE),
    },
    wrappers={
        "field_declaration": Wrapping(extends=True, is_shared=True),
        "event_field_declaration": Wrapping(extends=True, is_shared=True),
        "variable_declaration": Wrapping(is_shared=True),
    },
    identifiers=frozenset({"identifier"}),
    comments=frozenset({"comment"}),
    doc_comments=(b"///", b"/**"),
    numbers=frozenset({"integer_literal", "real_literal"}),
    verbatim=frozenset(
        {"string_literal", "verbatim_string_literal", "raw_string_literal", "character_literal", "interpolated_string_expression"}
    ),
    transparent=frozenset({"parenthesized_expression", "expression_statement"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement"}),
    special={
        "modifier": Special.MODIFIERS,
        "attribute_list": Special.MODIFIERS,
        "lambda_expression": Special.SCOPE,
        "anonymous_method_expression": Special.SCOPE,
    },
    labelled={"for_statement": ("initializer", "condition", "update")},
    references=_REFERENCES,
    probe=_PROBE,
)
