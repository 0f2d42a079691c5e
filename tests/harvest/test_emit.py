"""A record, as trailers in a real commit, read back by git and by the harvest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.harvest.emit import trailers_of
from comind.harvest.lore import read_lore
from comind.harvest.trailers import read_trailers
from comind.records.vocabulary import Severity
from comind.sources.git.trailer_log import trailers_by_git
from tests.builders.records import attempt, constraint, decision, gotcha, intent, question


def message(record, **more):
    return "Do as it says\n\n" + "".join(f"{trailer}\n" for trailer in trailers_of(record, **more))


def read_back(record, **more):
    return read_lore(read_trailers(message(record, **more)))


def test_git_reads_the_very_trailers_that_were_written(repository):
    record = decision(fields={"alternatives": [{"option": "Redis | hosted", "why_not": "dear: three\nservers"}], "reversibility": "clean"})
    commit = repository.commit(message(record, supersedes=["0193a4c2-7b11-7000-8000-0123456789ab"]))
    assert trailers_by_git(repository.path)[commit].splitlines() == [
        f"Lore-id: {record.id[:8]}",
        "Rejected: Redis / hosted | dear: three servers",
        "Reversibility: clean",
        "Supersedes: 0193a4c2",
        f"Comind-Record: {record.id}",
    ]


def test_a_decision_comes_back_with_its_alternatives():
    record = decision(fields={"alternatives": [{"option": "Redis", "why_not": "stale"}, {"option": "A file", "why_not": "slow | and odd"}]})
    lore = read_back(record)
    assert [(one.option, one.why) for one in lore.rejected] == [(one.option, one.why_not) for one in record.fields.alternatives]
    assert (lore.lore_id, lore.records, lore.restates) == (record.id[:8], (record.id,), record.id)


@pytest.mark.parametrize("severity", Severity)
def test_a_constraint_comes_back_with_its_severity_and_its_end(severity):
    lore = read_back(constraint(fields={"severity": severity, "exceptions": "It was meant to hold until 2027-03."}))
    (rule,) = lore.constraints if severity is Severity.MUST else lore.directives
    assert (rule.text, rule.until) == ("A revoked grant is denied within a second", "2027-03")


def test_what_failed_comes_back_as_rejected_with_how_it_ended():
    (rejected,) = read_back(attempt()).rejected
    assert (rejected.option, rejected.why) == ("Cache permission checks in Redis", "reverted")


def test_a_question_comes_back_as_not_tested():
    assert read_back(question(fields={"question": "This was not tested: two at once"})).not_tested == ("two at once",)


@pytest.mark.parametrize("record", [intent(), gotcha()])
def test_every_kind_leads_back_to_its_record(record):
    assert read_back(record).records == (record.id,)


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=60).filter(
        lambda text: text.strip()
    )
)
def test_any_text_of_one_line_survives(text):
    record = constraint(fields={"rule": text})
    assert [rule.text for rule in read_back(record).constraints] == [" ".join(text.split())]
