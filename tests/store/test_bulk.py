import gzip

import pytest

from comind.store import bulk
from comind.store.bulk import BulkFileError, read_lines, write_lines
from tests.builders.s3 import Identity, shared_s3_server

LINES = [b"one", "zwei ü".encode(), b"three"]


def _write(url, lines=LINES):
    with write_lines(url) as file:
        for line in lines:
            file.write(line + b"\n")


@pytest.fixture
def bucket(monkeypatch):
    for name, value in shared_s3_server().env(Identity.ADMIN).items():
        monkeypatch.setenv(name, value)
    return "s3://ledger/bulk"


@pytest.mark.parametrize("name", ["plain.ndjson", "packed.ndjson.gz", "packed.ndjson.xz", "with blank ü.ndjson"])
def test_lines_come_back_as_they_were_written(tmp_path, name):
    _write(str(tmp_path / name))
    assert list(read_lines(str(tmp_path / name))) == LINES
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_name_that_ends_in_gz_is_what_gzip_reads(tmp_path):
    _write(str(tmp_path / "a.gz"))
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"\n".join(LINES) + b"\n"


@pytest.mark.parametrize("name", ["a.ndjson", "a.ndjson.gz"])
def test_lines_go_to_s3_and_back(bucket, name):
    _write(f"{bucket}/{name}")
    assert list(read_lines(f"{bucket}/{name}")) == LINES


def _interrupted(first=b"one"):
    yield first
    raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["a.ndjson", "a.ndjson.gz"])
def test_a_file_that_could_not_be_finished_does_not_appear(tmp_path, name):
    with pytest.raises(KeyboardInterrupt):
        _write(str(tmp_path / name), _interrupted())
    assert list(tmp_path.iterdir()) == []


def test_an_older_export_stands_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "a.ndjson"
    _write(str(path))
    with pytest.raises(KeyboardInterrupt):
        _write(str(path), _interrupted())
    assert list(read_lines(str(path))) == LINES


def test_an_unfinished_file_does_not_appear_in_s3(bucket):
    parts = b"half" * 20_000_000  # more than one part of an upload
    with pytest.raises(KeyboardInterrupt):
        _write(f"{bucket}/unfinished.ndjson", _interrupted(parts))
    with pytest.raises(BulkFileError, match="no such file"):
        list(read_lines(f"{bucket}/unfinished.ndjson"))


def test_an_endless_line_comes_cut_off_and_the_next_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(bulk, "MAX_LINE_BYTES", 10)
    (tmp_path / "a").write_bytes(b"x" * 25 + b"\nnext\r\n" + b"y" * 10 + b"\nlast")
    assert list(read_lines(str(tmp_path / "a"))) == [b"x" * 10, b"next", b"y" * 10, b"last"]


@pytest.mark.parametrize(
    ("url", "why"),
    [("missing/a.ndjson", "no such file or directory"), ("nothing://a/b", "nothing"), ("folder", "folder")],
)
def test_what_cannot_be_read_is_one_line_that_names_it(tmp_path, monkeypatch, url, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(BulkFileError) as caught:
        list(read_lines(url))
    assert str(caught.value).startswith(f"{url} cannot be read: ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written_is_one_line_that_names_it(tmp_path):
    with pytest.raises(BulkFileError, match="cannot be written: there is no such file or directory"):
        _write(str(tmp_path / "missing" / "a.ndjson"))


@pytest.mark.parametrize("url", ["{folder}", "{folder}/", "{folder}/missing/", "s3://ledger/"])
def test_a_directory_is_not_written_into_under_a_name_that_nobody_gave(tmp_path, url):
    with pytest.raises(BulkFileError, match="cannot be written: it is a directory; name a file in it"):
        _write(url.format(folder=tmp_path))
    assert list(tmp_path.iterdir()) == []
