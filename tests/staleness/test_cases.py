"""Records about refactored code say what the pages in `cases` say."""

from pathlib import Path

import pytest

from comind.evaluate.staleness import evaluate_staleness
from comind.evaluate.staleness_cases import CaseError, read_cases

CASES = Path(__file__).with_name("cases")
LANGUAGES = {"python", "typescript", "java", "go", "rust"}


@pytest.fixture(scope="module")
def figures():
    return evaluate_staleness(read_cases(CASES))


def test_every_language_has_every_sort_of_refactoring():
    states = {}
    for case in read_cases(CASES):
        states.setdefault(case.page, set()).update(one.state for one in case.expected.values())
    assert states.keys() >= LANGUAGES
    assert all(states[page] >= {"moved", "signature", "body", "deleted"} for page in LANGUAGES)


@pytest.mark.parametrize("status", ["stale", "orphaned"])
def test_hardly_a_record_is_called_stale_or_orphaned_wrongly_or_missed(figures, status):
    score = figures.status(status)
    assert score.true_positives + score.false_negatives >= 15
    assert score.precision >= 0.98
    assert score.recall >= 0.95


def test_no_record_is_orphaned_whose_code_is_still_there(figures):
    assert figures.status("orphaned").false_positives == 0


def test_a_page_that_does_not_fit_its_code_is_refused(tmp_path):
    page = "```python a.py\ndef run():\n    return 1\n```\n\n## Renamed\n\n```python a.py\n{}\n=====\ndef go():\n```\n\n- `{}`: {}\n"
    for passage, symbol, state, problem in (
        ("def walk():", "run().", "signature", "a.py does not have the passage 'def walk():' exactly once"),
        ("def run():", "run().", "renamed", "renamed is no state"),
        ("def run():", "walk().", "signature", "the code before defines no walk()."),
    ):
        (tmp_path / "page.md").write_text(page.format(passage, symbol, state))
        with pytest.raises(CaseError, match=r"page, case 'Renamed'") as refused:
            evaluate_staleness(read_cases(tmp_path))
        assert problem in str(refused.value)
