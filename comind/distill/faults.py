"""What went wrong with one question, as a code and in words that hold nothing of the answer.

In: whatever an endpoint, its client or instructor raised. Out: a code and a detail.
"""

from __future__ import annotations

import json
from functools import cache

from pydantic import ValidationError

from comind.distill.answers import AnswerCode

__all__ = ["NoCompletionError", "NoRoomError", "RefusedError", "fault_of"]


class RefusedError(Exception):
    """The model declined, or a content filter stopped it; never leaves `comind.distill`."""


class NoCompletionError(Exception):
    """The endpoint answered something that is no completion; never leaves `comind.distill`."""


class NoRoomError(Exception):
    """The budget has no room for asking the same again; never leaves `comind.distill`."""


def fault_of(error: BaseException) -> tuple[AnswerCode, str]:
    """Return why there is no answer; what instructor wraps is looked at, not the wrapping.

    >>> fault_of(NoCompletionError())
    (<AnswerCode.SERVER_ERROR: 'server_error'>, 'it sent something that is no completion')
    """
    from instructor.core.exceptions import InstructorRetryException  # noqa: PLC0415

    cause = error.__cause__ or error if isinstance(error, InstructorRetryException) else error
    code, words = next((code, words) for kind, code, words in _rules() if isinstance(cause, kind))
    status = getattr(cause, "status_code", None)
    return code, f"{words} (HTTP {status})" if status else words


@cache
def _rules() -> tuple[tuple[type[BaseException], AnswerCode, str], ...]:
    import openai  # noqa: PLC0415 - two seconds that only a run which asks pays
    from instructor.core.exceptions import IncompleteOutputException, ResponseParsingError  # noqa: PLC0415

    code = AnswerCode
    return (
        (NoRoomError, code.NOT_ASKED, "the budget leaves no room to ask it again"),
        (RefusedError, code.REFUSED, "the model, or a filter, declined"),
        (NoCompletionError, code.SERVER_ERROR, "it sent something that is no completion"),
        (json.JSONDecodeError, code.SERVER_ERROR, "it sent something that is no JSON"),
        (IncompleteOutputException, code.TOO_LONG, "the answer was cut at its limit"),
        (openai.APITimeoutError, code.TIMEOUT, "no answer in time"),
        (openai.APIConnectionError, code.UNREACHABLE, "the connection failed"),
        (openai.RateLimitError, code.RATE_LIMITED, "too many requests, also after waiting"),
        (openai.AuthenticationError, code.DENIED, "the key is not accepted"),
        (openai.PermissionDeniedError, code.DENIED, "the key may not do this"),
        (openai.NotFoundError, code.DENIED, "there is no such model, or no such interface"),
        (openai.APIStatusError, code.SERVER_ERROR, "it failed"),
        (ValidationError, code.INVALID, "no JSON of the contract, also when asked again"),
        (ResponseParsingError, code.INVALID, "no JSON of the contract, also when asked again"),
        (BaseException, code.SERVER_ERROR, "it sent something that is no completion"),
    )
