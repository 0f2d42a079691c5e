"""Which entries were there as of a commit, on rows that need no repository."""

from datetime import UTC, datetime, timedelta

import pytest

from comind.query.past_log import Moment, log_as_of
from tests.builders.frames import frame, record_row
from tests.builders.records import constraint, harvested, retracts, v7

REPO, BEFORE, NOW, AFTER, GONE = "github.com/example/service", "a" * 40, "b" * 40, "c" * 40, "d" * 40
TIME = datetime(2024, 6, 1, tzinfo=UTC)
MOMENT = Moment(repo_id=REPO, time=TIME, history={BEFORE, NOW}, holds={BEFORE, NOW, AFTER}.__contains__)


def written(days):
    return v7(ms=int((TIME + timedelta(days=days)).timestamp() * 1000))


def there(record):
    return log_as_of(frame("ledger_records", [record_row(record)]), MOMENT).height == 1


@pytest.mark.parametrize(("days", "expected"), [(-1, True), (0, True), (1, False)])
def test_what_a_person_wrote_is_there_from_when_it_was_written(days, expected):
    assert there(constraint(id=written(days))) is expected


@pytest.mark.parametrize(("commit", "expected"), [(BEFORE, True), (NOW, True), (AFTER, False)])
def test_a_record_that_holds_from_a_commit_is_there_from_it_on(commit, expected):
    assert there(constraint(id=written(-1), valid_from=commit)) is expected


def test_a_record_that_holds_from_an_earlier_commit_still_had_to_be_written():
    assert not there(constraint(id=written(1), valid_from=BEFORE))


@pytest.mark.parametrize("clock", ["1970-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
@pytest.mark.parametrize(("commit", "expected"), [(BEFORE, True), (AFTER, False)])
def test_a_clock_that_runs_wrong_does_not_move_what_was_read_off_a_commit(clock, commit, expected):
    assert there(harvested(valid_from=commit, provenance={"source_time": clock, "repo": REPO})) is expected


@pytest.mark.parametrize(("commit", "expected"), [(NOW, True), (AFTER, False)])
def test_a_harvested_relation_is_there_with_the_commit_of_its_evidence(commit, expected):
    provenance = {
        "author_kind": "harvested",
        "source": "git",
        "harvester": "reverts/1",
        "source_time": "2023-11-14T22:13:20Z",
        "repo": REPO,
    }
    assert (
        there(retracts(v7(0), provenance=provenance, lamport=0, evidence=[{"kind": "commit", "repo": REPO, "commit": commit}])) is expected
    )


@pytest.mark.parametrize("days", [-1, 1])
def test_a_commit_that_the_clone_lacks_decides_nothing(days):
    clock = f"{TIME + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"
    assert there(harvested(valid_from=GONE, provenance={"source_time": clock, "repo": REPO})) is (days < 0)


def test_a_commit_of_another_repository_decides_nothing():
    assert there(constraint(id=written(-1), valid_from=AFTER, provenance={"repo": "github.com/example/other"}))
