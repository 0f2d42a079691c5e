"""What names of Rust mean: in modules of files and blocks, in blocks for types, across crates and repositories."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.builders.organisations import mentions_of


def calls(tmp_path, *repositories, kind="calls", path=None):
    return mentions_of(tmp_path, *({name: dedent(text) for name, text in files.items()} for files in repositories)).said(kind, path)


def known(said):
    return {(src, dst, how) for src, dst, how in said if dst}


def cargo(name):
    return f'[package]\nname = "{name}"\nversion = "1.0.0"\n'


CRATE = {
    "Cargo.toml": cargo("my-kit"),
    "src/lib.rs": """
        pub mod deep;
        mod hidden;
        pub mod block { pub fn b() {} pub mod inner { pub fn i() {} } }
        pub use hidden::{h, Kind as Sort};
        pub use deep::*;
        pub fn f() {}
        """,
    "src/hidden.rs": "pub fn h() {}\npub enum Kind { One(u8) }\n",
    "src/deep/mod.rs": "pub mod below;\npub fn d() {}\n",
    "src/deep/below.rs": "pub fn l() {}\n",
}


@pytest.mark.parametrize(
    ("importing", "call", "found"),
    [
        ("use crate::f;", "f()", "f"),
        ("use crate::deep::d;", "d()", "d"),
        ("use crate::deep::{self, below::l as other};", "other()", "l"),
        ("use crate::deep::{self, below::l as other};", "deep::below::l()", "l"),
        ("use super::deep;", "deep::d()", "d"),
        ("use super::*;", "f()", "f"),
        ("use super::*;", "deep::d()", "d"),
        ("use crate::block::inner::*;", "i()", "block.inner.i"),
        ("use crate::deep::below as low;", "low::l()", "l"),
        ("use crate::h;", "h()", "h"),
        ("use crate::d;", "d()", "d"),
        ("use crate::Sort::*;", "One(1)", "Kind.One"),
        ("", "crate::Sort::One(1)", "Kind.One"),
        ("", "super::block::inner::i()", "block.inner.i"),
        ("", "self::own()", "own"),
        ("", "crate::f::<u8>()", "f"),
        ("extern crate my_kit as kit;", "kit::f()", "f"),
    ],
)
def test_a_path_leads_to_the_definition_however_it_is_written(tmp_path, importing, call, found):
    files = CRATE | {
        "src/lib.rs": dedent(CRATE["src/lib.rs"]) + "mod m;\n",
        "src/m.rs": f"{importing}\nfn own() {{}}\nfn run() {{ {call}; }}\n",
    }
    assert calls(tmp_path, files, path="src/m.rs") == {("run", found, "import")}


@pytest.mark.parametrize("importing", ["", "use crate::nowhere::f;", "use std::fs::f;", "use other::*;", "use crate::hidden::*;"])
def test_a_name_that_nothing_brings_in_means_nothing(tmp_path, importing):
    files = CRATE | {"src/m.rs": f"{importing}\nfn run() {{ f(); }}\nmod inner {{ fn own() {{ run(); }} }}\n"}
    assert calls(tmp_path, files, path="src/m.rs") == {("run", "", ""), ("inner.own", "", "")}


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        ("src/main.rs", "my_kit::f()", "f"),
        ("src/bin/tool.rs", "my_kit::deep::d()", "d"),
        ("tests/it.rs", "my_kit::h()", "h"),
        ("examples/show.rs", "my_kit::block::b()", "block.b"),
        ("tests/it.rs", "crate::f()", ""),
        ("src/bin/tool.rs", "crate::f()", ""),
    ],
)
def test_other_targets_of_a_package_know_its_library_by_name(tmp_path, path, body, found):
    said = calls(tmp_path, CRATE | {path: f"fn main() {{ {body}; }}\n"}, path=path)
    assert said == {("main", found, "import" if found else "")}


def test_modules_of_a_test_are_found_from_the_file_that_declares_them(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "tests/all.rs": "mod helper;\nmod shared;\nfn main() { helper::go(); shared::go(); }\npub fn top() {}\n",
        "tests/helper.rs": "pub fn go() { crate::top(); super::shared::go(); }\n",
        "tests/shared/mod.rs": "pub fn go() { crate::helper::go(); }\n",
    }
    rows = mentions_of(tmp_path, files).rows
    found = [(row["path"], row["name"], row["dst"]) for row in rows if row["kind"] == "calls"]
    assert found == [
        ("tests/all.rs", "go", "go"), ("tests/all.rs", "go", "go"), ("tests/helper.rs", "top", "top"), ("tests/helper.rs", "go", "go"),
        ("tests/shared/mod.rs", "go", "go"),
    ]  # fmt: skip


def test_crates_of_a_workspace_and_of_other_repositories_find_each_other(tmp_path):
    workspace = {
        "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n',
        "a/Cargo.toml": cargo("kit-a"),
        "a/src/lib.rs": "pub struct T;\nimpl T { pub fn new() -> T { T } pub fn act(&self) {} }\n",
        "b/Cargo.toml": cargo("kit-b"),
        "b/src/lib.rs": "pub use kit_a::T;\nfn run() { T::new().act(); }\n",
    }
    user = {"Cargo.toml": cargo("user"), "src/lib.rs": "use kit_b::T;\nfn run(t: &T) { t.act(); kit_a::T::new(); kit_c::T::new(); }\n"}
    assert calls(tmp_path, workspace, user, path="b/src/lib.rs") == {("run", "T.new", "import"), ("run", "T.act", "typed")}
    assert calls(tmp_path / "again", workspace, user, path="src/lib.rs") == {
        ("run", "T.act", "typed"), ("run", "T.new", "import"), ("run", "", ""),
    }  # fmt: skip


TYPES = """
    pub struct A;
    impl A { pub fn new() -> Self { Self } pub fn f(&self) {} pub fn again(self) -> Self { self } pub fn read() -> Result<Self, ()> { Ok(A) } }
    pub struct H { pub a: A, pub boxed: Box<A>, pub maybe: Option<Arc<A>>, pub f: fn() }
    impl H { pub fn a(&self) -> &A { &self.a } }
    pub enum E { One, Two(u8) }
    impl E { pub fn a(&self) -> A { A::new() } }
    pub static SHARED: A = A;
    pub fn make() -> A { A }
    pub fn try_make() -> Option<A> { None }
"""


@pytest.mark.parametrize(
    "body",
    [
        "fn run(a: A) { a.f() }",
        "fn run(a: &mut A) { a.f() }",
        "fn run<'a>(a: &'a A) { a.f() }",
        "fn run(a: Box<A>) { a.f() }",
        "fn run(a: std::sync::Arc<A>) { a.f() }",
        "fn run(a: Pin<&mut A>) { a.f() }",
        "fn run() { let a: A = todo(); a.f() }",
        "fn run() { let a = A::new(); a.f() }",
        "fn run() { let a = A::new().again(); a.f() }",
        "fn run() { let mut a = A {}; a.f() }",
        "fn run() { let x = A::new(); let a = &x; a.f() }",
        "fn run() { let a = make(); a.f() }",
        "fn run() { let a = A::read()?; a.f() }",
        "fn run() { let a = try_make().unwrap(); a.f() }",
        "fn run() { A::read()?.again().f() }",
        "fn run(h: H) { h.a.f() }",
        "fn run(h: H) { h.a().f() }",
        "fn run(h: H) { h.boxed.f() }",
        "fn run(h: H) { h.maybe.as_ref().unwrap().f() }",
        "fn run() { E::One.a().f() }",
        "fn run() { E::Two(1).a().f() }",
        "fn run() { SHARED.f() }",
        "fn run() { todo(|a: A| a.f()) }",
        "fn run(x: H) { let x = x.a();\n x.f() }",
        "fn run(a: H) { { let a = A::new(); a.f() } }",
        "fn run() { A::f(&A::new()) }",
        'fn run() { println!("{}", SHARED.f()) }',
    ],
)
def test_a_type_that_the_code_states_leads_to_the_method(tmp_path, body):
    files = {"Cargo.toml": cargo("kit"), "src/lib.rs": f"mod types;\nuse types::*;\n{body}\n", "src/types.rs": TYPES}
    assert {(src, dst) for src, dst, _ in known(calls(tmp_path, files, path="src/lib.rs")) if dst == "A.f"} == {("run", "A.f")}


@pytest.mark.parametrize(
    "body",
    [
        "fn run(a: Vec<A>) { a.f() }",
        "fn run(a: Option<A>) { a.map(g); a.take(); }",  # members of what holds it
        "fn run(h: H) { h.f() }",  # a field is called
        "fn run<T: Fly>(t: T) { t.f() }",
        "fn run(x: (A, A)) { x.f() }",
        "fn run(types: u8) { types.make() }",  # a module has no values
        "fn run(a: A) { A.f(); a::f() }",
        "fn run() { nowhere.f(); nowhere::f() }",
        "fn run(a: impl Fly + Walk) { a.f() }",
    ],
)
def test_what_could_mean_two_things_or_something_else_means_nothing(tmp_path, body):
    code = "pub fn f() {}\npub fn make() {}\nimpl A { pub fn map(&self) {} pub fn take(&self) {} }\n"
    files = {"Cargo.toml": cargo("kit"), "src/lib.rs": f"mod types;\nuse types::*;\n{code}{body}\n", "src/types.rs": TYPES}
    assert {dst for src, dst, _ in calls(tmp_path, files, path="src/lib.rs") if src == "run"} == {""}


def test_self_and_the_type_itself_lead_to_members_wherever_their_block_stands(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "src/lib.rs": "mod more;\npub struct T<X> { x: X }\nimpl<X> T<X> { fn one(&self) { self.two(); Self::three(); self.four(); } }\n",
        "src/more.rs": """
            use super::T;
            impl<X> T<X> { pub fn two(&self) { self.one(); } pub fn three() {} }
            impl T<u8> { pub fn four(&self) { self.two(); } }
            mod inner { impl super::T<u16> { pub fn five(&self) { self.one(); } } }
            """,
    }
    assert calls(tmp_path, files) == {
        ("T.one", "T.two", "typed"), ("T.one", "T.three", "import"), ("T.one", "T.u8.four", "typed"),
        ("T.two", "T.one", "typed"), ("T.u8.four", "T.two", "typed"), ("inner.T.u16.five", "", ""),
    }  # fmt: skip


def test_traits_give_what_a_type_does_not_have_itself(tmp_path):
    code = """
        pub trait Base { fn base(&self) {} }
        pub trait Act: Base { fn act(&self) { self.step(); self.base(); } fn step(&self); }
        pub struct T;
        impl T { fn own(&self) {} }
        impl Base for T {}
        impl Act for T { fn step(&self) { self.own(); Self::act(self); } }
        impl Act for Vec<T> { fn step(&self) { self.act(); self.len(); } }
        fn run(t: T, a: &dyn Act, b: impl Act) { t.step(); t.act(); t.base(); a.step(); b.act(); Act::step(&t); T::step(&t); t.missing(); }
        """
    said = mentions_of(tmp_path, {"Cargo.toml": cargo("kit"), "src/lib.rs": dedent(code)})
    assert said.said("calls") == {
        ("Act.act", "Act.step", "typed"), ("Act.act", "Base.base", "typed"), ("T.Act.step", "T.own", "typed"),
        ("T.Act.step", "Act.act", "import"), ("Vec.T.Act.step", "Act.act", "typed"), ("Vec.T.Act.step", "", ""),
        ("run", "T.Act.step", "typed"), ("run", "Act.act", "typed"), ("run", "Base.base", "typed"), ("run", "Act.step", "typed"),
        ("run", "Act.step", "import"), ("run", "T.Act.step", "import"), ("run", "", ""),
    }  # fmt: skip
    assert {one for one in said.said("extends") if "step" in one[0]} == {
        ("T.Act.step", "Act.step", "import"), ("Vec.T.Act.step", "Act.step", "import"),
    }  # fmt: skip


def test_a_method_that_two_blocks_give_means_neither(tmp_path):
    code = """
        pub struct T<X> { x: X }
        impl T<u8> { fn f(&self) {} }
        impl T<u16> { fn f(&self) {} }
        impl One for T<u8> { fn g(&self) {} }
        impl Two for T<u8> { fn g(&self) {} }
        fn run(t: T<u8>) { t.f(); t.g(); }
        """
    assert calls(tmp_path, {"Cargo.toml": cargo("kit"), "src/lib.rs": dedent(code)}) == {("run", "", "")}


def test_a_function_is_called_where_a_module_has_its_name(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "src/lib.rs": "mod sleep;\npub use sleep::{sleep, nap};\nfn run() { sleep(); sleep::nap(); crate::sleep(); nap(); }\n",
        "src/sleep.rs": "pub fn sleep() {}\npub fn nap() {}\n",
    }
    assert calls(tmp_path, files) == {("run", "sleep", "import"), ("run", "nap", "import")}


def test_macros_are_known_below_and_apart_from_functions(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "src/lib.rs": "macro_rules! mac { () => {} }\nfn mac() {}\nmod m;\nfn run() { mac!(); mac(); vec![1]; }\nmod b { fn c() { mac!(); mac(); } }\n",
        "src/m.rs": "fn d() { mac!(); }\n",
    }
    rows = mentions_of(tmp_path, files).rows
    found = {(row["src"], row["name"], row["line"]): row["dst"] for row in rows if row["kind"] == "calls"}
    kinds = {name: dst for (_, name, _), dst in found.items()}
    assert set(kinds) == {"mac", "vec"}
    said = calls(tmp_path / "again", files)
    assert {src for src, dst, _ in said if dst == "mac"} == {"run", "b.c", "d"}
    assert ("b.c", "", "") in said


def test_a_module_that_only_a_macro_declares_is_found_by_its_file(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "src/lib.rs": "cfg_net! {\n    pub mod net;\n}\nfn run() { net::go(); }\n",
        "src/net.rs": "pub fn go() { crate::run(); }\n",
    }
    assert known(calls(tmp_path, files)) == {("run", "go", "import"), ("go", "run", "import")}


def test_functions_and_types_in_a_function_are_its_own(tmp_path):
    code = """
        struct T;
        impl T { fn f(&self) {} }
        fn help() {}
        fn run() {
            fn help() {}
            help();
            let help = 1;
        }
        fn other() { help(); }
        """
    said = calls(tmp_path, {"Cargo.toml": cargo("kit"), "src/lib.rs": dedent(code)})
    assert said == {("run", "run.help", "import"), ("other", "help", "import")}


def test_cycles_end(tmp_path):
    files = {
        "Cargo.toml": cargo("kit"),
        "src/lib.rs": """
            mod m;
            pub use m::*;
            pub use self::x as y;
            pub use self::y as x;
            trait A: B {}
            trait B: A {}
            struct T;
            impl A for T {}
            fn run(t: T, a: impl A) { x(); z(); t.f(); a.g(); let u = u.v(); u.w(); super::super::n(); }
            """,
        "src/m.rs": "pub use super::*;\npub use self::*;\nmod inner { pub use super::*; fn run() { nothing(); } }\n",
    }
    assert known(calls(tmp_path, files)) == set()


def test_imports_and_bases_say_so(tmp_path):
    user = {"Cargo.toml": cargo("user"), "src/lib.rs": "use my_kit::deep::d;\nuse std::fmt;\nstruct T;\nimpl fmt::Debug for T {}\n"}
    rows = mentions_of(tmp_path, CRATE, user).rows
    imports = [(row["name"], row["dst"], row["resolved_by"]) for row in rows if row["kind"] == "imports" and row["repo_id"] == "r1"]
    assert imports == [("d", "d", "import"), ("fmt", "", None)]
