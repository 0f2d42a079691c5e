"""What names of Python mean: within a file, across files and across repositories."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.builders.organisations import mentions_of

PROJECT = '[project]\nname = "{}"\n'


def calls(tmp_path, *repositories, kind="calls", path=None):
    return mentions_of(tmp_path, *({name: dedent(text) for name, text in files.items()} for files in repositories)).said(kind, path)


def known(said):
    return {(src, dst, how) for src, dst, how in said if dst}


def test_a_call_means_the_function_of_the_module_the_nested_one_or_nothing(tmp_path):
    code = """
        def a(): ...
        def b():
            def c(): a()
            c()
            missing()
            a()
        a()
        """
    assert calls(tmp_path, {"m.py": code}) == {
        ("b.c", "a", "import"), ("b", "b.c", "import"), ("b", "", ""), ("b", "a", "import"), ("", "a", "import"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("importing", "call"),
    [
        ("from p.x import f", "f()"),
        ("from p.x import f as g", "g()"),
        ("from p import x", "x.f()"),
        ("import p.x", "p.x.f()"),
        ("import p.x as y", "y.f()"),
        ("from .x import f", "f()"),
        ("from . import x as y", "y.f()"),
        ("from .x import *", "f()"),
        ("from p import again", "again()"),
        ("from p.star import f", "f()"),
        ("try:\n    from nowhere import f\nexcept ImportError:\n    from p.x import f", "f()"),
    ],
)
def test_an_import_leads_to_the_definition_however_it_is_written(tmp_path, importing, call):
    package = {"p/__init__.py": "from .x import f as again\n", "p/x.py": "def f(): ...\n", "p/star.py": "from .x import *\n"}
    said = calls(tmp_path, package | {"p/m.py": f"{importing}\ndef run():\n    {call}\n"}, path="p/m.py")
    assert said == {("run", "f", "import")}


@pytest.mark.parametrize(("init", "found"), [({}, "import"), ({"tools/__init__.py": ""}, "")])
def test_imports_may_begin_in_a_folder_that_is_no_package(tmp_path, init, found):
    files = {"tools/json.py": "def f(): ...\n", "tools/run.py": "from json import f\ndef run(): f()\n"} | init
    assert calls(tmp_path, files, path="tools/run.py") == {("run", "f" if found else "", found)}


def test_what_is_imported_in_a_function_is_known_there_alone(tmp_path):
    files = {"x.py": "def f(): ...\n", "m.py": "def a():\n    from x import f\n    f()\ndef b():\n    f()\n"}
    assert calls(tmp_path, files, path="m.py") == {("a", "f", "import"), ("b", "", "")}


def test_self_cls_and_super_follow_inheritance(tmp_path):
    code = """
        class Base:
            def one(self): ...
            def two(self): self.one()
            @classmethod
            def make(cls): return cls.two
        class Child(Base):
            def one(self): super().one()
            def three(self):
                self.one()
                self.two()
                self.four()
                def inner(): self.two()
            @classmethod
            def build(cls): cls.make(); cls()
        """
    assert known(calls(tmp_path, {"m.py": code})) == {
        ("Base.two", "Base.one", "typed"), ("Child.one", "Base.one", "typed"), ("Child.three", "Child.one", "typed"),
        ("Child.three", "Base.two", "typed"), ("Child.three.inner", "Base.two", "typed"), ("Child.build", "Base.make", "typed"),
        ("Child.build", "Child", "typed"),
    }  # fmt: skip


def test_a_method_extends_the_one_that_it_overrides_and_no_other(tmp_path):
    code = """
        class Base:
            def one(self): ...
            def two(self): ...
            three = 3
        class Middle(Base): ...
        class Child(Middle):
            def one(self): ...
            def three(self): ...
            def four(self): ...
        class Other:
            def two(self): ...
        """
    assert calls(tmp_path, {"m.py": code}, kind="extends") == {
        ("Middle", "Base", "import"), ("Child", "Middle", "import"), ("Child.one", "Base.one", "import"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "def run(x: A): x.f()",
        "def run(x: 'A | None' = None): x.f()",
        "def run(x: t.Optional[A]): x.f()",
        "def run():\n    x = A()\n    x.f()",
        "def run():\n    make().f()",
        "def run():\n    x = make()\n    x.f()",
        "def run():\n    A().f()",
        "def run():\n    x: A = other()\n    x.f()",
        "def run():\n    holder = H()\n    holder.a.f()",
        "def run():\n    H().b.f()",
        "def run():\n    H().c.f()",
        "def run():\n    CONSTANT.f()",
        "def run(x: t.Type[A]): x().f()",
    ],
)
def test_a_type_that_the_code_states_leads_to_the_method(tmp_path, body):
    code = """
        import typing as t
        class A:
            def f(self): ...
        def make() -> A: ...
        class H:
            b: A
            def __init__(self):
                self.a = A()
            @property
            def c(self) -> "A": ...
        CONSTANT = A()
        """
    said = calls(tmp_path, {"m.py": dedent(code) + body + "\n"})
    assert ("run", "A.f", "typed") in said


@pytest.mark.parametrize(
    "body",
    [
        "def run(x: A | B): x.f()",  # one of two
        "def run(x): x.f()",
        "def run(x: list[A]): x.f()",
        "def run():\n    f = A().f\n    f()",  # a value is called
        "def run(f):\n    f()()",
        "class C:\n    def __init__(self, cls): self.x = cls\n    def run(self): self.x()",
        "def run():\n    from elsewhere import A\n    A().f()",
    ],
)
def test_what_could_mean_two_things_means_none(tmp_path, body):
    code = "class A:\n    def f(self): ...\nclass B:\n    def f(self): ...\n"
    said = calls(tmp_path, {"m.py": f"{code}{body}\n"})
    assert {dst for src, dst, _ in said if src in {"run", "C.run"}} <= {""} | ({"A"} if "A().f\n" in body else set())


def test_names_join_across_repositories_by_package_whatever_the_source_root(tmp_path):
    library = {
        "pyproject.toml": PROJECT.format("Lib"), "src/lib/__init__.py": "from .core import Thing\n",
        "src/lib/core.py": "class Thing:\n    def go(self): ...\n",
    }  # fmt: skip
    user = {"pyproject.toml": PROJECT.format("user"), "user.py": "import lib\nclass Mine(lib.Thing):\n    def run(self): self.go()\n"}
    assert known(calls(tmp_path, library, user)) == {("Mine.run", "Thing.go", "typed")}
    assert known(calls(tmp_path / "again", library, user, kind="extends")) == {("Mine", "Thing", "import")}
    assert known(calls(tmp_path / "imports", library, user, kind="imports", path="src/lib/__init__.py")) == {("", "Thing", "import")}


def test_a_module_that_two_packages_provide_is_neither(tmp_path):
    twins = [{"pyproject.toml": PROJECT.format(name), "lib/__init__.py": "def f(): ...\n"} for name in ("one", "two")]
    user = {"pyproject.toml": PROJECT.format("user"), "user.py": "from lib import f\nf()\n"}
    assert calls(tmp_path, *twins, user, path="user.py") == {("", "", "")}


def test_cycles_end(tmp_path):
    files = {
        "a.py": "from b import x, y\nfrom b import *\nx()\ny()\nclass A(A): pass\nclass C(D):\n    def f(self): self.g()\nclass D(C): pass\n",
        "b.py": "from a import x\nfrom a import *\nz = z\nz()\n",
    }
    assert known(calls(tmp_path, files)) <= {("", "z", "import"), ("z", "z", "import")}


def test_long_chains_of_classes_end(tmp_path):
    classes = "".join(f"class C{number}(C{number - 1}):\n    def f{number}(self): ...\n" for number in range(1, 1500))
    code = f"class C0:\n    def f0(self): ...\n{classes}class Last(C1499):\n    def run(self):\n        self.f1490()\n        self.f1()\n"
    assert {dst for src, dst, _ in calls(tmp_path, {"m.py": code}) if src == "Last.run"} == {"C1490.f1490", ""}
