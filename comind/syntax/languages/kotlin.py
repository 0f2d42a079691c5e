"""Kotlin. Members of a companion object belong to its class, which is how callers write them."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Overloads, Place, References, Rule, Special, SymbolKind

__all__ = ["KOTLIN"]

_PROBE = rb"""
package a.b

import c.d

/** doc */
@Foo data class C<T>(val x: Int, var y: String = "a") : D(), E {
    val p: Int get() = 1
    private val q = 0xFF
    companion object {
        const val K = 1
        fun make(): C = C()
    }
    constructor(z: Int) : this(z, "") { }
    init { }
    fun m(a: List<String>, vararg b: Int, c: (Int) -> Unit): Int {
        val l = { x: Int -> x }
        for (i in 1..2) { continue }
        while (!a) { break }
        try { throw e } catch (e: E) { } finally { }
        return when (a) { 1 -> b; is C -> c?.d ?: e!!; else -> "a${s}b$s" }
    }
    fun <R> String?.ext(s: String?) = if (a && b) 1.5e3f else null
}
interface I {
    fun f()
}
enum class En(val z: Int) {
    A(1),
    B(2);
    fun t() {}
}
object Ob { }
typealias TA = Map<String, Int>
val top by lazy { 1 }
"""
_OVERLOADS = Overloads(
    parameters="function_value_parameters",
    whole=True,
    parameter_name="simple_identifier",
    counted=frozenset({"parameter"}),
    also=("receiver",),
)
_BODIES = ("class_body", "enum_class_body")

_REFERENCES = References(
    calls=frozenset({"call_expression", "constructor_invocation", "constructor_delegation_call"}),
    links=frozenset({"navigation_expression", "user_type", "this_expression", "super_expression"}),
    members=("(navigation_suffix . NAME )", "(navigation_suffix ?. NAME )", ". NAME"),
    roots=frozenset({"this", "super"}),
    through=frozenset({"postfix_expression", "explicit_delegation"}),
    passed=frozenset({"type_arguments"}),
    skipped=frozenset({":"}),
    shapes=(
        "(delegation_specifier ?(constructor_invocation BASE",
        "(class_parameter *(modifiers (binding_pattern_kind ~_ ) FIELD : TYPE",
        "(class_parameter *(modifiers NAME : TYPE",
        "(parameter NAME : TYPE",
        "(variable_declaration NAME : TYPE",
        "~(function_value_parameters : RESULT",
        "(property_declaration *(modifiers (binding_pattern_kind ~_ ) (variable_declaration NAME ) = VALUE",
        "(assignment (directly_assignable_expression PATH ) = VALUE",
        "(import_header IMPORT",
        "(package_header IMPORT",
    ),
    separators={"type_arguments": ",", "function_type_parameters": ","},
    importing=Importing.KOTLIN,
)
KOTLIN = Language(
    name="kotlin",
    grammar="kotlin",
    suffixes=(".kt", ".kts"),
    definitions={
        "class_declaration": Rule(
            kind=SymbolKind.CLASS,
            kinds={"interface": SymbolKind.INTERFACE, "enum": SymbolKind.ENUM},
            name="type_identifier",
            naming=Naming.SEARCH,
            container=True,
            body=_BODIES,
        ),
        "object_declaration": Rule(kind=SymbolKind.CLASS, name="type_identifier", naming=Naming.SEARCH, container=True, body=_BODIES),
        "enum_entry": Rule(
            kind=SymbolKind.ENUM_MEMBER, name="simple_identifier", naming=Naming.SEARCH, body=("value_arguments", "class_body")
        ),
        "function_declaration": Rule(
            kind=SymbolKind.FUNCTION,
            kind_in_type=SymbolKind.METHOD,
            name="simple_identifier",
            naming=Naming.SEARCH,
            body=("function_body",),
            overloads=_OVERLOADS,
        ),
        "property_declaration": Rule(
            kind=SymbolKind.VARIABLE,
            many_names=True,
            kind_in_type=SymbolKind.FIELD,
            name="variable_declaration",
            naming=Naming.SEARCH,
            body=("=", "getter", "setter", "property_delegate"),
            place=Place.OUTSIDE_FUNCTIONS,
        ),
        "type_alias": Rule(kind=SymbolKind.TYPE, name="type_identifier", naming=Naming.SEARCH, body=("=",)),
    },
    name_holders={"variable_declaration": ("simple_identifier",)},
    identifiers=frozenset({"simple_identifier", "type_identifier", "interpolated_identifier"}),
    comments=frozenset({"line_comment", "multiline_comment"}),
    doc_comments=(b"/**",),
    numbers=frozenset(),
    verbatim=frozenset(
        {"integer_literal", "hex_literal", "bin_literal", "real_literal", "long_literal", "unsigned_literal", "character_literal"}
    ),
    transparent=frozenset({"parenthesized_expression"}),
    dropped=frozenset({",", ";", "(", ")"}),
    special={
        "modifiers": Special.MODIFIERS,
        "lambda_literal": Special.SCOPE,
        "getter": Special.CONTINUATION,
        "setter": Special.CONTINUATION,
        "control_structure_body": Special.SCOPE,
        "anonymous_function": Special.SCOPE,
        "object_literal": Special.SCOPE,
    },
    references=_REFERENCES,
    probe=_PROBE,
)
