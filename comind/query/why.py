"""Why a piece of code is the way it is: the records that govern it, and how far that answer can be trusted.

In: a view, a question, what is checked out. Out: `WhyAnswer`. "Nothing" is said only when nothing can have been missed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from comind.query.answer import AsOf, Candidate, Coverage, GoverningRecord, LeftOut, Outcome, RecordShown, SubjectShown, WhyAnswer
from comind.query.coverage import certify
from comind.query.facts import Row, anchor_shown, records_shown, rfc3339, verify_commands
from comind.query.governing import count_records, governing_anchors, in_reading_order
from comind.query.resolve import Asked, nearest_names, question_for, resolve
from comind.query.where import among
from comind.status.waiting import is_draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.query.checkouts import FindsRepositories
    from comind.query.past import PastView
    from comind.query.view import LedgerView

__all__ = ["ask_why", "ask_why_then"]

_SURFACED = ("T2", "T3", "T4")  # what is shown without asking (design 9)
_MAX_CANDIDATES = 20


def ask_why(view: LedgerView, asked: Asked, checkouts: FindsRepositories) -> WhyAnswer:
    """Find the records that govern what was asked for; `checkouts` says how far behind the heads on this machine the index is."""
    subjects = resolve(view, asked)
    if len(subjects) == 1:
        return _about(view, asked, subjects[0], certify(view, checkouts, subject=subjects[0]))
    if subjects:
        repositories = sorted({subject.repo_id for subject in subjects if subject.repo_id})
        coverage = certify(view, checkouts, subject=None, repositories=repositories)
        return _unclear(asked, Outcome.AMBIGUOUS, coverage, _candidates(view, subjects))
    coverage = certify(view, checkouts, subject=None)
    outcome = Outcome.UNKNOWN if coverage.complete else Outcome.COULD_NOT_FIND_OUT
    alike = [subject for name in nearest_names(view, asked.text) for subject in resolve(view, Asked(text=name, repo=asked.repo))]
    return _unclear(asked, outcome, coverage, _candidates(view, alike))


def ask_why_then(past: PastView, asked: Asked) -> WhyAnswer:
    """Find the records that governed what was asked for as of a commit: what `ask_why` would have answered after a run there."""
    repository = past.repository
    as_of = AsOf(commit=repository.head, committed_at=rfc3339(repository.head_time), records_later=past.records_later)
    return replace(ask_why(past.view, replace(asked, repo=repository.repo_id), past), as_of=as_of)


def _about(view: LedgerView, asked: Asked, subject: SubjectShown, coverage: Coverage) -> WhyAnswer:
    governing = governing_anchors(view, subject)
    current = view.read("ledger_current", where=among("id", governing["record_id"]))
    ordered = in_reading_order(governing, current)
    surfaced = ordered if asked.every_trust else ordered.filter(pl.col("trust").is_in(_SURFACED))
    rows = surfaced.head(asked.limit)
    shown = records_shown(view, rows["record_id"])
    records = tuple(_governing(row, shown[row["record_id"]]) for row in rows.iter_rows(named=True))
    left_out = LeftOut(
        below_trust=ordered.height - surfaced.height,
        over_limit=surfaced.height - rows.height,
        candidates=0,
        drafts=0 if asked.every_trust else ordered.filter(is_draft()).height,
    )
    nothing = Outcome.NOTHING if coverage.complete else Outcome.COULD_NOT_FIND_OUT
    return WhyAnswer(
        outcome=Outcome.ANSWERED if ordered.height else nothing,
        asked=asked.text,
        subject=subject,
        records=records,
        left_out=left_out,
        candidates=(),
        coverage=coverage,
    )


def _governing(row: Row, record: RecordShown) -> GoverningRecord:
    anchor = anchor_shown(row)
    if anchor.now is not None:  # check the code that was asked about, wherever else the record has subjects
        now = anchor.now
        record = replace(record, verify=verify_commands(record.evidence, now.commit, now.path, now.start_line, now.end_line))
    return GoverningRecord(via=row["via"], anchor=anchor, more_anchors=row["more_anchors"], record=record)


def _unclear(asked: Asked, outcome: Outcome, coverage: Coverage, candidates: Sequence[Candidate]) -> WhyAnswer:
    listed = sorted(candidates, key=lambda candidate: -candidate.records)[:_MAX_CANDIDATES]
    return WhyAnswer(
        outcome=outcome,
        asked=asked.text,
        subject=None,
        records=(),
        left_out=LeftOut(below_trust=0, over_limit=0, candidates=len(candidates) - len(listed)),
        candidates=tuple(listed),
        coverage=coverage,
    )


def _candidates(view: LedgerView, subjects: Sequence[SubjectShown]) -> list[Candidate]:
    counts = count_records(view, subjects) if subjects else []
    asks = [question_for(subject, subjects) for subject in subjects]
    return [Candidate(subject=subject, records=count, ask=ask) for subject, count, ask in zip(subjects, counts, asks, strict=True)]
