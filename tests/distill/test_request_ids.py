from dataclasses import replace

from comind.distill.brief import Span, SpanRole
from comind.distill.prompt import messages
from comind.distill.request_ids import evidence_key, request_id
from tests.builders.briefs import brief

ASKED = {"model": "m", "host": "h:1", "prompt_version": 1, "schema": "s", "parameters": {"seed": 7}}


def test_everything_that_decides_an_answer_names_the_question():
    chat = messages(brief())
    named = request_id(chat, **ASKED)
    assert named == request_id(messages(brief()), **ASKED)
    for change in ({"model": "n"}, {"host": "h:2"}, {"prompt_version": 2}, {"schema": "t"}, {"parameters": {"seed": 8}}):
        assert request_id(chat, **(ASKED | change)) != named
    assert request_id(messages(brief(reason="Another.")), **ASKED) != named


def test_a_copy_of_a_change_has_its_key_whatever_its_commit_and_its_white_space():
    original = brief(1, subject="Revert it")
    spans = (Span(SpanRole.SUBJECT, "revert  it 1"), *original.spans[1:], Span(SpanRole.UNDONE, "Cache prices"))
    assert evidence_key(replace(original, commit="f" * 40, source_id="f" * 40, spans=spans)) == evidence_key(original)
    assert evidence_key(replace(original, spans=(Span(SpanRole.SUBJECT, "Keep it"),))) != evidence_key(original)
