"""What a storage client's failure means to the person in front of it.

In: an exception of `obstore` or of the operating system. Out: one of ours, in one line: what, where, what next.
No exception of a client leaves `comind.store`, and no credential stands in a message.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING

from obstore.exceptions import BaseError

from comind.errors import ComindError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "CLIENT_ERRORS",
    "Explanation",
    "StoreError",
    "StoreUnreadableError",
    "StoreUnwritableError",
    "Trouble",
    "explain",
    "is_about_bucket",
    "translated",
]

CLIENT_ERRORS = (BaseError, OSError, ValueError)  # all that `obstore` raises, and what `os` does


class Trouble(StrEnum):
    """What kind of failure it is; callers decide by it, people read the reason."""

    UNREACHABLE = "unreachable"  # nobody answers, or the server says it cannot
    CREDENTIALS = "credentials"  # none found, or not accepted
    DENIED = "denied"  # known, but not allowed to do this
    NO_BUCKET = "no_bucket"
    DISK = "disk"  # the operating system refuses
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A failure in words: why, and what to do about it."""

    trouble: Trouble
    reason: str
    next_step: str


class StoreError(ComindError):
    """The store could not be used; `where`, `trouble`, `reason` and `next_step` say how."""

    verb = "use"

    def __init__(self, where: str, explanation: Explanation) -> None:
        self.where, self.trouble = where, explanation.trouble
        self.reason, self.next_step = explanation.reason, explanation.next_step
        super().__init__(f"cannot {self.verb} the store {where}: {self.reason}; {self.next_step}")


class StoreUnreadableError(StoreError):
    """The store could not be listed or read; nothing is known about what it holds."""

    verb = "read"


class StoreUnwritableError(StoreError):
    """An object could not be written; writing it again later is safe."""

    verb = "write to"


@contextmanager
def translated(into: type[StoreError], *, where: str, scheme: str) -> Iterator[None]:
    """Turn a client's failure in the block into ours; `scheme` is file, s3, gs or az."""
    try:
        yield
    except CLIENT_ERRORS as error:
        raise into(where, explain(error, scheme=scheme)) from error


def explain(error: Exception, *, scheme: str) -> Explanation:
    """Say what a client's failure means.

    >>> explain(OSError(28, "No space left on device"), scheme="file").reason
    'no space left on device'
    """
    return _explain_disk(error) if scheme == "file" else _explain_server(str(error), scheme)


_DISK_STEPS = {
    errno.EACCES: "check who may use it, or choose another store with --store",
    errno.EPERM: "check who may use it and that its file system has hard links, or choose another store with --store",
    errno.EROFS: "choose another store with --store",
    errno.ENOSPC: "free some space and try again",
    errno.EDQUOT: "free some space and try again",
    errno.ENOTDIR: "choose a directory with --store",
    errno.EEXIST: "choose a directory with --store",
}


def _explain_disk(error: Exception) -> Explanation:
    said = re.search(r"\(os error (\d+)\)", str(error))  # the client knows the number but hides it in its text
    number = error.errno if isinstance(error, OSError) and error.errno else int(said[1]) if said else None
    if number is None:
        return Explanation(Trouble.OTHER, _first_line(str(error)), "check the path")
    reason = "there is a file where a directory should be" if number in {errno.ENOTDIR, errno.EEXIST} else os.strerror(number).lower()
    trouble = Trouble.DENIED if number in {errno.EACCES, errno.EPERM} else Trouble.DISK
    return Explanation(trouble, reason, _DISK_STEPS.get(number, "check the disk"))


_CREDENTIALS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (for a profile: `aws configure export-credentials --format env`)",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS to a credentials file",
    "az": "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
_ENDPOINT = {"s3": "AWS_ENDPOINT_URL", "gs": "GOOGLE_BASE_URL", "az": "AZURE_STORAGE_ENDPOINT"}
# Without credentials a client asks the machine's cloud for some: a failure there is not one of the store.
_ASKED_THE_CLOUD = re.compile(r"/latest/api/token|security-credentials|computeMetadata|metadata/identity|oauth2|MissingAccount")
_CREDENTIAL_CODES = {
    "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "AuthenticationFailed",
    "AuthFailure", "InvalidSecurity",
}  # fmt: skip
_BUCKET_CODES = {"NoSuchBucket", "ContainerNotFound", "NoSuchContainer"}


def is_about_bucket(error: Exception) -> bool:
    """Tell a missing bucket from a missing object: clients raise the same exception for both."""
    return _code(str(error)) in _BUCKET_CODES


def _code(text: str) -> str:
    found = re.search(r"<Code>(\w+)</Code>", text)
    return found[1] if found else ""


def _explain_server(text: str, scheme: str) -> Explanation:
    found = re.search(r"status code: (\d{3})", text)
    status, code = int(found[1]) if found else 0, _code(text)
    no_answer = _no_answer(text)
    rules = (
        (_ASKED_THE_CLOUD.search(text), Trouble.CREDENTIALS, "there are no credentials for it", _CREDENTIALS[scheme]),
        (code in _CREDENTIAL_CODES or status == HTTPStatus.UNAUTHORIZED,
         Trouble.CREDENTIALS, f"the credentials are not accepted ({code or status})", _CREDENTIALS[scheme]),
        (code in _BUCKET_CODES or status == HTTPStatus.NOT_FOUND,
         Trouble.NO_BUCKET, "the bucket does not exist", "create it or correct the address"),
        (status == HTTPStatus.FORBIDDEN, Trouble.DENIED, "permission denied", "ask for the right, or use credentials that have it"),
        ("redirect" in text.lower(), Trouble.OTHER, "the bucket lies in another region", "set AWS_REGION to the bucket's region"),
        (status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS,
         Trouble.UNREACHABLE, f"the server answers {status} {code}".rstrip(), "try again later"),
        (no_answer, Trouble.UNREACHABLE, no_answer, f"check {_ENDPOINT[scheme]} and the network"),
        (True, Trouble.OTHER, _first_line(text), "check the address and the settings of the store"),
    )  # fmt: skip
    return next(Explanation(trouble, reason, step) for holds, trouble, reason, step in rules if holds)


_NO_ANSWER = (
    (r"dns error|failed to lookup", "its host name is unknown"),
    (r"[Cc]onnection refused", "its host refuses the connection"),
    (r"[Cc]ertificate|UnknownIssuer", "its TLS certificate is not trusted"),
    (r"kind: Timeout|TimedOut|timed out", "its host does not answer in time"),
    (r"kind: Connect|error sending request|HTTP error", "its host does not speak the protocol or closes the connection"),
)


def _no_answer(text: str) -> str:
    return next((reason for pattern, reason in _NO_ANSWER if re.search(pattern, text)), "")


def _first_line(text: str) -> str:
    line = re.sub(r"\?\S+", "?...", text.strip().splitlines()[0] if text.strip() else "unknown failure")  # a query can carry a signature
    return line[:200]
