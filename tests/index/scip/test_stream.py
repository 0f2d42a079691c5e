import gzip
import subprocess
import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.index.scip.stream import ScipIndexError, ScipSource
from tests.builders.scip import defined, document, field, index

WHOLE = index(document("a.py", "def run(): ...", defined("run", "p a/run().")), document("b.py", "x = 1", defined("x", "p b/x.")))


def paths(content):
    return [one.relative_path for one in ScipSource.of_bytes("index.scip", content).documents()]


def problem(content):
    with pytest.raises(ScipIndexError) as caught:
        paths(content)
    return caught.value.problem


def zstd(content):
    return pa.Codec("zstd").compress(content, asbytes=True)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd], ids=["plain", "gzip", "zstd"])
def test_documents_come_one_by_one_however_the_index_is_packed(pack):
    assert paths(pack(WHOLE)) == ["a.py", "b.py"]


def test_the_tool_is_known_and_an_index_can_be_read_again(tmp_path):
    (tmp_path / "index.scip").write_bytes(WHOLE)
    source = ScipSource.of_file(tmp_path / "index.scip")
    assert (source.metadata().tool_info.name, len(list(source.documents())), len(list(source.documents()))) == ("scip-test", 2, 2)


def test_fields_that_nobody_knows_yet_are_passed_over():
    unknown = b"\x98\x06\x07" + b"\xa2\x06\x03abc" + b"\xad\x06\0\0\0\0" + b"\xb1\x06" + 8 * b"\0"
    assert paths(unknown + WHOLE + unknown) == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b'{"lsif": 1}', "is not a SCIP index"),
        (b"\xff\xfe" + "text".encode("utf-16-le"), "is not a SCIP index"),
        (b"\x12" + 11 * b"\xff", "is not a SCIP index"),
        (index(), "holds no document"),
        (WHOLE[:-1], "is cut off"),
        (b"\x12\xff\xff\xff\xff\x0f", "too large"),
        (b"\x12\x03\x0a\xff\x01", "is damaged"),
        (gzip.compress(WHOLE)[:-9], "is cut off"),
        (gzip.compress(WHOLE)[:12] + b"\0\0\0\0" + gzip.compress(WHOLE)[16:], "cannot be decompressed"),
        (zstd(WHOLE)[:-4], "cut off|cannot be decompressed"),
        (zstd(WHOLE)[:8] + b"\xff\xff\xff\xff\xff\xff", "cannot be decompressed"),
    ],
)
def test_what_is_no_whole_index_is_refused_with_the_reason(content, words):
    assert any(word in problem(content) for word in words.split("|"))


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path):
    with pytest.raises(ScipIndexError, match="No such file") as caught:
        list(ScipSource.of_file(tmp_path / "index.scip").documents())
    assert "\n" not in str(caught.value)
    with pytest.raises(ScipIndexError, match="Is a directory"):
        list(ScipSource.of_file(tmp_path).documents())


def test_an_index_without_metadata_does_not_say_who_made_it():
    with pytest.raises(ScipIndexError, match="nothing about the tool"):
        ScipSource.of_bytes("index.scip", field(document("a.py", ""))).metadata()


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
def test_one_wrong_byte_gives_documents_or_a_reason(position, byte):
    damaged = WHOLE[:position] + bytes([byte]) + WHOLE[position + 1 :]
    try:
        found = paths(damaged)
    except ScipIndexError as error:
        found = [error.problem]
    assert found


_READ_ALL = """
import resource, sys
from pathlib import Path
from comind.index.scip.stream import ScipSource
source = ScipSource.of_file(Path(sys.argv[1]))
next(source.documents())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in source.documents())
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_an_index_of_100_megabytes_is_read_within_the_memory_of_its_largest_document(tmp_path):
    one = field(document("a.py", "x" * 60_000, *(defined("x", "p a/x.", nth=number) for number in range(2_000))))
    count = 100_000_000 // len(one) + 1
    with (tmp_path / "index.scip").open("wb") as file:
        file.write(index())
        for _ in range(count):
            file.write(one)
    done = subprocess.run([sys.executable, "-c", _READ_ALL, tmp_path / "index.scip"], capture_output=True, text=True, check=True)
    read, more_kilobytes = map(int, done.stdout.split())
    assert read == count
    assert more_kilobytes < 10_000
