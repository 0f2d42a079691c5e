"""C, and C++ as C with more kinds; a `.h` file is read as C++ only where its name says so (`.hh`, `.hpp`)."""

from __future__ import annotations

from dataclasses import replace

from comind.syntax.languages.model import Importing, Language, Naming, Overloads, Place, References, Rule, Special, SymbolKind, Wrapping

__all__ = ["CPP", "C"]

_PROBE = rb"""
#include <a.h>
#define LIM 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/** doc */
static inline int f(int a, char *b, ...) { for (int i = 0, j; i < 1; i++) { continue; } return a ? b[0] : -1.5e3f; }
int *g(void); typedef struct { int a; unsigned b : 3; } Q; typedef int (*fn)(int);
struct P { int x, *y; void (*cb)(int); struct Q q; }; enum E { A, B = 2 }; union U { int i; };
static const char *name[2] = { "x" "y", L"z\n" }, c = 'c';
#if defined(X) && Y
int h(void) { l: while (!a) { do { break; } while (*p++); } switch (a) { case 1: default: goto l; }
  a->b.c = (struct P){ .x = 0xFF, 1 }; if (sizeof(int) && (char) a) ; else ~a; return 0; }
#else
extern int k;
#endif
"""
_MORE = rb"""
namespace a::b { class C final : public D { public: explicit C(int x) : y(x) {} virtual ~C() = default;
  int m(const S& s) const noexcept override;
  template <typename T> T t(T v) { return v; }
  bool operator==(const C& o) const; private: static int z; int y = 1; enum class K : int { L }; }; }
int a::C::m(const S& s) const { auto l = [=](int x) mutable -> int { return x; };
  for (auto& e : v) { try { throw 1; } catch (...) { } } return l(1); }
template <class T, int N = 1> struct V<T*> { using X = std::vector<int>; }; template <> void q<int>(int) {}
constexpr auto w = R"(raw)"; using namespace std; delete[] p; new (q) T[2]; static_cast<int>(x); nullptr; this;
extern "C" { void cc(); }
"""

_HOLDERS = {
    "pointer_declarator": ("declarator",),
    "function_declarator": ("declarator",),
    "array_declarator": ("declarator",),
    "init_declarator": ("declarator",),
    "attributed_declarator": ("identifier", "field_identifier", "function_declarator", "pointer_declarator"),
    "parenthesized_declarator": ("pointer_declarator", "identifier", "function_declarator", "array_declarator", "parenthesized_declarator"),
}
_FUNCTION = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD, name="declarator", naming=Naming.SEARCH)
_VARIABLE = Rule(
    kind=SymbolKind.VARIABLE,
    name="declarator",
    naming=Naming.SEARCH,
    named_through={"function_declarator": None},  # a prototype says again what a definition says
    many_names=True,
    body=("init_declarator",),
    place=Place.OUTSIDE_FUNCTIONS,
)
_FIELD = Rule(kind=SymbolKind.FIELD, many_names=True, name="declarator", naming=Naming.SEARCH, body=("default_value",), place=Place.IN_TYPE)


def _type(kind: SymbolKind) -> Rule:
    return Rule(kind=kind, name="name", naming=Naming.SEARCH, container=True, needs_body=True)


_STORED = "*(storage_class_specifier *(type_qualifier"  # what may stand before a type
_DECLARED = (
    "NAME",
    "(pointer_declarator * NAME",
    "(array_declarator NAME",
    "(init_declarator NAME",
    "(init_declarator (pointer_declarator * NAME",
)
_C_SHAPES = (
    *(f"(parameter_declaration {_STORED} TYPE {declared}" for declared in _DECLARED),
    *(f"(declaration {_STORED} TYPE {declared}" for declared in _DECLARED),
    *(f"(field_declaration {_STORED} TYPE {declared}" for declared in _DECLARED),
    f"(function_definition {_STORED} !(function_declarator RESULT",
    "(init_declarator NAME = VALUE",
    "(init_declarator (pointer_declarator * NAME ) = VALUE",
    "(assignment_expression PATH = VALUE",
    "(preproc_include IMPORT",
)
_REFERENCES = References(
    calls=frozenset({"call_expression"}),
    links=frozenset({"field_expression"}),
    members=(". NAME", "-> NAME"),
    through=frozenset({"pointer_expression"}),
    skipped=frozenset({"*", "&"}),
    shapes=_C_SHAPES,
    importing=Importing.C,
)
C = Language(
    name="c",
    grammar="c",
    suffixes=(".c", ".h"),
    definitions={
        "function_definition": _FUNCTION,
        "declaration": _VARIABLE,
        "field_declaration": _FIELD,
        "struct_specifier": _type(SymbolKind.STRUCT),
        "union_specifier": _type(SymbolKind.UNION),
        "enum_specifier": _type(SymbolKind.ENUM),
        "enumerator": Rule(kind=SymbolKind.ENUM_MEMBER, body=("value",)),
        "type_definition": Rule(
            many_names=True, kind=SymbolKind.TYPE, name="declarator", naming=Naming.SEARCH, container=True, body=("type",)
        ),
        "preproc_def": Rule(kind=SymbolKind.MACRO, body=("value",)),
        "preproc_function_def": Rule(kind=SymbolKind.MACRO, body=("value",)),
    },
    name_holders=_HOLDERS,
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier", "statement_identifier"}),
    comments=frozenset({"comment"}),
    doc_comments=(b"/**", b"///", b"//!", b"/*!"),
    numbers=frozenset(),
    verbatim=frozenset({"string_literal", "char_literal", "system_lib_string", "number_literal"}),
    transparent=frozenset({"parenthesized_expression"}),
    dropped=frozenset({",", "(", ")", ";", "\n"}),
    special={"storage_class_specifier": Special.MODIFIERS, "preproc_arg": Special.FREE_TEXT},
    labelled={"for_statement": ("initializer", "condition", "update"), "for_range_loop": ("initializer",)},
    references=_REFERENCES,
    probe=_PROBE,
)

_OVERLOADS = Overloads(
    parameters="parameters", whole=True, parameter_name="declarator", also=("type_qualifier", "ref_qualifier", "arguments")
)

_REFERRED = ("(reference_declarator & NAME", "(reference_declarator && NAME")
_MORE_REFERENCES = replace(
    _REFERENCES,
    calls=_REFERENCES.calls | {"new_expression"},
    links=_REFERENCES.links | {"qualified_identifier", "nested_namespace_specifier"},
    members=(*_REFERENCES.members, ":: NAME"),
    roots=frozenset({"this"}),
    through=_REFERENCES.through | {"template_type", "template_function", "template_method", "dependent_name"},
    passed=frozenset({"template_argument_list"}),
    skipped=_REFERENCES.skipped | {"new", "::"},
    shapes=(
        "(base_class_clause : BASES",
        *(f"(parameter_declaration {_STORED} TYPE {declared}" for declared in _REFERRED),
        *(f"(declaration {_STORED} TYPE {declared}" for declared in _REFERRED),
        f"(optional_parameter_declaration {_STORED} TYPE NAME",
        f"(for_range_loop for {_STORED} TYPE NAME",
        *(f"(for_range_loop for {_STORED} TYPE {declared}" for declared in _REFERRED),
        "(using_declaration IMPORT",
        "(namespace_alias_definition IMPORT",
        *_REFERENCES.shapes,
    ),
    separators={"template_argument_list": ","},
)
CPP = replace(
    C,
    name="cpp",
    grammar="cpp",
    suffixes=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl"),
    definitions={
        **C.definitions,
        "function_definition": replace(_FUNCTION, overloads=_OVERLOADS),
        "field_declaration": replace(_FIELD, named_through={"function_declarator": SymbolKind.METHOD}, overloads=_OVERLOADS),
        "declaration": _VARIABLE,
        "class_specifier": _type(SymbolKind.CLASS),
        "namespace_definition": Rule(kind=SymbolKind.NAMESPACE, name="name", naming=Naming.SEARCH, container=True),
        "alias_declaration": Rule(kind=SymbolKind.TYPE, body=("type",)),
        "concept_definition": Rule(kind=SymbolKind.TYPE, body=("requires_expression",)),
    },
    wrappers={"template_declaration": Wrapping(extends=True, is_shared=True)},
    name_holders={
        **_HOLDERS,
        "reference_declarator": (
            "identifier",
            "field_identifier",
            "qualified_identifier",
            "function_declarator",
            "operator_name",
            "array_declarator",
            "parenthesized_declarator",
        ),
        "template_function": ("name",),
        "template_method": ("name",),
        "template_type": ("name",),
    },
    owners_are_namespaces=True,
    owned_names={"qualified_identifier": ("scope", "name")},
    other_names=frozenset({"operator_name", "destructor_name", "nested_namespace_specifier"}),
    identifiers=C.identifiers | {"namespace_identifier"},
    verbatim=C.verbatim | {"raw_string_literal"},
    special={**C.special, "lambda_expression": Special.SCOPE, "access_specifier": Special.MODIFIERS, "virtual": Special.MODIFIERS},
    references=_MORE_REFERENCES,
    probe=_PROBE + _MORE,
)
