"""Each blob parsed once, and one bad blob costs one row."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from comind.fingerprints import FINGERPRINT_VERSION, REFERENCES_VERSION, parse_source
from comind.index import parsing, workers
from comind.index.blobs import BufferedParseCache, MemoryParseCache, cache_key, parse_blobs, parse_missing
from comind.index.parsing import BINARY_CONTENT, DEFINITION_FIELDS, BlobRequest
from comind.index.worker import ParserTask
from comind.schemas import TABLES
from comind.sources.git import GitRepository
from tests.builders.git import make_repository
from tests.index.hostile_parsers import obey

GOOD = "def good_{0}(a, b):\n    return a + {0}\n"


@pytest.fixture(autouse=True)
def _tests_are_importable_in_worker_processes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))


@pytest.fixture
def builder(tmp_path):
    return make_repository(tmp_path)


def requests_of(builder, language="python"):
    """One request per file of the head, by path, and the task to parse them."""
    repository = GitRepository.open(builder.path)
    files = {file.path: BlobRequest(file.blob, language, file.size) for file in repository.files(repository.head)}
    return files, ParserTask(repository.git_dir, obey, 1.0)


def by_path(files, parsed):
    rows = {row["blob"]: row for row in parsed.rows.to_pylist()}
    return {path: rows[request.blob] for path, request in files.items()}


@pytest.fixture
def started(monkeypatch):
    """Count the processes that are started."""
    count = []
    real = subprocess.Popen

    def start(command, **options):
        count.extend([1] * ("comind.index.worker" in command))
        return real(command, **options)

    monkeypatch.setattr(workers.subprocess, "Popen", start)
    return count


def many(builder, count=70):
    """More files than are parsed in this process."""
    for number in range(count):
        builder.write(f"good/{number}.py", GOOD.format(number))
    return builder


def test_a_row_has_the_schema_of_the_table_and_mirrors_the_definitions(builder):
    builder.write("a.py", GOOD.format(1)).commit()
    files, task = requests_of(builder)
    parsed = parse_blobs(task, files.values(), workers=0)
    assert parsed.rows.schema.equals(TABLES["parse_cache"].schema)
    (row,) = parsed.rows.to_pylist()
    assert row["key"] == f"{files['a.py'].blob}:python:{FINGERPRINT_VERSION}.{REFERENCES_VERSION}"
    assert (row["problem"], row["error_nodes"]) == (None, 0)
    expected = parse_source(GOOD.format(1).encode(), "python").definitions
    assert row["definitions"] == [{name: getattr(definition, name) for name in DEFINITION_FIELDS} for definition in expected]
    assert [definition["name"] for definition in row["definitions"]] == ["good_1"]


def test_the_fields_of_a_definition_are_the_columns_of_the_table():
    struct = TABLES["parse_cache"].schema.field("definitions").type.value_type
    assert tuple(field.name for field in struct) == DEFINITION_FIELDS


def test_no_requests_give_no_rows(builder):
    builder.commit()
    _, task = requests_of(builder)
    assert parse_blobs(task, [], workers=2).rows.num_rows == 0


def test_a_few_small_blobs_start_no_process(builder, started):
    builder.write("a.py", GOOD.format(1)).commit()
    files, task = requests_of(builder)
    parse_blobs(task, files.values(), workers=2)
    assert started == []


def test_processes_give_the_rows_that_one_process_gives(builder, started):
    many(builder).commit()
    files, task = requests_of(builder)
    alone = parse_blobs(task, files.values(), workers=0)
    assert started == []
    assert parse_blobs(task, files.values(), workers=2).rows.equals(alone.rows)
    assert len(started) == 2
    assert parse_blobs(task, files.values(), workers=1).rows.equals(alone.rows)


def test_progress_counts_to_the_number_of_blobs(builder):
    many(builder).commit()
    files, task = requests_of(builder)
    calls = []
    parse_blobs(task, [*files.values(), *files.values()], workers=2, progress=lambda *counts: calls.append(counts))
    assert calls == [(done, len(files)) for done in range(1, len(files) + 1)]


def test_files_that_hang_or_kill_cost_one_row_each_and_all_others_are_parsed(builder, tmp_path):
    many(builder).write("hang.py", "HANG").write("kill.py", "KILL").write("exit.py", "EXIT").write("raise.py", "RAISE")
    builder.write("once.py", f"# KILL ONCE {tmp_path}/marker\n{GOOD.format('once')}").commit()
    files, task = requests_of(builder)
    rows = by_path(files, parse_blobs(task, files.values(), workers=2))
    problems = {path: row["problem"] for path, row in rows.items() if row["problem"]}
    assert problems == {
        "hang.py": "parsing took longer than 1 s",
        "kill.py": "parsing ended its process with SIGKILL",
        "exit.py": "parsing ended its process with exit code 7",
        "raise.py": "parsing failed: RecursionError: too deep really",
    }
    assert all(rows[path]["error_nodes"] is None for path in problems)
    assert all(len(row["definitions"]) == 1 for path, row in rows.items() if path not in problems)
    assert (tmp_path / "marker").exists()


def test_a_parse_that_waits_for_ever_is_ended_too(builder):
    many(builder).write("sleep.py", "SLEEP").commit()
    files, task = requests_of(builder)
    started_at = time.monotonic()
    rows = by_path(files, parse_blobs(task._replace(seconds=0.5), files.values(), workers=1))
    assert rows["sleep.py"]["problem"] == "parsing took longer than 0.5 s"
    assert time.monotonic() - started_at < 60


def test_a_file_that_raises_in_this_process_costs_one_row(builder):
    builder.write("raise.py", "RAISE").write("good.py", GOOD.format(1)).commit()
    files, task = requests_of(builder)
    rows = by_path(files, parse_blobs(task, files.values(), workers=0))
    assert rows["raise.py"]["problem"].startswith("parsing failed: RecursionError")
    assert rows["good.py"]["problem"] is None


def test_no_process_is_left_when_the_caller_gives_up(builder):
    many(builder).commit()
    files, task = requests_of(builder)

    def give_up(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parse_blobs(task, files.values(), workers=2, progress=give_up)
    listed = subprocess.run(["ps", "-A", "-o", "ppid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
    ours = [line for line in listed if line.split()[0] == str(os.getpid())]
    assert not [line for line in ours if "comind.index.worker" in line]


def test_a_process_that_does_not_start_is_an_error_with_its_words(builder):
    many(builder).commit()
    files, task = requests_of(builder)
    with pytest.raises(workers.ParserProcessError, match="did not start"):
        parse_blobs(task._replace(git_dir=builder.path / "nowhere"), files.values(), workers=2)


def test_a_module_in_the_working_directory_does_not_stand_in_for_ours(builder, tmp_path, monkeypatch):
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / "pygit2.py").write_text("raise SystemExit('trapped')")
    many(builder).commit()
    files, task = requests_of(builder)
    monkeypatch.chdir(trap)
    assert not any(row["problem"] for row in parse_blobs(task, files.values(), workers=1).rows.to_pylist())


def test_binary_content_is_not_parsed(builder):
    builder.write("a.py", b"\0\1\2\xff" * 100).commit()
    files, task = requests_of(builder)
    (row,) = parse_blobs(task, files.values(), workers=0).rows.to_pylist()
    assert (row["problem"], row["error_nodes"], row["definitions"]) == (BINARY_CONTENT, None, [])


def test_a_blob_beyond_the_hard_limit_is_not_read(builder, monkeypatch):
    builder.write("a.py", "x = 1\n" * 10).commit()
    files, task = requests_of(builder)
    monkeypatch.setattr(parsing, "MAX_READ_BYTES", 50)
    monkeypatch.setattr(parsing.ObjectReader, "read", lambda *_: pytest.fail("it was read"))
    (row,) = parse_blobs(task, files.values(), workers=0).rows.to_pylist()
    assert row["problem"] == "60 bytes are too many to read"


def test_a_blob_that_cannot_be_read_is_a_row_of_this_run_only(builder):
    builder.write("a.py", GOOD.format(1)).commit()
    files, task = requests_of(builder)
    gone = BlobRequest("1" * 40, "python", None)
    cache = MemoryParseCache()
    rows, parsed = parse_missing(task, [*files.values(), gone], cache, workers=0)
    assert (rows.num_rows, parsed) == (2, 2)
    problems = {row["blob"]: row["problem"] for row in rows.to_pylist()}
    assert "missing" in problems[gone.blob]
    assert cache.rows()["blob"].to_pylist() == [files["a.py"].blob]


def test_what_the_cache_has_is_not_parsed_again(builder):
    many(builder).commit()
    files, task = requests_of(builder)
    cache = MemoryParseCache()
    _first, parsed = parse_missing(task, files.values(), cache, workers=0)
    assert parsed == 70
    builder.write("new.py", GOOD.format("new")).commit()
    files, task = requests_of(builder)
    second, parsed = parse_missing(task, files.values(), cache, workers=0)
    assert (second.num_rows, parsed) == (71, 1)
    again, parsed = parse_missing(task, files.values(), cache, workers=0)
    assert parsed == 0
    assert again.equals(second)


def test_one_content_in_two_languages_is_two_parses(builder):
    builder.write("a.py", GOOD.format(1)).commit()
    files, task = requests_of(builder)
    request = files["a.py"]
    rows, parsed = parse_missing(task, [request, request._replace(language="go")], MemoryParseCache(), workers=0)
    assert parsed == 2
    assert rows["key"].to_pylist() == sorted(cache_key(request.blob, language) for language in ("go", "python"))


class Recorder(MemoryParseCache):
    """A cache that remembers how it was added to."""

    def __init__(self):
        super().__init__()
        self.batches = []

    def add(self, rows):
        self.batches.append(rows.num_rows)
        super().add(rows)


def test_a_buffered_cache_adds_in_batches_and_answers_at_once(builder):
    many(builder, 5).commit()
    files, task = requests_of(builder)
    store = Recorder()
    cache = BufferedParseCache(store, batch=2)
    for request in files.values():
        assert parse_missing(task, [request], cache, workers=0)[1] == 1
        assert parse_missing(task, [request], cache, workers=0)[1] == 0
    assert store.batches == [2, 2]
    cache.flush()
    cache.flush()
    assert store.batches == [2, 2, 1]


def test_the_worker_module_says_that_it_is_whole():
    done = subprocess.run([sys.executable, "-m", "comind.index.worker"], capture_output=True, text=True, check=False)
    assert "the installation is whole" in done.stderr


def test_references_are_kept_with_the_parse(builder):
    builder.write("a.py", "from m import f\n\n\ndef g():\n    return f()\n").write("b.py", "x = 1\n").commit()
    files, task = requests_of(builder)
    rows = by_path(files, parse_blobs(task._replace(parser=parse_source), files.values(), workers=0))
    assert [tuple(one.values()) for one in rows["a.py"]["references"]] == [
        (-1, 1, "import", "m", "f", "f"),
        (0, 5, "call", "f", None, None),
    ]
    assert rows["b.py"]["references"] == []


def test_a_parse_from_before_there_were_references_is_not_taken_for_whole(builder):
    builder.write("a.py", "f()\n").commit()
    files, task = requests_of(builder)
    task = task._replace(parser=parse_source)
    (row,) = parse_blobs(task, files.values(), workers=0).rows.to_pylist()
    old = row | {"key": row["key"].removesuffix(f".{REFERENCES_VERSION}"), "references": None}
    cache = MemoryParseCache()
    cache.add(pa.Table.from_pylist([old], schema=TABLES["parse_cache"].schema))
    found, parsed = parse_missing(task, files.values(), cache, workers=0)
    assert (parsed, len(found.to_pylist()[0]["references"])) == (1, 1)
    assert parse_missing(task, files.values(), cache, workers=0)[1] == 0
