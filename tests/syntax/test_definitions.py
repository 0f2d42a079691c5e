"""What each language's files define: one readable sample per language, and every symbol that is found in it."""

from pathlib import Path
from textwrap import dedent

import pytest
from blake3 import blake3

from comind.fingerprints import parse_source
from comind.syntax.languages import LANGUAGES, UnknownLanguageError

PYTHON = """
    LIMIT = 3
    left, right = 1, 2

    @decorated
    def outer(a, b=2):
        local = 1
        def inner(): return local
        return lambda x: x

    class App(Base):
        name: str = "app"
        bare: int

        @property
        def size(self): return 1
        @size.setter
        def size(self, value): ...
        async def run(self): ...
        class Meta:
            ordering = []

    if LIMIT:
        def chosen(): ...
    else:
        def chosen(): return 1
"""
JAVASCRIPT = """
    const LIMIT = 3, other = 4;
    export default class App extends Base {
      #secret = 1;
      static shown = () => 2;
      constructor() { super(); }
      get size() { return 1; }
      async *each() { }
    }
    function outer() { const local = 1; function inner() { } return inner; }
    export const arrow = (x) => x;
    exports.named = function named() { };
"""
TYPESCRIPT = """
    export interface Store<T> { key: string; get(name: string): T; get(name: number): T }
    type Id = string | number;
    enum Color { Red, Green = 2 }
    namespace Tools { export const depth = 1; export function dig(): void { } }
    abstract class Base { private readonly a = 1; abstract open(): void; close(): void { } }
    function over(a: string): void;
    function over(a: number): void;
    function over(a: any): void { }
"""
TSX = """
    interface Props { title: string }
    export const Title = ({ title }: Props) => <h1 className="big">{title}</h1>;
    export default function Page() { return <Title title="x" />; }
"""
GO = """
    package web
    const Limit, Depth = 1, 2
    var (
        first = 1
        second string
    )
    type Engine struct { Base; name, path string }
    type Handler interface { Serve(w int) error }
    type Alias = map[string]int
    func New() *Engine { return nil }
    func (e *Engine) Run(addr string) error { local := func() {}; local(); return nil }
    func (s Stack[T]) Push(item T) { }
    func init() { }
    func init() { }
"""
JAVA = """
    package p;
    public class Words {
        static final int LIMIT = 3, DEPTH = 4;
        private String name;
        Words() { }
        Words(String name) { this.name = name; }
        int count(int at) { return at; }
        int count(java.util.List<String> all, int[] at) { return 0; }
        int count(String... all) { return 0; }
        enum Color { RED, GREEN { void paint() { } }; int depth; }
        interface Shape { int SIDES = 1; void draw(); }
        record Point(int x, int y) { Point { } }
        void run() { Runnable task = new Runnable() { public void run() { } }; }
    }
"""
RUST = """
    const LIMIT: u8 = 3;
    static NAME: &str = "x";
    struct Stack<T> { items: Vec<T>, depth: usize }
    enum Color { Red, Rgb(u8, u8, u8) }
    trait Draw { const SIDES: u8; fn draw(&self); fn twice(&self) { } }
    impl<T> Stack<T> { pub fn push(&mut self, item: T) { fn helper() { } } }
    impl Draw for Stack<u8> { const SIDES: u8 = 4; fn draw(&self) { } }
    mod inner { pub fn dig() { } }
    type Id = u64;
    macro_rules! each { ($x:expr) => { $x }; }
    #[cfg(unix)] fn chosen() { }
    #[cfg(windows)] fn chosen() { }
"""

PYTHON_DEFINES = [
    "LIMIT. variable",
    "left. variable",
    "right. variable",
    "outer(). function",
    "outer().inner(). function",
    "App# class",
    "App#name. field",
    "App#bare. field",
    "App#size(). method",
    "App#size(). method 1",
    "App#run(). method",
    "App#Meta# class",
    "App#Meta#ordering. field",
    "chosen(). function",
    "chosen(). function 1",
]
JAVASCRIPT_DEFINES = [
    "LIMIT. variable",
    "other. variable",
    "App# class",
    "App#`#secret`. field",
    "App#shown(). method",
    "App#constructor(). method",
    "App#size(). method",
    "App#each(). method",
    "outer(). function",
    "outer().inner(). function",
    "arrow(). function",
    "named(). function",
]
TYPESCRIPT_DEFINES = [
    "Store# interface",
    "Store#key. field",
    "Store#get(string). method",
    "Store#get(number). method",
    "Id# type",
    "Color# enum",
    "Color#Red. enum_member",
    "Color#Green. enum_member",
    "Tools/ namespace",
    "Tools/depth. variable",
    "Tools/dig(). function",
    "Base# class",
    "Base#a. field",
    "Base#open(). method",
    "Base#close(). method",
    "over(string). function",
    "over(number). function",
    "over(). function",
]
TSX_DEFINES = [
    "Props# interface",
    "Props#title. field",
    "Title(). function",
    "Page(). function",
]
GO_DEFINES = [
    "Limit. constant",
    "Depth. constant",
    "first. variable",
    "second. variable",
    "Engine# struct",
    "Engine#name. field",
    "Engine#path. field",
    "Handler# interface",
    "Handler#Serve(). method",
    "Alias# type",
    "New(). function",
    "Engine#Run(). method",
    "Stack#Push(). method",
    "init(). function",
    "init(). function 1",
]
JAVA_DEFINES = [
    "Words# class",
    "Words#LIMIT. field",
    "Words#DEPTH. field",
    "Words#name. field",
    "Words#Words(). constructor",
    "Words#Words(String). constructor",
    "Words#count(int). method",
    "Words#count(List+int-). method",
    "Words#count(String-). method",
    "Words#Color# enum",
    "Words#Color#RED. enum_member",
    "Words#Color#GREEN. enum_member",
    "Words#Color#GREEN.paint(). method",
    "Words#Shape# interface",
    "Words#Shape#SIDES. field",
    "Words#Shape#draw(). method",
    "Words#Point# class",
    "Words#Point#Point(). constructor",
    "Words#run(). method",
    "Words#run().run(). method",
]
RUST_DEFINES = [
    "LIMIT. constant",
    "NAME. variable",
    "Stack# struct",
    "Stack#items. field",
    "Stack#depth. field",
    "Color# enum",
    "Color#Red. enum_member",
    "Color#Rgb. enum_member",
    "Draw# trait",
    "Draw#SIDES. constant",
    "Draw#draw(). method",
    "Draw#twice(). method",
    "Stack#push(). method",
    "Stack#push().helper(). function",
    "Stack#[u8][Draw] implementation",
    "Stack#[u8][Draw]SIDES. constant",
    "Stack#[u8][Draw]draw(). method",
    "inner/ namespace",
    "inner/dig(). function",
    "Id# type",
    "each! macro",
    "chosen(). function",
    "chosen(). function 1",
]

SAMPLES = {
    "python": (PYTHON, PYTHON_DEFINES),
    "javascript": (JAVASCRIPT, JAVASCRIPT_DEFINES),
    "typescript": (TYPESCRIPT, TYPESCRIPT_DEFINES),
    "tsx": (TSX, TSX_DEFINES),
    "go": (GO, GO_DEFINES),
    "java": (JAVA, JAVA_DEFINES),
    "rust": (RUST, RUST_DEFINES),
}

# Under one version of the fingerprints these stay as they are: stored records are compared with them.
DIGESTS = {
    "python": "f196fcb3f2983c3c",
    "javascript": "e4cc8402a1bb73bb",
    "typescript": "e9a83a7799f011b0",
    "tsx": "ec8f7932b47d9015",
    "go": "4c87c9ee5077f85b",
    "java": "3d99557038303eff",
    "rust": "1ec245b53519d86a",
}


def found(source, language):
    """Return descriptors, kind and, after the first of an address, the ordinal."""
    definitions = parse_source(dedent(source).encode(), language).definitions
    return [f"{one.descriptors} {one.kind}{f' {one.ordinal}' if one.ordinal else ''}" for one in definitions]


def test_every_language_has_a_sample():
    in_files = {path.stem for path in Path(__file__).with_name("cases").glob("*.md")}
    assert SAMPLES.keys() | in_files == LANGUAGES.keys()


@pytest.mark.parametrize("language", SAMPLES)
def test_a_sample_defines_exactly_these_symbols(language):
    source, expected = SAMPLES[language]
    assert found(source, language) == expected


@pytest.mark.parametrize("language", SAMPLES)
def test_a_sample_has_the_fingerprints_that_it_always_had(language):
    parse = parse_source(dedent(SAMPLES[language][0]).encode(), language)
    hashes = [(one.descriptors, one.sig_hash, one.body_hash, one.shape_hash, one.doc_hash) for one in parse.definitions]
    assert blake3(repr(hashes).encode()).hexdigest()[:16] == DIGESTS[language]


@pytest.mark.parametrize("language", SAMPLES)
def test_a_sample_parses_without_problem(language):
    parse = parse_source(dedent(SAMPLES[language][0]).encode(), language)
    assert (parse.problem, parse.error_nodes) == (None, 0)


def test_an_overload_keeps_its_symbol_when_another_one_is_added_before_it():
    before = "class A { void put(int a) { } }"
    after = "class A { void put(String a) { } void put(int a) { } }"
    assert found(before, "java")[1] == found(after, "java")[2]


def test_an_overload_keeps_its_symbol_when_its_types_are_laid_out_anew():
    before = "function f(a: { x: number, y: 'a' | 'b' }): void;"
    after = """function f(
      a: {
        x: number;
        y:
          | "a"
          | "b";
      },
    ): void;"""
    assert found(before, "typescript") == found(after, "typescript") != found(before.replace("'b'", "'c'"), "typescript")


def test_a_python_overload_is_told_apart_by_types_and_its_implementation_by_none():
    source = """
        @t.overload
        def get(key: str) -> str: ...
        @overload
        def get(key: int | None, default=1) -> int: ...
        def get(key, default=None): return default
    """
    first, second, implementation = found(source, "python")
    assert (first, implementation) == ("get(str). function", "get(). function")
    assert second.startswith("get(")
    assert second.endswith("+_). function")


def test_void_is_no_parameter_of_cpp():
    assert found("int f(void) { }", "cpp") == found("int f() { }", "cpp") != found("int f(void *p) { }", "cpp")


def test_quotes_of_a_computed_name_do_not_matter():
    assert found("class A { ['a-b']() { } }", "typescript") == found('class A { ["a-b"]() { } }', "typescript")


@pytest.mark.parametrize("source", ["const _: u8 = 1;", "fn f() { const LOCAL: u8 = 1; let x = 2; }"])
def test_what_nobody_can_name_from_outside_is_no_symbol(source):
    assert all(line.startswith("f()") and "LOCAL" not in line for line in found(source, "rust"))


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("javascript", "for (let i = 0; ;) { }\nif (x) { const hidden = 1 }\nconst { a, b } = c; call(() => { const inner = 1 })"),
        ("go", "package p\nvar _ T = (*U)(nil)\nfunc init() { var local = 1; f := func() { var deep = 2 } }"),
        ("python", "def init(): x = 1\na.b = 1\nc[0] = 2\nd += 1\nfor e in f: pass\n"),
        ("java", "class init { void init() { int local = 1; } Object of() { return new Object() { int hidden = 1; }; } }"),
    ],
)
def test_variables_of_a_block_or_function_are_no_symbols(language, source):
    kinds = {line.split()[1] for line in found(source, language)}
    assert not kinds & {"variable", "constant", "field"}


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("swift", "class A { var kept: Int { get { let a = 1; return a } set { let b = 1 } } }"),
        ("swift", "class A { var kept: Int = 1 { didSet { let a = 1 } } }"),
        ("swift", "class A { var kept: Int { let a = 1; return a } }"),
        ("kotlin", "class A {\n    val kept: Int get() {\n        val a = 1\n        return a\n    }\n}\n"),
        ("kotlin", "class A {\n    val kept = if (x) {\n        val a = 1\n        a\n    } else 2\n}\n"),
        ("scala", "class A {\n  val kept = {\n    val a = 1\n    a\n  }\n}\n"),
    ],
)
def test_variables_of_the_code_of_a_field_are_no_symbols(language, source):
    assert found(source, language) == ["A# class", "A#kept. field"]


def test_a_name_that_an_error_cuts_off_is_no_symbol():
    assert parse_source("def caf\xe9(): pass\ndef tea(): pass\n".encode("latin-1"), "python").definitions[-1].name == "tea"
    assert [one.name for one in parse_source("def caf\xe9(): pass\n".encode("latin-1"), "python").definitions] == []


def test_a_declaration_that_the_parser_had_to_complete_is_no_symbol():
    source = "extern EXPORTED void CALLED run(int a);\nstatic int kept = 1;\n"
    assert parse_source(source.encode(), "c").error_nodes
    assert found(source, "c") == ["kept. variable"]


@pytest.mark.parametrize(
    ("language", "source", "documented"),
    [
        ("go", "package p\n// Run runs.\n// It does.\nfunc Run() { }\n", True),
        ("go", "package p\n// A licence.\n\nfunc Run() { }\n", False),
        ("go", "package p\nvar x = 1 // not of Run\nfunc Run() { }\n", False),
        ("java", "/** Doc. */\n@Deprecated\nclass A { }\n", True),
        ("java", "/* no doc */\nclass A { }\n", False),
        ("rust", "/// Doc.\n#[derive(Debug)]\nstruct A;\n", True),
        ("rust", "// no doc\nstruct A;\n", False),
        ("typescript", "/** Doc. */\nexport const f = () => 1;\n", True),
        ("python", "def f():\n    'Doc.'\n", True),
        ("python", "def f():\n    f'no {doc}'\n", False),
    ],
)
def test_documentation_is_what_the_language_says_it_is(language, source, documented):
    definition = parse_source(source.encode(), language).definitions[-1]
    assert (definition.doc_hash is not None) == documented


def test_attributes_before_a_definition_are_its_lines():
    source = b"fn before() {}\n\n/// Doc.\n#[inline]\n#[must_use]\nfn f() -> u8 {\n    1\n}\n"
    definition = parse_source(source, "rust").definitions[-1]
    assert (definition.start_line, definition.end_line) == (4, 8)


def test_lines_include_decorators_and_not_the_comment_above():
    source = b"# why\n@cached\ndef f():\n    return 1\n"
    (definition,) = parse_source(source, "python").definitions
    assert (definition.start_line, definition.end_line) == (2, 4)


def test_a_language_without_a_page_is_refused_by_name():
    with pytest.raises(UnknownLanguageError, match="'cobol'"):
        parse_source(b"x", "cobol")


def test_a_signature_without_a_name_ends_the_one_before_it_at_the_line_break():
    ended = "interface Get<T> {\n  get: T;\n  // one\n  <A>(a: A): Get<A>;\n\n  <B>(b: B): Set<B>;\n}\nconst text = `\n  <b>${get}</b>`\n"
    written = parse_source(ended.replace(";", "").encode(), "typescript")
    assert written.problem is None
    assert written.definitions == parse_source(ended.encode(), "typescript").definitions
    assert [one.descriptors for one in written.definitions] == ["Get#", "Get#get.", "text."]
    broken = parse_source(ended.replace(";", "").replace("const", "= const").encode(), "typescript")
    assert broken.problem is not None
