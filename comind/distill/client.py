"""Put questions to a language model: many at once, each once, within a budget.

In: briefs, an endpoint, kept answers, a budget. Out: one answer per brief, in their order. The only module that imports openai and
instructor, and only when something is asked. What goes wrong with one question is the code of its answer; only what would go wrong with
every other one too ends the asking.

Measured of instructor 1.17: hooks cannot refuse an answer, its JSON_SCHEMA mode does not ask for strict answers, and API errors come
wrapped. So the function that it calls is ours: it sends our schema, looks at refusals, and counts what was used. Both libraries walk
through schemas again for each call, 10 ms of CPU; what they need not know of ours is kept from them.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from comind.distill.answers import Answer, AnswerCode, CachedAnswer, Usage
from comind.distill.contract import Distilled
from comind.distill.dialect import Dialect
from comind.distill.faults import NoCompletionError, NoRoomError, RefusedError, fault_of
from comind.distill.prompt import PROMPT_VERSION, Message, estimated_tokens, messages
from comind.distill.request_ids import request_id
from comind.distill.sent_schema import answer_schema, schema_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from openai import AsyncOpenAI

    from comind.canonical import Json
    from comind.distill.brief import Brief
    from comind.distill.budget import Budget

__all__ = ["MAX_OUTPUT_TOKENS", "Endpoint", "Question", "Questioner"]

MAX_OUTPUT_TOKENS: Final = 420
_PARAMETERS: Final[dict[str, Json]] = {"temperature": 0, "seed": 7, "max_tokens": MAX_OUTPUT_TOKENS}
_LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}
_SETTLING: Final = 0.02  # seconds
_REASK: Final = 1  # once more, with what was wrong
_KEPT: Final = {AnswerCode.ANSWERED, AnswerCode.REFUSED, AnswerCode.TOO_LONG, AnswerCode.INVALID}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible interface and a model behind it."""

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    known_as: str | None = None  # instead of host and port, where these say nothing: a server that this process started
    concurrency: int = 4
    timeout_seconds: float = 60
    retries: int = 3  # of a call that was refused for load, or failed; as the endpoint says when

    @property
    def host(self) -> str:
        """Host and port: what may be told of where an answer came from."""
        return self.known_as or urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def is_local(self) -> bool:
        """Whether what is asked stays on this machine."""
        return urlsplit(self.url).hostname in _LOOPBACK


@dataclass(frozen=True, slots=True)
class Question:
    """A brief as it is put to an endpoint."""

    brief: Brief
    chat: tuple[Message, ...]
    request_id: str

    @classmethod
    def of(cls, brief: Brief, endpoint: Endpoint) -> Question:
        """Word the question of a brief."""
        chat = messages(brief)
        named = request_id(
            chat, model=endpoint.model, host=endpoint.host, prompt_version=PROMPT_VERSION,
            schema=schema_hash(with_limits=endpoint.is_local), parameters=_PARAMETERS,
        )  # fmt: skip
        return cls(brief, chat, named)

    @property
    def tokens(self) -> int:
        """How many tokens it has, estimated."""
        return estimated_tokens(self.chat)

    def answered(self, kept: CachedAnswer) -> Answer:
        """Return the answer that was kept of it."""
        answer = _read(kept.response) if kept.code is AnswerCode.ANSWERED else None
        code = AnswerCode.INVALID if kept.code is AnswerCode.ANSWERED and answer is None else kept.code
        return Answer(brief=self.brief, code=code, distilled=answer, request_id=self.request_id, from_cache=True)


@dataclass(slots=True)
class _Call:
    """What the attempts of one question brought."""

    reserved: Usage
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    text: str = ""


class Questioner:
    """Puts questions to one endpoint; to be used within one event loop, and closed there."""

    def __init__(self, endpoint: Endpoint, budget: Budget) -> None:
        import openai  # noqa: PLC0415 - two seconds that only a run which asks pays

        logging.getLogger("instructor").setLevel(logging.CRITICAL)  # every fault is an answer of ours already
        self.endpoint, self._budget, self._dialect = endpoint, budget, Dialect()
        self._client: AsyncOpenAI = openai.AsyncOpenAI(
            base_url=endpoint.url, api_key=endpoint.key or "none", timeout=endpoint.timeout_seconds, max_retries=endpoint.retries
        )

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def ask(self, question: Question) -> tuple[Answer, CachedAnswer | None]:
        """Put one question; return its answer, and what of it is worth keeping."""
        while (reserved := self._budget.reserve(question.tokens, MAX_OUTPUT_TOKENS)) is None:
            if spent := self._budget.exhausted_by(question.tokens, MAX_OUTPUT_TOKENS):
                detail = f"{spent} leaves no room for it"
                return Answer(brief=question.brief, code=AnswerCode.NOT_ASKED, detail=detail, request_id=question.request_id), None
            await asyncio.sleep(_SETTLING)  # calls on their way have set aside more than they will use
        call = _Call(reserved)
        try:
            code, distilled, detail = await self._outcome(question, call)
        except asyncio.CancelledError:
            self._budget.release(call.reserved)
            raise
        usage = self._settled(call, code)
        answer = Answer(brief=question.brief, code=code, distilled=distilled, detail=detail, usage=usage, request_id=question.request_id)
        return answer, self._kept(question, answer, call)

    def _settled(self, call: _Call, code: AnswerCode) -> Usage:
        """Count what a question used: nothing where it was turned away, and all that was set aside where nobody waited for the answer."""
        if code is AnswerCode.TIMEOUT:
            used = call.reserved
            return self._budget.settle(used, calls=used.calls, input_tokens=used.input_tokens, output_tokens=used.output_tokens)
        return self._budget.settle(call.reserved, calls=call.calls, input_tokens=call.input_tokens, output_tokens=call.output_tokens)

    async def _outcome(self, question: Question, call: _Call) -> tuple[AnswerCode, Distilled | None, str]:
        import instructor  # noqa: PLC0415 - as openai

        create: Any = instructor.patch(create=self._creating(call), mode=instructor.Mode.JSON_SCHEMA)
        turns = [{"role": one.role, "content": one.content} for one in question.chat]
        try:
            found = await create(
                model=self.endpoint.model, messages=turns, response_model=_answer_model(), max_retries=_REASK, **_PARAMETERS
            )
        except Exception as error:  # noqa: BLE001 - whatever one question meets, the others are asked
            code, detail = fault_of(error)
            return code, None, detail
        return AnswerCode.ANSWERED, Distilled.model_validate(found.model_dump()), ""  # not the subclass that instructor makes

    def _creating(self, call: _Call) -> Any:  # noqa: ANN401 - instructor patches whatever it is given
        schema = {"name": "Distilled", "strict": True, "schema": answer_schema(with_limits=self.endpoint.is_local)}

        async def create(*_: object, **arguments: Any) -> object:  # noqa: ANN401 - instructor hands openai's own through
            asked = estimated_tokens(Message(turn["role"], str(turn["content"])) for turn in arguments["messages"])
            if call.calls:
                self._reserve_again(call, asked)
            asking = arguments | {"response_format": {"type": "json_schema", "json_schema": schema}}
            completion = await self._completion(asking)
            _count(completion, call, asked)
            return completion

        return create

    async def _completion(self, asking: Mapping[str, object]) -> object:
        from openai import BadRequestError  # noqa: PLC0415
        from openai.types.chat import ChatCompletion  # noqa: PLC0415

        while True:
            sent = self._dialect.spoken(asking)
            try:
                return await self._client.post("/chat/completions", cast_to=ChatCompletion, body=sent)
            except BadRequestError as error:
                if not self._dialect.learns(sent, error.param):
                    raise

    def _reserve_again(self, call: _Call, input_tokens: int) -> None:
        more = self._budget.reserve(input_tokens, MAX_OUTPUT_TOKENS)
        if more is None:
            raise NoRoomError
        call.reserved += more

    def _kept(self, question: Question, answer: Answer, call: _Call) -> CachedAnswer | None:
        if answer.code not in _KEPT:
            return None
        return CachedAnswer(
            request_id=question.request_id, response=call.text, code=answer.code, model=self.endpoint.model, host=self.endpoint.host,
            prompt_version=PROMPT_VERSION, input_tokens=call.input_tokens, output_tokens=call.output_tokens,
        )  # fmt: skip


@cache
def _answer_model() -> Any:  # noqa: ANN401 - a class that only instructor sees
    from instructor.function_calls import ResponseSchema  # noqa: PLC0415 - as openai

    class _Answer(ResponseSchema):
        """An answer as instructor is shown it: a name; what is in it, the contract alone knows."""

        @classmethod
        def model_json_schema(cls, *_: object, **__: object) -> dict[str, Any]:
            return {}  # ours is sent

        @classmethod
        def model_validate_json(cls, json_data: str | bytes | bytearray, **_: Any) -> Any:  # noqa: ANN401
            return Distilled.model_validate_json(json_data)

    return _Answer


def _count(completion: object, call: _Call, asked: int) -> None:
    """Note what a completion used and says; raise for what is none, and for a refusal. No type holds of what an endpoint sends."""
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    said = getattr(message, "content", None) or ""
    if message is None or not isinstance(said, str):
        raise NoCompletionError
    call.text = said.encode(errors="replace").decode()  # half a character can neither be kept nor sent back
    if said:
        message.content = call.text
    usage = getattr(completion, "usage", None)
    call.calls += 1
    call.input_tokens += _tokens(getattr(usage, "prompt_tokens", None), asked)
    call.output_tokens += _tokens(getattr(usage, "completion_tokens", None), estimated_tokens([Message("assistant", call.text)]))
    if getattr(message, "refusal", None) or getattr(choice, "finish_reason", None) == "content_filter":
        raise RefusedError


def _tokens(counted: object, estimated: int) -> int:
    """Return a count of the endpoint's; one that does not count has used what was estimated."""
    return counted if isinstance(counted, int) and counted >= 0 else estimated


def _read(response: str) -> Distilled | None:
    try:
        return Distilled.model_validate_json(response)
    except ValueError:
        return None
