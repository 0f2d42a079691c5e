"""Read the pull requests of one GitHub repository: REST for the list, GraphQL for its conversations (`PyGithub`).

In: a project, a token, patience. Out: pull requests in batches, those first that were updated longest ago. Never writes.
Loading it loads the client; `comind.sources.forges.clients` does so when a forge is asked.

The list knows no "since": it is read from its newest end until it meets the time asked for, then worked off from its oldest. One that
is updated meanwhile moves to the newest end, and is met by the next harvest.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import github
import requests
from requests.utils import parse_header_links

from comind.sources.forges.courtesy import Answer, Courtesy, CutOffError, Patience
from comind.sources.forges.errors import ForgeAnswerError, ForgeRefusedError
from comind.sources.forges.fields import Raw, commit, inner, moment, number, objects, word
from comind.sources.forges.github_json import pull_request_of
from comind.sources.forges.github_queries import CONVERSATION, THREAD_COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from comind.sources.forges.model import ForgeProject, MergeRequest

__all__ = ["GitHub"]

_PER_PAGE = 100
_BATCH = 20  # requests that are read before somebody may keep them
_TIMEOUT = 30  # seconds without a byte
_CONNECTIONS = ("reviewThreads", "comments", "reviews")


class GitHub:
    """A client for one repository."""

    def __init__(self, project: ForgeProject, token: str, patience: Patience | None = None) -> None:
        self._project = project
        self._courtesy = Courtesy(project, patience or Patience())
        # Waiting and asking again is ours to do, so the client is told to do neither.
        quiet = {"retry": None, "seconds_between_requests": 0, "seconds_between_writes": 0}  # a query is sent as what looks like a write
        client = github.Github(auth=github.Auth.Token(token), base_url=project.url, timeout=_TIMEOUT, **quiet)  # type: ignore[arg-type]
        self._requester = client.requester

    def updated(self, since: datetime | None) -> Iterator[list[MergeRequest]]:
        """Yield pull requests in batches; see `Forge.updated`."""
        listed = self._listed(since)
        for start in range(0, len(listed), _BATCH):
            yield [self._whole(raw) for raw in listed[start : start + _BATCH]]

    def _listed(self, since: datetime | None) -> list[Raw]:
        """Return what the list tells of each request, oldest update first; each once, as it was seen last."""
        found: dict[int, Raw] = {}
        url: str | None = f"/repos/{self._project.path}/pulls"
        asked: dict[str, Any] | None = {"state": "all", "sort": "updated", "direction": "desc", "per_page": _PER_PAGE}
        while url is not None:
            answer = self._get(url, asked)
            if not isinstance(answer.body, list):
                raise ForgeAnswerError(self._project.host, "something that is not a list")
            page = objects({"page": answer.body}, "page")
            new = [raw for raw in page if since is None or (moment(raw, "updated_at") or since) >= since]
            for raw in new:
                found.setdefault(number(raw, "number") or 0, raw)
            url, asked = (self._following(answer), None) if len(new) == len(page) else (None, None)
        return sorted(found.values(), key=lambda raw: (str(raw.get("updated_at")), number(raw, "number") or 0))

    def _whole(self, raw: Raw) -> MergeRequest:
        """Add to a listed request its conversation, and what it changed if it was closed."""
        conversation, incomplete = self._conversation(number(raw, "number") or 0)
        told = {**raw, **conversation}
        if raw.get("state") == "closed" and raw.get("merged_at") is None:
            told |= self._changes(raw)
        return pull_request_of(told, host=self._project.host, project=self._project.path, incomplete=incomplete)

    def _changes(self, raw: Raw) -> Raw:
        """Return what a request changed since it left the target branch; nothing where its commits are gone."""
        base, head = (commit(inner(raw, side) or {}, "sha") for side in ("base", "head"))
        answer = self._get(f"/repos/{self._project.path}/compare/{base}...{head}", missing=True)
        if not isinstance(answer.body, dict) or answer.status >= 400:  # noqa: PLR2004
            return {}
        return {"merge_base_commit": commit(inner(answer.body, "merge_base_commit") or {}, "sha"), "changed": answer.body.get("files")}

    def _conversation(self, iid: int) -> tuple[Raw, str | None]:
        """Return threads, comments and reviews, all pages of them, and what was kept back."""
        owner, _, name = self._project.path.partition("/")
        nodes: dict[str, list[Raw]] = {connection: [] for connection in _CONNECTIONS}
        cursors: dict[str, str | None] = dict.fromkeys(_CONNECTIONS)
        open_ones, problems = set(_CONNECTIONS), set[str]()
        while open_ones:
            asked = {"owner": owner, "name": name, "number": iid} | _cursor_variables(cursors, open_ones)
            told, problem = self._query(CONVERSATION, asked)
            problems |= {problem} - {""}
            request = inner(inner(told, "repository") or {}, "pullRequest") or {}
            for connection in tuple(open_ones):
                nodes[connection] += objects(request, connection)
                cursors[connection] = _next_cursor(inner(request, connection))
                if cursors[connection] is None:
                    open_ones.discard(connection)
        threads = [self._whole_thread(thread, problems) for thread in nodes["reviewThreads"]]
        return nodes | {"reviewThreads": threads}, "; ".join(sorted(problems)) or None

    def _whole_thread(self, thread: Raw, problems: set[str]) -> Raw:
        comments, after = objects(thread, "comments"), _next_cursor(inner(thread, "comments"))
        while after is not None:
            told, problem = self._query(THREAD_COMMENTS, {"thread": thread.get("id"), "after": after})
            problems |= {problem} - {""}
            more = inner(inner(told, "node") or {}, "comments")
            comments += objects(inner(told, "node") or {}, "comments")
            after = _next_cursor(more)
        return {**thread, "comments": comments}

    def _query(self, query: str, variables: dict[str, Any]) -> tuple[Raw, str]:
        """Return the data of an answer, and what its errors say about what is missing in it."""
        answer = self._courtesy.ask(lambda: self._send("POST", self._requester.graphql_url, sent={"query": query, "variables": variables}))
        if not isinstance(answer.body, dict):
            raise ForgeAnswerError(self._project.host, "something that is not GraphQL")
        errors = objects(answer.body, "errors")
        kinds = sorted({word(error, "type") or "unknown" for error in errors})
        told = inner(answer.body, "data")
        if told is None or (errors and not any(told.get(name) for name in ("repository", "node"))):
            if set(kinds) & {"NOT_FOUND", "FORBIDDEN"}:
                raise ForgeRefusedError(self._project.origin, self._project.token_variable, 404 if "NOT_FOUND" in kinds else 403)
            raise ForgeAnswerError(self._project.host, f"a question about a pull request with {', '.join(kinds) or 'nothing'}")
        return told, f"GitHub kept a part back: {', '.join(kinds)}" if errors else ""

    def _get(self, url: str, asked: dict[str, Any] | None = None, *, missing: bool = False) -> Answer:
        return self._courtesy.ask(lambda: self._send("GET", url, asked=asked), missing=missing)

    def _send(self, verb: str, url: str, *, asked: dict[str, Any] | None = None, sent: dict[str, Any] | None = None) -> Answer:
        try:
            status, headers, content = self._requester.requestJson(verb, url, parameters=asked, input=sent)
            body = json.loads(content) if content else None
        except requests.RequestException as error:
            raise CutOffError(type(error).__name__) from None
        except ValueError:
            raise ForgeAnswerError(self._project.host, "something that is not JSON") from None
        lower = {name.lower(): str(value) for name, value in headers.items()}
        return Answer(status, lower, body, limited=_is_rate_limited(body))

    def _following(self, answer: Answer) -> str | None:
        links = {one.get("rel"): one["url"] for one in parse_header_links(answer.headers.get("link", "")) if "url" in one}
        url = links.get("next")
        if url is not None and not url.startswith(f"{self._project.url}/"):  # it would get the token
            raise ForgeAnswerError(self._project.host, "with a next page that lies on another host")
        return url


def _cursor_variables(cursors: dict[str, str | None], open_ones: set[str]) -> dict[str, Any]:
    names = {"reviewThreads": "threads", "comments": "comments", "reviews": "reviews"}
    variables: dict[str, Any] = {variable: cursors[connection] for connection, variable in names.items()}
    return variables | {f"more{variable.capitalize()}": connection in open_ones for connection, variable in names.items()}


def _next_cursor(connection: Raw | None) -> str | None:
    page = inner(connection or {}, "pageInfo") or {}
    return word(page, "endCursor") if page.get("hasNextPage") else None


def _is_rate_limited(body: object) -> bool:
    errors = body.get("errors") if isinstance(body, dict) else None
    return isinstance(errors, list) and any(isinstance(one, dict) and one.get("type") == "RATE_LIMITED" for one in errors)
