"""What a chain of names can stand for while it is resolved.

In: nothing. Out: `Thing`, the currency of the resolvers.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from comind.index.resolve.files import File

__all__ = ["Form", "Thing", "module_thing"]


class Form(Enum):
    """How a definition is meant."""

    ITSELF = auto()  # the function, the class, the variable; of position -1 the module
    INSTANCE = auto()  # a value of that class
    WRAPPED = auto()  # a value of that class in something that may hold none, which has members of its own
    SUPER = auto()  # a value of that class, looked at from the class after it


class Thing(NamedTuple):
    """A definition and how it is meant."""

    form: Form
    file: File
    position: int  # of the definition in the file; -1 for the module
    is_typed: bool = False  # a type led here, not imports and inheritance alone
    is_open: bool = False  # one of several overloads, nothing tells which
    is_held: bool = False  # a variable holds it: who calls that variable calls whatever it holds by then

    @property
    def kind(self) -> str:
        """The kind of the definition."""
        return self.file.definitions[self.position].kind if self.position >= 0 else "module"


def module_thing(file: File) -> Thing:
    """Return the module that a file is."""
    return Thing(Form.ITSELF, file, -1)
