"""What a symbol is called: its descriptors, its canonical key, its SCIP symbol and the integer that joins tables.

In: a package, the module of a file and the descriptors within the file. Out: text, and one 64-bit integer.
Never looks at code, a version or a source root, so that a name survives releases and joins across repositories.

Source: the grammar in ``scip.proto`` of sourcegraph/scip (message ``Symbol``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from blake3 import blake3

__all__ = [
    "PACKAGE_DESCRIPTOR",
    "SCHEME",
    "canonical_key",
    "module_key",
    "namespace",
    "package_field",
    "qualified_name",
    "scip_symbol",
    "sid_of",
]

SCHEME = "comind"
PACKAGE_DESCRIPTOR = "package:"  # a symbol needs at least one descriptor; this one stands for the package itself
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_NAME = r"(?:[A-Za-z0-9_+$-]+|`(?:[^`]|``)+`)"
_DESCRIPTOR = re.compile(rf"\[(?P<type>{_NAME})\]|\((?P<parameter>{_NAME})\)|(?P<name>{_NAME})(?:[/#.:!]|\([A-Za-z0-9_+$-]*\)\.)")


def namespace(name: str) -> str:
    """Return the SCIP descriptor of a namespace, in backticks where its name is not a simple identifier.

    >>> namespace("json"), namespace("flask.app"), namespace("a`b")
    ('json/', '`flask.app`/', '`a``b`/')
    """
    return f"{name}/" if _SIMPLE.fullmatch(name) else "`{}`/".format(name.replace("`", "``"))


def package_field(manager: str, package: str) -> str:
    """Return manager and package as SCIP writes them: blanks doubled, a dot for what is empty.

    >>> package_field("npm", "@vue/runtime-core"), package_field("repo", "my repo")
    ('npm @vue/runtime-core', 'repo my  repo')
    """
    return " ".join(field.replace(" ", "  ") or "." for field in (manager, package))


def canonical_key(manager: str, package: str, module_descriptors: str, descriptors: str) -> str:
    """Return ``<manager> <package> . <descriptors>``: a symbol without version and source root.

    >>> canonical_key("pypi", "flask", "`flask.app`/", "Flask#run().")
    'pypi flask . `flask.app`/Flask#run().'
    """
    return f"{package_field(manager, package)} . {module_descriptors}{descriptors}"


def module_key(manager: str, package: str, module_descriptors: str) -> str:
    """Return the canonical key of the module that a file is; of the package where the language adds nothing to it.

    >>> module_key("pypi", "flask", "`flask.app`/"), module_key("maven", "a:b", "")
    ('pypi flask . `flask.app`/', 'maven a:b . package:')
    """
    return canonical_key(manager, package, module_descriptors or PACKAGE_DESCRIPTOR, "")


def scip_symbol(key: str) -> str:
    """Return the SCIP symbol of a canonical key: scheme ``comind`` and no version.

    >>> scip_symbol("pypi flask . `flask.app`/Flask#")
    'comind pypi flask . `flask.app`/Flask#'
    """
    return f"{SCHEME} {key}"


def sid_of(key: str) -> int:
    """Return the first 8 bytes of the BLAKE3 of a canonical key, big-endian, as a signed integer.

    >>> sid_of("pypi flask . `flask.app`/Flask#run().")
    898888920551049525
    """
    return int.from_bytes(blake3(key.encode()).digest(length=8), "big", signed=True)


@lru_cache(maxsize=65_536)
def qualified_name(descriptors: str) -> str:
    """Return the names in descriptors, joined by dots.

    >>> qualified_name("Flask#run()."), qualified_name("`impl Display for X`#fmt().(f)")
    ('Flask.run', 'impl Display for X.fmt.f')
    """
    return ".".join(_bare(found["name"] or found["type"] or found["parameter"]) for found in _DESCRIPTOR.finditer(descriptors))


def _bare(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name
