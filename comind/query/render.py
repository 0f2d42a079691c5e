"""The parts that every rendered answer is made of: badges, labelled facts, places, evidence, coverage.

In: parts of answers. Out: `rich.text.Text`, never markup: what a record says is shown, never interpreted.
Every text of a record, a path or a name goes through `comind.safety.terminal` on its way; `Text.plain` is the same without a style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from comind.query.names import dotted
from comind.safety.terminal import plain, plain_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.query.answer import AnchorShown, Coverage, EvidenceShown, RecordShown

__all__ = [
    "Part", "badge", "claim_lines", "coverage_lines", "drafts_wait", "evidence_line", "excerpt", "labelled", "line", "place_parts",
    "record_lines", "repository_name", "span", "stacked", "trigger_line",
]  # fmt: skip

Part: TypeAlias = "str | tuple[str, str]"  # a text, or a text and its style

_LABEL_WIDTH = 15
_SHORT = 12  # hex digits of a commit that a person reads
_EXCERPT = 300  # characters of a body that still are a few lines
_COMMIT = re.compile(r"\b[0-9a-f]{40}\b")
_STATUS_STYLE = {"active": "green", "dormant": "blue", "stale": "yellow", "orphaned": "yellow", "quarantined": "red"}
_TRUST_STYLE = {"T0": "red", "T1": "yellow", "T2": "cyan", "T3": "green", "T4": "bold green"}
_CLAIMS = {
    "intent": (("need", "need"), ("link", "link")),
    "decision": (("chosen", "chosen"), ("revisit_when", "revisit when")),
    "attempt": (("approach", "tried"), ("conditions", "under"), ("retry_when", "retry when")),
    "constraint": (("rule", "rule"), ("exceptions", "except"), ("check", "check")),
    "gotcha": (("symptom", "symptom"), ("cause", "cause"), ("workaround", "workaround")),
    "question": (("question", "question"),),
}


def line(*parts: Part) -> Text:
    r"""Write texts from anywhere, each with a style or without, as one harmless line.

    >>> line("a\n", ("[b]\x1b[1m", "bold")).plain
    'a [b]'
    """
    text = Text()
    for part in parts:
        words, style = part if isinstance(part, tuple) else (part, "")
        text.append(plain(words).replace("\n", " "), style or None)
    return text


def stacked(lines: Iterable[Text]) -> Text:
    """Put lines under each other."""
    return Text("\n").join(lines)


def labelled(label: str, *parts: Part) -> Text:
    """Write one fact of a record: an indented label and what it says."""
    return line((f"  {label + ':':<{_LABEL_WIDTH}}", "dim"), *parts)


def badge(kind: str, trust: str | None, status: str | None, flags: Iterable[str] = ()) -> list[Part]:
    """Say what sort of record it is and what the ledger believes: ``[attempt · T2 · active]``."""
    words: list[Part] = [(kind, "bold")]
    if trust:
        words.append((trust, _TRUST_STYLE.get(trust, "")))
    if status:
        words.append((status, _STATUS_STYLE.get(status, "dim")))
    words += [(flag.replace("_", " "), "yellow") for flag in flags]
    spaced = [part for word in words for part in (" · ", word)]
    return ["[", *spaced[1:], "]"]


def drafts_wait(number: int) -> str:
    """Say after a line on what was left out how much of it waits for a person.

    >>> drafts_wait(2), drafts_wait(1), drafts_wait(0)
    ('; 2 drafts wait: comind review', '; 1 draft waits: comind review', '')
    """
    return f"; {number} {'draft waits' if number == 1 else 'drafts wait'}: comind review" if number else ""


def excerpt(text: str, limit: int = _EXCERPT) -> str:
    """Return the beginning of a text as one line."""
    whole = plain_line(text)
    return whole if len(whole) <= limit else whole[: limit - 1].rstrip() + "…"


def span(path: str | None, start: int | None, end: int | None) -> str:
    """Write a place in a file.

    >>> span("app.py", 4, 9), span("app.py", 4, 4), span("app.py", 4, None), span("app.py", None, None)
    ('app.py:4-9', 'app.py:4', 'app.py:4', 'app.py')
    """
    lines = "" if start is None else f":{start}" if end in {start, None} else f":{start}-{end}"
    return f"{path or ''}{lines}"


def repository_name(repo_id: str | None) -> str:
    """Return what a person calls a repository; one that is named after its first commit gets a short name.

    >>> repository_name("github.com/pallets/flask"), repository_name("33850c0e" + "0" * 32)
    ('github.com/pallets/flask', '33850c0e0000')
    """
    return _COMMIT.sub(lambda found: found[0][:_SHORT], repo_id or "")


def place_parts(anchor: AnchorShown) -> list[Part]:
    """Say where an anchor is now and how that is known; where it was when it is not known."""
    then, now = anchor.then, anchor.now
    since = f" since {then.commit[:_SHORT]}" if then.commit else ""
    if now is not None and now.path is not None:
        likely = " (likely)" if now.level == "likely" else ""
        name = now.qualified_name or dotted(now.canonical_key or "")
        where = span(now.path, now.start_line, now.end_line)
        return _name_and_place(name, where, f"{now.matched_by.replace('_', ' ')}{likely}, {now.drift}{since}")
    name = dotted(then.symbol) if then.symbol and anchor.scope == "symbol" else then.symbol or ""
    where = span(then.path, then.start_line, then.end_line) or (
        "" if anchor.scope == "dependency" else repository_name(then.repo_id) or "everything"
    )
    if anchor.scope in {"repo", "org", "dependency"}:
        return _name_and_place(name, where, f"{anchor.scope} scope")
    return _name_and_place(
        name, where, f"{now.matched_by}: {now.detail}" if now else f"as recorded{since.replace('since', 'at')}; not located yet"
    )


def record_lines(record: RecordShown) -> Iterator[Text]:
    """Write what a reader acts on: the claim, its evidence, when it matters and how to check it."""
    yield from claim_lines(record)
    if record.evidence:
        yield evidence_line(record.evidence)
    if record.trigger:
        yield trigger_line(excerpt(record.trigger))
    if record.status and record.status != "active":
        yield labelled(record.status, record.status_reason or "")
    for cause in record.cascade:
        yield labelled("look again", (excerpt(cause), "yellow"))
    if record.trust:
        yield labelled("trust", record.trust, f", {record.trust_reason}" if record.trust_reason else "")
    for relation in record.relations:
        yield labelled(
            relation.kind,
            f"{relation.reason or relation.other_id or ''} ",
            (f"({relation.author_kind}, {relation.recorded_at[:10]})", "dim"),
        )
    yield labelled(
        "verify", "; ".join(_COMMIT.sub(lambda found: found[0][:_SHORT], one) for one in record.verify) or f"comind show {record.id}"
    )
    yield labelled("record", (record.id, "dim"), (f" ({record.author_kind}, {record.recorded_at[:10]})", "dim"))


def claim_lines(record: RecordShown, *, whole: bool = False) -> Iterator[Text]:
    """Write the fields of a record's kind; unless `whole`, only what its title does not say already, and the beginning of its body."""
    for name, label in _CLAIMS.get(record.kind, ()):
        value = record.fields.get(name)
        if isinstance(value, str) and (whole or value.strip().lower() not in record.title.lower()):
            yield labelled(label, plain_line(value) if whole else excerpt(value))
    for alternative in record.fields.get("alternatives", ()):
        yield labelled("instead of", f"{excerpt(alternative['option'])}: {excerpt(alternative['why_not'])}")
    if record.body.strip() and not whole:
        yield labelled("reason", excerpt(record.body))


def evidence_line(evidence: Iterable[EvidenceShown]) -> Text:
    """Write what can be looked up, and whether a machine has proven it."""
    pieces = [part for one in evidence for part in (", ", *_evidence_parts(one))]
    return labelled("evidence", *pieces[1:])


def trigger_line(trigger: str) -> Text:
    """Write when a reader needs a record, without saying `when` twice."""
    condition = re.sub(r"^(?:relevant )?when ", "", trigger, flags=re.IGNORECASE)
    return labelled("relevant when" if condition != trigger else "relevant", condition)


def coverage_lines(coverage: Coverage) -> Iterator[Text]:
    """Write the certificate: a line per repository, one for the ledger, one per gap."""
    for one in coverage.repositories:
        indexed = (one.indexed_commit or "nothing")[:_SHORT]
        head = (
            "its head is not known here"
            if one.head_commit is None
            else "its head"
            if one.head_commit == one.indexed_commit
            else "behind its head"
        )
        missed = f"{one.files_not_parsed} of {one.files} source files not parsed whole"
        yield line((f"coverage: {repository_name(one.repo_id)} indexed at {indexed} ({head}); {missed}", "dim"))
    unfolded = f"; {coverage.unfolded} read from the inbox" if coverage.unfolded else ""
    yield line((f"ledger: {coverage.unreadable_objects} objects unreadable, {coverage.quarantined} records quarantined{unfolded}", "dim"))
    for gap in coverage.gaps:
        yield line(("gap: ", "yellow"), gap)


def _name_and_place(name: str, where: str, how: str) -> list[Part]:
    named: list[Part] = [(name, "bold"), "  "] if name else []
    return [*named, where, (f" ({how})", "dim")]


def _evidence_parts(one: EvidenceShown) -> list[Part]:
    commit = one.commit[:_SHORT] if one.commit else ""
    pointer = f"{one.path} at {commit}" if one.path and commit else commit or one.url or one.path or ""
    quote = f" “{excerpt(one.quote, 80)}”" if one.quote else ""
    results = {check.result for check in one.checks}
    verdict = next((word for word in ("refuted", "proven", "unverifiable") if word in results), None)
    style = {"refuted": "red", "proven": "green"}.get(verdict or "", "dim")
    return [f"{one.kind.replace('_', ' ')} ", (pointer, "bold"), quote, *([(f" ({verdict})", style)] if verdict else [])]
