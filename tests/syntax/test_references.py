"""What a file mentions: names as they are written, each under the definition around it."""

from __future__ import annotations

import re

import pytest

from comind.fingerprints import parse_source
from comind.syntax.grammar import grammar_of
from comind.syntax.languages import LANGUAGES


def mentioned(source, kind=None, language="python"):
    parse = parse_source(source.encode(), language)
    names = [*(definition.descriptors for definition in parse.definitions), ""]  # -1 is the file
    return [
        (names[one.definition], one.target, *(part for part in (one.member, one.name) if part))
        for one in parse.references
        if kind in {None, one.kind}
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b", [("", "a.b")]),
        ("import a.b as c, d", [("", "a.b", "c"), ("", "d")]),
        ("from m import x, y as z", [("", "m", "x", "x"), ("", "m", "y", "z")]),
        ("from . import x", [("", ".", "x", "x")]),
        ("from ..p.q import (x,\n  y)", [("", "..p.q", "x", "x"), ("", "..p.q", "y", "y")]),
        ("from .m import *", [("", ".m", "*")]),
        ("def f():\n    import a", [("f().", "a")]),
    ],
)
def test_an_import_says_module_member_and_name(source, expected):
    assert mentioned(source, "import") == expected


@pytest.mark.parametrize(
    ("callee", "expected"),
    [
        ("g", ["g"]),
        ("a.b.c", ["a.b.c"]),
        ("self.run", ["self.run"]),
        ("super().run", ["super().run", "super"]),
        ("(a.b)", ["a.b"]),
        ("a.b(1).c", ["a.b().c", "a.b"]),
        ("(a\n  .b)", ["a.b"]),
        ("größe.ändern", ["größe.ändern"]),
    ],
)
def test_a_call_says_the_chain_of_names_that_leads_to_the_callee(callee, expected):
    assert mentioned(f"def f():\n    {callee}()\n", "call") == [("f().", target) for target in expected]


@pytest.mark.parametrize("callee", ["a[0]", "(lambda: 1)", "'x'.join", "(a or b)", "(yield)", "a[0].b", "f'{x}'.y"])
def test_a_callee_that_begins_with_no_name_is_left_out(callee):
    assert mentioned(f"def f():\n    {callee}()\n", "call") == []


def test_a_mention_belongs_to_the_innermost_definition_around_it():
    source = (
        "one()\nclass A:\n    two()\n    def m(self, d=three()):\n        def n(): four()\n        return lambda: five()\nx = y = six()\n"
    )
    assert mentioned(source, "call") == [
        ("", "one"), ("A#", "two"), ("A#m().", "three"), ("A#m().n().", "four"), ("A#m().", "five"), ("y.", "six", "y"),
    ]  # fmt: skip


def test_definitions_that_share_a_statement_do_not_shift_the_others():
    assert mentioned("a, b = f(), g()\ndef h(): k()\n", "call") == [("a.", "f"), ("a.", "g"), ("h().", "k")]


def test_bases_belong_to_the_class_and_keywords_are_no_base():
    assert mentioned("class A(B, c.D[T], f(), metaclass=M):\n    class E(A): pass\n", "extends") == [
        ("A#", "B"), ("A#", "c.D"), ("A#", "f()"), ("A#E#", "A"),
    ]  # fmt: skip


def test_types_are_told_with_the_variable_that_has_them():
    source = "x: A\ndef f(p: 'B', q: C[int] | None = None, *r: D) -> E:\n    y: G = 1\n    self.z: H = 2\n"
    assert mentioned(source, "type") == [
        ("x.", "A", "x"), ("f().", "B", "p"), ("f().", "C[int]|None", "q"), ("f().", "D", "r"),
        ("f().", "E"), ("f().", "G", "y"), ("f().", "H", "self.z"),
    ]  # fmt: skip


def test_what_a_name_is_given_is_told_where_it_is_a_name_or_a_call():
    source = "x = A()\ndef f(self):\n    y = x\n    self.z = m.B(1)\n    w = 1\n    a, b = c\n    d[0] = e\n"
    assert mentioned(source, "value") == [("f().", "x", "y")]
    assert mentioned(source, "call") == [("x.", "A", "x"), ("f().", "m.B", "self.z")]


def test_damaged_huge_and_deep_code_ends():
    assert mentioned("def f(:\n  g(\nclass (A): h()\n", "import") == []
    assert mentioned("f" + "()" * 5_000, "call")[-1] == ("", "f")
    assert mentioned("x: " + "A" * 400 + " = " + "b" * 400 + "().c()", None) == []


def test_lines_are_those_of_the_last_part_of_the_name():
    parse = parse_source(b"(a\n .b()\n .c())\n", "python")
    assert [(one.target, one.line) for one in parse.references] == [("a.b().c", 3), ("a.b", 2)]


OTHER_LANGUAGES = [
    # Imports, and what a file gives to others.
    ("javascript", "import", "import a, {b as c, d} from './x'", [("", "./x", "default", "a"), ("", "./x", "b", "c"), ("", "./x", "d", "d")]),
    ("javascript", "import", "import {default as a, 'b-c' as d} from 'x'", [("", "x", "default", "a"), ("", "x", "b-c", "d")]),
    ("javascript", "import", "import a, * as b from 'x'; import 'y'", [("", "x", "default", "a"), ("", "x", "b"), ("", "y")]),
    ("javascript", "import", "const a = require('x'); f(require(`${y}`))", [("a.", "x", "a")]),
    ("javascript", "import", "function f() { const {a, b: c, d = 1, ...e} = require('x') }",
     [("f().", "x", "a", "a"), ("f().", "x", "b", "c"), ("f().", "x", "d", "d"), ("f().", "x")]),
    ("javascript", "import", "function f() { const a = require('x').b }", [("f().", "x", "b", "a"), ("f().", "x")]),
    ("javascript", "import", "async () => { a = await import('./x'); import('y').then(z) }", [("", "./x", "a"), ("", "y")]),
    ("javascript", "reexport", "export {a as b, default} from 'x'; export * from 'y'; export * as n from 'z'",
     [("", "x", "a", "b"), ("", "x", "default", "default"), ("", "y", "*"), ("", "z", "n")]),
    ("javascript", "export", "export {a as b, c}; export default d.e", [("", "a", "b"), ("", "c", "c"), ("", "d.e", "default")]),
    ("javascript", "export", "export default class A {}; export default async function f() {}", [("", "A", "default"), ("", "f", "default")]),
    ("javascript", "export", "export default () => 1; export const a = 1; export class B {}", []),
    ("javascript", "export", "module.exports = {a, b: c, 'd': e.f, g() {}}; x.y = {a}",
     [("", "a", "a"), ("", "c", "b"), ("", "e.f", "d")]),
    ("typescript", "import", "import type A from 'x'; import {type B, type as C} from 'y'; import D = require('z')",
     [("", "x", "default", "A"), ("", "y", "B", "B"), ("", "y", "type", "C"), ("", "z", "D")]),
    ("typescript", "export", "export = A; export default abstract class B {}", [("", "A", "default"), ("", "B", "default")]),
    # Calls.
    ("javascript", "call", "a?.b?.c(); a.b?.(); this.#x.y(); new A.B(1); new C; t`x`",
     [("", "a.b.c"), ("", "a.b"), ("", "this.#x.y"), ("", "A.B"), ("", "C"), ("", "t")]),
    ("javascript", "call", "const a = new A().b(); x.y = f()", [("a.", "A().b", "a"), ("a.", "A"), ("", "f", "x.y")]),
    ("javascript", "call", "class A { constructor() { super() } m() {} }", [("A#constructor().", "super")]),
    ("javascript", "call", "<a><B.C d={e()}/><F>{g}</F></a>", [("", "B.C"), ("", "e"), ("", "F")]),
    ("tsx", "call", "const a = f<T>(b!.c(), (d as E).g())", [("a.", "f", "a"), ("a.", "b.c"), ("a.", "d.g")]),
    # What a type extends.
    ("javascript", "extends", "class A extends m.B {}; const C = class extends f(D) {}", [("A#", "m.B"), ("C#", "f()")]),
    ("typescript", "extends", "class A extends B<C> implements D, e.F {}; interface G extends H, I<J> {}",
     [("A#", "B"), ("A#", "D"), ("A#", "e.F"), ("G#", "H"), ("G#", "I")]),
    # Types.
    ("typescript", "type", "function f(a: A, b?: B[], ...c: C<D, E>[]): F | G { const d: (h: H) => I = e }",
     [("f().", "F|G"), ("f().", "A", "a"), ("f().", "B[]", "b"), ("f().", "C<D,E>[]", "c"), ("f().", "h:H=>I", "d"), ("f().", "H", "h")]),
    ("typescript", "type", "class A { private b?: B; constructor(private readonly c: C, d: D) {} e(): E { return f((x): G => x) as H } }",
     [("A#b.", "B", "b"), ("A#constructor().", "C", "c"), ("A#constructor().", "C", "this.c"), ("A#constructor().", "D", "d"), ("A#e().", "E")]),
    ("typescript", "type", "function f() { let a = b as C; var d: void }", [("f().", "C", "a")]),
    # What a name is given.
    ("javascript", "value", "function f() { let a = b.c; this.d = a; const {e, g: h} = i; x = 1 }",
     [("f().", "b.c", "a"), ("f().", "a", "this.d"), ("f().", "i.e", "e"), ("f().", "i.g", "h")]),
    ("javascript", "value", "module.exports = A; exports.b = c", [("", "A", "module.exports"), ("", "c", "exports.b")]),
    # Java.
    ("java", "import", "package p.q; import a.b.C; import static a.D.e; import a.*; import static a.D.*;",
     [("", "p.q", "*"), ("", "a.b", "C", "C"), ("", "a.D", "e", "e"), ("", "a", "*"), ("", "a.D", "*")]),
    ("java", "call", "class A { A() { super(p); this.x.z(1).y(); init(); this.<T>g(); new a.B<>().c(); super.m(); A.this.d(); } }",
     [("A#A().", "super"), ("A#A().", "this.x.z().y"), ("A#A().", "this.x.z"), ("A#A().", "init"), ("A#A().", "this.g"),
      ("A#A().", "a.B().c"), ("A#A().", "a.B"), ("A#A().", "super.m"), ("A#A().", "A.d")]),
    ("java", "call", "class A { B b = new C<>(); void d() { var e = b.f(); this.b = new G(); try (H h = i()) {} } }",
     [("A#b.", "C", "b"), ("A#d().", "b.f", "e"), ("A#d().", "G", "this.b"), ("A#d().", "i")]),
    ("java", "extends", "class A<T> extends q.B<T> implements C<T>, q.D { enum E implements F {} } interface G extends H, I<J> {}",
     [("A#", "q.B"), ("A#", "C"), ("A#", "q.D"), ("A#E#", "F"), ("G#", "H"), ("G#", "I")]),
    ("java", "type", "class A { @X private final Map<B, C[]> d = e; @Y public static <T> q.F<T> g(@Z final H h, I... i) { J j; int k; var l; } }",
     [("A#", "Map<B,C[]>", "d"), ("A#g(H+I-).", "q.F<T>"), ("A#g(H+I-).", "H", "h"), ("A#g(H+I-).", "I", "i"), ("A#g(H+I-).", "J", "j")]),
    ("java", "type", "class A { void b() { for (final C c : d) {} try (E e = f) {} catch (G g) {} if (h instanceof I i) {} Runnable r = x -> { K k; }; } }",
     [("A#b().", "C", "c"), ("A#b().", "E", "e"), ("A#b().", "G", "g"), ("A#b().", "I", "i"), ("A#b().", "Runnable", "r"), ("A#b().", "K", "k")]),
    ("java", "value", "class A { A(B b) { this.b = b; C c = b.c; } }", [("A#A(B).", "b", "this.b"), ("A#A(B).", "b.c", "c")]),
    ("java", "local", "class A { void f() { g(x -> x.y()); h((a, b) -> c); k(() -> 2); } }", [("A#f().", "x", "x"), ("A#f().", "a", "a"), ("A#f().", "b", "b")]),
    # Go.
    ("go", "import", 'package p\nimport (\n"a/b"\nc "d/e"\n. `f`\n_ "g"\n)\nfunc h() {}',
     [("", "a/b"), ("", "d/e", "c"), ("", "f", "*"), ("", "g", "_")]),
    ("go", "call", "func f() { a.b.c(1).d(); e[0].g(); h[int](1); q.F(); go r.s(); i.j[int](2) }",
     [("f().", "a.b.c().d"), ("f().", "a.b.c"), ("f().", "h"), ("f().", "q.F"), ("f().", "r.s"), ("f().", "i.j")]),
    ("go", "call", "func f() { a, err := &W{b: 1}, g(); c.d = q.X[int]{}; var e, h = i(), 1; j := []T{k()} }",
     [("f().", "W", "a"), ("f().", "g"), ("f().", "q.X", "c.d"), ("f().", "i", "e"), ("f().", "k")]),
    ("go", "extends", 'type S struct { R; *T; q.U `x`; V "y"; a, b W; c X `z` }; type I interface { J; q.K; M() }',
     [("S#", "R"), ("S#", "T"), ("S#", "q.U"), ("S#", "V"), ("I#", "J"), ("I#", "q.K")]),
    ("go", "type", "func (r *R) f(a, b q.T, c ...U) (V, error) { var d, e W; var g, h = 1, 2; i, ok := j.(X); k := func(l Y) Z {} }",
     [("R#f().", "V,error"), ("R#f().", "*R", "r"), ("R#f().", "q.T", "a"), ("R#f().", "q.T", "b"), ("R#f().", "U", "c"),
      ("R#f().", "W", "d"), ("R#f().", "W", "e"), ("R#f().", "X", "i"), ("R#f().", "Y", "l")]),
    ("go", "type", "func f() {}\nfunc g() *R { return nil }\ntype I interface { M(A) map[string]B; N(C) }\ntype S struct { a, b *D; e []E }",
     [("g().", "*R"), ("I#M().", "map[string]B"), ("S#a.", "*D", "a"), ("S#a.", "*D", "b"), ("S#e.", "[]E", "e")]),
    ("go", "value", "func f() { a := b; c.d = e.f; var g = h }", [("f().", "b", "a"), ("f().", "e.f", "c.d"), ("f().", "h", "g")]),
    ("go", "extends", "type P = q.R; type (Q[T any] = *R[T]; S T)", [("P#", "q.R"), ("Q#", "R")]),
    ("go", "local", "func f() { a, b := c[0], func() {}; for d, e := range g { }; h := i(); select { case j := <-k: } }",
     [("f().", "a", "a"), ("f().", "b", "b"), ("f().", "d", "d"), ("f().", "e", "e"), ("f().", "j", "j")]),
    # Rust.
    ("rust", "import", "use a; use a::b::C; use a::{self, b::{self as c, d, e::*}}; use super::x; use ::k::l as _; use {p, q::r}; mod m; mod n {}",
     [("", "a", "a"), ("", "a::b", "C", "C"), ("", "a", "a"), ("", "a", "b", "c"), ("", "a::b", "d", "d"), ("", "a::b::e", "*"),
      ("", "super", "x", "x"), ("", "::k", "l", "_"), ("", "p", "p"), ("", "q", "r", "r"), ("", "self", "m", "m")]),
    ("rust", "reexport", "pub use self::a::B; pub(crate) use c::*; pub mod d; extern crate e as f;",
     [("", "self::a", "B", "B"), ("", "c", "*"), ("", "self", "d", "d")]),
    ("rust", "call", "fn f() { self.g.h(); Self::k(); a::b::C::new(1)?.d.e(); Vec::<T>::new(); m::<T>(1); x.await?.y(); self.0.z(); <S as Tr>::q() }",
     [("f().", "self.g.h"), ("f().", "Self::k"), ("f().", "a::b::C::new().d.e"), ("f().", "a::b::C::new"), ("f().", "Vec::new"), ("f().", "m"),
      ("f().", "x.y"), ("f().", "S::q")]),
    ("rust", "call", "fn f() { let mut a = B { c: d() }; self.e = crate::g::H::<T> { i }; let j: K = l(); m!(n(1), o.p(q::r(2))) }",
     [("f().", "B", "a"), ("f().", "d"), ("f().", "crate::g::H", "self.e"), ("f().", "l"), ("f().", "m!"), ("f().", "n"), ("f().", "o.p"), ("f().", "q::r")]),
    ("rust", "extends", "impl<T: A> q::Tr<T> for S<T> {} impl S {} trait U: V + w::X<Y> {}", [("S#[`q::Tr<T>`]", "q::Tr"), ("U#", "V"), ("U#", "w::X")]),
    ("rust", "type", "impl S { pub async fn f<T>(&self, mut a: &'x mut B<C, D>, e: impl Fn(F) -> G) -> Result<H, I> { let j: J = |k: K| -> L { k }; let m = n as M; } }",
     [("S#f().", "Result<H,I>"), ("S#f().", "&'x mut B<C,D>", "a"), ("S#f().", "impl Fn,F->G", "e"), ("S#f().", "J", "j"), ("S#f().", "K", "k"), ("S#f().", "M", "m")]),
    ("rust", "type", "struct S { pub(crate) a: Option<B> } static mut C: D = e; trait T { const F: G; fn h(); fn i() -> J; }",
     [("S#a.", "Option<B>", "a"), ("C.", "D", "C"), ("T#F.", "G", "F"), ("T#i().", "J")]),
    ("rust", "value", "fn f() { let a = b.c; self.d = e::F; }", [("f().", "b.c", "a"), ("f().", "e::F", "self.d")]),
    # C and C++.
    ("c", "import", '#include <a.h>\n#include "b/c.h"\nint d;', [("", "<a.h>", "*"), ("", "b/c.h", "*")]),
    ("c", "call", "void f() { U u = g(); (*p)(2); s->h.i(1); k = l(m()); }",
     [("f().", "g", "u"), ("f().", "p"), ("f().", "s.h.i"), ("f().", "l", "k"), ("f().", "m")]),
    ("c", "type", "static struct S *f(const struct S *s, T t, unsigned u) { V *v, w; int x; X y = z; } struct Q { T *a; U b; };",
     [("f().", "struct S"), ("f().", "struct S", "s"), ("f().", "T", "t"), ("f().", "V", "v"), ("f().", "X", "y"), ("Q#a.", "T", "a"), ("Q#b.", "U", "b")]),
    ("cpp", "import", '#include "a.h"\nusing namespace b::c; using d::e::F; namespace g = h::i;',
     [("", "a.h", "*"), ("", "b::c", "*"), ("", "d::e", "F", "F"), ("", "h::i", "g")]),
    ("cpp", "call", "void f() { this->n(t.o()); a::b::C::d(1); auto x = new n::Y<T>(1); auto y = make<Q>(1); p.q<int>(4)->r(); }",
     [("f().", "this.n"), ("f().", "t.o"), ("f().", "a::b::C::d"), ("f().", "n::Y", "x"), ("f().", "make", "y"), ("f().", "p.q().r"), ("f().", "p.q")]),
    ("cpp", "extends", "class A : public n::B<C>, private virtual D {}; struct E : F {};", [("A#", "n::B"), ("A#", "D"), ("E#", "F")]),
    ("cpp", "type", "const V& f(const T &t) { Z z(2); std::vector<U> u{3}; for (const W& w : ws) {} }",
     [("f(333c7b42).", "V"), ("f(333c7b42).", "T", "t"), ("f(333c7b42).", "Z", "z"), ("f(333c7b42).", "std::vector<U>", "u"), ("f(333c7b42).", "W", "w")]),
    # C#.
    ("csharp", "import", "using A.B; using static C.D; using E = F.G<H>; namespace N.M { class I {} }",
     [("", "A.B", "*"), ("", "C.D", "*"), ("", "F", "G", "E"), ("", "N.M", "*")]),
    ("csharp", "reexport", "global using A.B;", [("", "A.B", "*")]),
    ("csharp", "call", "class C { F x = new G(); C() : base(1) { this.n(a); base.o(); a?.b.c(1); D.e<T>(); var y = await new q.Y(1).z(); } }",
     [("C#x.", "G", "x"), ("C#C().", "base"), ("C#C().", "this.n"), ("C#C().", "base.o"), ("C#C().", "a.b.c"), ("C#C().", "D.e"),
      ("C#C().", "q.Y().z", "y"), ("C#C().", "q.Y")]),
    ("csharp", "extends", "class C<T> : D<T>, q.E where T : I {} record R(P p) : S(p); interface I2 : J {}",
     [("C#", "D"), ("C#", "q.E"), ("R#", "S"), ("I2#", "J")]),
    ("csharp", "type", "class C { readonly F x; public H P { get; } static async Task<V> M() { foreach (K k in l) {} W w = g; } }",
     [("C#", "F", "x"), ("C#P.", "H", "P"), ("C#M().", "Task<V>"), ("C#M().", "K", "k"), ("C#M().", "W", "w")]),
    # Ruby.
    ("ruby", "import", "require 'x'\nrequire_relative \"a/b\"\nrequire File.join(c)", [("", "x"), ("", "./a/b")]),
    ("ruby", "call", "class A\n def f\n  g a\n  a.h(1).i { |z| z.j }\n  a&.k\n  self.l\n  x = B::C.new(1)\n  @y.m\n  super(1)\n  ::T.n\n end\nend",
     [("A#f().", "g"), ("A#f().", "a.h().i"), ("A#f().", "a.h"), ("A#f().", "z.j"), ("A#f().", "a.k"), ("A#f().", "self.l"),
      ("A#f().", "B::C.new", "x"), ("A#f().", "@y.m"), ("A#f().", "super"), ("A#f().", "T.n")]),
    ("ruby", "extends", "class A < B::C\n include D, E\n extend F::G\nend", [("A#", "B::C"), ("A#", "D"), ("A#", "E"), ("A#", "F::G")]),
    # PHP.
    ("php", "import", "<?php namespace P\\Q; use A\\B as C; use D\\{E, F as G}; use function H\\i; require_once 'x.php';",
     [("", "P\\Q", "*"), ("", "A", "B", "C"), ("", "D", "E", "E"), ("", "D", "F", "G"), ("", "H", "i", "i"), ("", "x.php", "*")]),
    ("php", "call", "<?php function f() { $this->a($x); J::b(); static::c(); $z = new K(1); $this->w = new \\A\\B; N\\m(); $x->y->z()?->u(); }",
     [("f().", "this.a"), ("f().", "J::b"), ("f().", "static::c"), ("f().", "K", "z"), ("f().", "A.B", "this.w"), ("f().", "N.m"),
      ("f().", "x.y.z().u"), ("f().", "x.y.z")]),
    ("php", "extends", "<?php class D extends \\X\\E implements F, Y\\G { use T1; } interface I1 extends J1 {}",
     [("D#", "X.E"), ("D#", "F"), ("D#", "Y.G"), ("D#", "T1"), ("I1#", "J1")]),
    ("php", "type", "<?php class D { private ?K $k; function __construct(private P $p) {} static function g(H $x, I ...$y): J|L { } }",
     [("D#", "?K", "k"), ("D#__construct().", "P", "p"), ("D#__construct().", "P", "this.p"), ("D#g().", "J|L"), ("D#g().", "H", "x"), ("D#g().", "I", "y")]),
    # Kotlin, Scala, Swift.
    ("kotlin", "import", "package a.b\nimport c.D as E\nimport f.*\nimport x.Y\nval z = 1\n",
     [("", "a.b", "*"), ("", "c", "D", "E"), ("", "f", "*"), ("", "x", "Y", "Y")]),
    ("kotlin", "call", "fun f() {\n this.n(a)\n super.o()\n a?.b!!.c(1).d { e() }\n val y = Y<T>(1)\n this.x = g()\n}\n",
     [("f().", "this.n"), ("f().", "super.o"), ("f().", "a.b.c().d"), ("f().", "a.b.c"), ("f().", "e"), ("f().", "Y", "y"), ("f().", "g", "this.x")]),
    ("kotlin", "extends", "class D<T>(p: P) : E<T>(p), a.b.F, G by h\nobject O : P { }\n", [("D#", "E"), ("D#", "a.b.F"), ("D#", "G"), ("O#", "P")]),
    ("kotlin", "type", "class D(val p: P, q: Q) {\n val x: X = y\n fun m(a: T, b: List<A>): V? { val w: W = g }\n}\n",
     [("D#", "P", "p"), ("D#", "P", "this.p"), ("D#", "Q", "q"), ("D#x.", "X", "x"), ("D#m(T+5f4ad6f2).", "V"), ("D#m(T+5f4ad6f2).", "T", "a"),
      ("D#m(T+5f4ad6f2).", "List<A>", "b"), ("D#m(T+5f4ad6f2).", "W", "w")]),
    ("scala", "import", "package a.b\nimport c.{D, E => F, _}\nimport g.H, i._", [("", "a.b", "*"), ("", "c", "D", "D"), ("", "c", "E", "F"), ("", "c", "*"), ("", "g", "H", "H"), ("", "i", "*")]),
    ("scala", "call", "object O { def m = { this.n(a); super.o(); a.b.c(1); f[T](1); val y = new q.Y(1); x = g() } }",
     [("O#m().", "this.n"), ("O#m().", "super.o"), ("O#m().", "a.b.c"), ("O#m().", "f"), ("O#m().", "q.Y", "y"), ("O#m().", "g", "x")]),
    ("scala", "extends", "class D[T](p: P) extends E[T](p) with a.F with G", [("D#", "E"), ("D#", "a.F"), ("D#", "G")]),
    ("scala", "type", "class D(val p: P) { val x: X = y; def m(a: T)(implicit b: B): V[T] = c match { case q: Q => 1 } }",
     [("D#", "P", "p"), ("D#", "P", "this.p"), ("D#x.", "X", "x"), ("D#m(T+B).", "V[T]"), ("D#m(T+B).", "T", "a"), ("D#m(T+B).", "B", "b"), ("D#m(T+B).", "Q", "q")]),
    ("swift", "import", "import A\nimport class C.D", [("", "A", "*"), ("", "C", "D", "D")]),
    ("swift", "call", "class D {\n init() { super.init(p: p) }\n func m() { self.n(a); a?.b!.c(1); f<T>(); let y = try q.Y(1); guard let k = l() else { return } }\n}",
     [("D#init().", "super.init"), ("D#m().", "self.n"), ("D#m().", "a.b.c"), ("D#m().", "f"), ("D#m().", "q.Y", "y"), ("D#m().", "l", "k")]),
    ("swift", "extends", "class D<T>: E<T>, q.F { }\nprotocol P1: Q1 { }", [("D#", "E"), ("D#", "q.F"), ("P1#", "Q1")]),
    ("swift", "type", "class D { let x: X = y; weak var v: V? }\nfunc p(_ a: T, b: @escaping (A) -> q.B) throws -> [R] { }",
     [("D#x.", "X", "x"), ("D#v.", "V?", "v"), ("p(a3510bfc+f3549d93).", "[R]"), ("p(a3510bfc+f3549d93).", "T", "a"), ("p(a3510bfc+f3549d93).", "A->q.B", "b")]),
    # Bash and Lua.
    ("bash", "import", 'source ./a.sh\n. "lib/b.sh"\n', [("", "./a.sh"), ("", "lib/b.sh")]),
    ("bash", "call", 'f() { local x=$(g "$1"); h | k; "$m" n; if o; then p; fi; }', [("f().", "g"), ("f().", "h"), ("f().", "k"), ("f().", "o"), ("f().", "p")]),
    ("lua", "import", "local m = require('a.b')\nlocal n = require \"c.d\"\n", [("m.", "a.b", "m"), ("n.", "c.d", "n")]),
    ("lua", "call", 'function M.f(x) m.g(x); x:h(1):i(); local y = N.new(1); r "s"; M.z = t{u()} end',
     [("M#f().", "m.g"), ("M#f().", "x.h().i"), ("M#f().", "x.h"), ("M#f().", "N.new", "y"), ("M#f().", "r"), ("M#f().", "t", "M.z"), ("M#f().", "u")]),
    ("lua", "value", "M.z = y; local p, q = r", [("M#z.", "y", "M.z"), ("p.", "r", "p")]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "kind", "source", "expected"), OTHER_LANGUAGES)
def test_a_page_finds_what_its_language_mentions(language, kind, source, expected):
    assert mentioned(source, kind, language) == expected


def kinds_of(references):
    named = references.calls | references.links | references.worded | references.through | references.passed | references.separators.keys()
    return named | {kind for shape in references.shapes for kind in re.findall(r"(?:^| )[~?!*]*\((\w+)", shape)}


SHARED = [{"javascript", "typescript", "tsx"}, {"c", "cpp"}]  # one page says what several grammars need
FAMILIES = [*SHARED, *({name} for name in LANGUAGES if not any(name in family for family in SHARED))]


@pytest.mark.parametrize("family", FAMILIES, ids=min)
def test_every_kind_of_a_page_is_one_of_its_grammar(family):
    mentioned = set[str]().union(*(kinds_of(LANGUAGES[name].references) for name in family))
    known = {token.decode()[1:] for name in family for token in grammar_of(name).tokens if token[:1] == b"("}
    assert mentioned - known == set()


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_code_that_is_cut_off_anywhere_is_read(language):
    probe = LANGUAGES[language].probe
    parses = [parse_source(probe[:length], language) for length in range(0, len(probe), 23)]
    assert any(parse.references for parse in parses)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_deep_code_and_long_chains_end(language):
    prefix = {"php": "<?php "}.get(language, "")
    chains = "f" + "()" * 2_500 + ";" + "a" + ".b()" * 2_500
    for text in ("x = " + "(" * 10_000 + "f()" + ")" * 10_000, chains, "use " + "{a::" * 1_000):
        parse_source((prefix + text).encode(), language)
