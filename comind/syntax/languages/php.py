"""PHP, 8 and before. A namespace statement is no symbol: the file's path says where it is."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Place, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["PHP"]

_PROBE = rb"""<?php
namespace A\B; use X\Y as Z;
/** doc */
#[Attr] abstract class C extends D implements E { use T; const K = 1, L = 0xFF; private ?int $a = 1, $b;
  public function __construct(private readonly int $z) {} abstract function m(): void; static function s(...$x) { return fn($y) => $y; } }
interface I { const Q = 1; function f(int $a); } trait T { } enum Su: string { case A = 'a'; case B = "b"; }
function g($a, &$b = 'x') { $f = function() use ($a) { echo "q$a {$b}"; }; for ($i = 0; $i < 1; $i++) { continue; }
  foreach ($a as $k => $v) { break; } while (!$a) { } do { } while ($b); switch ($a) { case 1: default: }
    try { throw new E; } catch (E $e) { } finally { }
  if ($a) { return [1, 'b' => 2]; } elseif ($b) { } else { } return match($a) { 1, 2 => $a?->b, default => X::y((int) $z . 1.5e3) }; }
const TOP = 1; $v = new class { function n() {} };
"""
_FUNCTION = Rule(kind=SymbolKind.FUNCTION)
_METHOD = Rule(kind=SymbolKind.METHOD)
_VISIBILITY = ("visibility_modifier", "attribute_list", "final_modifier", "readonly_modifier")

_BEFORE_FIELD = "*(attribute_list *(visibility_modifier"
_REFERENCES = References(
    calls=frozenset(
        {
            "function_call_expression",
            "member_call_expression",
            "nullsafe_member_call_expression",
            "scoped_call_expression",
            "object_creation_expression",
        }
    ),
    links=frozenset({"member_access_expression", "nullsafe_member_access_expression", "qualified_name", "namespace_name", "variable_name"}),
    members=("-> NAME", "?-> NAME", ":: NAME", "\\ NAME"),
    roots=frozenset({"parent", "self", "static"}),
    through=frozenset({"relative_scope"}),
    skipped=frozenset({"$", "new", "\\"}),
    shapes=(
        "(base_clause extends BASES",
        "(class_interface_clause implements BASES",
        "(use_declaration use BASES",
        "(simple_parameter *(attribute_list TYPE (variable_name $ NAME",
        "(variadic_parameter TYPE ... (variable_name $ NAME",
        f"(property_promotion_parameter {_BEFORE_FIELD} *(readonly_modifier TYPE (variable_name $ FIELD",
        f"(property_declaration {_BEFORE_FIELD} *(static_modifier *(readonly_modifier TYPE (property_element (variable_name $ NAME",
        "(catch_clause catch (type_list TYPE ) (variable_name $ NAME",
        "~(formal_parameters : RESULT",
        "(assignment_expression PATH = VALUE",
        "(namespace_use_declaration IMPORT",
        "(namespace_definition IMPORT",
        "(require_expression IMPORT",
        "(require_once_expression IMPORT",
        "(include_expression IMPORT",
        "(include_once_expression IMPORT",
    ),
    importing=Importing.PHP,
)
PHP = Language(
    name="php",
    grammar="php",
    suffixes=(".php", ".php5", ".phtml"),
    definitions={
        "class_declaration": Rule(kind=SymbolKind.CLASS, container=True),
        "interface_declaration": Rule(kind=SymbolKind.INTERFACE, container=True),
        "trait_declaration": Rule(kind=SymbolKind.TRAIT, container=True),
        "enum_declaration": Rule(kind=SymbolKind.ENUM, container=True),
        "enum_case": Rule(kind=SymbolKind.ENUM_MEMBER, body=("value",)),
        "function_definition": _FUNCTION,
        "method_declaration": _METHOD,
        "const_element": Rule(kind=SymbolKind.CONSTANT, name="name", naming=Naming.SEARCH, body=("=",), place=Place.OUTSIDE_FUNCTIONS),
        "property_element": Rule(kind=SymbolKind.FIELD, naming=Naming.SEARCH, body=("default_value",), place=Place.IN_TYPE),
    },
    wrappers={
        "const_declaration": Wrapping(extends=True, is_shared=True),
        "property_declaration": Wrapping(extends=True, is_shared=True),
    },
    name_holders={"variable_name": ("name",)},
    identifiers=frozenset({"name"}),
    comments=frozenset({"comment"}),
    doc_comments=(b"/**",),
    numbers=frozenset({"integer", "float"}),
    verbatim=frozenset({"string", "nowdoc_body", "text"}),
    transparent=frozenset({"parenthesized_expression", "expression_statement"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement"}),
    special={
        **dict.fromkeys(_VISIBILITY, Special.MODIFIERS),
        "anonymous_function": Special.SCOPE,
        "arrow_function": Special.SCOPE,
        "anonymous_class": Special.SCOPE,
    },
    labelled={"for_statement": ("initialize", "condition", "update")},
    references=_REFERENCES,
    probe=_PROBE,
)
