"""Say what a team decided, as records: the same bytes in every clone.

In: a decision document as it was when it came to say what it says, and the code that it names. Out: a decision with what was declined.
Every word comes from the document, scrubbed, or from a fixed template; a document that was turned down becomes a declined proposal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from rapidfuzz import fuzz

from comind.harvest.decision_folders import governed_folder, log_folder, number_of
from comind.harvest.document_texts import Verdict
from comind.harvest.revert_text import headline, shorten
from comind.harvest.touched import Place
from comind.harvest.wording import SHORT, anchor_of, day_of, fit, provenance_of, quoted_lines
from comind.harvest.y_statements import read_y_statement
from comind.ids import derived_id
from comind.records.limits import MAX_ALTERNATIVES, MAX_BODY_BYTES, MAX_CLAIM_CHARS, MAX_TITLE_CHARS, MAX_TRIGGER_CHARS
from comind.records.validate import build
from comind.records.vocabulary import Authority, EvidenceKind, Kind, Role, Scope, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.canonical import Json
    from comind.harvest.decisions import Decision, Option
    from comind.harvest.document_texts import DocumentText
    from comind.records.record import DecisionRecord
    from comind.sources.git.arrivals import Arrival

__all__ = ["HARVESTER_VERSION", "DecidedDocument", "decision_of", "record_id_of"]

HARVESTER_VERSION = "documents/1"
_NAMES_IN_TRIGGER = 2
_MAX_CHOSEN = 600  # characters of a decision that names no option
_SHARE_OF_BODY = 0.6  # for the first of its parts
_ALIKE = 85  # of 100, from which two names are of one option
_NO_REASON = "Not chosen; the document gives no reason against it."
_SAYS_WHAT = re.compile(
    r"\bwe(?:'ll| will| shall| have (?:decided|chosen|opted)| decided?| chose| use| are going to| opt(?:ed)? for| adopt)\b"
    r"|\b(?:was|were|is|are|has been|have been) (?:chosen|selected|decided|adopted)\b|\b(?:decision is|decided) to\b",
    re.IGNORECASE,
)
_BOLD = re.compile(r"(?P<mark>\*\*|__)(?=\S)(?P<words>.{1,300}?)(?<=\S)(?P=mark)")
_TEMPLATE = re.compile(r"\btemplate\b", re.IGNORECASE)
_REFERENCE = re.compile(r"(?:option|alternative|solution)\s*#?(?P<number>\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedDocument:
    """A decision document, as it was in the commit in which it came to say what it says."""

    repo_id: str
    text: DocumentText
    arrival: Arrival
    places: Sequence[Place]  # what it names, at that commit


def record_id_of(repo_id: str, arrival: Arrival) -> str:
    """Return the id of the decision: of where and when it was made and these rules, of no clone."""
    return derived_id("document", HARVESTER_VERSION, repo_id, arrival.path, arrival.commit)


def decision_of(document: DecidedDocument) -> DecisionRecord:
    """Make the record of a decision.

    Raises:
        RecordInvalidError: with every rule the record breaks.
    """
    arrival, repo_id, decision = document.arrival, document.repo_id, document.text.decision
    declined = document.text.verdict is Verdict.REJECTED
    places = _anchored(document)
    raw: dict[str, Json] = {
        "schema": 1,
        "id": record_id_of(repo_id, arrival),
        "lamport": 0,
        "kind": Kind.DECISION,
        "title": headline(f"{'Declined: ' if declined else ''}{_title(document)}", MAX_TITLE_CHARS),
        "trigger": _trigger(_title(document), places),
        "body": _body(document),
        "anchors": [anchor_of(place, repo_id) for place in places],
        "evidence": [{"kind": EvidenceKind.DOCUMENT, "repo": repo_id, "path": arrival.path, "commit": arrival.commit}],
        "fields": _declined(document) if declined else _chosen(decision),
        "provenance": provenance_of(Source.DOCUMENT, repo_id=repo_id, harvester=HARVESTER_VERSION, time=arrival.time),
        "valid_from": arrival.commit,
        "authority": {"trigger": Authority.AGENT_INFERENCE},
    }
    return cast("DecisionRecord", build(raw))


def _one_line(text: str) -> str:
    """Return a text on one line, words that stand out as plain words."""
    return _BOLD.sub(lambda found: found["words"], " ".join(text.split()))


def _title(document: DecidedDocument) -> str:
    """Return what the document is called, without its number; one that still has the title of its template is called by its file."""
    path = document.arrival.path
    numbered = re.compile(rf"^0*{number_of(path)}\s+(?=\D)")
    title, stem = numbered.sub("", _one_line(document.text.decision.title)), PurePosixPath(path).stem
    return stem if _TEMPLATE.search(title) and not _TEMPLATE.search(stem) else title


def _anchored(document: DecidedDocument) -> list[Place]:
    """Return what the document names, else what its folder governs; and its log, which decisions that follow each other share."""
    path, commit = document.arrival.path, document.arrival.commit
    governed, log = governed_folder(path), log_folder(path)
    here = Place(scope=Scope.MODULE, commit=commit, path=governed, name=f"{governed}/")
    everything = Place(scope=Scope.REPO, commit=commit, path="", name="the repository")
    named = list(document.places)
    subjects = [place for place in named if place.role is Role.SUBJECT] or [here if governed else everything]
    context = [place for place in named if place.role is not Role.SUBJECT]
    logged = Place(scope=Scope.MODULE, commit=commit, path=log, name=f"{log}/") if log else everything
    itself = Place(scope=Scope.FILE, role=Role.EVIDENCE, commit=commit, path=path, name=path)
    return list(dict.fromkeys((*subjects, logged, *context, itself)))


def _trigger(title: str, places: Sequence[Place]) -> str:
    named = [place for place in places if place.role is not Role.EVIDENCE and place.scope in {Scope.SYMBOL, Scope.FILE}]
    names = [f"`{place.name}`" for place in sorted(named, key=lambda place: place.scope is not Scope.SYMBOL)][:_NAMES_IN_TRIGGER]
    start = f"Before changing {', '.join(names)}, or deciding otherwise: " if names else "Before deciding otherwise: "
    if len(start) > MAX_TRIGGER_CHARS // 2:
        start = "Before deciding otherwise: "
    return start + headline(title, MAX_TRIGGER_CHARS - len(start))


def _chosen(decision: Decision) -> dict[str, Json]:
    stated = None if decision.chosen else read_y_statement(f"{decision.title}. {decision.decision}. {decision.context}")
    if stated is not None:
        why = f"Neglected to achieve {stated.achieved}"
        against: list[Json] = [
            {"option": shorten(option, MAX_CLAIM_CHARS), "why_not": shorten(why, MAX_CLAIM_CHARS)} for option in stated.neglected
        ]
        return {"chosen": shorten(stated.chosen, MAX_CLAIM_CHARS), "alternatives": against[:MAX_ALTERNATIVES]}
    chosen = decision.chosen or _telling_line(decision.decision) or decision.title
    most = MAX_CLAIM_CHARS if decision.chosen else _MAX_CHOSEN
    return {"chosen": shorten(_one_line(chosen), most), "alternatives": [_alternative(option) for option in _turned_down(decision)]}


def _telling_line(text: str) -> str:
    """Return the paragraph that says what is done; the first where none says so."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if _SAYS_WHAT.search(line)), lines[0] if lines else "")


def _declined(document: DecidedDocument) -> dict[str, Json]:
    """Return what was proposed as the option that was not chosen, so that whoever proposes it again meets the reason."""
    decision = document.text.decision
    proposed = _one_line(decision.title) + (f": {decision.chosen}" if decision.chosen else "")
    why = decision.decision or decision.context or "The document gives no reason."
    rejected: Json = {"option": shorten(proposed, MAX_CLAIM_CHARS), "why_not": shorten(f"Rejected. {_one_line(why)}", MAX_CLAIM_CHARS)}
    return {"chosen": f"Not to do it: {shorten(_one_line(decision.title), _MAX_CHOSEN)}", "alternatives": [rejected]}


def _alternative(option: Option) -> Json:
    why = "; ".join(reason.strip().rstrip(".;") for reason in option.against if reason.strip())
    return {
        "option": shorten(_one_line(option.name), MAX_CLAIM_CHARS),
        "why_not": shorten(_one_line(why), MAX_CLAIM_CHARS) if why else _NO_REASON,
    }


def _turned_down(decision: Decision) -> list[Option]:
    """Return the options that were not chosen; none where it is not sure which of them was."""
    chosen = decision.chosen or ""
    taken = [option for number, option in enumerate(decision.options, start=1) if _is_chosen(option.name, number, chosen)]
    if not chosen or not taken:
        return []
    return [option for option in decision.options if option not in taken and re.search(r"\w", option.name)][:MAX_ALTERNATIVES]


def _is_chosen(option: str, number: int, chosen: str) -> bool:
    referred = _REFERENCE.search(chosen)
    mine, theirs = (" ".join(re.findall(r"\w+", text.casefold())) for text in (option, chosen))
    return (
        (referred is not None and int(referred["number"]) == number)
        or (bool(mine) and re.search(rf"\b{re.escape(mine)}\b", theirs) is not None)
        or (bool(theirs) and re.search(rf"\b{re.escape(theirs)}\b", mine) is not None)
        or fuzz.ratio(mine, theirs) >= _ALIKE
    )


def _body(document: DecidedDocument) -> str:
    decision, arrival = document.text.decision, document.arrival
    status = f"{_one_line(decision.status_raw or 'no status written')}, {decision.date or day_of(arrival.time)}"
    where = f"Written in `{arrival.path}` ({shorten(status, MAX_TITLE_CHARS)})."
    check = f"Check: `git show {arrival.commit[:SHORT]}:{arrival.path}`."
    decided, context = ("Decision", decision.decision), ("Context", decision.context)
    # Where the document names an option, its reasons stand with the decision; else the decision is told, and the context is its reason.
    parts = [(label, text) for label, text in ((decided, context) if decision.chosen else (context, decided)) if text.strip()]
    room = MAX_BODY_BYTES - len(f"{where}\n{check}".encode()) - 2
    told = []
    for place, (label, text) in enumerate(parts):
        most = int(room * _SHARE_OF_BODY) if place == 0 and len(parts) > 1 else room
        told.append(fit(f"{label}:\n{quoted_lines(text)}", most - 2))
        room -= len(told[-1].encode()) + 2
    return fit("\n\n".join((*told, f"{where}\n{check}")), MAX_BODY_BYTES)
