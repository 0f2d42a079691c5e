"""A language model that says what a test wants, over real HTTP: an OpenAI-compatible interface on the loopback."""

from __future__ import annotations

import json
import re
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NONE = '{"verdict": "none", "ops": []}'


def completion(text, *, finish="stop", refusal=None, tokens=(500, 10), **message):
    """Return the body of an answer."""
    return json.dumps(
        {
            "id": "c", "object": "chat.completion", "created": 0, "model": "scripted",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, "refusal": refusal} | message}],
            "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
        }
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One HTTP answer; `cut` ends the connection after so many bytes."""

    body: str = field(kw_only=False)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds
    cut: int | None = None
    content_type: str = "application/json"


def proposing(kind="gotcha", **changes):
    """Return a reply that takes the second span of every question for a reason, word for word."""

    def reply(request, _):
        said = re.search(r"^E2(?: \([^)]*\))?: (.*)$", request["messages"][-1]["content"], re.MULTILINE)[1]
        op = {
            "op": "new", "known": None, "kind": kind, "title": said[:110].rpartition(" ")[0], "body": "", "trigger": "Before changing this code",
            "outcome": "failed" if kind == "attempt" else "n/a", "alternatives": [], "anchors": ["S1"],
            "evidence": [{"span": "E2", "quote": said[:100].rpartition(" ")[0]}], "reason": None,
        }  # fmt: skip
        return json.dumps({"verdict": "record", "ops": [op | changes]})

    return reply


class ScriptedModel:
    """Counts and keeps what it is asked; `reply` makes an answer from a request's JSON and how many came before."""

    def __init__(self, reply):
        self.reply, self.requests, self.at_once, self.most_at_once = reply, [], 0, 0
        self._lock = threading.Lock()

    @property
    def calls(self):
        return len(self.requests)

    def answer(self, request):
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            reply = self.reply(request, number)
            reply = Reply(completion(reply)) if isinstance(reply, str) else reply
            time.sleep(reply.delay)
            return reply
        finally:
            with self._lock:
                self.at_once -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request["authorization"] = self.headers["Authorization"]
        reply = self.server.model.answer(request)
        body = reply.body.encode(errors="surrogatepass")
        self.send_response(reply.status)
        for name, value in {"Content-Type": reply.content_type, "Content-Length": str(len(body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # who asked may have given up
            self.wfile.write(body[: reply.cut])
        if reply.cut is not None:
            self.close_connection = True

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def scripted_model(reply):
    """Serve a model for as long as a test needs it; yields it and the base URL of its interface."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.model = ScriptedModel(reply)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.model, f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
