import orjson
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from comind.records.codec import RecordUnreadableError, as_json, cited_ids, decode, encode, next_lamport, recorded_at, subject_and_successor
from tests.builders import records as build


def _code(content):
    with pytest.raises(RecordUnreadableError) as refused:
        decode(content)
    return refused.value.code


@given(build.records())
def test_a_record_comes_back_from_its_bytes_as_it_was(record):
    assert decode(encode(record)) == record


@given(build.records())
def test_the_bytes_are_those_of_rfc_8785(record):
    assert encode(record) == rfc8785.dumps(as_json(record))


@given(build.records())
def test_writing_defaults_out_gives_the_same_bytes(record):
    spelled_out = record.model_dump(mode="json", by_alias=True)
    assert encode(build.record_of(spelled_out)) == encode(record)


@given(build.records(), st.data())
def test_any_proper_prefix_of_a_record_is_truncated(record, data):
    content = encode(record)
    assert _code(content[: data.draw(st.integers(0, len(content) - 1))]) == "truncated"


@given(build.records(), st.data())
def test_a_changed_byte_gives_no_record_or_another_one(record, data):
    content = bytearray(encode(record))
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        assert decode(bytes(content)) != record
    except RecordUnreadableError:
        return


@given(build.records())
def test_a_record_in_another_form_is_unreadable(record):
    plain = as_json(record)
    assert _code(orjson.dumps(plain, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)) == "not_canonical"
    assert _code(encode(record)[:-1] + b',"zzz":1}') == "invalid_record"
    assert _code(b'{"id":"",' + encode(record)[1:]) == "not_canonical"  # the second of two equal keys wins in every reader
    assert _code(encode(record) + b"\n") == "not_canonical"


def test_a_default_that_is_written_out_is_not_canonical():
    raw = as_json(build.attempt()) | {"body": ""}
    assert _code(orjson.dumps(raw, option=orjson.OPT_SORT_KEYS)) == "not_canonical"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "truncated"),
        (b"not json", "not_json"),
        (b"\xff\xfe{}", "not_json"),
        (b"[" * 5000 + b"]" * 5000, "not_json"),
        (b"[]", "invalid_record"),
        (b"{}", "invalid_record"),
        (b'{"schema":2}', "newer_version"),
        (b'{"schema":1e999}', "not_json"),
        (b'{"schema":true}', "invalid_record"),
        (b'{"a":"' + b"x" * 70_000 + b'"}', "too_large"),
    ],
)
def test_what_is_no_record_says_why(content, code):
    assert _code(content) == code


def test_a_record_that_breaks_a_rule_is_unreadable_and_says_which():
    with pytest.raises(RecordUnreadableError, match="end_line: comes before start_line"):
        decode(encode(build.attempt(anchors=[build.raw_anchor(start_line=9, end_line=3)])))


def test_the_time_of_a_writer_is_in_the_id_and_of_a_harvest_in_its_source():
    assert recorded_at(build.attempt()).isoformat() == "2023-11-14T22:13:20+00:00"
    assert (
        recorded_at(build.harvested(provenance={"source_time": "2010-04-01T00:00:00.25Z"})).isoformat()
        == "2010-04-01T00:00:00.250000+00:00"
    )


def test_an_id_beyond_the_calendar_is_no_id():
    late = "ffffffff-ffff-7000-8000-000000000000"
    assert _code(encode(build.attempt(id=late))) == "invalid_record"


def test_a_relation_is_about_a_record_and_a_reason_about_none():
    old, new = build.v7(7), build.v7(8)
    assert subject_and_successor(build.supersedes(old, new)) == (old, new)
    assert subject_and_successor(build.relates(old, new)) == (old, new)
    assert subject_and_successor(build.retracts(old)) == subject_and_successor(build.confirms(old)) == (old, None)
    assert cited_ids(build.disputes(old)) == (old,)
    assert subject_and_successor(build.attempt()) == (None, None)
    assert cited_ids(build.attempt()) == ()


def test_lamport_time_stands_still_at_its_cap():
    assert next_lamport([2**53 - 1, 3]) == 2**53 - 1
