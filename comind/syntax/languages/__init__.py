"""What each language's grammar calls things: one declarative table per language.

In: a path. Out: which language it is written in, by the allow-list of the pages beside this module.
Loads no grammar.
"""

from __future__ import annotations

from posixpath import basename
from types import MappingProxyType
from typing import TYPE_CHECKING

from comind.errors import ComindError
from comind.syntax.languages.bash import BASH
from comind.syntax.languages.c import CPP, C
from comind.syntax.languages.csharp import CSHARP
from comind.syntax.languages.go import GO
from comind.syntax.languages.java import JAVA
from comind.syntax.languages.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from comind.syntax.languages.kotlin import KOTLIN
from comind.syntax.languages.lua import LUA
from comind.syntax.languages.php import PHP
from comind.syntax.languages.python import PYTHON
from comind.syntax.languages.ruby import RUBY
from comind.syntax.languages.rust import RUST
from comind.syntax.languages.scala import SCALA
from comind.syntax.languages.swift import SWIFT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.syntax.languages.model import Language

__all__ = ["LANGUAGES", "UnknownLanguageError", "known_names", "language_named", "language_of"]

_PAGES = (PYTHON, JAVASCRIPT, TYPESCRIPT, TSX, GO, JAVA, RUST, C, CPP, CSHARP, RUBY, PHP, KOTLIN, SCALA, SWIFT, BASH, LUA)
LANGUAGES: Mapping[str, Language] = MappingProxyType({page.name: page for page in _PAGES})
_BY_SUFFIX = {suffix: page.name for page in _PAGES for suffix in page.suffixes}
_BY_FILE_NAME = {name: page.name for page in _PAGES for name in page.file_names}


class UnknownLanguageError(ComindError):
    """A language has no page, so its files are not read."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no language {name[:40]!r} is known; there is {', '.join(sorted(LANGUAGES))}")


def language_named(name: str) -> Language:
    """Return a language's page; raises `UnknownLanguageError` for a name that is not on the list."""
    try:
        return LANGUAGES[name]
    except KeyError:
        raise UnknownLanguageError(name) from None


def known_names() -> list[str]:
    """Return what names of files say of their language, in order: a new one makes files code that were none."""
    return sorted(f"{name} {language}" for name, language in (_BY_SUFFIX | _BY_FILE_NAME).items())


def language_of(path: str) -> str | None:
    """Return the language of a file by its name alone; None when no page claims it.

    >>> language_of("src/flask/app.py"), language_of("web/App.tsx"), language_of("README.md"), language_of(".py")
    ('python', 'tsx', None, None)
    """
    name = basename(path)
    stem, dot, suffix = name.rpartition(".")
    return _BY_FILE_NAME.get(name) or (_BY_SUFFIX.get(dot + suffix.lower()) if stem else None)
