import pytest

from comind.distill.brief import KnownRecord
from comind.distill.checks import judge_answer
from comind.distill.proposals import records_of
from comind.records.vocabulary import Kind
from tests.builders import records as build
from tests.builders.answers import answer, operation
from tests.builders.briefs import REASON, brief
from tests.builders.staleness import believed

PERSON = {"author_kind": "human", "source": "cli"}
MACHINE = {"author_kind": "agent", "source": "mcp"}


def told_about(known, **changes):
    """The records of a proposal about a known one, at the code that this one is about."""
    told = KnownRecord(record_id=known.id, kind=Kind.GOTCHA, title="Workers run apart", trigger="t", is_human_backed=True)
    source = brief(reason=f"It did not work. {REASON}", known=(told,))
    (found,) = judge_answer(source, answer(operation(known="K1", **changes)))
    made = records_of(found, model="small")
    anchors = known.anchors  # what a supersession needs: one subject
    return [one.model_copy(update={"anchors": anchors}) if hasattr(one, "anchors") else one for one in made]


def known_of(author):
    return build.gotcha(id=build.v7(1), provenance=author)


@pytest.mark.parametrize("changes", [{"op": "supersede"}, {"op": "dispute", "reason": "The workers run apart"}])
def test_what_a_model_says_against_a_person_s_record_is_a_challenge_and_retires_nothing(changes):
    known = known_of(PERSON)
    row = believed(known, *told_about(known, **changes))[known.id]
    assert (row["status"], row["flags"]) == ("active", ["challenged"])


def test_a_machine_s_record_gives_way_and_its_successor_is_t1():
    known = known_of(MACHINE)
    reason, supersedes = told_about(known, op="supersede")
    rows = believed(known, reason, supersedes)
    assert rows[known.id]["status"] == "superseded"
    assert (rows[reason.id]["status"], rows[reason.id]["trust"]) == ("active", "T1")
