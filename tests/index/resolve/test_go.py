"""What names of Go mean: within a package of several files, across packages and across repositories."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.builders.organisations import mentions_of

MODULE = "module example.org/{}\n"


def calls(tmp_path, *repositories, kind="calls", path=None):
    return mentions_of(tmp_path, *({name: dedent(text) for name, text in files.items()} for files in repositories)).said(kind, path)


def known(said):
    return {(src, dst, how) for src, dst, how in said if dst}


def test_the_files_of_a_directory_share_functions_types_and_methods(tmp_path):
    files = {
        "go.mod": MODULE.format("m"),
        "a.go": "package m\ntype T struct{}\nfunc (t *T) one() { t.two(); help(); other() }\n",
        "b.go": "package m\nfunc (x T) two() { x.one() }\nfunc help() { T{} }\n",
        "below/c.go": "package below\nfunc other() { help() }\n",
    }
    assert calls(tmp_path, files) == {
        ("T.one", "T.two", "typed"), ("T.one", "help", "import"), ("T.one", "", ""), ("T.two", "T.one", "typed"),
        ("help", "T", "import"), ("other", "", ""),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("importing", "call"),
    [
        ('import "example.org/lib/deep"', "deep.F()"),
        ('import d "example.org/lib/deep"', "d.F()"),
        ('import . "example.org/lib/deep"', "F()"),
        ('import (\n\t"fmt"\n\t"example.org/lib/deep"\n)', "deep.F()"),
        ('import "example.org/lib/v2"', "lib.F()"),
        ('import "example.org/lib/go-lib"', "lib.F()"),
    ],
)
def test_an_import_leads_to_the_package_in_another_repository(tmp_path, importing, call):
    library = {"go.mod": MODULE.format("lib")} | {f"{folder}/x.go": "package x\nfunc F() {}\n" for folder in ("deep", "v2", "go-lib")}
    user = {"go.mod": MODULE.format("user"), "m.go": f"package m\n{importing}\nfunc run() {{ {call} }}\n"}
    assert calls(tmp_path, library, user, path="m.go") == {("run", "F", "import")}


@pytest.mark.parametrize(
    "importing", ['import _ "example.org/lib/deep"', 'import "example.org/nowhere/deep"', 'import other "example.org/lib/deep"']
)
def test_a_package_is_known_by_no_other_name(tmp_path, importing):
    library = {"go.mod": MODULE.format("lib"), "deep/x.go": "package deep\nfunc F() {}\n"}
    user = {"go.mod": MODULE.format("user"), "m.go": f"package m\n{importing}\nfunc run() {{ deep.F() }}\n"}
    assert calls(tmp_path, library, user, path="m.go") == {("run", "", "")}


@pytest.mark.parametrize(
    "body",
    [
        "func run(a A) { a.f() }",
        "func run(x, a *A) { a.f() }",
        "func run() { a := A{}; a.f() }",
        "func run() { a := &A{}; a.f() }",
        "func run() { var a A; a.f() }",
        "func run() { var a = make2(); a.f() }",
        "func run() { a, err := make2(); a.f() }",
        "func run() { a, _ := named(); a.f() }",
        "func run() { make1().f() }",
        "func run(h H) { h.a.f() }",
        "func run(h *H) { h.self().a.f() }",
        "func run() { shared.f() }",
        "func run() { given.f() }",
        "func run(i interface{}) { a, ok := i.(*A); a.f() }",
        "func run(e Embedding) { e.f() }",
        "func run(e Pointing) { e.A.f() }",
        "func run(e Alias) { e.f() }",
        "func run(g G[int]) { g.a().f() }",
        "func run() { A{}.f() }",
        "func run() { do(func(a *A) { a.f() }) }",
    ],
)
def test_a_type_that_the_code_states_leads_to_the_method(tmp_path, body):
    types = """
        package m
        type A struct{}
        func (A) f() {}
        func make1() *A { return nil }
        func make2() (A, error) { return A{}, nil }
        func named() (a *A, err error) { return }
        type H struct { a *A }
        func (h *H) self() *H { return h }
        type Embedding struct { A }
        type Pointing struct { *A; n int }
        type Alias = A
        type G[T any] struct{}
        func (g *G[T]) a() *A { return nil }
        var shared *A
        var given = A{}
        """
    said = calls(tmp_path, {"go.mod": MODULE.format("m"), "types.go": types, "m.go": f"package m\n{body}\n"}, path="m.go")
    assert ("run", "A.f", "typed") in said


def test_a_method_of_an_interface_is_the_one_that_it_names_itself_or_embeds(tmp_path):
    code = "package m\ntype R interface { Read() }\ntype RW interface { R; Write() }\nfunc run(x RW) { x.Read(); x.Write(); x.Close() }\n"
    assert calls(tmp_path, {"m.go": code}) == {("run", "R.Read", "typed"), ("run", "RW.Write", "typed"), ("run", "", "")}


@pytest.mark.parametrize(
    "body",
    [
        "func run() { f := func() {}; f() }",  # a value is called
        "func run(as []A) { for _, a := range as { a.g() } }",
        "func run(as map[string]A) { as.g() }",
        "func run() { a := A{}; { a := unknown(); a.g() } }",
        "func run() { x := x.g() }",  # it is not bound yet
        "func run(f func() error) { f() }",
        "func run() { g() }",  # a method needs its value
        "func run() { a, f := 1, 2; f() }",
    ],
)
def test_what_is_bound_to_something_else_means_nothing(tmp_path, body):
    code = "package m\ntype A struct{}\nfunc (A) g() {}\nvar a A\nfunc f() {}\n"
    said = calls(tmp_path, {"m.go": f"{code}{body}\n"})
    assert {dst for src, dst, _ in said if src == "run"} <= {"", "A"}


def test_a_name_is_not_bound_where_it_is_first_given_something(tmp_path):
    code = "package m\ntype A struct{}\nfunc (A) next() A { return A{} }\nvar a A\nfunc run() { a := a.next(); a.next() }\n"
    assert ("run", "A.next", "typed") in calls(tmp_path, {"m.go": code})


def test_a_name_means_what_the_nearest_declaration_before_it_says(tmp_path):
    code = """
        package m
        type A struct{}
        func (A) f() {}
        type B struct{}
        func (B) f() {}
        func run(x A) {
            x.f()
            func(x B) {
                x.f()
            }(B{})
        }
        """
    assert {dst for _, dst, how in calls(tmp_path, {"m.go": code}) if how == "typed"} == {"A.f", "B.f"}


def test_a_field_of_the_name_of_its_type_hides_it_from_nobody(tmp_path):
    code = "package m\ntype C struct{}\nfunc (c *C) f() {}\ntype H struct { C *C }\nfunc (h H) run() { h.C.f() }\n"
    assert ("H.run", "C.f", "typed") in calls(tmp_path, {"m.go": code})


def test_imports_of_a_package_say_so_and_bases_do(tmp_path):
    library = {"go.mod": MODULE.format("lib"), "x.go": "package lib\ntype T struct{}\n"}
    user = {"go.mod": MODULE.format("user"), "m.go": 'package m\nimport "example.org/lib"\ntype U struct { lib.T }\n'}
    assert calls(tmp_path, library, user, kind="extends") == {("U", "T", "import")}
    imported = mentions_of(tmp_path / "again", library, user).rows
    assert [row["resolved_by"] for row in imported if row["kind"] == "imports"] == ["import"]


def test_cycles_end(tmp_path):
    code = "package m\ntype A struct { B }\ntype B struct { A }\nvar x = y\nvar y = x\nfunc run(a A) { a.f(); x.g(); z := z(); z.h() }\n"
    assert known(calls(tmp_path, {"m.go": code})) == set()
