from dataclasses import replace

from comind.distill.prompt import messages
from comind.distill.request_ids import request_id
from tests.builders.briefs import brief

ASKED = {"model": "m", "host": "h:1", "prompt_version": 1, "schema": "s", "parameters": {"seed": 7}}


def test_everything_that_decides_an_answer_names_the_question():
    chat = messages(brief())
    named = request_id(chat, **ASKED)
    assert named == request_id(messages(brief()), **ASKED)
    for change in ({"model": "n"}, {"host": "h:2"}, {"prompt_version": 2}, {"schema": "t"}, {"parameters": {"seed": 8}}):
        assert request_id(chat, **(ASKED | change)) != named
    assert request_id(messages(brief(reason="Another.")), **ASKED) != named


def test_a_copy_of_a_change_in_another_branch_is_the_same_question():
    original = brief(1)
    place = replace(original.places[0], commit="f" * 40, start_line=70, end_line=80)
    copy = replace(original, source_id="f" * 40, commit="f" * 40, time=original.time + 9, places=(place,))
    assert request_id(messages(copy), **ASKED) == request_id(messages(original), **ASKED)
    elsewhere = replace(original, places=(replace(place, name="cost_of"),))
    assert request_id(messages(elsewhere), **ASKED) != request_id(messages(original), **ASKED)
