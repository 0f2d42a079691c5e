"""What became of decisions since the last harvest, and what documents say of each other, as relations.

In: documents as they were known and as they are now, how they are linked. Out: supersessions and retractions.
A document that says something else takes its own record's place; one that is gone, deprecated, or superseded by nobody knows what
retires its record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.harvest.decision_relations import amendment_of, retraction_of, supersession_of
from comind.harvest.document_texts import Verdict
from comind.harvest.wording import SHORT, day_of
from comind.sources.git.arrivals import Arrival

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from comind.harvest.decision_links import Links
    from comind.harvest.document_rows import Document
    from comind.records.record import RelatesRelation, RetractsRelation, SupersedesRelation
    from comind.sources.git.history import History
    from comind.sources.git.repository import GitRepository

__all__ = ["Changes"]

_SAYS: dict[str, str] = {
    Verdict.DEPRECATED: "Its document says that it is deprecated",
    Verdict.SUPERSEDED: "Its document says that it is superseded, by no decision record of this repository that is known for sure",
}


class Changes:
    """Writes relations between the decisions of one repository."""

    def __init__(self, repo: GitRepository, history: History, since: str | None) -> None:
        """Prepare to compare; `since` is the head of the last harvest, where it is known."""
        self._repo, self._history, self._since = repo, history, since

    def follow_up(
        self, known: Mapping[str, Document], now: Mapping[str, Document], gone: Iterable[str], everything: Mapping[str, Document]
    ) -> Iterator[SupersedesRelation | RetractsRelation]:
        """Retire the records of documents that say something else than they did, moved with another text, or are gone.

        Args:
            known: what earlier harvests found, by path.
            now: what this one read.
            gone: paths that nothing stands at any more.
            everything: all documents at the head.
        """
        standing = {document.record_id for document in everything.values() if document.record_id}
        for path, document in now.items():
            before = known[path].record_id if path in known else None
            if before and before not in standing:
                yield self._replaced(before, document)
        moved = self._moved(gone)
        for path in gone:
            record_id = known[path].record_id
            if record_id and record_id not in standing:
                successor = everything.get(moved.get(path, ""))
                yield self._replaced(record_id, successor) if successor and successor.record_id else self._removed(record_id, path)

    def link(
        self, links: Links, now: Mapping[str, Document], everything: Mapping[str, Document]
    ) -> Iterator[SupersedesRelation | RelatesRelation | RetractsRelation]:
        """Say what documents say of each other and of themselves, as far as one of them was read by this harvest."""
        for link in (*links.successions, *links.amendments):
            old, new, said = (everything[path] for path in (link.old, link.new, link.said_by))
            if {link.old, link.new} & now.keys() and said.statement and old.record_id and new.record_id and old.record_id != new.record_id:
                made = supersession_of if link in links.successions else amendment_of
                yield made(old.record_id, new.record_id, said.statement, repo_id=self._repo.repo_id)
        replaced = {link.old for link in links.successions}
        for path, document in now.items():
            said_so = _SAYS.get(document.verdict)
            if said_so and path not in replaced and document.statement and document.record_id:
                since = f"{document.statement.commit[:SHORT]}, {day_of(document.statement.time)}"
                yield retraction_of(document.record_id, f"{said_so} (since {since}).", document.statement, repo_id=self._repo.repo_id)

    def _replaced(self, record_id: str, document: Document) -> SupersedesRelation | RetractsRelation:
        said = document.statement or self._at_head(document.path)
        if document.record_id:
            return supersession_of(record_id, document.record_id, said, repo_id=self._repo.repo_id)
        reason = f"Its document does not say so any more: {document.problem or document.verdict}"
        return retraction_of(record_id, reason, said, repo_id=self._repo.repo_id)

    def _removed(self, record_id: str, path: str) -> RetractsRelation:
        removed = self._removal(path)
        reason = f"Its document was removed in {removed.commit[:SHORT]} ({day_of(removed.time)})."
        return retraction_of(record_id, reason, removed, repo_id=self._repo.repo_id)

    def _moved(self, gone: Iterable[str]) -> Mapping[str, str]:
        if not any(gone) or self._since is None or not self._history.holds(self._since):
            return {}
        return self._repo.renames(self._since, self._repo.head)

    def _removal(self, path: str) -> Arrival:
        """Return the commit that removed a file since the last harvest; the head where that is not known."""
        for commit in reversed(self._history.walk(self._repo.head, hide=[self._since])) if self._since else ():
            if any(change.path == path and not change.new_blob for change in self._history.changes(commit)):
                return Arrival(path, "", commit, self._history.text(commit).time)
        return self._at_head(path)

    def _at_head(self, path: str) -> Arrival:
        return Arrival(path, "", self._repo.head, int(self._repo.head_time.timestamp()))
