import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.canonical import content_hash
from comind.records.codec import encode
from comind.schemas import TABLES
from comind.store.layout import INBOX, object_key
from comind.store.objects import Missing, ReadFailure
from comind.tables.fold_rows import record_rows
from tests.builders.records import gotcha, harvested, records, supersedes, v7
from tests.tables.inboxes import damaged_objects, key_of, mixed_objects


def folded(objects):
    rows = record_rows(objects)
    return rows.records.to_pylist(), {row["object_key"]: row["code"] for row in rows.unreadable.to_pylist()}


def test_a_reason_becomes_a_row_with_all_of_it():
    record = gotcha(id=v7(3), lamport=7, valid_from="3" * 40)
    content = encode(record)
    [row], refused = folded({key_of(content, record.id): content})
    assert refused == {}
    assert row["record"] == content.decode()
    assert row["content_hash"] == content_hash(content)
    assert row["object_key"] == object_key(record.id, content_hash(content))
    assert (row["id"], row["kind"], row["lamport"], row["title"]) == (record.id, "gotcha", 7, record.title)
    assert (row["subject_id"], row["successor_id"], row["valid_from"]) == (None, None, "3" * 40)
    assert row["recorded_at"].isoformat() == "2023-11-14T22:13:20+00:00"


def test_a_relation_names_what_it_is_about_and_has_no_title():
    record = supersedes(v7(0), v7(1))
    content = encode(record)
    [row], _ = folded({key_of(content, record.id): content})
    assert (row["kind"], row["subject_id"], row["successor_id"], row["title"]) == ("supersedes", v7(0), v7(1), None)


def test_a_derived_record_has_the_time_of_its_source():
    content = encode(harvested())
    [row], _ = folded({key_of(content, harvested().id): content})
    assert (row["recorded_at"].isoformat(), row["author_kind"]) == ("2023-11-14T22:13:20+00:00", "harvested")


@settings(max_examples=50, deadline=None)
@given(records())
def test_every_record_that_may_be_written_becomes_a_row(record):
    content = encode(record)
    [row], refused = folded({key_of(content, record.id): content})
    assert (row["id"], row["record"].encode(), refused) == (record.id, content, {})


def one():
    record = gotcha(id=v7(1))
    return encode(record), key_of(encode(record), record.id)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (one()[0][:-20], "truncated"),
        (b"", "truncated"),
        (one()[0].replace(b"title", b"tItle"), "hash_mismatch"),
        (encode(gotcha(id=v7(2))), "hash_mismatch"),
        (b"something else", "hash_mismatch"),
        (ReadFailure("k", "permission denied"), "unreadable"),
    ],
)
def test_bytes_that_do_not_match_their_name_are_refused(content, code):
    assert folded({one()[1]: content}) == ([], {one()[1]: code})


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"not json at all", "not_json"),
        (b'{"cut":"off', "not_json"),  # it was written so; nothing more will come
        (b"{}", "invalid_record"),
        (one()[0].replace(b'"schema":1', b'"schema":99'), "newer_version"),
        (one()[0] + b" ", "not_canonical"),
        (encode(gotcha(id=v7(2))), "id_mismatch"),
        (b"x" * 70_000, "too_large"),
    ],
)
def test_bytes_that_match_their_name_and_are_no_record_are_refused(content, code):
    key = key_of(content, v7(1))
    assert folded({key: content}) == ([], {key: code})


@pytest.mark.parametrize("key", [f"{INBOX}/018bc/notes.txt", one()[1].replace("/018bc/", "/018bd/"), "elsewhere/x.json"])
def test_a_name_that_proves_nothing_is_not_read(key):
    assert folded({key: one()[0]}) == ([], {key: "bad_name"})


def test_an_object_that_is_gone_leaves_no_row():
    assert folded({one()[1]: Missing(one()[1])}) == ([], {})


def test_of_two_objects_with_one_id_the_smaller_hash_stands():
    contents = [encode(gotcha(id=v7(1), title=title)) for title in ("one", "two", "three")]
    objects = {key_of(content, v7(1)): content for content in contents}
    [row], refused = folded(objects)
    assert row["content_hash"] == min(map(content_hash, contents))
    assert refused == dict.fromkeys(sorted(objects)[1:], "id_taken")


def test_a_damaged_namesake_does_not_take_the_id():
    good = encode(gotcha(id=v7(1)))
    forged = object_key(v7(1), "0" * 64)
    [row], refused = folded({forged: b"{}", key_of(good, v7(1)): good})
    assert (row["content_hash"], refused) == (content_hash(good), {forged: "hash_mismatch"})


def test_no_message_repeats_what_an_object_says():
    secret = "hunter2-hunter2"
    content = encode(gotcha(id=v7(1))).replace(b'"lamport":0', f'"lamport":"{secret}"'.encode())
    [row] = record_rows({key_of(content, v7(1)): content}).unreadable.to_pylist()
    assert row["code"] == "invalid_record"
    assert secret not in row["detail"]


@given(st.permutations(sorted(mixed_objects(20))))
@settings(max_examples=20, deadline=None)
def test_the_order_of_objects_changes_nothing(order):
    objects = mixed_objects(20)
    assert folded({key: objects[key] for key in order}) == folded(objects)


def test_every_object_is_a_record_or_refused():
    objects = mixed_objects(20)
    rows, refused = folded(objects)
    assert len(rows) == 20
    assert {row["object_key"] for row in rows} | refused.keys() == objects.keys()
    assert refused.keys() >= damaged_objects(first=20).keys()


def test_no_objects_are_no_rows():
    rows = record_rows({})
    assert (rows.records.num_rows, rows.unreadable.num_rows) == (0, 0)
    assert rows.unreadable.schema.equals(TABLES["unreadable_objects"].schema)
