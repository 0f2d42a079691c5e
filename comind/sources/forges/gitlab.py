"""Read the merge requests of one GitLab project through its REST interface (`python-gitlab`).

In: a project, a token, patience. Out: merge requests in batches, those first that were updated longest ago. Never writes.
Loading it loads the client; `comind.sources.forges.clients` does so when a forge is asked.

Pages by number lose a request whenever an earlier one is updated meanwhile and moves to the end. So after each page the list is asked
for anew from the time of its last request on; `Link` only says whether there is more, and leads on where a page has a single time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import gitlab
import requests
from requests.utils import parse_header_links

from comind.sources.forges.courtesy import Answer, Courtesy, CutOffError, Patience
from comind.sources.forges.errors import ForgeAnswerError
from comind.sources.forges.fields import Raw, number, objects
from comind.sources.forges.gitlab_json import changes_of, merge_request_of
from comind.sources.forges.model import MergeRequest, State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from comind.sources.forges.model import ForgeProject

__all__ = ["GitLab"]

_PER_PAGE = 100
_TIMEOUT = 30.0  # seconds without a byte


class GitLab:
    """A client for one project."""

    def __init__(self, project: ForgeProject, token: str, patience: Patience | None = None) -> None:
        self._project = project
        self._courtesy = Courtesy(project, patience or Patience())
        self._headers: dict[str, str] = {}  # of the last answer; the client's errors do not carry them
        session = requests.Session()
        session.hooks["response"].append(self._note_headers)
        # As a bearer: that header, unlike GitLab's own, does not follow a redirect to another host.
        self._client = gitlab.Gitlab(_root(project.url), oauth_token=token, session=session, timeout=_TIMEOUT, keep_base_url=True)
        self._base = f"/projects/{quote(project.path, safe='')}/merge_requests"

    def updated(self, since: datetime | None) -> Iterator[list[MergeRequest]]:
        """Yield merge requests in batches; see `Forge.updated`."""
        after, page_url = since.isoformat() if since else None, None
        known: set[tuple[object, object]] = set()
        while True:
            page, following = self._page(page_url, after)
            fresh = [raw for raw in page if (raw.get("iid"), raw.get("updated_at")) not in known]
            known |= {(raw.get("iid"), raw.get("updated_at")) for raw in fresh}
            if fresh:
                yield [self._whole(raw) for raw in fresh]
            if following is None:
                return
            last = str(page[-1].get("updated_at")) if page else after
            page_url, after = (following, after) if last == after or not fresh else (None, last)

    def _page(self, page_url: str | None, after: str | None) -> tuple[list[Raw], str | None]:
        asked = {"state": "all", "scope": "all", "order_by": "updated_at", "sort": "asc", "per_page": _PER_PAGE}
        return self._listed(page_url or self._base, None if page_url else asked | ({"updated_after": after} if after else {}))

    def _whole(self, raw: Raw) -> MergeRequest:
        """Add to a listed merge request what the list leaves out."""
        iid = number(raw, "iid")
        discussions: list[Raw] = []
        if raw.get("user_notes_count") != 0:
            discussions = self._all(f"{self._base}/{iid}/discussions")
        if raw.get("state") == State.CLOSED:
            detail = self._ask(f"{self._base}/{iid}", missing=True)
            refs = detail.body.get("diff_refs") if isinstance(detail.body, dict) else None
            raw = {**raw, "diff_refs": refs if isinstance(refs, dict) else None}
        request = merge_request_of(raw, host=self._project.host, project=self._project.path, discussions=discussions)
        if request.state is not State.CLOSED:
            return request
        return replace(request, changes=changes_of(self._all(f"{self._base}/{iid}/diffs")))

    def _all(self, path: str) -> list[Raw]:
        found, following = self._listed(path, {"per_page": _PER_PAGE})
        while following is not None:
            more, following = self._listed(following, None)
            found += more
        return found

    def _listed(self, path: str, asked: dict[str, Any] | None) -> tuple[list[Raw], str | None]:
        """Return the objects of one page, and where the next one is."""
        answer = self._ask(path, asked)
        if not isinstance(answer.body, list):
            raise ForgeAnswerError(self._project.host, "something that is not a list")
        return objects({"page": answer.body}, "page"), self._following(answer, path, asked)

    def _following(self, answer: Answer, path: str, asked: dict[str, Any] | None) -> str | None:
        links = {one.get("rel"): one["url"] for one in parse_header_links(answer.headers.get("link", "")) if "url" in one}
        if url := links.get("next"):
            if not url.startswith(f"{self._project.url}/"):  # it would get the token
                raise ForgeAnswerError(self._project.host, "with a next page that lies on another host")
            return url
        page = answer.headers.get("x-next-page", "")
        if not page.isdecimal():
            return None
        base = path if "://" in path else f"{self._project.url}{path}"
        return requests.Request("GET", base, params={**(asked or {}), "page": page}).prepare().url

    def _ask(self, path: str, asked: dict[str, Any] | None = None, *, missing: bool = False) -> Answer:
        return self._courtesy.ask(lambda: self._send(path, asked), missing=missing)

    def _send(self, path: str, asked: dict[str, Any] | None) -> Answer:
        self._headers = {}
        try:
            response = self._client.http_request("get", path, query_data=asked, obey_rate_limit=False, retry_transient_errors=False)
            return Answer(response.status_code, self._headers, response.json())
        except (gitlab.exceptions.GitlabHttpError, gitlab.exceptions.GitlabAuthenticationError) as error:
            return Answer(error.response_code or 0, self._headers, {"message": str(error.error_message)})
        except gitlab.exceptions.RedirectError:
            raise ForgeAnswerError(self._project.host, "with a redirect") from None
        except requests.exceptions.JSONDecodeError:
            raise ForgeAnswerError(self._project.host, "something that is not JSON") from None
        except requests.RequestException as error:
            raise CutOffError(type(error).__name__) from None

    def _note_headers(self, response: requests.Response, *_: object, **__: object) -> None:
        self._headers = {name.lower(): value for name, value in response.headers.items()}


def _root(url: str) -> str:
    return url.removesuffix("/api/v4")
