"""Scala, 2 and 3."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Naming, Overloads, Place, References, Rule, Special, SymbolKind

__all__ = ["SCALA"]

_PROBE = rb"""
package a.b
import c._
/** doc */
@foo abstract class C[T](val x: Int, y: String = "a") extends D with E {
  val p = 1
  private var q: Int = 0xFF
  def m(a: List[String], b: Int*)(implicit c: C): Int = {
    def inner() = 1
    val l = (x: Int) => x
    for (i <- 1 to 2 if x) yield i
    while (!a) { b }
    try { throw e } catch { case e: E => 1 } finally { }
    a match { case 1 | 2 if b => 'c'; case _ => s"a${x}b" }
    if (a && b) 1.5e3f else null
  }
  type TT = Int
  def abs: Int
}
trait I { def f(): Unit }
object Ob extends App { case class CC(a: Int); val (u, v) = (1, 2) }
enum En:
  case A, B
given foo: Ord[Int] = ???
val top = 1
"""
_OVERLOADS = Overloads(extension="extension_definition")
_METHOD = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD, overloads=_OVERLOADS)
_VARIABLE = Rule(
    kind=SymbolKind.VARIABLE,
    many_names=True,
    kind_in_type=SymbolKind.FIELD,
    name="pattern",
    naming=Naming.SEARCH,
    body=("value",),
    place=Place.OUTSIDE_FUNCTIONS,
)

_REFERENCES = References(
    calls=frozenset({"call_expression", "instance_expression"}),
    links=frozenset({"field_expression", "stable_type_identifier", "stable_identifier"}),
    roots=frozenset({"this", "super"}),
    through=frozenset({"generic_function", "generic_type"}),
    passed=frozenset({"type_arguments"}),
    skipped=frozenset({"new"}),
    shapes=(
        "(extends_clause extends BASES",
        "(class_parameter *(annotation *(modifiers ?val ?var FIELD : TYPE",
        "(parameter *(annotation ?implicit NAME : TYPE",
        "(val_definition *(annotation *(modifiers val NAME : TYPE",
        "(var_definition *(annotation *(modifiers var NAME : TYPE",
        "(val_definition *(annotation *(modifiers val NAME = VALUE",
        "(var_definition *(annotation *(modifiers var NAME = VALUE",
        "(typed_pattern NAME : TYPE",
        "(function_definition *(annotation *(modifiers def ~_ ~(type_parameters *(parameters : RESULT",
        "(function_declaration *(annotation *(modifiers def ~_ ~(type_parameters *(parameters : RESULT",
        "(assignment_expression PATH = VALUE",
        "(import_declaration IMPORT",
        "(package_clause IMPORT",
    ),
    separators={"type_arguments": ",", "parameter_types": ","},
    importing=Importing.SCALA,
)
SCALA = Language(
    name="scala",
    grammar="scala",
    suffixes=(".scala", ".sc", ".sbt"),
    definitions={
        "class_definition": Rule(kind=SymbolKind.CLASS, container=True),
        "object_definition": Rule(kind=SymbolKind.CLASS, container=True),
        "package_object": Rule(kind=SymbolKind.CLASS, container=True),
        "trait_definition": Rule(kind=SymbolKind.TRAIT, container=True),
        "enum_definition": Rule(kind=SymbolKind.ENUM, container=True),
        "simple_enum_case": Rule(kind=SymbolKind.ENUM_MEMBER),
        "full_enum_case": Rule(kind=SymbolKind.ENUM_MEMBER, body=("class_parameters",)),
        "function_definition": _METHOD,
        "function_declaration": _METHOD,
        "val_definition": _VARIABLE,
        "var_definition": _VARIABLE,
        "given_definition": Rule(kind=SymbolKind.VARIABLE, kind_in_type=SymbolKind.FIELD),
        "type_definition": Rule(kind=SymbolKind.TYPE, body=("type",)),
    },
    name_holders={"tuple_pattern": ("identifier",), "identifiers": ("identifier",)},
    identifiers=frozenset({"identifier", "type_identifier", "operator_identifier"}),
    blank_name=b"_",
    comments=frozenset({"comment", "block_comment"}),
    doc_comments=(b"/**",),
    numbers=frozenset(),
    verbatim=frozenset({"string", "character_literal", "integer_literal", "floating_point_literal", "interpolated_string_expression"}),
    transparent=frozenset({"parenthesized_expression"}),
    dropped=frozenset({",", ";", "(", ")"}),
    special={
        "modifiers": Special.MODIFIERS,
        "annotation": Special.MODIFIERS,
        "lambda_expression": Special.SCOPE,
        "block": Special.SCOPE,
        "indented_block": Special.SCOPE,
        "instance_expression": Special.SCOPE,
    },
    references=_REFERENCES,
    probe=_PROBE,
)
