"""Read a decision record: Nygard's form, MADR 2 to 4 and its translations, log4brains, a table or a line of metadata.

In: the name and the text of one Markdown file. Out: `Decision`, or in words why the file is none.
Takes what is written and guesses nothing: a status that is prose is kept as it is and has no normal form, an option that is only talked
about is no option. Never reads another file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from comind.harvest.decision_dates import first_date
from comind.harvest.decision_words import heading_of, is_placeholder, key_of, normal_status, stands_for_no_decision
from comind.harvest.pages import plain_text, read_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.harvest.pages import Item, Page, Section

__all__ = ["Decision", "NoDecision", "Option", "read_decision"]

_MAX_OPTION = 150  # characters; longer is a description, not a name
_RELATIONS = (
    ("superseded_by", re.compile(r"\b(?:super[sc]eded|replaced|remplacée?|ersetzt durch|vervangen door)\s*(?:by|par)?\b", re.IGNORECASE)),
    ("supersedes", re.compile(r"\b(?:super[sc]edes|replaces|remplace)\b", re.IGNORECASE)),
    ("amended_by", re.compile(r"\bamended by\b", re.IGNORECASE)),
    ("amends", re.compile(r"\bamends\b", re.IGNORECASE)),
)
_LINK = re.compile(r"\]\((?P<target>[^()\s]+\.md)(?:#[^()\s]*)?\)")
_NUMBER = re.compile(r"\bADR[- ]?(?P<number>\d{1,6})\b|\[(?P<bracketed>\d{1,6})\]|\b(?P<dotted>\d{1,6})\.\s", re.IGNORECASE)
_KEY_LINE = re.compile(r"^\s*(?:[*_]{1,2})?(?P<key>[^\W\d_][\w -]{2,24}?)\s*(?:[*_]{1,2})?\s*:\s*(?:[*_]{1,2})?\s*(?P<value>.*)$")
_TITLE_NUMBER = re.compile(r"^(?:ADR[- ]?)?\d{1,14}\s*[.:)-]\s+|^ADR[- ]?\d{1,6}\s*[:.-]?\s+", re.IGNORECASE)
_CHOSEN = re.compile(
    r"^\W*(?:(?:the )?(?:chosen|selected) (?:option|solution|alternative)s?|(?:solution|option) (?:retenue|choisie)"
    r"|gewählte (?:option|lösung)|gekozen optie|opci[oó]n elegida)[\s*_]*(?:is|est|ist)?[\s*_]*:?[\s*_]*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "\u2018": "\u2019"}
_AFTER_QUOTE = re.compile(r"\s*(?:$|[,.;:(]|[\u2013\u2014-]|(?:because|car|weil|omdat|porque|and|since|as|for)\b)", re.IGNORECASE)
_AFTER_CHOICE = re.compile(r",?\s+(?:because|since|car|weil|omdat|porque)\b|[.;](?:\s|$)|,\s|\n\s*\n", re.IGNORECASE)
_TAKEN = re.compile(r"\b(?:use|using|used|go with|choose|chose|adopt|adopting|pick|select|decided (?:for|on))\s+(?:the )?", re.IGNORECASE)
_TURNED_DOWN = re.compile(r"\b(?:not?|never|instead of|rather than|against|without|n't)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n\s*\n")
_NUMBERED_OPTION = re.compile(r"^(?:option|alternative|solution)\s*(?:\d+|[A-Z])\s*[:.)\u2013\u2014-]\s*", re.IGNORECASE)
_OPTION_NUMBER = re.compile(r"^\d+[.)]\s+")
_ASIDE = re.compile(
    r"\s+[\u2013\u2014-]\s.*$|,\s+\d.*$|\s*\((?:[^()]*<?https?://|see |similar )[^()]*\)$"
    r"|\s+(?:listed )?(?:at|see)\s+<https?://[^>]*>$",
    re.DOTALL,
)
_REJECTED = re.compile(
    r"^\W*(?:rejected|discarded|dismissed|not chosen|declined)(?: because)?\W*:\W*(?P<why>.+)", re.IGNORECASE | re.DOTALL
)
_CON = re.compile(
    r"^\W*(?:bad|con|negative|négatif|négative|mauvais|schlecht|slecht|malo)\b\W*(?:because|car|weil|omdat|porque)?\W*", re.IGNORECASE
)
_LINKED_ASIDE = re.compile(r"\s*\(\[[^\]]*\]\([^()]*\)\)\s*$")


@dataclass(frozen=True, slots=True)
class Option:
    """One way that was considered."""

    name: str
    against: tuple[str, ...] = ()  # what was said against it


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision record as it is written."""

    title: str  # without number and brackets; of the file's name where the template's words still stand
    status: str | None  # normal form
    status_raw: str | None
    date: str | None  # ISO 8601, or year and month
    chosen: str | None
    options: tuple[Option, ...]
    decision: str  # what the section says, plain; empty where it has none
    context: str
    supersedes: tuple[str, ...]  # names of files, or numbers
    superseded_by: tuple[str, ...]
    amends: tuple[str, ...]
    amended_by: tuple[str, ...]
    problem: str | None = None  # what of the file could not be read


@dataclass(frozen=True, slots=True)
class NoDecision:
    """A file that is not to be taken for a decision."""

    why: str


def read_decision(file_name: str, text: str) -> Decision | NoDecision:
    """Read one file; never raises."""
    if stands_for_no_decision(file_name):
        return NoDecision("its name is that of a template or an index")
    page = read_page(text)
    if not _has_form(page):
        return NoDecision("it has no section for a decision, with a context or a status beside it")
    told = _metadata(page)
    status = told.get("status", "")
    title = _title(page)
    if is_placeholder(title) and (not status or is_placeholder(status)):
        return NoDecision("its title and status are those of a template")
    options = _options(page)
    relations = _relations(page, told)
    return Decision(
        title=title or PurePosixPath(file_name).stem,
        status=normal_status(status),
        status_raw=status or None,
        date=first_date(told.get("date", "")),
        chosen=_chosen(page, options),
        options=options,
        decision=_prose(page, "decision", "what"),
        context=_prose(page, "context", "why"),
        problem=page.front_problem,
        **relations,
    )


def _has_form(page: Page) -> bool:
    kinds = {heading_of(section.title) for section in page.sections}
    metadata = _metadata(page)
    by_table = {"what", "why"} <= kinds and "status" in metadata
    return by_table or ("decision" in kinds and bool({"context", "options", "status"} & kinds or "status" in metadata))


def _title(page: Page) -> str:
    written = next((section.title for section in page.sections if section.level == 1), None) or str(page.front.get("title") or "")
    bare = _TITLE_NUMBER.sub("", plain_text(written)).strip()
    return bare[1:-1].strip() if bare.startswith("[") and bare.endswith("]") else bare


def _metadata(page: Page) -> dict[str, str]:
    """Return what the file says of itself: in its front matter, above its first section, or in a section of that name."""
    told: dict[str, str] = {}
    for name, value in page.front.items():
        if (key := key_of(name)) and isinstance(value, str) and value.strip():
            told.setdefault(key, value.strip())
    for key, value in _lines_at_the_top(page):
        told.setdefault(key, value)
    for section in page.sections:
        kind = heading_of(section.title)
        if kind in {"status", "date"} and section.level > 1 and (lines := _lines(section)):
            told.setdefault(kind, lines[0])
    return {key: value for key, value in told.items() if value}


def _lines_at_the_top(page: Page) -> Iterator[tuple[str, str]]:
    for section in page.sections:
        if section.level > 1:
            return
        for line in _lines(section):
            for part in line.split("|"):
                if (found := _KEY_LINE.match(part)) and (key := key_of(found["key"])):
                    yield key, found["value"].strip().rstrip("*_ ").strip()
        for row in section.rows:
            if len(row) > 1 and (key := key_of(row[0])):
                yield key, row[1]


def _lines(section: Section) -> list[str]:
    paragraphs = [line.strip() for paragraph in section.paragraphs for line in paragraph.split("\n")]
    return [line for line in (*paragraphs, *(" ".join(item.text.split()) for item in section.items)) if line]


def _relations(page: Page, told: dict[str, str]) -> dict[str, tuple[str, ...]]:
    found = {kind: _targets(told.get(kind, "")) for kind, _ in _RELATIONS}
    texts = [told.get("status", "")]
    for section in page.sections:
        if heading_of(section.title) in {"status", "links"}:
            texts.extend(_lines(section))
    for text in texts:
        for kind, pattern in _RELATIONS:
            if match := pattern.search(text):
                found[kind].extend(_targets(text[match.end() :]))
                break
    return {kind: tuple(dict.fromkeys(targets)) for kind, targets in found.items()}


def _targets(text: str) -> list[str]:
    """Return the files that a text links to, else the numbers it names."""
    links = [PurePosixPath(link["target"]).name for link in _LINK.finditer(text)]
    return links or [next(number for number in found.groups() if number) for found in _NUMBER.finditer(text)]


def _options(page: Page) -> tuple[Option, ...]:
    against = _against(page)
    for number, section in enumerate(page.sections):
        if heading_of(section.title) == "options":
            names = _named(section.items) or _headings_below(page.sections, number)
            if names:
                return tuple(Option(name, against.get(_key(name), ())) for name in names)
    return ()


def _named(items: Sequence[Item]) -> list[str]:
    """Return the names that a list gives; none where its items are descriptions."""
    names = [_option_name(item.text) for item in items]
    return names if all(name and len(name) <= _MAX_OPTION for name in names) else []


def _option_name(text: str) -> str:
    bold = re.match(r"^\*\*(?P<name>.+?)\*\*", text, re.DOTALL)
    written = bold["name"] if bold else _LINKED_ASIDE.sub("", text)
    bare = _OPTION_NUMBER.sub("", _NUMBERED_OPTION.sub("", plain_text(written).rstrip(":").strip()))
    name = _ASIDE.sub("", bare).strip()
    return name[1:-1] if _QUOTES.get(name[:1]) == name[-1:] and name.count(name[-1:]) <= 2 else name  # noqa: PLR2004 - a pair


def _headings_below(sections: Sequence[Section], number: int) -> list[str]:
    """Return the options that have headings of their own; below "Alternatives", where much else stands too, those called so alone."""
    names, among_others = [], "alternative" in sections[number].title.casefold()
    for section in sections[number + 1 :]:
        if section.level <= sections[number].level:
            break
        if section.level == sections[number].level + 1 and (not among_others or _NUMBERED_OPTION.match(section.title)):
            names.append(_option_name(section.title))
    return names


def _against(page: Page) -> dict[str, tuple[str, ...]]:
    """Return what the pros and cons say against each option."""
    told: dict[str, tuple[str, ...]] = {}
    within: int | None = None
    for section in page.sections:
        if heading_of(section.title) in {"pros_and_cons", "options"}:
            within = section.level
        elif within is not None and section.level <= within:
            within = None
        elif within is not None:
            bad = [_CON.sub("", plain_text(item.text)) for item in section.items if _CON.match(item.text)]
            bad += [plain_text(found["why"]) for paragraph in section.paragraphs if (found := _REJECTED.match(paragraph))]
            told.setdefault(_key(_option_name(section.title)), tuple(bad))
    return told


def _key(name: str) -> str:
    return re.sub(r"\W+", " ", name.casefold()).strip()


def _chosen(page: Page, options: Sequence[Option]) -> str | None:
    for section in page.sections:
        if heading_of(section.title) != "decision":
            continue
        for text in (*section.paragraphs, *(item.text for item in section.items)):
            if found := _CHOSEN.match(text):
                return _choice(plain_text(found["rest"]), options)
        first = next(iter((*section.paragraphs, *(item.text for item in section.items))), "")
        return _taken(plain_text(first), options)
    return None


def _choice(text: str, options: Sequence[Option]) -> str | None:
    text = text.lstrip("*_ ")
    if closing := _QUOTES.get(text[:1]):
        ends = [place for place, letter in enumerate(text) if letter == closing and place and _AFTER_QUOTE.match(text, place + 1)]
        if ends:
            return text[1 : ends[0]].strip()
    named = next((option.name for option in options if text.casefold().startswith(option.name.casefold())), None)
    end = _AFTER_CHOICE.search(text)
    bare = (text[: end.start()] if end else text).strip(" .*_")
    return named or (bare if any(letter.isalnum() for letter in bare) else None)


def _taken(text: str, options: Sequence[Option]) -> str | None:
    """Return the option that the first sentence says to take, if it names one alone."""
    end = _SENTENCE_END.search(text)
    sentence = text[: end.start()] if end else text
    named = [option.name for option in options if re.search(rf"(?<!\w){re.escape(option.name)}(?!\w)", sentence, re.IGNORECASE)]
    taken = [
        verb.end() for verb in _TAKEN.finditer(sentence) if named and sentence[verb.end() :].casefold().startswith(named[0].casefold())
    ]
    return named[0] if len(named) == 1 and taken and not _TURNED_DOWN.search(sentence) else None


def _prose(page: Page, *kinds: str) -> str:
    """Return what the first section of a kind says, and what stands below it under other headings, plain and in its order."""
    for kind in kinds:
        said: list[str] = []
        level: int | None = None
        for section in page.sections:
            if level is not None and section.level <= level:
                break
            if level is not None and section.flow:
                said.append(f"{plain_text(section.title)}:")
            elif level is None and heading_of(section.title) == kind:
                level = section.level
            if level is not None:
                said.extend(_plain_line(line) for line in section.flow)
        if said:
            return "\n".join(said)
    return ""


def _plain_line(line: str) -> str:
    """Return a paragraph or an item on one line; an item keeps its depth."""
    indent = len(line) - len(line.lstrip(" ")) if line.lstrip().startswith("- ") else 0
    return " " * indent + plain_text(line)
