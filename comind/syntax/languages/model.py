"""What a language page says: how its grammar names things, and which of them define symbols.

In: nothing. Out: the vocabulary of `Language` and `Rule`, in which each page beside this module is written.
Data only: a new language is one more page, and no page holds code. `comind.syntax.grammar` compiles a page into tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

__all__ = [
    "Importing", "Language", "Naming", "Overloads", "Place", "Quotes", "References", "Rule", "Special", "SymbolKind", "Wrapping",
]  # fmt: skip


class SymbolKind(Enum):
    """What a definition is: the word that the tables show, its SCIP suffix, and what may be defined in it.

    Source of the suffixes: ``scip.proto`` (``/`` namespace, ``#`` type, ``.`` term, ``().`` method, ``!`` macro).
    """

    FUNCTION = ("function", "().")
    METHOD = ("method", "().")
    CONSTRUCTOR = ("constructor", "().")
    CLASS = ("class", "#")
    INTERFACE = ("interface", "#")
    TRAIT = ("trait", "#")
    STRUCT = ("struct", "#")
    UNION = ("union", "#")
    ENUM = ("enum", "#")
    ENUM_MEMBER = ("enum_member", ".")
    IMPLEMENTATION = ("implementation", "#")
    TYPE = ("type", "#")
    NAMESPACE = ("namespace", "/")
    CONSTANT = ("constant", ".")
    VARIABLE = ("variable", ".")
    FIELD = ("field", ".")
    MACRO = ("macro", "!")

    def __init__(self, word: str, suffix: str) -> None:
        # Plain attributes: a look-up by enum member calls Python code, and this is asked for every definition.
        self.word, self.suffix = word, suffix
        self.takes_parameters = suffix == "()."
        self.holds_variables = suffix in {"#", "/"}  # an assignment in it defines something
        self.holds_fields = suffix == "#" or word == "enum_member"
        self.holds_value = word in {"constant", "variable", "field"}


class Place(Enum):
    """Where a node of a kind defines a symbol; elsewhere it is ordinary code."""

    ANYWHERE = auto()
    OUTSIDE_FUNCTIONS = auto()  # the nearest scope is the file, a namespace or a type, not a function
    IN_TYPE = auto()  # the nearest scope is a type
    DIRECTLY = auto()  # as OUTSIDE_FUNCTIONS, and no block or other node stands between
    DIRECTLY_IN_TYPE = auto()


class Naming(Enum):
    """Where a definition's name, and so its address, comes from."""

    FIELD = auto()  # the name stands in a field of the node
    RECEIVER = auto()  # so it does, and the type that owns it stands in the field `receiver` (Go)
    SEARCH = auto()  # somewhere below the field, or the kind of child, by the page's `name_holders` (C: `int *(f)(void)`)
    IMPLEMENTATION = auto()  # named by what it implements, owned by the type it does so for (Rust)


class Quotes(Enum):
    """How a string literal is brought to one spelling."""

    VERBATIM = auto()  # one quote character exists, so nothing is to be folded
    EITHER = auto()  # ' and " mean the same
    PYTHON = auto()  # prefixes, three quotes, raw strings, f-strings


class Special(Enum):
    """A node kind that the plain walk would read wrongly, and what is done about it."""

    SCOPE = auto()  # an anonymous function or class: names in it belong to nobody
    CONTINUATION = auto()  # a SCOPE that is the body, or more of it, of the definition that ended right before it (Kotlin's accessors)
    ATTRIBUTE = auto()  # stands before the definition that it belongs to (Rust `#[…]`, decorators of a JS member)
    MODIFIERS = auto()  # part of the declaration but not of the signature: visibility, annotations
    ARROW = auto()  # a SCOPE in which `x => …` equals `(x) => …`
    FLAT = auto()  # nested nodes of the kind are one list, one that holds a single element is that element: `| A`, `A | (B | C)`
    SINGLETON = auto()  # one element in parentheses, without a comma, is not a tuple
    LONE_ARGUMENT = auto()  # an argument that stands for the whole argument list: `f(x for x in y)`
    CONCATENATION = auto()  # adjacent string literals are one string
    INTERPOLATION = auto()  # code in a string; `{x=}` also prints its own spelling
    STATEMENT = auto()  # transparent, unless `;` discards a value (Rust)
    TOKEN_TREE = auto()  # tokens of a macro, of which only the macro knows the meaning
    HOLES = auto()  # `[a, , b]`: the comma after a comma is an element
    FREE_TEXT = auto()  # what stands in a `#define`: white space and continued lines mean nothing
    MARKUP_TEXT = auto()  # text between tags; line breaks and indentation mean nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Overloads:
    """Definitions that may share a name and differ in their parameters' types.

    The types go into the symbol, so that it does not depend on how many others there are or where they stand.
    """

    parameters: str | None = "parameters"  # field, or kind of child; empty: they are children of the definition; None: they do not count
    type: str = "type"  # field of one parameter
    erased: bool = False  # type arguments and package names do not tell overloads apart (Java)
    variadic: frozenset[str] = frozenset()  # kinds of a parameter that is an array
    ignored: frozenset[str] = frozenset()  # kinds in a parameter list that are no parameter
    counted: frozenset[str] = frozenset()  # kinds in a parameter list that are parameters; without any, all but the ignored ones
    whole: bool = False  # everything of a parameter counts but its name and what follows `=`
    parameter_name: str = "name"  # field or kind of child; counts all the same where the page says so by `label`
    label: str = ""  # field; without it the parameter's name is what callers write (Swift)
    kept: frozenset[str] = frozenset()  # kinds of modifiers of a parameter that count: `ref`
    also: tuple[str, ...] = ()  # fields, or kinds of children, beside the parameters: receiver, `const`
    extension: str = ""  # kind around definitions whose parameters are their receivers (Scala)
    arity: str = ""  # field of type parameters, which count by their number
    decorator: bytes = b""  # only definitions that bear this decorator are overloads


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a node of one kind defines a symbol.

    The signature is everything of the node outside its body, modifiers excepted.
    """

    kind: SymbolKind
    kind_in_type: SymbolKind | None = None  # what it is called as a direct member of a type
    kinds: Mapping[str, SymbolKind] = field(default_factory=dict)  # by a keyword in it: `enum` of a class_declaration
    implements: tuple[str, str] = ("", "")  # kinds of what an IMPLEMENTATION adds, and of what it is limited to (Swift)
    name: str = "name"  # field
    naming: Naming = Naming.FIELD
    many_names: bool = False  # the field may occur several times: `a, b int`
    only_names: frozenset[str] = frozenset()  # kinds of name that define something; without any, all do
    named_through: Mapping[str, SymbolKind | None] = field(default_factory=dict)  # by kind of what directly holds the name; None: no symbol
    body: tuple[str, ...] = ("body",)  # fields or, where no such field exists, kinds of children; "=": what follows it
    place: Place = Place.ANYWHERE
    container: bool = False  # fingerprinted with its members replaced by placeholders
    values: Mapping[str, Rule] = field(default_factory=dict)  # by kind of the body: a rule that takes over, fields relative to it
    only_values: bool = False  # defines something only where one of `values` takes over: `res.send = function …`
    members: frozenset[str] = frozenset()  # kinds of children of the body that are names of members and nothing else
    overloads: Overloads | None = None
    needs_body: bool = False  # without it the node only mentions what is defined elsewhere: `struct P *p`
    drop_if_empty: str | None = None  # field that means nothing when it is empty: `class A():`


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapping:
    """How a node around definitions belongs to them."""

    extends: bool = False  # the first definition's lines begin with it
    is_shared: bool = False  # what stands before the definitions is part of each one's signature: `int a, b;`


class Importing(Enum):
    """How a language writes what it takes from elsewhere."""

    PYTHON = auto()
    ECMASCRIPT = auto()
    JAVA = auto()
    GO = auto()
    RUST = auto()
    C = auto()
    CSHARP = auto()
    PHP = auto()
    KOTLIN = auto()
    SCALA = auto()
    SWIFT = auto()
    CALLS = auto()  # no statement of its own: `import_calls`


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """How the code of a language mentions names, as it looks in the normalised stream.

    A shape is a line of tokens: ``(kind`` opens a node, ``)`` closes one, NAME is an identifier, PATH a chain of names, WORD any one
    token but these. ``?x`` may be missing, ``*x`` come several times, ``!x`` must not stand there. A node that ``~(kind`` opens is
    passed over if it is there, ``*(kind`` all of them in a row, ``~_`` whatever comes. Anything else is a token as it is written. One
    word says what is read:

    * TYPE: the type of the NAME or PATH; of all NAMES, which commas part; of a FIELD, a parameter that is also a field.
    * CALLED: the PATH is called, though nothing but the stream's flat tokens says so.
    * RESULT: the type of what the definition around returns; counts in its signature alone.
    * LOCAL: nothing is said of the NAMES but that they mean nothing from elsewhere.
    * VALUE: the name or call that the NAME or PATH is given; UNPACK: a pattern of names, and what they are taken from.
    * BASE: a name that the definition around extends; BASES: so does each child of the node that is open.
    * EXPORT: the name that others know as ``default``; ENTRIES: those that they know by the keys of an object.
    * ELEMENT: a component of markup; a plain lower-case name is none.
    * IMPORT: the node is read as ``importing`` says.

    Of shapes of one kind the one counts that is longest up to its first ``?``, ``!``, ``~``, ``*(`` or such word; of those that are
    alike up to there, the first that fits.
    """

    calls: frozenset[str]  # kinds: what is called, then its arguments
    marks: Mapping[str, str] = field(default_factory=dict)  # kind of a call -> what is part of the name of its callee: `!`
    links: frozenset[str] = frozenset()  # kinds of `owner.name`
    members: tuple[str, ...] = (". NAME",)  # what follows the owner; all but `::` mean the same, without a NAME they say nothing
    roots: frozenset[str] = frozenset()  # words that a chain may begin with beside names: `this`
    worded: frozenset[str] = frozenset()  # kinds in which a name is a plain token
    through: frozenset[str] = frozenset()  # kinds that mean the first chain in them
    passed: frozenset[str] = frozenset()  # kinds that a chain does not care about: type arguments
    generics: frozenset[str] = frozenset()  # kinds of `name[arguments]`, of which a base is the name
    skipped: frozenset[str] = frozenset()  # words that a chain does not care about: `new`
    shapes: tuple[str, ...] = ()
    separators: Mapping[str, str] = field(default_factory=dict)  # kind of a type -> what parts its operands; else a blank
    inferred: frozenset[str] = frozenset()  # words in place of a type that leave it open: `var`
    import_calls: Mapping[str, str] = field(default_factory=dict)  # callees whose argument, a string, is a module -> what goes before it
    base_calls: frozenset[str] = frozenset()  # callees whose arguments the definition around extends: `include`
    importing: Importing


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language: its files, its definitions and what of its syntax does not matter.

    Node kinds are named as the grammar names them; kinds that stand in no set are structure and are kept.
    """

    name: str
    grammar: str  # name in the language pack
    suffixes: tuple[str, ...]
    file_names: tuple[str, ...] = ()
    definitions: Mapping[str, Rule]
    wrappers: Mapping[str, Wrapping] = field(default_factory=dict)  # kinds around definitions
    identifiers: frozenset[str]
    other_names: frozenset[str] = frozenset()  # kinds that name a definition without being an identifier: `[Symbol.iterator]`
    name_holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # kind -> fields or kinds in which the name is
    owned_names: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # kind -> fields of owner and name: `Owner::name`
    owners_are_namespaces: bool = False  # all but the last of `a::b::C::m` (C++); else they are types
    silent_owners: frozenset[str] = (
        frozenset()
    )  # of which a name says nothing: `exports.f`; beside them owners are plain names, or it is none
    name_lists: frozenset[str] = frozenset()  # kinds that hold several names: `a, b = …`
    blank_name: bytes | None = None  # names nothing
    comments: frozenset[str]
    doc_comments: tuple[bytes, ...] = ()  # how a documentation comment begins
    docstring_opens: str | None = None  # kind of a body that begins with its documentation, a string
    strings: frozenset[str] = frozenset()
    quotes: Quotes = Quotes.VERBATIM
    string_pieces: frozenset[str] = frozenset()  # text inside a string that the walk descends into
    string_ends: frozenset[str] = frozenset()  # its delimiters
    numbers: frozenset[str] = frozenset()
    whole_numbers_are_floats: bool = False  # 1.0 is 1 (JavaScript)
    verbatim: frozenset[str] = frozenset()  # one token, as written
    transparent: frozenset[str] = frozenset()  # no structure of their own
    synonyms: Mapping[str, str] = field(default_factory=dict)  # kind -> the kind that it equals
    dropped: frozenset[str] = frozenset()  # punctuation that the structure already says
    list_separators: frozenset[str] = frozenset()  # operators that mean nothing inside a FLAT kind
    special: Mapping[str, Special] = field(default_factory=dict)
    labelled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # fields told apart only by what is dropped
    unwrapped: Mapping[str, str] = field(default_factory=dict)  # kind -> field in which a block of one tail expression is that expression
    jumps: frozenset[str] = frozenset()  # expressions after which `;` discards nothing
    arrow_parameter: tuple[str, ...] = ()  # kinds around the parameter of `(x) => …`
    quoted_names: frozenset[str] = frozenset()  # kinds in which a leading 'name' equals name
    references: References | None = None
    missed_ends: re.Pattern[bytes] | None = None  # a blank that ends a statement unseen, behind what is kept of the line
    probe: bytes  # source whose parse tells two builds of the grammar apart
