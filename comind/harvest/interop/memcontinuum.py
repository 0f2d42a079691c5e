"""Read a MemContinuum store: topics with their chains of rulings, concepts, incidents.

In: the directory of a store. Out: `Topic`, `Flat`, and a loss for every document or ruling that cannot be read.
Who recorded a ruling, and where it was said, may name people: both are left out. The prose below a topic is free to change and no ruling.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from comind.harvest.interop.fields import entries, section, word
from comind.harvest.interop.files import MAX_DOCUMENT_BYTES, files_under, read_text
from comind.harvest.interop.losses import Loss, NotTakenError
from comind.harvest.pages import read_front_matter
from comind.records.vocabulary import Authority

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["ENDED", "Flat", "Link", "Store", "Topic", "authority_in", "is_memcontinuum", "read_store"]

_FOLDERS = ("concepts", "inbox", "incidents", "investigations", "topics")
_STATUSES = frozenset({"active", "provisional", "superseded", "historical", "declined"})
ENDED = frozenset({"superseded", "historical", "declined"})
_OWNER = frozenset({Authority.OWNER_VERBATIM, Authority.OWNER_RATIFIED})
_INBOX = "a proposal that nobody has taken up yet"
_INVESTIGATION = "an investigation has neither a ruling nor a cause in a field of its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One ruling of a chain, as it is written; texts are not scrubbed yet."""

    id: str
    status: str
    date: str
    entry: Mapping[str, object] = field(repr=False)

    @property
    def declined(self) -> bool:
        """Whether it was considered and not adopted."""
        return self.status == "declined" or word(self.entry, "kind") == "declined"

    def pointer(self, name: str) -> str:
        """Return the link that a field names."""
        return word(self.entry, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One question and the chain of its answers."""

    path: str
    id: str
    title: str
    code_refs: tuple[str, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """An incident or a concept: one claim in one document."""

    path: str
    id: str
    type: str
    entry: Mapping[str, object] = field(repr=False)
    body: str = field(repr=False)


@dataclass(slots=True)
class Store:
    """What a store holds."""

    read: int = 0  # documents, and links within topics
    topics: list[Topic] = field(default_factory=list)
    flat: list[Flat] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)


def is_memcontinuum(root: Path) -> bool:
    """Whether a directory is surely such a store: a document under `topics` opens with a chain of links."""
    for path in files_under(root, ["topics"], ".md"):
        try:
            front, _ = read_front_matter(read_text(root / path), most=MAX_DOCUMENT_BYTES)
        except NotTakenError:
            continue
        if front and (word(front, "type") == "topic" or isinstance(front.get("links"), list)):
            return True
    return False


def read_store(root: Path) -> Store:
    """Read every document of a store; never raises."""
    store = Store()
    for path in files_under(root, _FOLDERS, ".md"):
        store.read += 1
        try:
            _read_document(root, path, store)
        except NotTakenError as problem:
            store.losses.append(problem.at(path))
    _refuse_doubles(store)
    return store


def authority_in(entry: Mapping[str, object], *, is_sourced: bool = True) -> tuple[Authority, str | None]:
    """Return whose claim a field is, and what is wrong with what stands there.

    Args:
        entry: the ruling, rationale or alternative.
        is_sourced: False where it does not say where the owner said so, as an owner's words must.
    """
    written = word(entry, "authority")
    try:
        authority = Authority(written.replace("-", "_"))
    except ValueError:
        return Authority.AGENT_INFERENCE, f"no authority {written[:40]!r} is known; it counts as an inference" if written else None
    if authority in _OWNER and not is_sourced:
        return Authority.AGENT_INFERENCE, "it claims the owner's authority and does not say where; it counts as an inference"
    return authority, None


def _read_document(root: Path, path: str, store: Store) -> None:
    parts = PurePosixPath(path).parts
    if parts[0] == "inbox":
        raise NotTakenError("inbox", _INBOX, refused=False)
    text = read_text(root / path)
    front, problem = read_front_matter(text, most=MAX_DOCUMENT_BYTES)
    if front is None:
        raise NotTakenError("no_front_matter", "it opens with no front matter, so it is a note", refused=text.startswith("---"))
    if problem:
        raise NotTakenError("broken_front_matter", problem)
    kind = word(front, "type") or ("topic" if "links" in front else parts[0].removesuffix("s"))
    record_id = word(front, "id") or str(PurePosixPath(path).with_suffix(""))
    if kind == "topic":
        store.topics.append(_topic(path, record_id, front, store))
    elif kind in {"incident", "concept"}:
        body = text[text.index("\n---", 3) + 4 :] if "\n---" in text else ""
        store.flat.append(Flat(path=path, id=record_id, type=kind, entry=front, body=body))
    else:
        why = _INVESTIGATION if kind == "investigation" else f"a document of type {kind[:40]!r} holds no ruling"
        raise NotTakenError("no_ruling", why, refused=False)


def _topic(path: str, topic_id: str, front: Mapping[str, object], store: Store) -> Topic:
    listed = front.get("links")
    if not isinstance(listed, list):
        raise NotTakenError("bad_links", "its links are no list")
    refs = tuple(text.strip() for text in entries(front, "code_refs") if isinstance(text, str) and text.strip())
    links = []
    for position, entry in enumerate(listed):
        store.read += 1
        try:
            links.append(_link(entry))
        except NotTakenError as problem:
            name = word(entry, "link") if isinstance(entry, dict) else ""
            store.losses.append(problem.at(f"{path} {name or f'link {position + 1}'}"))
    return Topic(path=path, id=topic_id, title=word(front, "title"), code_refs=refs, links=tuple(links))


def _link(entry: object) -> Link:
    if not isinstance(entry, dict) or not word(entry, "link"):
        raise NotTakenError("bad_link", "it is no mapping with a link id")
    status = word(entry, "status")
    if status not in _STATUSES:
        raise NotTakenError("unknown_status", f"its status is {status[:40]!r}, which says not whether it holds")
    if not word(section(entry, "ruling"), "text"):
        raise NotTakenError("no_ruling", "its ruling has no text")
    return Link(id=word(entry, "link"), status=status, date=word(entry, "date") or word(entry, "recorded_at"), entry=entry)


def _refuse_doubles(store: Store) -> None:
    """Take out what shares its id with another: which of them the id means cannot be told."""
    documents: list[Topic | Flat] = [*store.topics, *store.flat]
    doubled = _doubled(document.id for document in documents)
    for document in documents:
        if document.id in doubled:
            store.losses.append(Loss(document.path, "duplicate_id", "another document has the same id, so it names neither"))
    store.topics = [_without_doubled_links(topic, store) for topic in store.topics if topic.id not in doubled]
    store.flat = [one for one in store.flat if one.id not in doubled]


def _without_doubled_links(topic: Topic, store: Store) -> Topic:
    doubled = _doubled(link.id for link in topic.links)
    if not doubled:
        return topic
    store.losses += [
        Loss(f"{topic.path} {link_id}", "duplicate_id", "several links of the chain have this id, so it names none") for link_id in doubled
    ]
    links = tuple(link for link in topic.links if link.id not in doubled)
    return Topic(path=topic.path, id=topic.id, title=topic.title, code_refs=topic.code_refs, links=links)


def _doubled(ids: Iterable[str]) -> list[str]:
    return sorted(one for one, count in Counter(ids).items() if count > 1)
