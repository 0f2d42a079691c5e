"""The gate before the model for merge requests: which are worth a question, and what a model may be told of each.

In: requests as their forge tells them, the repository, what is recorded already. Out: for each that is over, a brief or why there is none.
The description speaks, and in threads that were resolved whoever wrote the request or reviews it: a stranger's comment is never sent.
Asks no forge, and no request makes it raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from comind.distill.brief import Brief, Skip, SkipCode, Span, SpanRole
from comind.distill.gate import known_at
from comind.distill.people import without_handles, without_thanks
from comind.distill.places import sendable
from comind.distill.prose import prose_of
from comind.distill.refused import Refused
from comind.distill.sign_words import STEP
from comind.distill.signs import Undoing, is_worth_asking, reasoning_of, undoing_of
from comind.distill.spans import is_clean, pieces_of, spans_of
from comind.errors import ComindError
from comind.harvest.request_places import NoPlace, RequestPlaces
from comind.harvest.request_rows import request_id
from comind.records.limits import MAX_URL_CHARS
from comind.records.vocabulary import EvidenceKind, Source
from comind.safety import scrub
from comind.sources.forges.model import State, Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.canonical import Json
    from comind.distill.gate import KnownRecords
    from comind.distill.prose import Prose
    from comind.harvest.request_places import Site
    from comind.harvest.sources import Reading
    from comind.harvest.touched import Place
    from comind.sources.forges.model import MergeRequest, Note, Thread

__all__ = ["brief_requests"]

_TRUSTED: Final = frozenset({Writer.AUTHOR, Writer.REVIEWER})
_MOST_COMMENTS: Final = 4
_COMMAND: Final = "/comind"


def brief_requests(reading: Reading, requests: Iterable[MergeRequest], known: KnownRecords) -> Iterator[Brief | Skip]:
    """Judge merge requests one after the other.

    Args:
        reading: the repository that they belong to, and the definitions of its files.
        requests: in any state; one that is open is passed over, since it may still say something else.
        known: which records stand where.

    Yields:
        One brief or skip per request that was merged or closed.
    """
    gate = _RequestGate(reading, known)
    return (gate.judge(request) for request in requests if request.state is not State.OPEN)


class _RequestGate:
    def __init__(self, reading: Reading, known: KnownRecords) -> None:
        self._repo_id, self._known = reading.repository.repo_id, known
        self._places = RequestPlaces(reading.repository, reading.symbols_at)

    def judge(self, request: MergeRequest) -> Brief | Skip:
        try:
            return self._brief(request)
        except Refused as refused:
            code, detail = refused.code, refused.detail
        except ComindError as error:
            code, detail = SkipCode.UNREADABLE, str(error)
        return Skip(source=Source.MR, source_id=_name(request), repo_id=self._repo_id, code=code, detail=detail)

    def _brief(self, request: MergeRequest) -> Brief:
        prose, comments = _worth(request)
        site = self._places.site_of(request)
        if isinstance(site, NoPlace):
            raise Refused(SkipCode.NO_CHANGE if site.code in {"no_change", "no_commit"} else SkipCode.UNREADABLE, site.problem)
        spans = spans_of(prose, _clean, comments=[span for _, span in comments])
        if not spans:
            raise Refused(SkipCode.QUARANTINED, "its title speaks to an agent, or cannot be cleaned")
        places = self._places_of(site, [thread for thread, _ in comments])
        if not places:
            raise Refused(SkipCode.NO_CHANGE, "no place that it touched can be named")
        over = int((request.merged or request.closed or request.updated).timestamp())
        return Brief(
            source=Source.MR, source_id=_name(request), repo_id=self._repo_id, commit=site.commit, time=over,
            spans=spans, places=places, known=known_at(places, self._known, before=over), evidence=_evidence(request, self._repo_id),
        )  # fmt: skip

    def _places_of(self, site: Site, threads: Iterable[Thread]) -> tuple[Place, ...]:
        """Return where the threads hang before what the request touched besides."""
        hung = [place for thread in threads if thread.position for place in self._places.at_position(site, thread.position)]
        return sendable(dict.fromkeys((*hung, *site.touched)))


def _worth(request: MergeRequest) -> tuple[Prose, list[tuple[Thread, Span]]]:
    """Return what a request says, and the comments that do; refuse one that is not worth a question."""
    if request.writer is Writer.BOT:
        raise Refused(SkipCode.BOT)
    said = scrub(f"{request.title.words}\n\n{request.description.words}")
    carried = request.title.withheld or request.description.withheld or said.quarantine_code
    if carried:
        raise Refused(SkipCode.QUARANTINED, f"its text carries {carried}")
    prose, undoing, comments = prose_of(said.text), undoing_of(said.text), list(_comments(request))
    told = (*prose.paragraphs, *(span.text for _, span in comments))
    if not is_worth_asking(prose.subject, told, undoing=undoing):
        if undoing is Undoing.CHANGE and not told:
            raise Refused(SkipCode.BARE_REVERT)
        raise Refused(SkipCode.BUMP if STEP.search(prose.subject) else SkipCode.NO_REASON)
    return prose, comments


def _comments(request: MergeRequest) -> Iterator[tuple[Thread, Span]]:
    """Yield the comments that reason most, in their order, one span of each."""
    told = [(thread, span) for thread in request.threads if thread.resolved for note in thread.notes if (span := _comment(note))]
    ranked = sorted(range(len(told)), key=lambda place: -reasoning_of(told[place][1].text))
    return (told[place] for place in sorted(ranked[:_MOST_COMMENTS]))


def _comment(note: Note) -> Span | None:
    """Return the piece of a comment that reasons most; None where nothing of it does, or it is nobody's word here."""
    if note.writer not in _TRUSTED or note.text.withheld is not None or _COMMAND in note.text.words:
        return None
    said = scrub(note.text.words)
    prose = prose_of(said.text)
    pieces = [piece for text in (prose.subject, *prose.paragraphs) for piece in pieces_of(_clean(text)) if is_clean(piece)]
    piece = max(pieces, key=reasoning_of, default="")
    if said.quarantine or not reasoning_of(piece):
        return None
    return Span(SpanRole.COMMENT, piece, note.url if note.url and len(note.url) <= MAX_URL_CHARS else None)


def _clean(text: str) -> str:
    return without_thanks(without_handles(text, ()))


def _evidence(request: MergeRequest, repo_id: str) -> tuple[dict[str, Json], ...]:
    about: dict[str, Json] = {"kind": EvidenceKind.MERGE_REQUEST, "url": request.url}
    if request.state is not State.MERGED or request.merge_commit is None:
        return (about,)
    return about, {"kind": EvidenceKind.COMMIT, "repo": repo_id, "commit": request.merge_commit}


def _name(request: MergeRequest) -> str:
    return request_id(request.host, request.project, request.iid)
