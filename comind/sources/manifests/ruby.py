"""Lockfiles of Bundler and CocoaPods, which write versions and ranges alike.

In: bytes. Out: `Dependency` of ecosystem ``gem`` or ``cocoapods``. Never evaluates Ruby.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Use, refuse
from comind.sources.manifests.plain import decoded, from_yaml, texts, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["read_gemfile_lock", "read_podfile_lock"]

_SPEC = re.compile(r"^    (\S+) \(([^)]+)\)$", re.MULTILINE)
_WANTED = re.compile(r"^  ([^\s!(]+)!?(?: \(([^)]+)\))?!?$", re.MULTILINE)
_POD = re.compile(r'^"?([^\s(]+)(?: \(([^)]*)\))?"?$')
_SOURCES = frozenset({"GEM", "GIT", "PATH", "PLUGIN SOURCE"})


def read_gemfile_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``Gemfile.lock``: a version carries its platform, ``1.17.2-x86_64-linux-gnu``; what lies under PATH is the repository's own."""
    sections = list(_sections(decoded(content)))
    wanted = {name: declared for head, body in sections if head == "DEPENDENCIES" for name, declared in _WANTED.findall(body)}
    if not any(head == "DEPENDENCIES" for head, _ in sections) or not any(head in _SOURCES for head, _ in sections):
        refuse("it has no gems and what was asked for; it may be cut off")
    for head, body in sections:
        for name, version in _SPEC.findall(body) if head in _SOURCES else ():
            use = Use.OWN if head == "PATH" else Use.DIRECT if name in wanted else Use.TRANSITIVE
            declared = texts(wanted.get(name)) if use is Use.DIRECT else ()
            yield Dependency(ecosystem="gem", package=name, versions=(version,), declared=declared, use=use)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for block in re.split(r"\n(?=\S)", text):
        head, _, body = block.partition("\n")
        if re.match(r"[<=>]{7}", head):
            refuse("it holds the marks of a merge conflict")
        yield head.strip(), body


def read_podfile_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``Podfile.lock``: the parts of a pod share its version, so the pod alone is told."""
    lock = from_yaml(content)
    wanted = {_pod(text)[0]: _pod(text)[1] for text in words(lock.get("DEPENDENCIES"))}
    pods = lock.get("PODS")
    if not isinstance(pods, list):
        refuse("it lists no pods")
    for entry in pods:
        name, version = _pod(_head(entry))
        declared = wanted.get(name)
        ranges = () if declared is None or declared.startswith("from ") else texts(declared)
        use = Use.DIRECT if declared is not None else Use.TRANSITIVE
        yield Dependency(ecosystem="cocoapods", package=name, versions=texts(version), declared=ranges, use=use)


def _head(entry: Any) -> str:  # noqa: ANN401 - a text, or a mapping of one text to what it needs
    return entry if isinstance(entry, str) else next(iter(entry))


def _pod(text: str) -> tuple[str, str]:
    found = _POD.match(text)
    if found is None:
        refuse(f"{text[:60]!r} is no pod")
    return found[1].partition("/")[0], found[2] or ""
