"""Refactorings as readable Markdown: code, what is done to it, and what a record about each symbol of it must say then.

In: Markdown. Out: `RefactoringCase`s. The page begins with whole files, each a fenced block with its path; they are the code before.
Each `##` heading is a case. A block with a path replaces one passage of that file by another, apart by a line of `=`; what stands before
the line must be there once. `old -> new` in the place of the path moves the file. A block without such a line is the whole file.
A line ``- `symbol`: state`` says what became of a symbol; symbols that no line names must be unchanged. `at` says where it is now.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["CaseError", "Expected", "RefactoringCase", "read_cases"]

_FENCE = re.compile(r"^```(?:\w+) (?P<path>[^\n`]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_APART = re.compile(r"^=+\n", re.MULTILINE)
_EXPECTED = re.compile(r"^- `(?P<symbol>[^`]+)`: (?P<state>\w+)(?: at `(?P<now>[^`]+)`)?$", re.MULTILINE)
_STATES = frozenset({"unchanged", "moved", "signature", "body", "deleted", "ambiguous"})


class CaseError(UsageError):
    """A page of cases cannot be followed."""

    def __init__(self, page: str, case: str, problem: str) -> None:
        self.page, self.case = page, case
        super().__init__(f"{page}, case {case!r}: {problem}")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a record about one symbol must say."""

    state: str  # the drift of its anchor
    now: str | None = None  # `path descriptors`, or the descriptors alone where they are unique; None where it need not be checked


@dataclass(frozen=True, slots=True, kw_only=True)
class RefactoringCase:
    """One change of code and what it means."""

    page: str
    title: str
    before: Mapping[str, str]  # path -> text
    after: Mapping[str, str]
    expected: Mapping[str, Expected]  # by descriptors; what is not named is unchanged


def read_cases(directory: Path) -> list[RefactoringCase]:
    """Read every page of a directory.

    Raises:
        CaseError: a page cannot be followed.
        UsageError: there is no page.
    """
    try:
        pages = [(path.stem, path.read_text(encoding="utf-8")) for path in sorted(directory.glob("*.md"))]
    except (OSError, UnicodeDecodeError) as error:
        message = f"{str(directory)!r} cannot be read: {error}"
        raise UsageError(message) from None
    if not pages:
        message = f"{str(directory)!r} holds no Markdown pages of cases"
        raise UsageError(message)
    return [case for name, text in pages for case in _cases(name, text)]


def _cases(page: str, text: str) -> Iterator[RefactoringCase]:
    start, *parts = _HEADING.split(text)
    before = {found["path"].strip(): found["text"] for found in _FENCE.finditer(start)}
    if not before:
        raise CaseError(page, "", "no file stands before the first heading")
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        expected = {found["symbol"]: Expected(found["state"], found["now"]) for found in _EXPECTED.finditer(body)}
        wrong = [one.state for one in expected.values() if one.state not in _STATES]
        if wrong or not _FENCE.search(body):
            raise CaseError(page, title, f"{wrong[0]} is no state" if wrong else "nothing is done to the code")
        yield RefactoringCase(page=page, title=title, before=before, after=_changed(page, title, before, body), expected=expected)


def _changed(page: str, title: str, before: Mapping[str, str], body: str) -> dict[str, str]:
    files = dict(before)
    for found in _FENCE.finditer(body):
        old, arrow, new = (part.strip() for part in found["path"].partition(" -> "))
        if arrow:
            files[new] = files.pop(old)
        path, passages = new or old, _APART.split(found["text"], maxsplit=1)
        if len(passages) == 1 and not arrow:
            files[path] = passages[0]
        elif len(passages) > 1:
            if files.get(path, "").count(passages[0]) != 1:
                raise CaseError(page, title, f"{path} does not have the passage {passages[0].strip().splitlines()[0]!r} exactly once")
            files[path] = files[path].replace(passages[0], passages[1])
    return {path: text for path, text in files.items() if text.strip()}
