"""A fake GitLab and a fake GitHub on the loopback: the shapes of the real ones, their pages, limits and accidents.

In: what their projects hold, accidents to come. Out: servers that count what they were asked. Nothing of the product is used here.
A page is as long as the fake says, whatever it is asked for, so that few requests make many pages.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, unquote, urlsplit

__all__ = [
    "TOKEN", "Clock", "Cut", "FakeGitHub", "FakeGitLab", "Refuse", "comment", "discussion", "merge_request", "note", "pull_request",
    "review_thread", "serving",
]  # fmt: skip

TOKEN = "a-token-of-the-tests"
HEAD, BASE, MERGE = "a" * 40, "b" * 40, "c" * 40


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self, now=1_700_000_000.0):
        self.now, self.waits = now, []

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


class Refuse:
    """An answer that is none."""

    def __init__(self, status, message="no", **headers):
        self.status, self.message, self.headers = status, message, {name.replace("_", "-"): str(text) for name, text in headers.items()}


class Cut:
    """A connection that breaks in the middle of the body."""


@dataclass(frozen=True)
class _Question:
    path: str
    asked: dict
    sent: dict | None


class _Fake:
    prefix = ""

    def __init__(self, project="group/shop", *, page=2, clock=None):
        self.project, self.page, self.clock = project, page, clock or Clock()
        self.asked = []  # every question: method, path
        self.accidents = deque()  # for the next questions, one each; None lets one pass
        self.url = ""

    def accident_at(self, question, accident):
        """Let the n-th question from now, counted from 0, meet with an accident."""
        self.accidents.extend([None] * (question - len(self.accidents)))
        self.accidents.append(accident)

    def limits(self):
        return {"RateLimit-Remaining": "50", "RateLimit-Reset": str(int(self.clock.now) + 60)}

    def api(self, question):
        """Return the status, the JSON and the headers of an answer."""
        raise NotImplementedError


class FakeGitLab(_Fake):
    """The REST interface of GitLab for one project."""

    prefix = "/api/v4"

    def __init__(self, *arguments, totals=True, links="pages", **options):
        super().__init__(*arguments, **options)
        self.requests, self.totals, self.links = {}, totals, links  # links: pages | keyset | headers

    def add(self, raw, discussions=(), diffs=()):
        self.requests[raw["iid"]] = raw, list(discussions), list(diffs)
        return raw

    def api(self, question):
        path, asked = question.path, question.asked
        root = f"/projects/{quote(self.project, safe='')}/merge_requests"
        if not path.startswith(root):
            return 404, {"message": "404 Project Not Found"}, {}
        parts = path[len(root) :].strip("/").split("/")
        if parts == [""]:
            assert asked["order_by"] == ["updated_at"]
            assert (asked["sort"], asked["state"], asked["scope"]) == (["asc"], ["all"], ["all"])
            since = datetime.fromisoformat(asked.get("updated_after", ["1970-01-01T00:00:00Z"])[0])
            listed = (raw for raw, _, _ in self.requests.values() if datetime.fromisoformat(raw["updated_at"]) >= since)
            found = sorted(listed, key=lambda raw: raw["updated_at"])
            return self.paged(path, asked, [_listed(raw) for raw in found])
        if int(parts[0]) not in self.requests:
            return 404, {"message": "404 Not found"}, {}
        raw, discussions, diffs = self.requests[int(parts[0])]
        what = parts[1:] or ["itself"]
        return {
            "itself": lambda: (200, raw, {}),
            "discussions": lambda: self.paged(path, asked, discussions),
            "diffs": lambda: self.paged(path, asked, diffs),
        }[what[0]]()

    def paged(self, path, asked, found):
        start = int(asked.get("cursor", [0])[0]) if self.links == "keyset" else (int(asked.get("page", [1])[0]) - 1) * self.page
        more = start + self.page < len(found)
        number = start // self.page + 1
        step = {"pagination": "keyset", "cursor": start + self.page} if self.links == "keyset" else {"page": number + 1}
        kept = {name: values[0] for name, values in asked.items()}
        following = f"{self.url}{path}?" + "&".join(f"{name}={quote(str(value))}" for name, value in (kept | step).items())
        headers = {"X-Page": str(number), "X-Per-Page": str(self.page), "X-Next-Page": str(number + 1) if more else ""}
        if self.links == "keyset":
            headers = {}
        if more and self.links != "headers":
            headers["Link"] = f'<{following}>; rel="next", <{self.url}{path}?page=1>; rel="first"'
        if self.totals and self.links != "keyset":
            headers |= {"X-Total": str(len(found)), "X-Total-Pages": str(-(-len(found) // self.page))}
        return 200, found[start : start + self.page], headers


class FakeGitHub(_Fake):
    """REST and GraphQL of GitHub for one repository, as a server of one's own has them."""

    prefix = "/api/v3"

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.requests, self.graphql_errors = {}, deque()  # of the errors, one list for each of the next questions

    def limits(self):
        return {"X-RateLimit-Remaining": "4990", "X-RateLimit-Reset": str(int(self.clock.now) + 60)}

    def add(self, raw, threads=(), comments=(), reviews=(), files=()):
        self.requests[raw["number"]] = raw, {"reviewThreads": list(threads), "comments": list(comments), "reviews": list(reviews)}, files
        return raw

    def api(self, question):
        path, asked, root = question.path, question.asked, f"/repos/{self.project}"
        if question.sent is not None and path == "/graphql":
            return 200, self.graphql(question.sent["query"], question.sent["variables"]), {}
        if path == f"{root}/pulls":
            assert (asked.get("sort"), asked.get("direction"), asked.get("state")) == (["updated"], ["desc"], ["all"])
            found = sorted((raw for raw, _, _ in self.requests.values()), key=lambda raw: raw["updated_at"], reverse=True)
            start = (int(asked.get("page", [1])[0]) - 1) * self.page
            number = start // self.page + 2
            kept = "&".join(f"{name}={values[0]}" for name, values in asked.items() if name != "page")
            more = start + self.page < len(found)
            link = {"Link": f'<{self.url}{path}?{kept}&page={number}>; rel="next"'} if more else {}
            return 200, found[start : start + self.page], link
        if path.startswith(f"{root}/compare/"):
            head = path.rpartition("...")[2]
            raw, _, files = next(one for one in self.requests.values() if one[0]["head"]["sha"] == head)
            if files is None:
                return 404, {"message": "Not Found"}, {}
            return 200, {"merge_base_commit": {"sha": raw["base"]["sha"]}, "files": list(files)}, {}
        return 404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}, {}

    def graphql(self, query, variables):
        errors = self.graphql_errors.popleft() if self.graphql_errors else None
        told = {"rateLimit": {"cost": 1, "remaining": 4990, "resetAt": "2026-11-30T09:00:00Z"}}
        if "query ThreadComments" in query:
            threads = (thread for _, conversation, _ in self.requests.values() for thread in conversation["reviewThreads"])
            thread = next(one for one in threads if one and one["id"] == variables["thread"])
            told["node"] = {"comments": self.connection(thread["comments"], variables["after"])}
        else:
            assert f"{variables['owner']}/{variables['name']}" == self.project
            _, conversation, _ = self.requests[variables["number"]]
            names = {"reviewThreads": "threads", "comments": "comments", "reviews": "reviews"}
            told["repository"] = {
                "pullRequest": {
                    connection: self.connection([one and self.first_page(one) for one in conversation[connection]], variables[variable])
                    for connection, variable in names.items()
                    if variables[f"more{variable.capitalize()}"]
                }
            }
        if errors and errors[0].get("without_data"):
            return {"data": None, "errors": errors}
        return {"data": told} | ({"errors": errors} if errors else {})

    def first_page(self, thread):
        return thread | {"comments": self.connection(thread["comments"], None)} if "comments" in thread else thread

    def connection(self, nodes, after):
        start = int(after or 0)
        more = start + self.page < len(nodes)
        return {"nodes": nodes[start : start + self.page], "pageInfo": {"hasNextPage": more, "endCursor": str(start + self.page)}}


@contextmanager
def serving(fake):
    """Let a fake answer on a port of its own; its `url` is that of its interface."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}{fake.prefix}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(fake):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.answer("GET", None)

        def do_POST(self):
            self.answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def answer(self, method, body):
            url = urlsplit(self.path)
            fake.asked.append((method, unquote(url.path)))
            accident = fake.accidents.popleft() if fake.accidents else None
            if isinstance(accident, Refuse):
                self.send(accident.status, {"message": accident.message}, accident.headers)
            elif TOKEN not in self.headers.get("Authorization", ""):
                self.send(401, {"message": "401 Unauthorized"}, {})
            else:
                path = url.path.removeprefix(fake.prefix)
                path = path.removeprefix("/api") if path == "/api/graphql" else path  # beside /api/v3, not below it
                status, told, headers = fake.api(_Question(path, parse_qs(url.query), body))
                self.send(status, told, fake.limits() | headers, cut=isinstance(accident, Cut))

        def send(self, status, told, headers, *, cut=False):
            content = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if cut else content)
            self.close_connection = self.close_connection or cut

        def log_message(self, *_):
            pass

    return Handler


def _listed(raw):
    """A list leaves out what only the request itself tells."""
    return {name: value for name, value in raw.items() if name != "diff_refs"}


def at(day, hour=0):
    return f"2026-03-{day:02d}T{hour:02d}:00:00.000Z"


def account(name, full_name=None):
    return name and {"id": sum(map(ord, name)), "username": name, "name": full_name or name.title(), "web_url": f"https://x.uk/{name}"}


def merge_request(iid, day=None, **told):
    """A merge request as GitLab lists it."""
    day = day or iid
    return {
        "iid": iid, "id": 1000 + iid, "title": f"Change {iid}", "description": "", "state": "merged", "author": account("ada"),
        "reviewers": [account("bob")], "assignees": [], "created_at": at(1), "updated_at": at(day), "merged_at": at(day),
        "closed_at": None, "sha": HEAD, "merge_commit_sha": MERGE, "squash_commit_sha": None, "user_notes_count": 1,
        "web_url": f"https://git.example.com/group/shop/-/merge_requests/{iid}", "draft": False,
        "diff_refs": {"base_sha": BASE, "head_sha": HEAD, "start_sha": BASE},
    } | told  # fmt: skip


def note(note_id, body, by="bob", day=1, hour=1, **told):
    return {"id": note_id, "type": None, "body": body, "author": account(by), "system": False, "created_at": at(day, hour),
            "updated_at": at(day, hour), "resolvable": False} | told  # fmt: skip


def discussion(discussion_id, *notes, resolved=None, position=None):
    """A thread; one that is resolved or not is resolvable."""
    more = {} if resolved is None else {"type": "DiffNote", "resolvable": True, "resolved": resolved}
    more |= {} if position is None else {"position": position}
    return {"id": discussion_id, "individual_note": resolved is None, "notes": [one | more for one in notes]}


def pull_request(number, day=None, **told):
    """A pull request as GitHub's REST interface lists it."""
    day = day or number
    return {
        "number": number, "title": f"Change {number}", "body": "", "state": "closed", "user": {"login": "ada", "type": "User"},
        "created_at": "2026-03-01T00:00:00Z", "updated_at": f"2026-03-{day:02d}T00:00:00Z", "merged_at": f"2026-03-{day:02d}T00:00:00Z",
        "closed_at": f"2026-03-{day:02d}T00:00:00Z", "merge_commit_sha": MERGE, "head": {"sha": f"{number:040x}"}, "base": {"sha": BASE},
        "requested_reviewers": [], "assignees": [], "draft": False, "html_url": f"https://git.example.com/group/shop/pull/{number}",
    } | told  # fmt: skip


def comment(comment_id, body, by="bob", *, association="MEMBER", day=1, **told):
    author = by and {"login": by, "__typename": "Bot" if by.endswith("[bot]") else "User"}
    return {"id": comment_id, "body": body, "createdAt": f"2026-03-{day:02d}T00:00:00Z", "lastEditedAt": None,
            "url": f"https://git.example.com/group/shop/pull/1#{comment_id}", "authorAssociation": association, "author": author} | told  # fmt: skip


def review_thread(thread_id, *comments, resolved=True, path="shop.py", line=1, **told):
    within = [one | {"commit": {"oid": HEAD}, "originalCommit": {"oid": HEAD}} for one in comments]
    return {"id": thread_id, "isResolved": resolved, "isOutdated": False, "path": path, "line": line, "originalLine": line,
            "diffSide": "RIGHT", "comments": within} | told  # fmt: skip
