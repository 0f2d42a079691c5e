"""Merge and pull requests out of a file: what an interface answered, `gh` or `glab` printed, or a project export holds.

In: chunks of bytes, the project where the file does not say it. Out: requests, and what was no request with its place. Asks nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.sources.forges.fields import NotARequestError, Raw, word
from comind.sources.forges.github_json import pull_request_of
from comind.sources.forges.gitlab_export import as_listed, is_export
from comind.sources.forges.gitlab_json import merge_request_of
from comind.sources.forges.json_stream import NotJson, json_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.sources.forges.model import MergeRequest

__all__ = ["LeftPart", "requests_in"]

_URL = re.compile(r"https?://(?P<host>[^/\s:]+)(?::\d+)?/(?P<path>[^\s]+?)(?:/-)?/(?:merge_requests|pull)/\d+")


@dataclass(frozen=True, slots=True)
class LeftPart:
    """A part of a file that was not taken."""

    where: str
    code: str
    problem: str


def requests_in(chunks: Iterable[bytes], *, project: str | None = None) -> Iterator[MergeRequest | LeftPart]:
    """Read requests one after the other.

    Args:
        chunks: of the file.
        project: `host/path`; None takes it from the address of each request.
    """
    for where, value in json_values(chunks):
        if isinstance(value, NotJson):
            yield LeftPart(where, "not_json", value.problem)
        elif not isinstance(value, dict):
            yield LeftPart(where, "not_a_request", "is no JSON object")
        else:
            try:
                yield _request(value, project)
            except NotARequestError as error:
                yield LeftPart(where, "not_a_request", str(error))


def _request(raw: Raw, project: str | None) -> MergeRequest:
    host, _, path = (project or _project_of(raw)).partition("/")
    if is_export(raw):
        return merge_request_of(as_listed(raw), host=host, project=path)
    return merge_request_of(raw, host=host, project=path) if "iid" in raw else pull_request_of(raw, host=host, project=path)


def _project_of(raw: Raw) -> str:
    address = word(raw, "web_url") or word(raw, "html_url") or word(raw, "url") or ""
    found = _URL.match(address)
    if found is None:
        raise NotARequestError("web_url", "does not say which project it is of; --project HOST/PATH does")
    return f"{found['host'].lower()}/{found['path']}"
