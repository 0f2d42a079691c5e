"""Java, 21 and before."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Overloads, Place, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["JAVA"]

_PROBE = rb"""
package p; import static a.B.*;
/** doc */ @Foo(x = 1) public abstract class A<T extends B & C> extends D<T> implements E, F {
  @X private final int[] a = {1, 0x1F}, b[] = null;
  static { ; } { }
  A(final int x, String... y) throws Ex { this(); super.m(); }
  public <U> java.util.List<? super U> m(@N Map<String, int[]> p) {
    for (int i = 0, j; i < 1; i++) { continue; } for (var e : es) ;
    Runnable r = new Runnable() { public void run() { } }; f = (q, s) -> { }; g = q -> q::n;
    try (var c = d; e) { } catch (A | B e) { throw e; } finally { synchronized (x) { } }
    switch (x) { case 1, 2: break; default: } return switch (x) { case A a when b -> 'c'; default -> yield; };
    do { l: while (true) break l; } while (a ? b : (int) c instanceof D d && !e);
    if (x) return new int[]{1}[0]; else assert x : "s" + 1.5e3f; String t = ''';
  }
  enum Q { R, S(1) { void t() { } }; int z; }
  record P(int x) { P { } } sealed interface I permits J { int K = 1; default void l() { } }
  @interface An { int value() default 1; }
}
""".replace(b"'''", b'"""\n text\n"""')

_OVERLOADS = Overloads(erased=True, variadic=frozenset({"spread_parameter"}), ignored=frozenset({"receiver_parameter"}))
_DECLARATOR = Rule(kind=SymbolKind.FIELD, body=("value",), place=Place.DIRECTLY_IN_TYPE)

_REFERENCES = References(
    calls=frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"}),
    links=frozenset({"field_access", "scoped_type_identifier", "scoped_identifier"}),
    members=(". NAME", ". this", ". super"),
    roots=frozenset({"this", "super"}),
    through=frozenset({"generic_type"}),
    passed=frozenset({"type_arguments", "marker_annotation", "annotation"}),
    skipped=frozenset({"new"}),
    shapes=(
        "(superclass extends BASES",
        "(super_interfaces implements (type_list BASES",
        "(extends_interfaces extends (type_list BASES",
        "(local_variable_declaration ~(modifiers TYPE (variable_declarator NAME",
        "(field_declaration ~(modifiers TYPE (variable_declarator NAME",
        "(constant_declaration ~(modifiers TYPE (variable_declarator NAME",
        "(formal_parameter ~(modifiers TYPE NAME",
        "(spread_parameter ~(modifiers TYPE ... (variable_declarator NAME",
        "(resource ~(modifiers TYPE NAME",
        "(enhanced_for_statement for ~(modifiers TYPE NAME :",
        "(catch_formal_parameter ~(modifiers (catch_type TYPE ) NAME",
        "(instanceof_expression ~_ instanceof ?final TYPE NAME",
        "(type_pattern ~(modifiers TYPE NAME",
        "(method_declaration ~(modifiers ~(type_parameters RESULT",
        "(annotation_type_element_declaration ~(modifiers RESULT",
        "(variable_declarator NAME = VALUE",
        "(lambda_expression NAMES -> LOCAL",
        "(assignment_expression PATH = VALUE",
        "(import_declaration IMPORT",
        "(package_declaration IMPORT",
    ),
    separators={"type_arguments": ","},
    inferred=frozenset({"var"}),
    importing=Importing.JAVA,
)
JAVA = Language(
    name="java",
    grammar="java",
    suffixes=(".java",),
    definitions={
        "class_declaration": Rule(kind=SymbolKind.CLASS, container=True),
        "record_declaration": Rule(kind=SymbolKind.CLASS, container=True),
        "interface_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "annotation_type_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "enum_declaration": Rule(kind=SymbolKind.ENUM, container=True),
        "enum_constant": Rule(kind=SymbolKind.ENUM_MEMBER, body=("arguments", "body")),
        "method_declaration": Rule(kind=SymbolKind.METHOD, overloads=_OVERLOADS),
        "constructor_declaration": Rule(kind=SymbolKind.CONSTRUCTOR, overloads=_OVERLOADS),
        "compact_constructor_declaration": Rule(kind=SymbolKind.CONSTRUCTOR),
        "annotation_type_element_declaration": Rule(kind=SymbolKind.METHOD, body=("value",)),
        "variable_declarator": _DECLARATOR,
    },
    wrappers=dict.fromkeys(("field_declaration", "constant_declaration"), Wrapping(extends=True, is_shared=True)),
    identifiers=frozenset({"identifier", "type_identifier"}),
    comments=frozenset({"line_comment", "block_comment"}),
    doc_comments=(b"/**",),
    numbers=frozenset(
        {
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
            "decimal_floating_point_literal",
            "hex_floating_point_literal",
        }
    ),
    verbatim=frozenset({"string_literal", "character_literal"}),
    transparent=frozenset({"parenthesized_expression", "expression_statement", "inferred_parameters", "enum_body_declarations"}),
    dropped=frozenset({",", ";", "(", ")"}),
    special={
        "modifiers": Special.MODIFIERS,
        "object_creation_expression": Special.SCOPE,
        "lambda_expression": Special.SCOPE,
    },
    labelled={"for_statement": ("init", "condition", "update")},
    references=_REFERENCES,
    probe=_PROBE,
)
