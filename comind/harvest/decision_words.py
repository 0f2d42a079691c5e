"""The words that decision records are written with, in the languages they are seen in: English, French, German, Dutch, Spanish, Portuguese.

In: headings, status texts, names of files. Out: what they mean. Data, and the few lines that look it up.
Source: the templates of adr-tools, MADR 2 to 4, log4brains and Open Data Hub, and their translations.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["STATUSES", "Heading", "heading_of", "is_placeholder", "key_of", "normal_status", "stands_for_no_decision"]

_STATUS_WORDS: Final = {
    "accepted": """accepted, approved, adopted, agreed, decided, done, implemented, merged, accepté, acceptée, mergé, approuvé, validé,
        akzeptiert, angenommen, beschlossen, aanvaard, geaccepteerd, aceptado, aceptada, aprobado, aceito, aprovado""",
    "proposed": """proposed, proposal, review, in review, under review, pending, open, proposé, proposée, vorgeschlagen, voorgesteld,
        propuesto, propuesta, proposto""",
    "draft": "draft, wip, work in progress, brouillon, entwurf, concept, borrador, rascunho",
    "rejected": """rejected, declined, denied, not accepted, withdrawn, rejeté, rejetée, refusé, abgelehnt, verworfen, afgewezen,
        rechazado, rejeitado""",
    "deprecated": "deprecated, depreciated, obsolete, retired, déprécié, dépréciée, obsolète, veraltet, verouderd, obsoleto",
    "superseded": """superseded, superceded, replaced, supplanted, remplacé, remplacée, ersetzt, abgelöst, vervangen, reemplazado,
        sustituido, substituído""",
    "on-hold": "on hold, on-hold, onhold, paused, deferred, postponed, en attente, suspendu, zurückgestellt",
}
STATUSES: Final = {normal: tuple(word.strip() for word in words.split(",")) for normal, words in _STATUS_WORDS.items()}
"""Normal form of a status -> the words it is written with."""

_BY_LENGTH: Final = sorted(((word, normal) for normal, words in STATUSES.items() for word in words), key=lambda pair: -len(pair[0]))

Heading = str
_HEADING_FORMS: Final[dict[Heading, str]] = {  # regular expressions, one a line, without accents; the first that fits a heading decides
    "pros_and_cons": r"""
        (?:.*\b)?pros? and cons?\b.*
        (?:.*\b)?avantages et inconvenients\b.*
        (?:vor- und nachteile|voor- en nadelen|ventajas y desventajas)\b.*""",
    "status": "status|statut|state|etat|estado",
    "date": "date|datum|fecha|data",
    "options": r"""
        (?:considered |available |possible )?(?:options|alternatives|solutions)(?: considered)?
        (?:available|possible|considered) (?:options|alternatives) .*
        (?:solutions|options|alternatives) (?:etudiees|envisagees|considerees)
        betrachtete (?:optionen|alternativen)|overwogen opties|opciones consideradas|alternativas consideradas|opcoes consideradas""",
    "decision": r"""
        (?:the )?decisions?(?: outcome)?|decision made|outcome|proposal|proposed (?:decision|solution)|resolution
        resultat de la decision|decision retenue|entscheidung(?:sergebnis)?|besluit|beslissing|uitkomst(?: van de beslissing)?
        decision tomada|resultado de la decision|decisao""",
    "context": r"""
        context(?: and problem statement)?|problem(?: statement)?|background|motivation|issue
        contexte(?: et definition du probleme)?|kontext(?: und problemstellung)?|ausgangslage|context en probleemstelling
        contexto(?: .*)?""",
    "what": "what",
    "why": "why",
    "how": "how",
    "links": r"links|liens|related(?: decisions| adrs)?|more information|references|relations",
}
_HEADINGS: Final = [
    (name, re.compile(rf"(?:{'|'.join(line.strip() for line in forms.strip().splitlines())})\Z")) for name, forms in _HEADING_FORMS.items()
]

_KEYS: Final[dict[str, str]] = {
    "status": "status", "statut": "status", "state": "status", "estado": "status",
    "date": "date", "datum": "date", "fecha": "date", "data": "date", "created": "date",
    "supersedes": "supersedes", "supercedes": "supersedes", "replaces": "supersedes", "remplace": "supersedes", "ersetzt": "supersedes",
    "superseded by": "superseded_by", "superceded by": "superseded_by", "superseded-by": "superseded_by", "replaced by": "superseded_by",
    "remplace par": "superseded_by", "amends": "amends", "amended by": "amended_by",
}  # fmt: skip

_NO_DECISION = re.compile(
    r"(?:(?:adr|madr|decisions?|records?|log|short|long|bare|minimal|full|annotated|my|the|nygard|[a-z]{2})-)*"
    r"(?:templates?|index|readme|glossary|changelog|contributing|toc|summary|overview|skeleton|boilerplate)"
    r"(?:-(?:bare|minimal|long|short|full|[a-z]{2}))*"
)
_NUMBERED = re.compile(r"^(?:[a-z]+-)*?(?:adr-?)?(?:[a-z]+-)?\d{1,14}-|^(?:[a-z]+-)*adr-")
_PLACEHOLDER = re.compile(
    r"[\[{<(]\s*(?:short|title|titre|titel|insert|add|name of|kurzer|decision|titulo|your)\b|(?:adr template|titre du probleme resolu)\b"
    r"|short (?:noun phrase|title)(?: of|,)|insert (?:date|title|data)\b"
)


def _folded(text: str) -> str:
    """Return a text in lower case without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(letter))


def heading_of(title: str) -> Heading | None:
    """Say what a heading is the heading of; None for one that is none of ours.

    >>> heading_of("Résultat de la Décision"), heading_of("2. Considered Options"), heading_of("Naming")
    ('decision', 'options', None)
    """
    words = re.sub(r"^[\d.\s]+", "", _folded(title)).strip(" :*_")
    return next((name for name, pattern in _HEADINGS if pattern.match(words)), None)


def key_of(text: str) -> str | None:
    """Say which fact a line of metadata begins with; None for one that is none of ours.

    >>> key_of("Statut "), key_of("Superseded by:"), key_of("Authors")
    ('status', 'superseded_by', None)
    """
    return _KEYS.get(_folded(text).strip(" :*_"))


def normal_status(text: str) -> str | None:
    """Return the normal form of a status as it is written, by the word it begins with; None for prose.

    >>> normal_status("Superseded by [5. Caches](0005-caches.md)"), normal_status("Mergé"), normal_status("see the wiki")
    ('superseded', 'accepted', None)
    """
    words = text.casefold().strip(" .*_`\"'")
    return next((normal for word, normal in _BY_LENGTH if re.match(rf"{re.escape(word)}(?!\w)", words)), None)


def is_placeholder(text: str) -> bool:
    """Tell whether a text is what a template says in the place where a person should have written."""
    folded = _folded(text).strip()
    braced = folded.startswith("{") and folded.endswith("}")
    choice = folded[:1] in "[{" and folded.count("|") > 1
    return braced or choice or _PLACEHOLDER.match(folded) is not None


def stands_for_no_decision(file_name: str) -> bool:
    """Tell whether a file is named like what lies beside decisions: a template, an index.

    >>> stands_for_no_decision("ODH-ADR-0000-template.md"), stands_for_no_decision("0007-index-strategy.md")
    (True, False)
    """
    stem = _folded(file_name.rpartition(".")[0] or file_name).replace("_", "-").replace(" ", "-")
    return any(_NO_DECISION.fullmatch(name) is not None for name in (stem, _NUMBERED.sub("", stem)))
