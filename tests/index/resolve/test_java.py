"""What names of Java mean: in a class and those around it, in a package, across packages and repositories."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.builders.organisations import mentions_of


def calls(tmp_path, *repositories, kind="calls", path=None):
    return mentions_of(tmp_path, *({name: dedent(text) for name, text in files.items()} for files in repositories)).said(kind, path)


def known(said):
    return {(src, dst, how) for src, dst, how in said if dst}


def pom(name):
    return f"<project><groupId>org.x</groupId><artifactId>{name}</artifactId><version>1</version></project>\n"


LIBRARY = {
    "pom.xml": pom("lib"),
    "src/main/java/org/lib/Tool.java": """
        package org.lib;
        public class Tool {
            public static void go() {}
            public static class Part { public static void turn() {} }
        }
        """,
}


@pytest.mark.parametrize(
    ("importing", "call", "found"),
    [
        ("import org.lib.Tool;", "Tool.go()", "Tool.go"),
        ("import org.lib.*;", "Tool.go()", "Tool.go"),
        ("import static org.lib.Tool.go;", "go()", "Tool.go"),
        ("import static org.lib.Tool.*;", "go()", "Tool.go"),
        ("", "org.lib.Tool.go()", "Tool.go"),
        ("import org.lib.Tool.Part;", "Part.turn()", "Tool.Part.turn"),
        ("import org.lib.Tool;", "Tool.Part.turn()", "Tool.Part.turn"),
        ("import org.lib.Tool.*;", "Part.turn()", "Tool.Part.turn"),
        ("", "org.lib.Tool.Part.turn()", "Tool.Part.turn"),
        ("import org.lib.Tool;", "new Tool()", "Tool"),
    ],
)
def test_a_type_of_another_repository_is_found_however_it_is_named(tmp_path, importing, call, found):
    user = {
        "pom.xml": pom("user"),
        "src/main/java/org/user/M.java": f"package org.user;\n{importing}\nclass M {{ void run() {{ {call}; }} }}\n",
    }
    assert calls(tmp_path, LIBRARY, user, path="src/main/java/org/user/M.java") == {("M.run", found, "import")}


@pytest.mark.parametrize(
    ("importing", "call"),
    [
        ("", "Tool.go()"),
        ("import org.other.Tool;", "Tool.go()"),
        ("import org.other.Tool; import org.lib.*;", "Tool.go()"),
        ("import org.lib.Tool;", "Tool.stop()"),
        ("import org.lib.Tool;", "go()"),
        ("import static org.other.Tool.go; import static org.lib.Tool.*;", "go()"),
    ],
)
def test_a_name_that_nothing_brings_in_means_nothing(tmp_path, importing, call):
    user = {
        "pom.xml": pom("user"),
        "src/main/java/org/user/M.java": f"package org.user;\n{importing}\nclass M {{ void run() {{ {call}; }} }}\n",
    }
    assert calls(tmp_path, LIBRARY, user, path="src/main/java/org/user/M.java") == {("M.run", "", "")}


def test_types_of_a_package_see_each_other_in_tests_and_in_other_modules_too(tmp_path):
    files = {
        "pom.xml": pom("root"),
        "src/main/java/p/A.java": "package p;\nclass A { static void f() {} }\nclass Beside { static void g() {} }\n",
        "src/test/java/p/ATest.java": "package p;\nclass ATest { void run() { A.f(); Beside.g(); } }\n",
        "more/pom.xml": pom("more"),
        "more/src/main/java/p/B.java": "package p;\nclass B { void run() { A.f(); } }\n",
        "more/src/main/java/q/C.java": "package q;\nclass C { void run() { A.f(); } }\n",
    }
    assert calls(tmp_path, files) == {
        ("ATest.run", "A.f", "import"), ("ATest.run", "Beside.g", "import"), ("B.run", "A.f", "import"), ("C.run", "", ""),
    }  # fmt: skip


def test_members_of_the_class_its_bases_and_those_around_it_need_no_owner(tmp_path):
    files = {
        "p/Base.java": "package p;\nabstract class Base { void one() {} abstract void three(); }\n",
        "p/Child.java": """
            package p;
            class Child extends Base {
                void two() { one(); this.one(); super.one(); Child.this.one(); three(); }
                void three() {}
                class Inner {
                    void run() { one(); two(); missing(); }
                }
            }
            """,
    }
    assert calls(tmp_path, files) == {
        ("Child.two", "Base.one", "import"), ("Child.two", "Base.one", "typed"), ("Child.two", "Child.three", "import"),
        ("Child.Inner.run", "Base.one", "import"), ("Child.Inner.run", "Child.two", "import"), ("Child.Inner.run", "", ""),
    }  # fmt: skip


def test_a_constructor_calls_that_of_the_class_that_it_extends(tmp_path):
    code = "class Base { Base() {} }\nclass Child extends Base { Child() { super(); } }\n"
    assert calls(tmp_path, {"M.java": code}) == {("Child.Child", "Base", "import")}


@pytest.mark.parametrize(
    "body",
    [
        "void run(A a) { a.f(); }",
        "void run(final A a) { a.f(); }",
        "void run(G<String> g) { g.a().f(); }",
        "void run() { A a = null; a.f(); }",
        "void run() { var a = new A(); a.f(); }",
        "void run() { A x = null; var a = x; a.f(); }",
        "void run() { var a = H.make(); a.f(); }",
        "void run() { new A().f(); }",
        "void run() { H.make().f(); }",
        "void run() { H.shared.f(); }",
        "void run(H h) { h.a.f(); }",
        "void run(H h) { h.self().a.f(); }",
        "void run(A[] all) { for (A a : all) a.f(); }",
        "void run(Object o) { if (o instanceof A a) a.f(); }",
        "void run() { try (A a = new A()) { a.f(); } }",
        "A own; void run() { own.f(); }",
        "A own; void run() { this.own.f(); }",
        "void run(Sub s) { s.f(); }",
        "void run(I i) { i.get().f(); }",
        "void run() { E.ONE.a().f(); }",
        "void run(p.A a) { a.f(); }",
    ],
)
def test_a_type_that_the_code_states_leads_to_the_method(tmp_path, body):
    types = """
        package p;
        class A { void f() {} }
        class Sub extends A {}
        class H { A a; static A shared; static A make() { return null; } H self() { return this; } }
        class G<T> { A a() { return null; } }
        interface I { A get(); }
        enum E { ONE, TWO; A a() { return null; } }
        """
    said = calls(tmp_path, {"p/A.java": types, "p/M.java": f"package p;\nclass M {{ {body} }}\n"}, path="p/M.java")
    assert ("M.run", "A.f", "typed") in said


def test_a_method_of_an_interface_is_the_one_that_it_names_itself_or_inherits(tmp_path):
    code = """
        interface R { void read(); }
        interface RW extends R { default void write() { read(); } }
        class File implements RW { public void read() {} }
        class M { void run(RW x, File f) { x.read(); x.write(); x.close(); f.read(); f.write(); } }
        """
    said = mentions_of(tmp_path, {"M.java": dedent(code)})
    assert said.said("calls") == {
        ("RW.write", "R.read", "import"), ("M.run", "R.read", "typed"), ("M.run", "RW.write", "typed"), ("M.run", "", ""),
        ("M.run", "File.read", "typed"),
    }  # fmt: skip
    assert ("File.read", "R.read", "import") in said.said("extends")


@pytest.mark.parametrize(
    "body",
    [
        "void run() { f(1); }",  # one of two overloads: only the arguments tell
        "void run() { new M().f(1); }",
        "void run(Child c) { c.f(1); }",
        "void run() { g(); }",  # a field is not called
        "void run() { Runnable r = new Runnable() { public void run() { this.h(); } }; }",
        "void run(Object a) { a.h(); }",
        "void run(M[] a) { a.h(); }",
        "void run() { list.forEach(a -> a.h()); }",
        "void run(int h) { h.h(); }",
        "void run() { nowhere.h(); }",
    ],
)
def test_what_could_mean_two_things_or_something_else_means_nothing(tmp_path, body):
    code = f"class M {{ void f(int a) {{}} void f(String a) {{}} int g; M a; void h() {{}} {body} }}\nclass Child extends M {{}}\n"
    assert {dst for src, dst, _ in calls(tmp_path, {"M.java": code}) if src == "M.run"} <= {"", "M"}


def test_a_chain_goes_on_behind_overloads_that_return_the_same(tmp_path):
    code = """
        class B { B add(int a) { return this; } B add(String a) { return this; } int end() { return 1; } Object end(int a) { return a; } }
        class M { void run() { new B().add(1).add("").end(); new B().add(1).toArray(); new B().add(1).self().end(); } }
        """
    assert calls(tmp_path, {"M.java": code}) == {("M.run", "B", "import"), ("M.run", "", "")}


def test_a_method_that_gives_a_type_for_a_type_parameter_is_no_overload(tmp_path):
    code = """
        interface Same<T> { boolean is(T other); }
        class A implements Same<A> { public boolean is(A other) { return true; } }
        class B extends A { boolean is(int other) { return false; } }
        class M { void run(A a, B b) { a.is(a); b.is(1); } }
        """
    said = mentions_of(tmp_path, {"M.java": dedent(code)})
    assert said.said("calls") == {("M.run", "A.is", "typed"), ("M.run", "", "")}
    assert ("A.is", "Same.is", "import") in said.said("extends")
    assert {src for src, _, _ in said.said("extends")} == {"A", "A.is", "B"}


def test_a_method_and_a_field_of_one_name_are_two(tmp_path):
    code = "class A { void f() {} }\nclass M { A size; int size() { return 1; } void run() { size(); size.f(); this.size.f(); } }\n"
    assert calls(tmp_path, {"M.java": code}) == {("M.run", "M.size", "import"), ("M.run", "A.f", "typed")}


def test_a_local_name_hides_a_field_only_behind_its_declaration(tmp_path):
    code = """
        class A { void f() {} }
        class B { void f() {} }
        class M {
            A x;
            void run() {
                x.f();
                B x = new B();
                x.f();
            }
        }
        """
    assert known(calls(tmp_path, {"M.java": code})) == {
        ("M.run", "A.f", "typed"), ("M.run", "B", "import"), ("M.run", "B.f", "typed"),
    }  # fmt: skip


def test_types_of_one_name_in_two_modules_stay_apart(tmp_path):
    module = "package p;\nclass A { static void f() {} }\nclass M { void run() { A.f(); } }\n"
    files = {"one/pom.xml": pom("one"), "one/p/M.java": module, "two/pom.xml": pom("two"), "two/p/M.java": module}
    rows = mentions_of(
        tmp_path, files | {"three/pom.xml": pom("three"), "three/q/N.java": "package q;\nimport p.M;\nclass N { M m = new M(); }\n"}
    ).rows
    found = {row["path"]: row["resolved_by"] for row in rows if row["kind"] == "calls"}
    assert found == {"one/p/M.java": "import", "two/p/M.java": "import", "three/q/N.java": None}


def test_imports_and_bases_say_so(tmp_path):
    user = {"pom.xml": pom("user"), "u/M.java": "package u;\nimport org.lib.Tool;\nclass M extends Tool implements Runnable {}\n"}
    assert calls(tmp_path, LIBRARY, user, kind="extends", path="u/M.java") == {("M", "Tool", "import"), ("M", "", "")}
    assert ("", "Tool", "import") in calls(tmp_path / "again", LIBRARY, user, kind="imports", path="u/M.java")


def test_cycles_end(tmp_path):
    code = "class A extends B { A x = y; A y = x; void run() { f(); x.g(); } }\nclass B extends A { class C extends C {} }\n"
    assert known(calls(tmp_path, {"M.java": code})) == set()
