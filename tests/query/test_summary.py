import shlex
from pathlib import Path

import pytest

from comind.query.answer import Outcome
from comind.query.checkouts import Checkouts
from comind.query.resolve import Asked
from comind.query.summary import sum_up_run
from comind.query.why import ask_why
from tests.builders import records
from tests.builders.frames import symbol
from tests.query.test_why import RUN, SYMBOLS, believed, on

RECORD = records.constraint(anchors=[on(RUN)])
TWIN = symbol("flask/cli/Flask#run().", path="src/flask/cli.py")
FUNCTION = symbol("flask/cli/run().", path="src/flask/cli.py")


@pytest.mark.parametrize("others", [[], [FUNCTION], [TWIN], [TWIN, FUNCTION]], ids=["alone", "bare name", "qualified name", "both"])
def test_the_question_that_is_suggested_means_one_thing_and_finds_the_record(others):
    view = believed((RECORD, {"qualified_name": "Flask.run", "canonical_key": SYMBOLS[1]["canonical_key"]}), symbols=[*SYMBOLS, *others])
    asked = sum_up_run(view, store="s", run_id="r", seconds=0.0).next[0]
    verb, text = asked[: len("comind why")], shlex.split(asked)[2]
    answer = ask_why(view, Asked(text=text), Checkouts(Path("/nonexistent")))
    assert verb == "comind why"
    assert answer.outcome == Outcome.ANSWERED
    assert [one.record.id for one in answer.records] == [RECORD.id]
