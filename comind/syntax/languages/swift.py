"""Swift. An extension is the type that it extends; argument labels tell overloads apart as types do."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Overloads, Place, References, Rule, Special, SymbolKind

__all__ = ["SWIFT"]

_PROBE = rb"""
import Foundation
/// doc
@objc public class C<T>: D {
    let x: Int = 1
    var y: String { get { "a" } set { } }
    static let K = 0xFF, L = 3
    init(a: Int, _ b: String = "x") { }
    deinit { }
    func m(at i: Int, _ s: [String: Int], f: @escaping (Int) -> Void) throws -> Int {
        let l = { (x: Int) in x }
        for i in 1...2 where a { continue }
        while !a { break }
        guard let z = a?.b else { throw e }
        do { try f() } catch { }
        switch a { case .b(let c) where c > 1: fallthrough; default: return i ?? 1.5 }
        if a && b { return -1 } else { return "a\(x)b" }
    }
    enum E: Int { case a = 1, b }
    struct S { var z: Int }
    typealias TA = Int
}
protocol P {
    associatedtype A
    func f()
    var v: Int { get }
}
extension C: P where T: Q { func ext() {} }
let g = 1
"""
_OVERLOADS = Overloads(parameters="", counted=frozenset({"parameter"}), whole=True, label="external_name")
_FUNCTION = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD, name="name", naming=Naming.SEARCH, overloads=_OVERLOADS)

_REFERENCES = References(
    calls=frozenset({"call_expression", "constructor_expression"}),
    links=frozenset({"navigation_expression", "user_type", "self_expression", "super_expression"}),
    members=("(navigation_suffix . NAME )", "? (navigation_suffix . NAME )", "(navigation_suffix . init )", ". NAME"),
    roots=frozenset({"self", "super"}),
    through=frozenset({"try_expression", "await_expression", "postfix_expression"}),
    passed=frozenset({"type_arguments", "try_operator"}),
    skipped=frozenset({"await"}),
    shapes=(
        "(inheritance_specifier BASE",
        "(parameter NAME : ~(parameter_modifiers TYPE",
        "(parameter ~_ NAME : ~(parameter_modifiers TYPE",
        "(property_declaration *(modifiers (value_binding_pattern ~_ ) (pattern NAME ) (type_annotation : TYPE",
        "(property_declaration *(modifiers (value_binding_pattern ~_ ) (pattern NAME ) = (as_expression ~_ ~_ TYPE",
        "(property_declaration *(modifiers (value_binding_pattern ~_ ) (pattern NAME ) = VALUE",
        "(guard_statement guard (value_binding_pattern let ) NAME = VALUE",
        "(if_statement if (value_binding_pattern let ) NAME = VALUE",
        "(assignment (directly_assignable_expression PATH ) = VALUE",
        "(function_declaration *(modifiers func ~_ ~(type_parameters *(parameter ?async ?throws -> RESULT",
        "(protocol_function_declaration *(modifiers func ~_ ~(type_parameters *(parameter ?async ?throws -> RESULT",
        "(import_declaration IMPORT",
    ),
    separators={"type_arguments": ",", "tuple_type": ","},
    importing=Importing.SWIFT,
)
SWIFT = Language(
    name="swift",
    grammar="swift",
    suffixes=(".swift",),
    definitions={
        "class_declaration": Rule(
            kind=SymbolKind.CLASS,
            kinds={"struct": SymbolKind.STRUCT, "enum": SymbolKind.ENUM, "extension": SymbolKind.IMPLEMENTATION},
            implements=("inheritance_specifier", "type_constraints"),
            naming=Naming.SEARCH,
            container=True,
        ),
        "protocol_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "function_declaration": _FUNCTION,
        "protocol_function_declaration": _FUNCTION,
        "init_declaration": Rule(kind=SymbolKind.CONSTRUCTOR, naming=Naming.SEARCH, overloads=_OVERLOADS),
        "property_declaration": Rule(
            kind=SymbolKind.VARIABLE,
            many_names=True,
            kind_in_type=SymbolKind.FIELD,
            naming=Naming.SEARCH,
            body=("value", "computed_value"),
            place=Place.OUTSIDE_FUNCTIONS,
        ),
        "protocol_property_declaration": Rule(kind=SymbolKind.FIELD, naming=Naming.SEARCH, body=()),
        "enum_entry": Rule(kind=SymbolKind.ENUM_MEMBER, many_names=True, naming=Naming.SEARCH, body=("raw_value", "data_contents")),
        "typealias_declaration": Rule(kind=SymbolKind.TYPE, body=("=",)),
        "associatedtype_declaration": Rule(kind=SymbolKind.TYPE, body=()),
    },
    name_holders={"pattern": ("bound_identifier",), "user_type": ("type_identifier",)},
    identifiers=frozenset({"simple_identifier", "type_identifier"}),
    other_names=frozenset({"init", "==", "<", ">", "+", "-", "*", "/", "!=", "custom_operator"}),
    comments=frozenset({"comment", "multiline_comment"}),
    doc_comments=(b"///", b"/**"),
    numbers=frozenset(),
    verbatim=frozenset({"integer_literal", "hex_literal", "oct_literal", "bin_literal", "real_literal", "regex_literal"}),
    transparent=frozenset(),
    dropped=frozenset({",", ";", "(", ")"}),
    special={
        "modifiers": Special.MODIFIERS,
        "lambda_literal": Special.SCOPE,
        "computed_property": Special.SCOPE,
        "willset_didset_block": Special.SCOPE,
    },
    references=_REFERENCES,
    probe=_PROBE,
)
