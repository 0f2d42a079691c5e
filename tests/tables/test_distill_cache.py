from dataclasses import replace

from comind.distill.answers import AnswerCode, CachedAnswer
from comind.schemas import TABLES
from comind.tables.distill_cache import LakeAnswers

ANSWER = CachedAnswer(
    request_id="a" * 64, response='{"verdict": "none"}', code=AnswerCode.ANSWERED, model="small", host="127.0.0.1:8080",
    prompt_version=1, input_tokens=500, output_tokens=10,
)  # fmt: skip


def test_an_answer_comes_back_as_it_was_kept(lake):
    answers = LakeAnswers(lake)
    answers.store([ANSWER, replace(ANSWER, request_id="b" * 64, code=AnswerCode.REFUSED, response="")])
    assert answers.load(["a" * 64, "c" * 64]) == {"a" * 64: ANSWER}
    assert answers.load(["b" * 64])["b" * 64].code is AnswerCode.REFUSED


def test_the_first_answer_to_a_question_stands(lake):
    answers = LakeAnswers(lake)
    answers.store([ANSWER])
    answers.store([replace(ANSWER, response="something else")])
    assert answers.load([ANSWER.request_id]) == {ANSWER.request_id: ANSWER}


def test_looking_up_creates_nothing(lake, tmp_path):
    assert LakeAnswers(lake).load(["a"]) == LakeAnswers(lake).load([]) == {}
    LakeAnswers(lake).store([])
    assert not (tmp_path / "store").exists()


def test_answers_lie_apart_from_what_everybody_reads(lake):
    assert TABLES["distill_cache"].private
