"""The people around a commit, and a text without them.

In: signatures and messages as they came. Out: the parts of their names, and texts in which these and every handle are gone.
`comind.safety` takes out what looks like a person anywhere; here it is known who they are, so that a first name alone goes, too.
A name that is an ordinary word, or a word of the code, goes only as a part of the whole name: "will" and "Black" are mostly neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.safety.trailers import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from comind.sources.git.signatures import Signature

__all__ = ["People", "people_around", "without_handles", "without_thanks", "words_of_code"]

_PERSON = "[person]"
_SHORTEST = 3  # letters
_SHORTEST_HANDLE = 4
_SIGNED = re.compile(r"^[ \t>*-]*[A-Za-z][\w -]{1,40}:[ \t]*(?P<name>[^<>\n:]{0,80}?)[ \t]*<(?P<address>[^<>\s]{3,200})>", re.MULTILINE)
_SIGNED_BY = re.compile(r"^[ \t>*-]*[A-Z][A-Za-z-]{1,40}-[Bb]y:[ \t]*(?P<name>[^<>\n:/#]{3,60})$", re.MULTILINE)
_HANDLE = re.compile(r"(?<![\w`/.@+-])@(?P<name>[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38})(?![\w/({@-]|\.\w|::)")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af].")
_SURNAME = re.compile(r"\[person\](?: (?:\[person\]|[A-Z]\.|[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?![\w(])))+")
_THANKS = re.compile(
    r"\b(?:[Mm]any )?(?:[Tt]hanks?|[Tt]hx|[Kk]udos|[Cc]redits?|[Pp]rops|h/t)\b[,:!]?(?: (?:go|goes|also|again|to|for|you)){0,4},? "
    r"(?:\[person\]|@|[A-Z][a-z]+\b)[^.!?\n)]*[.!?]?[ ]?"
)
_EMPTY = re.compile(r"(?:^| )\([\s,;.!]*\)")  # after a blank: `total()` is a call
_CAMEL = re.compile(r"[A-Z][a-z\d]+(?:[A-Z][A-Za-z\d]*)*\Z")
_CODE = re.compile(r"(```.*?```|``[^`\n]+``|`[^`\n]+`)", re.DOTALL)
_ANNOTATED = re.compile(r"\.(?:java|kts?|scala|groovy|tsx?|cs|swift|dart|php|m|mm|jsp|gradle)$")
_DECORATORS: Final = ANNOTATIONS | frozenset({
    "async", "attr", "cache", "cached", "charset", "decorator", "define", "else", "end", "extend", "final", "fixture", "for", "foreach",
    "font-face", "frozen", "function", "global", "if", "import", "include", "internal", "keyframes", "latest", "main", "master", "media",
    "mixin", "next", "overload", "page", "private", "protected", "public", "pytest", "self", "selector", "sha256", "state", "supports",
    "task",
    "tailwind", "typing", "use", "wraps",
})  # fmt: skip
_ORDINARY: Final = frozenset({
    "able", "account", "admin", "and", "are", "art", "ash", "august", "author", "auto", "baker", "bar", "base", "best", "bill", "bird",
    "black", "blue", "bot", "box", "branch", "brown", "bug", "build", "burns", "bush", "can", "care", "carter", "case", "cash", "chance",
    "change", "christian", "church", "close", "code", "com", "commit", "contact", "cook", "core", "cross", "data", "day", "dean", "dev",
    "developer", "drew", "east", "email", "english", "era", "eve", "faith", "field", "fields", "finn", "fish", "flowers", "for", "ford",
    "forest", "foster", "fox", "francis", "frank", "free", "freeman", "french", "gene", "git", "github", "gitlab", "glass", "gold", "good",
    "google", "grace", "grant", "gray", "green", "grey", "guard", "hack", "hall", "hand", "harry", "heath", "hello", "her", "hill",
    "home", "hope", "house", "hunt", "hunter", "info", "iron", "ivy", "jack", "job", "joy", "june", "key", "king", "knight", "lab", "lake",
    "lane", "law", "link", "list", "little", "lock", "long", "love", "mac", "mail", "main", "man", "mark", "marks", "marsh", "mason",
    "may", "mercy", "merge", "miller", "mind", "moon", "more", "name", "new", "none", "noreply", "north", "not", "open", "org", "page",
    "park", "parks", "parser", "pat", "patch", "peace", "penny", "person", "pike", "pine", "pool", "poole", "post", "powers", "price",
    "project", "python", "rain", "ray", "read", "red", "reed", "release", "rich", "river", "robin", "rock", "root", "rose", "rust", "sage",
    "security", "service", "shade", "sharp", "shell", "short", "sky", "small", "smart", "smith", "snow", "son", "south", "spring", "stack",
    "star", "stone", "storm", "strong", "sue", "summer", "sun", "support", "system", "team", "temple", "test", "tester", "the", "tool",
    "tree", "turner", "user", "users", "victor", "wade", "walker", "wall", "wang", "ward", "waters", "way", "web", "webb", "weber",
    "webmaster", "wells", "west", "white", "will", "wise", "wolf", "wood", "woods", "work", "world", "worth", "young",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class People:
    """Who is around a commit."""

    full: tuple[str, ...]  # names of at least two parts
    handles: tuple[str, ...]  # what stands before the `@` of their addresses, and names of one part
    code: frozenset[str] = frozenset()  # words of the code, casefolded: no one's name when they stand alone

    @property
    def parts(self) -> frozenset[str]:
        """Parts of their names of three letters and more, casefolded, without ordinary words and words of the code."""
        return frozenset(part.casefold() for part in self._telling())

    def without(self, text: str) -> str:
        """Return a text that names none of them."""
        for name in filter(_CJK.search, (*self.full, *self.handles)):  # no blanks around it to find it by
            text = text.replace(name, _PERSON)
        for name in self.full:
            text = re.sub(rf"(?<!\w){r'[ ._-]+'.join(map(re.escape, _split(name)))}(?!\w)", _PERSON, text, flags=re.IGNORECASE)
        if telling := _any_of(self._telling()):
            text = re.sub(rf"(?<![\w/`]){telling}(?![\w/`])", _PERSON, text)
        if ordinary := _any_of(part for part in self._parts() if part[0].isupper() and part.casefold() in _ORDINARY - self.code):
            text = re.sub(rf"(?<=[a-z,;] ){ordinary}(?![\w/`])", _PERSON, text)  # within a sentence, a capital makes a name of it
        return _SURNAME.sub(_PERSON, text)

    def _telling(self) -> Iterator[str]:
        return (part for part in self._parts() if part.casefold() not in _ORDINARY and part.casefold() not in self.code)

    def _parts(self) -> Iterator[str]:
        whole = [(part, _SHORTEST) for name in self.full for part in _split(name)]
        whole += [(part, _SHORTEST_HANDLE) for handle in self.handles for part in (handle, *_split(handle))]
        return (part for part, least in whole if len(part) >= least and any(map(str.isalpha, part)))


def people_around(signatures: Iterable[Signature], messages: Iterable[str], *, code: Collection[str] = ()) -> People:
    """Collect who signed commits, and who is named in their trailers.

    Args:
        signatures: of the commits.
        messages: of the commits, as they came.
        code: words of the code, casefolded.
    """
    told = [(one.name, one.address) for one in signatures]
    for message in messages:
        told += [(found["name"], found["address"]) for found in _SIGNED.finditer(message)]
        told += [(found["name"], "") for found in _SIGNED_BY.finditer(message)]
    names = [" ".join(name.split()) for name, _ in told]
    handles = [address.partition("@")[0].rpartition("+")[2].removesuffix("[bot]") for _, address in told]
    return People(
        full=tuple(dict.fromkeys(name for name in names if len(_split(name)) > 1 and len(name) > _SHORTEST + 1)),
        handles=tuple(dict.fromkeys(one for one in (*handles, *(name for name in names if len(_split(name)) == 1)) if one)),
        code=frozenset(code),
    )


def without_thanks(text: str) -> str:
    """Return a text without the words that thank somebody.

    >>> without_thanks("Fix the mapping (thanks, Daniel!), thanks to the new cache. Thanks to Ada for it. It broke.")
    'Fix the mapping, thanks to the new cache. It broke.'
    """
    return _EMPTY.sub("", _THANKS.sub("", text)).strip()


def without_handles(text: str, paths: Iterable[str]) -> str:
    """Return prose in which no `@` stands before a person's handle; code in backticks and what annotates code stays.

    >>> without_handles("As @ada-l said, @Override `@b` and @Nullable", ["Shop.java"])
    'As [person] said, @Override `@b` and @Nullable'
    """
    annotated = any(map(_ANNOTATED.search, paths))

    def instead(found: re.Match[str]) -> str:
        name = found["name"]
        return found[0] if name.lower() in _DECORATORS or (annotated and _CAMEL.match(name)) else _PERSON

    pieces = _CODE.split(text)  # every second one is code
    return "".join(piece if position % 2 else _HANDLE.sub(instead, piece) for position, piece in enumerate(pieces))


def words_of_code(paths: Iterable[str]) -> frozenset[str]:
    """Return the words of paths, casefolded.

    >>> sorted(words_of_code(["src/black/linegen.py"]))
    ['black', 'linegen', 'py', 'src']
    """
    return frozenset(word.casefold() for path in paths for word in re.findall(r"[^\W\d_]+", path.replace("_", " ")))


def _any_of(parts: Iterable[str]) -> str:
    alone = sorted(set(parts), key=lambda part: (-len(part), part))
    return f"(?:{'|'.join(map(re.escape, alone))})" if alone else ""


def _split(name: str) -> list[str]:
    return [part for part in re.split(r"[^\w'\u2019]+|_+|\d+", name) if any(map(str.isalpha, part))]
