"""Ask a scripted endpoint that takes 200 ms about 1,000 commits: how long it takes, and what a commit costs beside the endpoint.

In: nothing, or a clone. Out: seconds against the calls' own time, CPU time per commit, calls of a second run; as text or JSON. Without a
clone the commits are invented, every one is asked about, and asking alone is measured; with one its newest commits go through the gate.
The endpoint is another process, so that its time is not counted as ours; it answers half of the questions with a record.

    python benchmarks/distill.py [--repo PATH] [--commits 1000] [--latency 0.2] [--concurrency 8] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING

from comind.distill.answers import AnswerCode
from comind.distill.asking import ask_all
from comind.distill.brief import Brief, Span, SpanRole
from comind.distill.budget import Budget, Limits
from comind.distill.client import Endpoint
from comind.distill.gate import brief_commits
from comind.distill.recorded import RecordedAnswers
from comind.harvest.sources import Reading
from comind.harvest.touched import Place
from comind.index.past import SymbolsAt
from comind.records.vocabulary import Scope, Source
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TARGET_RATIO, TARGET_CPU_MS = 1.3, 10.0
REASON = "the worker that sets prices and the one that shows them run apart, so baskets were sold at an old price"
RECORD = {
    "verdict": "record",
    "ops": [
        {
            "op": "new", "known": None, "kind": "attempt", "title": "A price cache sold baskets at an old price", "body": "",
            "trigger": "Before caching prices", "outcome": "reverted", "alternatives": [], "anchors": ["S1"],
            "evidence": [{"span": "E2", "quote": REASON}], "reason": None,
        }
    ],
}  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """What was measured."""

    commits: int
    calls: int
    wall: float  # seconds
    ideal: float  # seconds: calls x latency / concurrency
    ratio: float
    cpu_ms: float  # of one commit, in this process
    second_calls: int
    second_cpu_ms: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, help="a clone whose newest commits are distilled")
    parser.add_argument("--commits", type=int, default=1_000)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.serve is not None:
        asyncio.run(serve(told.serve))
        return
    figures = measure(told.repo, told.commits, told.latency, told.concurrency)
    print(json.dumps(asdict(figures)) if told.json else as_text(figures))


def measure(repo: Path | None, number: int, latency: float, concurrency: int) -> Figures:
    """Distil that many commits twice, the second time from the cache."""
    with tempfile.TemporaryDirectory() as folder, scripted(latency) as url:
        endpoint = Endpoint(url=url, model="scripted", concurrency=concurrency)
        answers = RecordedAnswers(Path(folder) / "answers.ndjson")
        ask(invented(1), endpoint, RecordedAnswers(Path(folder) / "warm.ndjson"))  # imports are paid once a run
        calls, wall, cpu = ask(briefs_of(repo, number), endpoint, answers)
        again, _, second_cpu = ask(briefs_of(repo, number), endpoint, answers)
    ideal = calls * latency / concurrency
    return Figures(number, calls, wall, ideal, wall / ideal, 1000 * cpu / number, again, 1000 * second_cpu / number)


def ask(briefs: Iterable[Brief], endpoint: Endpoint, answers: RecordedAnswers) -> tuple[int, float, float]:
    """Return calls, wall and CPU seconds."""
    budget, wall, cpu = Budget(Limits()), time.perf_counter(), time.process_time()
    codes = {answer.code for answer in ask_all(briefs, endpoint, answers, budget)}
    if codes != {AnswerCode.ANSWERED}:
        sys.exit(f"not everything was answered: {sorted(codes)}")
    return budget.spent.calls, time.perf_counter() - wall, time.process_time() - cpu


def briefs_of(repo: Path | None, number: int) -> Iterator[Brief]:
    """Yield what may be asked: invented, or of a clone's newest commits, with the gate's work as they are read."""
    if repo is None:
        yield from invented(number)
        return
    repository = GitRepository.open(repo, name="measured")
    with SymbolsAt(repository) as symbols_at:
        reading = Reading(repository=repository, since=None, branches=(), symbols_at=symbols_at, progress=lambda _done, _all: None)
        commits = History(repository).walk(repository.head)[:number]
        yield from (found for found in brief_commits(reading, commits, lambda _places, **_: ()) if isinstance(found, Brief))


def invented(number: int) -> Iterator[Brief]:
    """Yield briefs of invented commits."""
    return (brief(n) for n in range(number))


def brief(number: int) -> Brief:
    """Return a brief of an invented commit, as long as a usual one."""
    commit = f"{number:040x}"
    place = Place(
        scope=Scope.SYMBOL, commit=commit, path="shop/prices.py", name="price_of", symbol="comind pypi shop . `shop.prices`/price_of()."
    )
    paragraphs = (Span(SpanRole.PARAGRAPH, f"During sale {number}.{n} {REASON}.") for n in range(4))
    return Brief(
        source=Source.GIT, source_id=commit, repo_id="example.com/shop", commit=commit, time=0,
        spans=(Span(SpanRole.SUBJECT, f"Revert the price cache {number}"), *paragraphs), places=(place,) * 4,
    )  # fmt: skip


@contextmanager
def scripted(latency: float) -> Iterator[str]:
    """Serve the endpoint in another process; yields its base URL."""
    with Popen([sys.executable, __file__, "--serve", str(latency)], stdout=PIPE, text=True) as server:
        try:
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1" if server.stdout else ""
        finally:
            server.kill()


async def serve(latency: float) -> None:
    """Answer every question after so many seconds."""
    bodies = [completion(text).encode() for text in ('{"verdict": "none", "ops": []}', json.dumps(RECORD))]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        count = 0
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).lower():
                await reader.readexactly(int(head.split(b"content-length:")[1].split()[0]))
                await asyncio.sleep(latency)
                body = bodies[(count := count + 1) % 2]
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def completion(text: str) -> str:
    """Return the body of an answer."""
    return json.dumps(
        {
            "id": "c", "object": "chat.completion", "created": 0, "model": "scripted",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, "refusal": None}}],
            "usage": {"prompt_tokens": 1_200, "completion_tokens": 60, "total_tokens": 1_260},
        }
    )  # fmt: skip


def as_text(figures: Figures) -> str:
    """Return the figures as lines, with their targets."""
    return (
        f"{figures.commits} commits, {figures.calls} calls: {figures.wall:.1f} s, {figures.ratio:.2f} x the endpoint's own"
        f" {figures.ideal:.1f} s (target {TARGET_RATIO})\n"
        f"{figures.cpu_ms:.1f} ms of CPU per commit beside the endpoint (target {TARGET_CPU_MS:.0f})\n"
        f"a second run: {figures.second_calls} calls, {figures.second_cpu_ms:.1f} ms of CPU per commit"
    )


if __name__ == "__main__":
    main()
