from __future__ import annotations

from pathlib import Path

import pytest

from comind.query.answer import WhyAnswer
from comind.query.decided import DecidedAnswer
from comind.query.document import _described, _reached, review_page, why_page
from comind.query.log import LogAnswer
from comind.query.overview import StatusAnswer
from comind.query.review import ReviewAnswer
from comind.query.search import SearchAnswer
from comind.query.show import ShowAnswer

PAGE = Path(__file__).parents[2] / "docs" / "why-json.md"


def test_the_page_on_the_json_of_why_is_the_one_that_the_code_describes():
    assert PAGE.read_text(encoding="utf-8") == why_page(), "python -m comind.query.document > docs/why-json.md"


def test_the_page_on_the_json_of_review_is_the_one_that_the_code_describes():
    page = PAGE.with_name("review-json.md")
    assert page.read_text(encoding="utf-8") == review_page(), "python -m comind.query.document review > docs/review-json.md"


@pytest.mark.parametrize("answer", [WhyAnswer, ShowAnswer, LogAnswer, SearchAnswer, StatusAnswer, ReviewAnswer, DecidedAnswer])
def test_every_field_of_every_answer_says_what_it_means(answer):
    assert [name for shape in _reached(answer) for name, (_, meaning) in _described(shape).items() if not meaning] == []


def test_fields_of_version_one_are_only_ever_added():
    # The contract of comind.why/1: take nothing out of this list.
    promised = {
        "WhyAnswer": "schema outcome asked subject records left_out candidates coverage",
        "SubjectShown": "kind repo_id path qualified_name symbol canonical_key code_kind start_line end_line asked_line former_name",
        "GoverningRecord": "via anchor more_anchors record",
        "AnchorShown": "scope role then now",
        "PlaceThen": "repo_id path symbol start_line end_line commit",
        "PlaceNow": "path qualified_name canonical_key start_line end_line commit matched_by level detail candidates drift drift_detail",
        "RecordShown": "id kind title trigger body fields authority status status_reason status_from flags trust trust_reason enforcement "
        "author_kind source recorded_at confirmed_at repo_id evidence relations verify",
        "EvidenceShown": "kind repo commit url path quote checks",
        "CheckShown": "check result detail",
        "RelationShown": "id kind subject_id other_id reason author_kind recorded_at",
        "LeftOut": "below_trust over_limit candidates",
        "Candidate": "subject records ask",
        "Coverage": "repositories unreadable_objects quarantined unfolded gaps",
        "RepositoryCoverage": "repo_id ref indexed_commit head_commit files files_not_parsed",
    }
    has = {shape.__name__: set(_described(shape)) for shape in _reached(WhyAnswer)}
    assert {name: set(words.split()) - has[name] for name, words in promised.items() if set(words.split()) - has[name]} == {}
