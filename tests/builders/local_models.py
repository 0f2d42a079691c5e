"""A server of llama.cpp that is none: what `comind.distill.local_server` uses of xllamacpp, answering `none` to everything that has the key."""

from __future__ import annotations

FAKE = """
import json, os, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class CommonParams:
    class _Some:
        pass

    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch = self._Some(), self._Some(), self._Some()


class Server:
    def __init__(self, told):
        if open(told.model.path).read() != "weights":
            print("error loading model: invalid magic characters")
            raise RuntimeError("Failed to init server")
        print("listening loudly")
        server = ThreadingHTTPServer(("127.0.0.1", told.port), Handler)
        server.key, server.said = told.api_keys[0], {"pid": os.getpid(), "threads": told.cpuparams.n_threads, "names": sorted(told.model_alias)}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.listening_address = f"http://127.0.0.1:{server.server_port}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        taken = self.headers["Authorization"] == f"Bearer {self.server.key}"
        answer = {
            "id": "c", "object": "chat.completion", "created": 0, "model": json.dumps(self.server.said),
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": '{"verdict": "none", "ops": []}'}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        }
        body = json.dumps(answer).encode()
        self.send_response(200 if taken else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
"""


def install_server(folder):
    """Put it where it is found as xllamacpp."""
    (folder / "xllamacpp.py").write_text(FAKE)


def install_parts(folder, parts, *, package="fake_model_part"):
    """Put packages there that carry the parts of a model; return their names and paths as a model names them."""
    for number, content in enumerate(parts, start=1):
        inside = folder / f"{package}{number}" / "data"
        inside.mkdir(parents=True)
        (inside / f"part{number:02}.bin").write_bytes(content)
        (inside.parent / "__init__.py").write_text("raise SystemExit('a package that only carries weights is not imported')")
    return tuple((f"{package}{number}", f"data/part{number:02}.bin") for number in range(1, len(parts) + 1))
