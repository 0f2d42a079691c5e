"""The names within a symbol string, and which of them a person may mean.

In: canonical keys and SCIP symbols; what a person typed. Out: names, the keys of containers, whether both agree.
Never looks anything up.
"""

from __future__ import annotations

import re

__all__ = ["bare_name", "container_keys", "descriptor_names", "dotted", "means", "spelled", "versionless"]

# Descriptors of SCIP (scip.proto, message Symbol): a name, escaped by backticks where it needs it, and a suffix that says what it is.
_DESCRIPTOR = re.compile(r"(?P<name>`(?:[^`]|``)+`|[\w+$-]+)(?P<suffix>/|#|\.|:|!|\([^()]*\)\.)")
_FIELDS = re.compile(r"(?<! ) (?! )")  # a blank within a field is doubled
_NAMESPACE = "/"


def descriptor_names(symbol: str) -> tuple[str, ...]:
    """List the names in a canonical key or SCIP symbol, outermost first.

    >>> descriptor_names("pypi flask . flask/app/Flask#run().")
    ('flask', 'app', 'Flask', 'run')
    """
    return tuple(_unescaped(found["name"]) for found in _DESCRIPTOR.finditer(_descriptors(symbol)))


def dotted(symbol: str) -> str:
    """Join the names of a symbol by dots.

    >>> dotted("pypi flask . flask/app/Flask#run().")
    'flask.app.Flask.run'
    """
    return ".".join(descriptor_names(symbol))


def container_keys(canonical_key: str) -> tuple[str, ...]:
    """List the keys of the classes and functions around a symbol, nearest first; modules are not among them.

    >>> container_keys("pypi flask . flask/app/Flask#run().inner().")
    ('pypi flask . flask/app/Flask#run().', 'pypi flask . flask/app/Flask#')
    """
    descriptors = _descriptors(canonical_key)
    start = len(canonical_key) - len(descriptors)
    found = list(_DESCRIPTOR.finditer(descriptors))[:-1]
    return tuple(canonical_key[: start + one.end()] for one in reversed(found) if one["suffix"] != _NAMESPACE)


def spelled(text: str) -> str:
    """Write what a person typed as names joined by dots, whatever the language joins them with.

    >>> spelled("Flask::run()"), spelled("Flask#run"), spelled("app.Flask.run")
    ('Flask.run', 'Flask.run', 'app.Flask.run')
    """
    return text.strip().removesuffix("()").replace("::", ".").replace("#", ".").strip(".")


def bare_name(text: str) -> str:
    """Return the last of the names that a person typed.

    >>> bare_name("Flask::run()")
    'run'
    """
    return spelled(text).rpartition(".")[2]


def means(text: str, canonical_key: str) -> bool:
    """Tell whether the names a person typed are the last names of a symbol.

    >>> means("Flask.run", "pypi flask . flask/app/Flask#run()."), means("k.run", "pypi flask . flask/app/Flask#run().")
    (True, False)
    """
    return f".{dotted(canonical_key)}".endswith(f".{spelled(text)}")


def versionless(text: str) -> tuple[str, str] | None:
    """Split a SCIP symbol of ours around its version; None when a text is not one.

    >>> versionless("comind pypi flask 3.0 flask/app/Flask#run().")
    ('comind pypi flask ', ' flask/app/Flask#run().')
    """
    fields = _FIELDS.split(text)
    if len(fields) < 5 or fields[0] != "comind":  # noqa: PLR2004 - scheme, manager, package, version, descriptors
        return None
    return " ".join(fields[:3]) + " ", f" {_descriptors(text)}"


def _descriptors(symbol: str) -> str:
    # `<manager> <package> . <descriptors>`, or with our scheme before it and a version for the dot
    fields = _FIELDS.split(symbol)
    return symbol[len(" ".join(fields[: 4 if fields[0] == "comind" else 3])) + 1 :]


def _unescaped(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name
