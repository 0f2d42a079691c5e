"""A record out of what a person gave: options, or JSON on standard input.

In: a kind, fields, anchors, evidence, provenance. Out: a valid record, or one error that names every problem.
Never writes it and never reads a clock; the id comes in.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from comind.errors import UsageError
from comind.query.names import descriptor_names
from comind.records.limits import MAX_TITLE_CHARS, MAX_TRIGGER_CHARS
from comind.records.problems import Problem, RecordInvalidError
from comind.records.validate import build
from comind.records.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from comind.canonical import Json
    from comind.records.record import AnyRecord

__all__ = ["Draft", "collect", "title_of", "trigger_of"]

_TITLES = {
    Kind.INTENT: "{need}",
    Kind.DECISION: "{chosen}",
    Kind.ATTEMPT: "{approach} — {outcome}",
    Kind.CONSTRAINT: "{rule}",
    Kind.GOTCHA: "{symptom}",
    Kind.QUESTION: "{question}",
}
_OPTIONS = {
    "anchors": "--on",
    "evidence": "--evidence",
    "title": "--title",
    "trigger": "--trigger",
    "body": "--body",
    "alternatives": "--alternative",
}


@dataclass
class Draft:
    """A record that is being put together, and what is wrong with it so far."""

    raw: dict[str, Json]
    problems: list[Problem] = field(default_factory=list)

    def add(self, name: str, items: Iterable[str], read: Callable[[str], dict[str, Json]]) -> None:
        """Read each text and put what it names into a list of the record; what cannot be read becomes a problem."""
        found, problems = collect(name, items, read)
        self.problems += problems
        if found:
            self.raw[name] = [*cast("list[Json]", self.raw.get(name, [])), *found]

    def finish(self) -> AnyRecord:
        """Return the record.

        Raises:
            RecordInvalidError: with everything that is wrong with it.
        """
        self._word()
        missed = {problem.field for problem in self.problems}
        missed |= {"trigger"} if "anchors" in missed else set()  # it would have been made of them
        try:
            record = build(self.raw)
        except RecordInvalidError as error:
            # What `--on` could not read is missing from the record, and said already.
            self.problems += [problem for problem in error.problems if problem.field not in missed]
        if self.problems:
            raise RecordInvalidError([replace(problem, field=_option(problem.field)) for problem in self.problems])
        return record

    def _word(self) -> None:
        """Say in a title and a trigger what the fields and the anchors say, where nobody said it better."""
        if self.raw.get("kind") not in set(Kind):
            return
        kind = Kind(cast("str", self.raw["kind"]))
        title, trigger = title_of(kind, self.raw.get("fields")), trigger_of(self.raw.get("anchors"))
        self.raw |= {name: text for name, text in (("title", title), ("trigger", trigger)) if text and not self.raw.get(name)}


def collect(name: str, items: Iterable[str], read: Callable[[str], dict[str, Json]]) -> tuple[list[Json], list[Problem]]:
    """Read texts one by one, so that the second is read even when the first makes no sense."""
    found: list[Json] = []
    problems: list[Problem] = []
    for item in items:
        try:
            found.append(read(item))
        except UsageError as error:
            problems.append(Problem(name, "unclear", str(error)))
    return found, problems


def title_of(kind: Kind, fields: Json) -> str | None:
    """Say a record in a line, from the fields of its kind; None when they do not say enough.

    >>> title_of(Kind.ATTEMPT, {"approach": "Cache permission checks", "outcome": "reverted"})
    'Cache permission checks — reverted'
    """
    try:
        words = _TITLES[kind].format_map(cast("dict[str, str]", fields))
    except (KeyError, TypeError):
        return None
    return _shortened(words, MAX_TITLE_CHARS)


def trigger_of(anchors: Json) -> str | None:
    """Say when a reader needs a record, from what it is anchored to."""
    first = anchors[0] if isinstance(anchors, list) and anchors else None
    if not isinstance(first, dict):
        return None
    names = descriptor_names(str(first.get("symbol") or ""))
    what = {
        "symbol": f"editing {'.'.join(names[-2:])}",
        "file": f"editing {first.get('path')}",
        "module": f"editing files in {first.get('path')}",
        "repo": f"working on {first.get('repo')}",
        "org": "working on any repository",
        "dependency": f"changing the version of {first.get('package')}",
    }.get(str(first.get("scope")))
    return _shortened(f"relevant when {what}", MAX_TRIGGER_CHARS) if what else None


def _shortened(text: str, limit: int) -> str:
    words = " ".join(text.split())
    return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"


def _option(name: str) -> str:
    """Name a field of the record as the option that sets it."""
    first, *rest = [part.partition("[")[0] for part in name.split(".")]
    if first == "fields" and rest:
        return _OPTIONS.get(rest[0], f"--{rest[0].replace('_', '-')}")
    return _OPTIONS.get(first, name)
