import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comind.harvest.ledger_lines import read_line
from comind.harvest.transfer import ExportReport, export_lines, import_lines
from comind.records.codec import encode
from comind.store.inbox import Inbox
from comind.store.layout import ERASED, object_key
from comind.store.location import StoreLocation
from tests.builders import records as build
from tests.builders.records import v7

RECORDS = [
    build.constraint(id=v7(1)),
    build.attempt(id=v7(2), title='Zeichen: ü, 漢, \\ and "'),
    build.harvested(),
    build.retracts(v7(1), id=v7(3)),
]


def _inbox(tmp_path, name="store"):
    return Inbox(StoreLocation.parse(str(tmp_path / name), {"XDG_CACHE_HOME": str(tmp_path / "cache")}))


@pytest.fixture
def inbox(tmp_path):
    made = _inbox(tmp_path)
    made.put_many((record.id, encode(record)) for record in RECORDS)
    return made


def _exported(inbox):
    report = ExportReport()
    return list(export_lines(inbox, report)), report


def _objects(inbox):
    return inbox.get_many([one.key for one in inbox.list_all().objects])


def _codes(report):
    return [(left.number, left.code) for left in report.left]


def test_what_is_exported_and_imported_is_byte_for_byte_the_same(inbox, tmp_path):
    lines, told = _exported(inbox)
    other = _inbox(tmp_path, "other")
    report = import_lines(lines, other)
    assert (told.records, told.unreadable) == (len(RECORDS), [])
    assert (report.written, report.left, report.whole) == (len(RECORDS), [], True)
    assert sorted(report.keys) == sorted(_objects(inbox))
    assert _objects(other) == _objects(inbox)
    assert _exported(other)[0] == lines


def test_every_line_is_one_json_object_that_holds_the_record(inbox):
    lines, _ = _exported(inbox)
    plain = [json.loads(line) for line in lines]
    assert plain[0] == {"comind_export": 1}
    assert [one["record"]["id"] for one in plain[1:-1]] == sorted(record.id for record in RECORDS)
    assert plain[-1]["end"]["records"] == len(RECORDS)


def test_a_second_import_writes_nothing(inbox):
    report = import_lines(_exported(inbox)[0], inbox)
    assert (report.written, report.already_there, report.keys, report.whole) == (0, len(RECORDS), [], True)


def test_a_dry_run_writes_nothing(inbox, tmp_path):
    other = _inbox(tmp_path, "other")
    report = import_lines(_exported(inbox)[0], other, write=False)
    assert (report.written, report.whole) == (len(RECORDS), True)
    assert not _objects(other)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.integers(min_value=0), to=st.integers(min_value=0, max_value=255))
def test_no_changed_byte_is_taken_for_what_was_exported(inbox, tmp_path_factory, where, to):
    whole = b"\n".join(_exported(inbox)[0])
    at = where % len(whole)
    damaged = whole[:at] + bytes([to]) + whole[at + 1 :]
    other = _inbox(tmp_path_factory.mktemp("other"))
    report = import_lines(damaged.split(b"\n"), other)
    assert set(_objects(other).values()) <= set(_objects(inbox).values())
    assert report.whole <= (len(_objects(other)) == len(RECORDS))


@pytest.mark.parametrize("kept", range(len(RECORDS) + 2))
def test_a_file_that_ends_early_is_not_whole_and_gives_what_it_has(inbox, tmp_path, kept):
    report = import_lines(_exported(inbox)[0][:kept], _inbox(tmp_path, "other"))
    assert not report.whole
    assert report.written == max(0, kept - 1)


def test_a_line_that_is_missing_or_comes_twice_is_noticed(inbox, tmp_path):
    first, *records, end = _exported(inbox)[0]
    assert not import_lines([first, *records[1:], end], _inbox(tmp_path, "missing")).whole
    assert not import_lines([first, records[0], *records, end], _inbox(tmp_path, "twice")).whole
    assert not import_lines([first, *records, end, records[0]], _inbox(tmp_path, "after")).whole


def _with(line, **changes):
    return json.dumps(json.loads(line) | changes).encode()


def test_each_bad_line_says_why_and_the_rest_is_taken(inbox, tmp_path):
    first, one, two, *_ = _exported(inbox)[0]
    other = _inbox(tmp_path, "other")
    bad = [b"{", b"[]", b'{"a":1}', _with(one, blake3="0" * 64), _with(one, id=v7(9)), _with(one, record={"a": 1.5, "b": None})]
    report = import_lines([first, *bad, two], other)
    assert _codes(report) == [
        (2, "not_json"), (3, "not_json"), (4, "unknown_line"), (5, "hash_mismatch"), (6, "wrong_id"), (7, "not_canonical"),
    ]  # fmt: skip
    assert report.written == 1


def test_what_must_not_be_written_is_not_let_in(tmp_path):
    crafted = build.constraint(body="Ask Ada Lovelace <ada@lovelace.uk> before changing it.")
    source = _inbox(tmp_path)
    source.put(crafted.id, encode(crafted))
    target = _inbox(tmp_path, "target")
    report = import_lines(_exported(source)[0], target)
    assert _codes(report) == [(2, "not_allowed")]
    assert "lovelace" not in report.left[0].why.lower()
    assert not _objects(target)


def test_another_record_under_the_same_id_is_not_overwritten(inbox, tmp_path):
    other = _inbox(tmp_path, "other")
    standing = build.constraint(id=v7(1), title="Something else")
    other.put(standing.id, encode(standing))
    report = import_lines(_exported(inbox)[0], other)
    assert [left.code for left in report.left] == ["id_taken"]
    assert report.written == len(RECORDS) - 1
    assert encode(standing) in _objects(other).values()


def test_a_record_that_was_erased_here_does_not_come_back(inbox, tmp_path):
    other = _inbox(tmp_path, "other")
    other.put(RECORDS[3].id, encode(RECORDS[3]))
    erased = tmp_path / "other" / ERASED
    erased.mkdir(parents=True)
    (erased / v7(1)).touch()
    report = import_lines(_exported(inbox)[0], other)
    assert (report.erased_here, report.written, report.already_there) == (1, len(RECORDS) - 2, 1)


def test_erased_and_damaged_objects_are_told_and_not_carried(inbox, tmp_path):
    erased = tmp_path / "store" / ERASED
    erased.mkdir(parents=True)
    (erased / v7(1)).touch()
    key = next(key for key in _objects(inbox) if v7(2) in key)
    (tmp_path / "store" / key).write_bytes(b"{")
    lines, report = _exported(inbox)
    assert (report.records, report.erased) == (len(RECORDS) - 2, 1)
    assert report.unreadable == [(key, "its bytes are not those that were written")]
    told = import_lines(lines, _inbox(tmp_path, "other"))
    assert (told.written, told.erased_there, told.unreadable_there, told.whole) == (len(RECORDS) - 2, 1, 1, True)


def test_a_file_that_is_no_export_or_of_a_newer_version_is_left_alone(inbox, tmp_path):
    lines = _exported(inbox)[0]
    for first, code in ((b"", "no_export"), (b'{"id":1}', "no_export"), (b'{"comind_export":2}', "newer_version")):
        report = import_lines([first, *lines[1:]], _inbox(tmp_path, "other"))
        assert (_codes(report), report.written, report.whole) == ([(1, code)], 0, False)


@given(line=st.binary(max_size=60))
def test_any_bytes_are_a_line_or_say_why_not(line):
    assert read_line(line) is not None


def test_the_key_that_is_handed_over_is_the_key_of_the_object(inbox):
    line = _exported(inbox)[0][1]
    plain = json.loads(line)
    assert object_key(plain["id"], plain["blake3"]) in _objects(inbox)
