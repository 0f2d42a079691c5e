import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from comind.canonical import content_hash
from comind.ids import InvalidIdError, derived_id, new_id, shard_of
from comind.store.layout import BadName, InboxObject, object_key, parse_erased, parse_key, parse_names

ids = st.one_of(st.builds(new_id), st.builds(derived_id, st.text()))


@settings(deadline=None)  # how long a key takes is no property of keys
@given(ids, st.binary())
def test_a_key_says_what_it_was_made_of(record_id, content):
    found = parse_key(object_key(record_id, content_hash(content)))

    assert isinstance(found, InboxObject)
    assert (found.record_id, found.content_hash) == (record_id, content_hash(content))


@settings(deadline=None)  # how long a key takes is no property of keys
@given(ids)
def test_a_name_in_any_shard_but_its_own_is_bad(record_id):
    name = object_key(record_id, "0" * 64).rpartition("/")[2]

    for shard in ("0" + shard_of(record_id), "h" + shard_of(record_id), shard_of(record_id)[:-1], record_id[:2], f"h{record_id[:5]}"):
        objects, bad = parse_names(shard, [name])
        assert objects == []
        assert shard_of(record_id) in bad[0].reason


@settings(deadline=None)  # how long a key takes is no property of keys
@given(ids, st.integers(0, 105), st.characters())
@example("01938f3e-7c00-7000-8000-000000000000", 0, "\udd00")
@example("01938f3e-7c00-7000-8000-000000000000", 0, "\udcff")
def test_one_changed_character_never_makes_another_good_key_of_the_same_record(record_id, position, character):
    key = object_key(record_id, "0" * 64)
    changed = key[:-106] + key[-106:][:position] + character + key[-106:][position + 1 :]
    found = parse_key(changed)

    assert isinstance(found, BadName) or found.record_id != record_id or found.content_hash != "0" * 64 or changed == key


@pytest.mark.parametrize(
    "key",
    [
        "",
        "_ledger/inbox",
        "_ledger/inbox/",
        "_ledger/inbox/_probe",
        "_ledger/inbox/01938/",
        "x_ledger/inbox/01938/" + "0" * 106,
        "/_ledger/inbox/01938/a.json",
        "_ledger/inbox/01938/deep/01938f3e-7c00-7000-8000-000000000000-" + "ab" * 32 + ".json",
        "_ledger/inbox/01938/01938f3e-7c00-7000-8000-000000000000-" + "ab" * 32 + ".json\n",
        "_ledger/inbox/01938/01938f3e-7c00-7000-8000-000000000000-" + "AB" * 32 + ".json",
        "_ledger/inbox/01938/01938f3e-7c00-4000-8000-000000000000-" + "ab" * 32 + ".json",
        "_ledger/inbox/01938/01938f3e-7c00-7000-c000-000000000000-" + "ab" * 32 + ".json",
    ],
)
def test_what_does_not_follow_the_grammar_is_a_bad_name_with_a_reason(key):
    found = parse_key(key)

    assert isinstance(found, BadName)
    assert found.reason


def test_no_key_is_made_of_an_id_that_is_none():
    with pytest.raises(InvalidIdError):
        object_key("../../escape", "0" * 64)


def test_a_tombstone_is_named_by_an_id_alone():
    record_id = new_id()

    assert parse_erased(record_id) == record_id
    assert isinstance(parse_erased(record_id + ".json"), BadName)
