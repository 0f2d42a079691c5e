"""What names of JavaScript and TypeScript mean: within a file, across files, packages and repositories."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.builders.organisations import mentions_of


def calls(tmp_path, *repositories, kind="calls", path=None):
    return mentions_of(tmp_path, *({name: dedent(text) for name, text in files.items()} for files in repositories)).said(kind, path)


def known(said):
    return {(src, dst, how) for src, dst, how in said if dst}


PACKAGE = {
    "lib.ts": "export function f() {}\nexport default f\n",
    "deep/index.ts": "export { f as g, default } from '../lib'\nexport * as whole from '../lib'\n",
    "star.ts": "export * from './deep'\nexport * from './lib'\n",
    "renamed.ts": "import { f as inner } from './lib'\nexport { inner as outer }\n",
}


@pytest.mark.parametrize(
    ("importing", "call"),
    [
        ("import { f } from './lib'", "f()"),
        ("import { f as h } from './lib.ts'", "h()"),
        ("import { f } from './lib.js'", "f()"),
        ("import h from './lib'", "h()"),
        ("import * as h from './lib'", "h.f()"),
        ("import { g } from './deep'", "g()"),
        ("import { g } from './deep/index'", "g()"),
        ("import h from './deep/'", "h()"),
        ("import { whole } from './deep'", "whole.f()"),
        ("import { g } from './star'", "g()"),
        ("import { f } from './star'", "f()"),
        ("import { outer } from './renamed'", "outer()"),
        ("const h = require('./lib')", "h.f()"),
        ("const { f: h } = require('./lib')", "h()"),
    ],
)
def test_an_import_leads_to_the_definition_however_it_is_written(tmp_path, importing, call):
    said = calls(tmp_path, PACKAGE | {"m.ts": f"{importing}\nfunction run() {{ {call} }}\n"}, path="m.ts")
    assert known(said) == {("run", "f", "import")}


@pytest.mark.parametrize(
    "importing",
    [
        "import { f } from './nowhere'",
        "import { missing as f } from './lib'",
        "import f from './star'",
        "import { f } from 'lib'",
        "import { f } from '../../lib'",
    ],
)
def test_an_import_of_what_is_not_there_means_nothing(tmp_path, importing):
    assert calls(tmp_path, PACKAGE | {"m.ts": f"{importing}\nf()\n"}, path="m.ts") == {("", "", "")}


@pytest.mark.parametrize(
    ("library", "importing", "call"),
    [
        ("module.exports = f\nfunction f() {}", "const h = require('./lib')", "h()"),
        ("module.exports = f\nfunction f() {}", "import h from './lib'", "h()"),
        ("module.exports = { h: f }\nfunction f() {}", "const { h } = require('./lib')", "h()"),
        ("module.exports = { f }\nfunction f() {}", "const h = require('./lib')", "h.f()"),
        ("exports.h = f\nfunction f() {}", "const lib = require('./lib')", "lib.h()"),
        ("exports.f = function () {}", "const lib = require('./lib')", "lib.f()"),
    ],
)
def test_what_a_module_assigns_to_its_exports_is_known_to_others(tmp_path, library, importing, call):
    said = calls(tmp_path, {"lib.js": library, "m.js": f"{importing}\nfunction run() {{ {call} }}\n"}, path="m.js")
    assert known(said) == {("run", "f", "import")}


@pytest.mark.parametrize(
    ("name", "found"),
    [("@org/kit", "main"), ("@org/kit/cors", "cors"), ("@org/kit/dist/extra.js", "extra"), ("@org/kit/twice", ""), ("kit", "")],
)
def test_a_package_is_found_by_its_name_and_what_is_below_it_where_one_file_fits(tmp_path, name, found):
    kit = {
        "package.json": '{"name": "@org/kit"}',
        "src/index.ts": "export function main() {}\n",
        "src/middleware/cors/index.ts": "export function cors() {}\n",
        "src/extra.ts": "export function extra() {}\n",
        "src/a/twice.ts": "export function twice() {}\n",
        "src/b/twice.ts": "export function twice() {}\n",
    }
    wanted = found or "twice"
    app = {"package.json": '{"name": "app"}', "m.ts": f"import {{ {wanted} }} from '{name}'\n{wanted}()\n"}
    assert calls(tmp_path, kit, app, path="m.ts") == {("", found, "import" if found else "")}


def test_the_index_of_the_sources_stands_above_one_that_loads_what_is_built(tmp_path):
    files = {
        "packages/a/package.json": '{"name": "@w/a", "main": "index.js"}',
        "packages/a/index.js": "module.exports = require('./dist/a.prod.js')\n",
        "packages/a/src/index.ts": "export const go = () => 1\n",
        "packages/b/package.json": '{"name": "b"}',
        "packages/b/index.js": "exports.stay = function () {}\n",
        "packages/c/package.json": '{"name": "c"}',
        "packages/c/src/index.ts": "import { go } from '@w/a'\nimport { stay } from 'b'\ngo()\nstay()\n",
    }
    assert calls(tmp_path, files) == {("", "go", "import"), ("", "stay", "import")}


def test_packages_of_a_workspace_find_each_other(tmp_path):
    files = {
        "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
        "packages/a/package.json": '{"name": "@w/a"}',
        "packages/a/src/index.ts": "export const go = () => 1\n",
        "packages/b/package.json": '{"name": "@w/b"}',
        "packages/b/src/index.ts": "import { go } from '@w/a'\ngo()\n",
    }
    assert calls(tmp_path, files) == {("", "go", "import")}


def test_this_and_super_follow_inheritance(tmp_path):
    files = {
        "base.ts": """
            export class Base {
              constructor() {}
              one() {}
              two() { this.one() }
            }
            """,
        "child.ts": """
            import { Base as B } from './base'
            class Child extends B {
              constructor() { super() }
              one() { super.one() }
              three() { this.two(); two(); [1].map(() => this.one()) }
            }
            """,
    }
    assert known(calls(tmp_path, files)) == {
        ("Base.two", "Base.one", "typed"),
        ("Child.constructor", "Base", "import"),
        ("Child.one", "Base.one", "typed"),
        ("Child.three", "Base.two", "typed"),
        ("Child.three", "Child.one", "typed"),
    }


@pytest.mark.parametrize(
    ("given", "call"),
    [
        ("p: Foo", "p.run()"),
        ("p?: Foo | null", "p?.run()"),
        ("p: Readonly<Foo>", "p.run()"),
        ("p: typeof Foo", "new p().run()"),
        ("p: Box<string>", "p.foo.run()"),
        ("p: Shape", "p.make().run()"),
        ("p: number", "const q = new Foo(); q.run()"),
        ("p: number", "const q: Foo = mk(); q.run()"),
        ("p: number", "const q = await load(); q.run()"),
        ("p: Box<string>", "const { foo: q } = p; q.run()"),
        ("p: number", "new Box(null).kept.run()"),
        ("p: number", "new Box(null).own.run()"),
        ("p: any", "(p as Foo).run(); const q = p as Foo; q.run()"),
    ],
)
def test_what_the_code_says_of_types_leads_to_members(tmp_path, given, call):
    code = f"""
        class Foo {{ run() {{}} }}
        class Box<T> {{
          foo: Foo
          kept = new Foo()
          constructor(private own: Foo) {{}}
        }}
        interface Shape {{ make(): Foo }}
        async function load(): Promise<Foo> {{ return mk() }}
        async function use({given}) {{ {call} }}
        """
    assert ("use", "Foo.run", "typed") in calls(tmp_path, {"m.ts": code})


@pytest.mark.parametrize("given", ["p: Foo | Bar", "p: Foo[]", "p: () => Foo", "p: Map<string, Foo>", "p: { run(): void }", "p"])
def test_of_a_type_that_is_no_single_one_nothing_is_known(tmp_path, given):
    code = f"class Foo {{ run() {{}} }}\nclass Bar {{ run() {{}} }}\nfunction use({given}) {{ p.run() }}\n"
    assert calls(tmp_path, {"m.ts": code}) == {("use", "", "")}


def test_blocks_outside_of_all_functions_have_names_of_their_own(tmp_path):
    code = """
        import { describe } from 'tests'
        class Foo { run() {} }
        class Bar { run() {} }
        describe(() => { const it = new Foo(); it.run() })
        describe(() => { const it = new Bar(); it.run() })
        """
    runs = {(one["line"], one["dst"]) for one in mentions_of(tmp_path, {"m.ts": dedent(code)}).rows if one["name"] == "run"}
    assert runs == {(5, "Foo.run"), (6, "Bar.run")}


def test_cyclic_reexports_and_inheritance_end(tmp_path):
    files = {
        "a.ts": "export * from './b'\nexport { x as y } from './b'\nexport class A extends A {}\n",
        "b.ts": "export * from './a'\nexport { y as x } from './a'\nimport { x, nothing } from './a'\nx(); nothing()\n",
    }
    assert calls(tmp_path, files) == {("", "", "")}


def test_a_reexport_is_an_edge_to_what_it_passes_on(tmp_path):
    assert ("", "f", "import") in calls(tmp_path, PACKAGE, kind="imports", path="deep/index.ts")


def test_a_chain_of_a_thousand_reexports_is_given_up_not_followed_into_a_crash(tmp_path):
    files = {f"m{number}.ts": f"export * from './m{number + 1}'\n" for number in range(1000)}
    near = "import { f } from './m990'\nf()\n"
    assert calls(tmp_path, files | {"m1000.ts": "export function f() {}\n", "near.ts": near}, path="near.ts") == {("", "f", "import")}
    assert calls(tmp_path / "far", files | {"far.ts": "import { f } from './m0'\nf()\n"}, path="far.ts") == {("", "", "")}


def test_what_a_module_only_uses_itself_is_not_what_it_passes_on(tmp_path):
    files = {
        "core.ts": "export function model() {}\n",
        "own.ts": "export function inner() {}\nexport function given() {}\n",
        "index.ts": "import { inner as model, given } from './own'\nexport * from './core'\nexport { given }\nmodel()\n",
        "m.ts": "import { model, given } from './index'\nfunction run() { model(); given() }\n",
    }
    assert calls(tmp_path, files) == {("", "inner", "import"), ("run", "model", "import"), ("run", "given", "import")}


def test_a_name_that_a_block_gives_to_something_else_than_the_import_means_neither(tmp_path):
    code = "import { f } from './lib'\ntest(() => {\n  function f() {}\n  f()\n})\nfunction run() { f() }\n"
    assert calls(tmp_path, PACKAGE | {"m.ts": code}, path="m.ts") == {("", "", ""), ("run", "", "")}


def test_a_method_of_an_object_in_a_function_is_no_name_there(tmp_path):
    code = "import { f } from './lib'\nfunction run() { mount({ f() { return f() } }) }\n"
    assert known(calls(tmp_path, PACKAGE | {"m.ts": code}, path="m.ts")) == {("run.f", "f", "import")}
