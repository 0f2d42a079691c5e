"""Ruby."""

from __future__ import annotations

from dataclasses import replace

from comind.syntax.languages.model import Importing, Language, Naming, Overloads, Place, References, Rule, Special, SymbolKind

__all__ = ["RUBY"]

_PROBE = rb"""
# doc
module A::B
  class C < D
    K = 1
    X, Y = 1, 0xFF
    attr_reader :x
    def initialize(a, b = 2, *c, d:, e: 1, **f, &g) = 1
    def self.m(*a) ; yield a; super; rescue E => e; retry; ensure; return 1.5e3; end
    def ==(o) true && !false and nil end
    def q?; "a#{x}" 'b'; end
    class << self
      def z; end
    end
    alias foo bar
  end
end
f { |x| next x }; g = ->(x) { x }; :sym; %w[a b]; /re/i; { a: 1, 'b' => 2 }; [(1..2), *z]
if a then b elsif c then e else d end; a ? b : c; x = 1 unless y; while z do break end; until z; redo; end; for i in a do end
case a when 1, 2 then b else c end
begin; a&.b; rescue; end
"""
_METHOD = Rule(kind=SymbolKind.FUNCTION, kind_in_type=SymbolKind.METHOD)

_REFERENCES = References(
    calls=frozenset({"call"}),
    links=frozenset({"scope_resolution"}),
    members=(". NAME", "&. NAME", ":: NAME"),
    roots=frozenset({"self", "super"}),
    skipped=frozenset({"::"}),
    shapes=("(superclass < BASE", "(assignment PATH = VALUE"),
    import_calls={"require": "", "load": "", "require_relative": "./"},
    base_calls=frozenset({"include", "extend", "prepend"}),
    importing=Importing.CALLS,
)
RUBY = Language(
    name="ruby",
    grammar="ruby",
    suffixes=(".rb", ".rake", ".gemspec", ".ru"),
    file_names=("Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile"),
    definitions={
        "module": Rule(kind=SymbolKind.CLASS, name="name", naming=Naming.SEARCH, container=True),
        "class": Rule(kind=SymbolKind.CLASS, name="name", naming=Naming.SEARCH, container=True),
        "method": _METHOD,
        "singleton_method": replace(_METHOD, overloads=Overloads(parameters=None, also=("object",))),
        "assignment": Rule(
            kind=SymbolKind.CONSTANT,
            many_names=True,
            name="left",
            naming=Naming.SEARCH,
            only_names=frozenset({"constant"}),
            body=("right",),
            place=Place.OUTSIDE_FUNCTIONS,
        ),
    },
    name_holders={"left_assignment_list": ("constant",)},
    owned_names={"scope_resolution": ("scope", "name")},
    identifiers=frozenset({"identifier", "constant", "instance_variable", "class_variable", "global_variable"}),
    other_names=frozenset({"operator", "setter"}),
    comments=frozenset({"comment"}),
    doc_comments=(b"#",),
    numbers=frozenset({"integer", "float"}),
    verbatim=frozenset({"simple_symbol", "regex", "heredoc_content", "character", "string_array", "symbol_array"}),
    transparent=frozenset({"parenthesized_statements"}),
    dropped=frozenset({",", ";", "(", ")", "empty_statement", '"'}),
    special={"escape_sequence": Special.MARKUP_TEXT, "lambda": Special.SCOPE, "do_block": Special.SCOPE},
    references=_REFERENCES,
    probe=_PROBE,
)
