"""The gate before the model for documents that are no decision records: READMEs, guides for contributors, pages about the design.

In: a repository at its head, what is recorded already. Out: for each such document a brief or why there is none.
A document speaks for a long time and to everybody, so little of it is asked about: paragraphs that name code of this repository and give a
cause. Its place is the code that they name. Changed documents are found by their content: `path@blob` is a document as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from comind.distill.brief import Brief, Skip, SkipCode
from comind.distill.gate import known_at
from comind.distill.people import without_handles, without_thanks
from comind.distill.places import is_clean_path, sendable
from comind.distill.programs import is_vendored
from comind.distill.prose import Prose
from comind.distill.refused import Refused
from comind.distill.sign_words import Family
from comind.distill.signs import families_of, reasoning_of
from comind.distill.spans import spans_of
from comind.errors import ComindError
from comind.harvest.decision_folders import may_be_decision
from comind.harvest.decisions import NoDecision
from comind.harvest.document_texts import MAX_BYTES, read_document
from comind.harvest.named_places import PlaceFinder, names_in
from comind.harvest.pages import plain_text, read_page
from comind.records.vocabulary import EvidenceKind, Source
from comind.safety import scrub
from comind.sources.git.arrivals import Trail, find_arrivals
from comind.sources.git.history import History
from comind.sources.git.trees import FileKind

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from comind.distill.gate import KnownRecords
    from comind.harvest.sources import Reading
    from comind.sources.git.arrivals import Arrival

__all__ = ["brief_documents", "may_give_reasons"]

_LEAST: Final = 4.0  # a cause beside something else
_SHORTEST: Final = 60  # characters of a paragraph that explains something
_NAMED: Final = re.compile(
    r"(?:readme|contributing|contribution|architecture|design|hacking|development|developing|developers?|internals?|style|styleguide|conventions"
    r"|rationale|faq|troubleshooting|known[-_ ]issues|performance|concurrency|agents|claude)(?:[-_.].*)?",
    re.IGNORECASE,
)
_FOLDERS: Final = re.compile(r"docs?|documentation|design|architecture|\.github", re.IGNORECASE)
_NO_REASONS: Final = re.compile(
    r"(?:change-?log|changes|history|news|release[-_ ]?notes?|licen[cs]e|copying|authors|contributors|code[-_ ]of[-_ ]conduct"
    r"|security|template|pull_request_template|issue_template|index|summary|tutorial|install(?:ation)?|getting[-_ ]started"
    r"|migrat.*|upgrad.*)(?:[-_.].*)?",
    re.IGNORECASE,
)
_LANGUAGES: Final = re.compile(
    r"(?:[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant))?|i18n|translations?|locales?)", re.IGNORECASE
)  # of a translation


def may_give_reasons(path: str) -> bool:
    """Tell by its path whether a document may say why: about the code and its design, neither a list of changes nor a lesson.

    >>> [may_give_reasons(path) for path in ("README.md", "docs/locking.md", "CHANGELOG.md", "docs/de/locking.md", "src/notes.md")]
    [True, True, False, False, False]
    """
    file = PurePosixPath(path)
    if file.suffix.lower() not in {".md", ".markdown"} or _NO_REASONS.fullmatch(file.stem) or is_vendored(path):
        return False
    if any(map(_LANGUAGES.fullmatch, file.parent.parts)) or not is_clean_path(path):
        return False
    return _NAMED.fullmatch(file.stem) is not None or any(map(_FOLDERS.fullmatch, file.parent.parts)) or may_be_decision(path)


def brief_documents(reading: Reading, known: KnownRecords, *, asked: Container[str] = ()) -> Iterator[Brief | Skip]:
    """Judge the documents of a repository at its head, by path.

    Args:
        reading: the repository, and the definitions of its files.
        known: which records stand where.
        asked: `source_id` of documents that were judged before, as `path@blob`; they are passed over.

    Yields:
        One brief or skip per document that may give reasons and is no decision record.
    """
    gate = _DocumentGate(reading, known)
    plain = {FileKind.FILE, FileKind.EXECUTABLE}
    files = [(file.path, file.blob) for file in reading.repository.files(reading.repository.head) if file.kind in plain]
    judged = [gate.read(path, blob) for path, blob in files if may_give_reasons(path) and f"{path}@{blob}" not in asked]
    yield from gate.place([found for found in judged if found is not None])


@dataclass(frozen=True, slots=True)
class _Telling:
    """A document that gives reasons."""

    path: str
    blob: str
    title: str
    paragraphs: list[str]

    @property
    def source_id(self) -> str:
        return f"{self.path}@{self.blob}"


class _DocumentGate:
    def __init__(self, reading: Reading, known: KnownRecords) -> None:
        self._reading, self._repo, self._known = reading, reading.repository, known

    def read(self, path: str, blob: str) -> _Telling | Skip | None:
        """Return what a document tells; None for one that is a decision record."""
        try:
            content = self._content(blob)
            if may_be_decision(path) and not isinstance(read_document(path, content), NoDecision):
                return None
            return _Telling(path, blob, *_read(path, content))
        except Refused as refused:
            return self._skip(f"{path}@{blob}", refused)

    def place(self, judged: Sequence[_Telling | Skip]) -> Iterator[Brief | Skip]:
        """Look all documents up together: where they came to say what they say, and the code that they name."""
        telling = [one for one in judged if isinstance(one, _Telling)]
        history = History(self._repo)
        try:
            found = find_arrivals(self._repo, history, [Trail(one.path, one.blob, _is_the_same(one.blob)) for one in telling])
        except ComindError as error:
            yield from (self._skip(one.source_id, Refused(SkipCode.UNREADABLE, str(error))) for one in telling)
            return
        arrivals = dict(zip((one.source_id for one in telling), found, strict=True))
        finder = PlaceFinder(self._repo, self._reading.symbols_at, (name for one in telling for name in _names(one)))
        for one in judged:
            if isinstance(one, Skip):
                yield one
                continue
            try:
                yield self._brief(one, arrivals[one.source_id], finder)
            except Refused as refused:
                yield self._skip(one.source_id, refused)

    def _content(self, blob: str) -> bytes:
        content = self._repo.read(blob) if (self._repo.size(blob) or 0) <= MAX_BYTES else None
        if not isinstance(content, bytes):
            raise Refused(SkipCode.UNREADABLE, "it is too large, or its content is not in this clone")
        return content

    def _brief(self, one: _Telling, arrival: Arrival, finder: PlaceFinder) -> Brief:
        places = sendable(finder.find(_names(one), arrival.commit, arrival.path))
        if not places:
            raise Refused(SkipCode.NO_CHANGE, "what gives a reason in it names no code that is there")
        prose = Prose(one.title, tuple(map(plain_text, one.paragraphs)))
        spans = spans_of(prose, lambda text: without_thanks(without_handles(text, ())))
        if not spans:
            raise Refused(SkipCode.QUARANTINED, "its title speaks to an agent, or cannot be cleaned")
        return Brief(
            source=Source.DOCUMENT, source_id=one.source_id, repo_id=self._repo.repo_id, commit=arrival.commit, time=arrival.time,
            spans=spans, places=places, known=known_at(places, self._known, before=arrival.time),
            evidence=({"kind": EvidenceKind.DOCUMENT, "repo": self._repo.repo_id, "path": arrival.path, "commit": arrival.commit},),
        )  # fmt: skip

    def _skip(self, source_id: str, refused: Refused) -> Skip:
        return Skip(source=Source.DOCUMENT, source_id=source_id, repo_id=self._repo.repo_id, code=refused.code, detail=refused.detail)


def _is_the_same(blob: str) -> Callable[[str, str], bool]:
    return lambda _path, other: other == blob


def _names(one: _Telling) -> list[str]:
    return names_in("\n\n".join(one.paragraphs))


def _read(path: str, content: bytes) -> tuple[str, list[str]]:
    """Return the title of a document, and its paragraphs and items that give a cause; refuse one that has none."""
    clean = scrub(content.decode("utf-8", "replace").replace("\0", ""))
    if clean.quarantine_code:
        raise Refused(SkipCode.QUARANTINED, f"its text carries {clean.quarantine_code}")
    page = read_page(clean.text)
    titles = [plain_text(section.title) for section in page.sections if section.title]
    told = [part for section in page.sections for part in section.flow if _gives_a_cause(part)]
    if not told:
        raise Refused(SkipCode.NO_REASON)
    return titles[0] if titles else PurePosixPath(path).stem, told


def _gives_a_cause(part: str) -> bool:
    return len(part) >= _SHORTEST and reasoning_of(part) >= _LEAST and Family.CAUSE in families_of(part)
