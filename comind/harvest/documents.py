"""Harvest decision records: what a team decided, what it turned down, and what no longer holds.

In: a repository, what is known of its documents, the definitions of its files. Out: records, refusals, rows of `documents`.
A document whose content is known is not read again, nor one that was read at a later head: a clone that lags behind takes nothing back.
What a record says depends on the history alone; that a document said something else at an earlier harvest, or is gone, makes a relation.
Never writes anything, and no document makes it raise.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from comind.harvest.decision_folders import is_archived, is_in_a_log, may_be_decision
from comind.harvest.decision_links import find_links, shared_numbers
from comind.harvest.decision_records import HARVESTER_VERSION, DecidedDocument, decision_of
from comind.harvest.decisions import NoDecision
from comind.harvest.document_changes import Changes
from comind.harvest.document_rows import NONE, Document, document_rows
from comind.harvest.document_texts import DocumentText, Verdict, read_document
from comind.harvest.named_places import PlaceFinder, names_in
from comind.harvest.refusals import Refusal
from comind.harvest.sources import Harvest
from comind.records.problems import RecordInvalidError
from comind.sources.git.arrivals import Trail, find_arrivals
from comind.sources.git.history import History
from comind.sources.git.trees import FileKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from comind.harvest.decision_links import Links
    from comind.harvest.sources import Reading
    from comind.records.record import AnyRecord
    from comind.sources.git.arrivals import Arrival

__all__ = ["SOURCE", "harvest_documents"]

SOURCE = "documents"
_UNREAD = "unread"  # instead of a version: the clone may hold the rest at the next harvest
_LINKS = " (links)"  # ends the `source_id` of what is not sure about a document's supersessions


def harvest_documents(reading: Reading, known: Mapping[str, Document]) -> Harvest:
    """Read every document that may be a decision record and whose content is not known.

    Args:
        reading: the repository at its head; documents on release branches are not read.
        known: what earlier harvests found, by path.

    Returns:
        A decision for each document that is decided, in its present form; supersessions between documents, and over earlier forms;
        a retraction for what was deprecated or is gone; a refusal for each document that became no record, or not whole.
    """
    return _Harvester(reading, known).run()


class _Harvester:
    def __init__(self, reading: Reading, known: Mapping[str, Document]) -> None:
        self._reading, self._repo, self._known = reading, reading.repository, known
        self._history, self._head_time = History(self._repo), int(self._repo.head_time.timestamp())
        self._read = lru_cache(4_096)(self._read_blob)
        self._blind: set[str] = set()  # documents of which an earlier content is not in this clone
        self._records: list[AnyRecord] = []
        self._refusals: list[Refusal] = []

    def run(self) -> Harvest:
        head = self._repo.head
        plain = {FileKind.FILE, FileKind.EXECUTABLE}
        files = {file.path: file.blob for file in self._repo.files(head) if file.kind in plain and may_be_decision(file.path)}
        later = {path for path, document in self._known.items() if document.read_at > self._head_time}
        new = [path for path, blob in sorted(files.items()) if path not in later and not self._is_known(path, blob)]
        gone = sorted(
            path for path, document in self._known.items() if document.blob is not None and path not in files and path not in later
        )
        if not new and not gone:
            return Harvest(head, 0)
        now = self._documents({path: files[path] for path in new})
        everything = {path: document for path, document in self._known.items() if document.blob is not None and path not in gone} | now
        links = find_links([document for document in everything.values() if document.holds])
        changes = Changes(self._repo, self._history, self._reading.since)
        self._records += [*changes.follow_up(self._known, now, gone, everything), *changes.link(links, now, everything)]
        shared = shared_numbers(path for path, document in everything.items() if document.verdict != NONE)
        linked = {path: self._with_doubts(document, links, shared) for path, document in everything.items()}
        rows = [document for path, document in linked.items() if path in now or document != self._known[path]]
        rows += [
            replace(self._known[path], read_at=self._head_time, blob=None, record_id=None, problem=None, link_problem=None) for path in gone
        ]
        settled = [*now, *gone, *(f"{row.path}{_LINKS}" for row in rows)]
        tables = {"documents": document_rows(rows, self._repo.repo_id)}
        return Harvest(head, len(new), self._records, self._refusals, settled, tables)

    def _is_known(self, path: str, blob: str) -> bool:
        document = self._known.get(path)
        return document is not None and (document.blob, document.harvester_version) == (blob, HARVESTER_VERSION)

    def _documents(self, files: Mapping[str, str]) -> dict[str, Document]:
        """Read documents, write their records, and return what is known of them now."""
        texts = {path: self._read(path, blob) for path, blob in files.items()}
        found = {path: self._judge(path, files[path], text) for path, text in texts.items()}
        decided = [path for path, text in texts.items() if isinstance(text, DocumentText) and not _objection(path, text)[0]]
        arrivals = find_arrivals(self._repo, self._history, [trail for path in decided for trail in self._trails(path, files[path])])
        forms, statements = dict(zip(decided, arrivals[::2], strict=True)), dict(zip(decided, arrivals[1::2], strict=True))
        for path in decided:
            found[path] = found[path].stated_in(statements[path])
        self._write(found, forms)
        return {path: replace(document, read_at=self._head_time) for path, document in found.items()}

    def _trails(self, path: str, blob: str) -> tuple[Trail, Trail]:
        """Return the trails to where a document came to decide what it decides, and to where it came to say of it what it says."""
        return (
            Trail(path, blob, self._same(path, blob, lambda text: text.said)),
            Trail(path, blob, self._same(path, blob, lambda text: text.stated)),
        )

    def _same(self, path: str, blob: str, said: Callable[[DocumentText], object]) -> Callable[[str, str], bool]:
        now = self._read(path, blob)
        says = said(now) if isinstance(now, DocumentText) else None

        def same(earlier_path: str, earlier_blob: str) -> bool:
            if self._repo.size(earlier_blob) is None:
                self._blind.add(path)
            earlier = self._read(earlier_path, earlier_blob)
            return isinstance(earlier, DocumentText) and said(earlier) == says

        return same

    def _judge(self, path: str, blob: str, text: DocumentText | NoDecision) -> Document:
        """Say what a document is, and refuse what becomes no record."""
        if isinstance(text, NoDecision):
            if is_in_a_log(path):
                self._refuse(path, "no_decision", text.why)
            return Document.of(path, blob, None, problem=text.why)
        code, why = _objection(path, text)
        if code:
            self._refuse(path, code, why)
        elif text.decision.problem:
            why = f"{text.decision.problem}; the rest of it was read"
            self._refuse(path, "broken_front_matter", why)
        return Document.of(path, blob, text, problem=why or None)

    def _write(self, found: dict[str, Document], forms: Mapping[str, Arrival]) -> None:
        texts = {path: self._read(form.path, form.blob) for path, form in forms.items()}
        names = {path: names_in(text.text) for path, text in texts.items() if isinstance(text, DocumentText)}
        finder = PlaceFinder(self._repo, self._reading.symbols_at, (name for named in names.values() for name in named))
        for done, (path, form) in enumerate(forms.items()):
            text = texts[path]
            if form.cut_off:
                problem = "its beginning is cut off in this clone; run `git fetch --unshallow`"
                found[path] = replace(self._without_record(found[path], "shallow_history", problem), harvester_version=_UNREAD)
            elif path in self._blind:
                problem = "an earlier content of it is not in this clone; run `git fetch --refetch --no-filter`"
                found[path] = replace(self._without_record(found[path], "missing_content", problem), harvester_version=_UNREAD)
            elif isinstance(text, DocumentText):
                places = finder.find(names[path], form.commit, form.path)
                document = DecidedDocument(repo_id=self._repo.repo_id, text=text, arrival=form, places=places)
                try:
                    self._records.append(decision_of(document))
                    found[path] = replace(found[path], record_id=self._records[-1].id)
                except RecordInvalidError as error:
                    found[path] = self._without_record(found[path], "invalid_record", str(error))
            self._reading.progress(done + 1, len(forms))

    def _without_record(self, document: Document, code: str, why: str) -> Document:
        self._refuse(document.path, code, why)
        return replace(document, problem=why)

    def _with_doubts(self, document: Document, links: Links, shared: Mapping[tuple[str, int], Sequence[str]]) -> Document:
        doubts = links.doubts_of(document.path)
        others = [other for several in shared.values() if document.path in several for other in several if other != document.path]
        if others:
            doubts.append(("shared_number", f"{', '.join(others)} has the same number, so the number names neither"))
        problem = "; ".join(detail for _, detail in doubts) or None
        if problem and problem != document.link_problem:
            self._refuse(f"{document.path}{_LINKS}", doubts[0][0], problem)
        return replace(document, link_problem=problem)

    def _read_blob(self, path: str, blob: str) -> DocumentText | NoDecision:
        content = self._repo.read(blob)
        return read_document(path, content) if isinstance(content, bytes) else NoDecision("its content is not in this clone")

    def _refuse(self, source_id: str, code: str, detail: str) -> None:
        self._refusals.append(
            Refusal(
                repo_id=self._repo.repo_id,
                source=SOURCE,
                source_id=source_id,
                code=code,
                detail=detail,
                harvester_version=HARVESTER_VERSION,
            )
        )


def _objection(path: str, text: DocumentText) -> tuple[str, str]:
    """Say why a decision document becomes no record: a code and a reason; empty when it becomes one."""
    status = text.decision.status_raw or "none"
    if text.quarantine:
        return "quarantined", f"its text carries {text.quarantine}"
    if is_archived(path):
        return "archived", "it lies in a folder for what holds no more"
    if text.verdict is Verdict.OPEN:
        return "not_decided", f"its status is {status!r}; it becomes a record once it is decided"
    if text.verdict is Verdict.UNCLEAR:
        return "unclear_status", f"its status is {status!r}, which does not say whether it was decided"
    return "", ""
