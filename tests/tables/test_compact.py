import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.records.codec import encode
from comind.store.inbox import Inbox
from comind.store.layout import PROBE_KEY
from comind.store.location import StoreLocation, StoreUnreadableError
from comind.tables.compact import FoldReport, fast_fold, ledger_now, reconcile, unfolded
from comind.tables.fold_rows import Refusal, refusal_rows
from comind.tables.lake import Lake
from tests.builders.records import gotcha, harvested, v7
from tests.tables.blind import NOW, Blind
from tests.tables.inboxes import (
    damaged_objects,
    erase,
    key_of,
    mixed_objects,
    put,
    reasons,
    remove,
    tables_for,
    tables_of,
    write,
)

RECORDS, UNREADABLE = "ledger_records", "unreadable_objects"


def codes(lake):
    return dict(lake.read(UNREADABLE, columns=["object_key", "code"]).iter_rows())


def ids(lake):
    return sorted(lake.read(RECORDS)["id"])


def test_new_objects_are_folded(lake, inbox):
    keys = put(inbox, reasons(3))
    report = fast_fold(lake, inbox, now=NOW)
    assert report == FoldReport(listed=3, already=0, folded=3, unreadable=0, erased=0)
    assert sorted(lake.read(RECORDS)["object_key"]) == sorted(keys)


def test_an_empty_inbox_creates_nothing(lake, inbox, tmp_path):
    assert fast_fold(lake, inbox, now=NOW).listed == reconcile(lake, inbox).listed == 0
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("fold", [lambda lake, inbox: fast_fold(lake, inbox, now=NOW), reconcile])
def test_a_second_fold_of_the_same_inbox_writes_no_version(lake, location, inbox, fold):
    write(location, mixed_objects(20))
    fast_fold(lake, inbox, now=NOW)
    versions = lake.version(RECORDS), lake.version(UNREADABLE)
    report = fold(lake, inbox)
    assert (lake.version(RECORDS), lake.version(UNREADABLE)) == versions
    assert (report.folded, report.gone, report.erased) == (0, 0, 0)


def test_a_fold_says_what_a_fresh_look_at_everything_says(lake, location, inbox):
    write(location, mixed_objects(20))
    fast_fold(lake, inbox, now=NOW)
    assert tables_of(lake) == tables_for(mixed_objects(20))


def test_the_probe_and_half_written_files_are_no_objects(lake, location, inbox):
    put(inbox, reasons(1))
    key = key_of(encode(reasons(1)[0]), v7(0))
    Path(location.root, f"{key}#1").write_bytes(b"half")
    assert fast_fold(lake, inbox, now=NOW) == FoldReport(listed=1, already=0, folded=1, unreadable=0, erased=0)
    assert Path(location.root, PROBE_KEY).exists()


def test_objects_handed_over_need_no_listing(lake, location):
    inbox = Blind(location)
    keys = put(inbox, [harvested(), *reasons(1)])
    assert fast_fold(lake, inbox, now=NOW).folded == 0
    assert fast_fold(lake, inbox, now=NOW, hand_over=keys).folded == 2


def test_a_key_handed_over_that_is_gone_or_misnamed_is_no_failure(lake, location):
    gone = key_of(b"x", v7(5))
    report = fast_fold(lake, Blind(location), now=NOW, hand_over=[gone, "elsewhere/x.json"])
    assert (report.folded, report.unreadable, codes(lake)) == (0, 1, {"elsewhere/x.json": "bad_name"})


def test_known_records_are_not_read_again(lake, inbox, location):
    put(inbox, reasons(3))
    fast_fold(lake, inbox, now=NOW)
    shutil.rmtree(Path(location.root, "_ledger/inbox/018bc"))
    put(inbox, reasons(1, first=9))
    write(location, {key_of(encode(record), record.id): b"anything" for record in reasons(3)})
    report = fast_fold(lake, inbox, now=NOW)
    assert (report.listed, report.already, report.folded, codes(lake)) == (4, 3, 1, {})


def test_objects_known_to_be_no_records_are_not_read_again(lake, location, inbox):
    settled = {key: content for key, content in damaged_objects().items() if content[-1:] == b"}"}
    write(location, settled)
    fast_fold(lake, inbox, now=NOW)

    class Counting(Inbox):
        read = 0

        def get_many(self, keys):
            self.read += len(keys)
            return super().get_many(keys)

    counting = Counting(location)
    fast_fold(lake, counting, now=NOW)
    assert counting.read == 0
    reconcile(lake, counting)
    assert counting.read == sum(1 for code in codes(lake).values() if code != "bad_name")


def test_an_object_that_was_cut_off_is_folded_once_it_is_whole(lake, location):
    inbox = Blind(location)
    record = reasons(1)[0]
    content = encode(record)
    key = key_of(content, record.id)
    for part in (b"", content[:50]):
        write(location, {key: part})
        fast_fold(lake, inbox, now=NOW, hand_over=[key])
        assert codes(lake) == {key: "truncated"}
    write(location, {key: content})
    fast_fold(lake, inbox, now=NOW)  # neither listed nor handed over: the table remembers it
    assert (ids(lake), codes(lake)) == ([record.id], {})


def test_an_unreadable_object_that_is_gone_is_forgotten(lake, location, inbox):
    write(location, damaged_objects())
    fast_fold(lake, inbox, now=NOW)
    remove(location, damaged_objects())
    reconcile(lake, inbox)
    assert codes(lake) == {}


def test_an_unreadable_row_left_by_a_slower_fold_goes(lake, location, inbox):
    [key] = put(inbox, reasons(1))
    fast_fold(lake, inbox, now=NOW)
    lake.upsert(UNREADABLE, refusal_rows([Refusal(key, "hash_mismatch", "written late")]))
    assert codes(lake) == {key: "hash_mismatch"}
    fast_fold(lake, Blind(location), now=NOW)
    assert codes(lake) == {}


def two_of_one_id():
    """Two objects with one id, the smaller content hash first."""
    contents = [encode(gotcha(id=v7(1), title=title)) for title in ("one", "two")]
    return sorted((key_of(content, v7(1)), content) for content in contents)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_objects_with_one_id_the_smaller_stands_whichever_comes_first(lake, location, inbox, order):
    both = two_of_one_id()
    for position in order:
        write(location, dict([both[position]]))
        fast_fold(lake, inbox, now=NOW)
    assert lake.read(RECORDS)["object_key"].to_list() == [both[0][0]]
    assert codes(lake) == {both[1][0]: "id_taken"}


def test_the_larger_of_two_stands_again_when_the_smaller_is_gone(lake, location, inbox):
    both = two_of_one_id()
    write(location, dict(both))
    fast_fold(lake, inbox, now=NOW)
    remove(location, [both[0][0]])
    assert reconcile(lake, inbox).gone == 1
    assert (lake.read(RECORDS)["object_key"].to_list(), codes(lake)) == ([both[1][0]], {})


def test_only_reconcile_deletes_what_is_gone(lake, location, inbox):
    keys = put(inbox, reasons(3))
    fast_fold(lake, inbox, now=NOW)
    remove(location, keys[:2])
    assert fast_fold(lake, inbox, now=NOW).gone == 0
    assert len(ids(lake)) == 3
    assert reconcile(lake, inbox).gone == 2
    assert ids(lake) == [v7(2)]


def test_what_is_inserted_after_the_listing_is_not_taken_for_gone(lake, location, inbox):
    put(inbox, reasons(1))
    fast_fold(lake, inbox, now=NOW)

    class Slow(Inbox):
        def list_all(self):
            seen = super().list_all()
            put(inbox, reasons(1, first=1))
            fast_fold(lake, inbox, now=NOW)
            return seen

    assert reconcile(lake, Slow(location)).gone == 0
    assert ids(lake) == [v7(0), v7(1)]


def test_a_reconcile_of_some_shards_leaves_the_others(lake, location, inbox):
    late = gotcha(id=v7(7, ms=1_800_000_000_000))
    keys = put(inbox, [*reasons(2), late])
    write(location, damaged_objects())
    fast_fold(lake, inbox, now=NOW)
    before = {code for code in codes(lake).values() if code != "truncated"}  # those are looked at in every fold
    remove(location, [keys[0], keys[2], *damaged_objects()])
    reconcile(lake, inbox, shards=[late.id[:5]])
    assert ids(lake) == [v7(0), v7(1)]
    assert set(codes(lake).values()) == before
    reconcile(lake, inbox, shards=["018bc", "wrong"])
    assert (ids(lake), codes(lake)) == ([v7(1)], {})


def test_a_shard_that_is_gone_as_a_whole_is_noticed(lake, location, inbox):
    put(inbox, reasons(2))
    fast_fold(lake, inbox, now=NOW)
    shutil.rmtree(Path(location.root, "_ledger/inbox/018bc"))
    reconcile(lake, inbox, shards=["018bc"])
    assert ids(lake) == []


def test_an_inbox_that_cannot_be_listed_deletes_nothing(lake, location, inbox):
    put(inbox, reasons(2))
    fast_fold(lake, inbox, now=NOW)
    shutil.rmtree(Path(location.root, "_ledger/inbox"))
    Path(location.root, "_ledger/inbox").write_text("a file")
    with pytest.raises(StoreUnreadableError):
        reconcile(lake, inbox)
    assert len(ids(lake)) == 2


def test_an_erased_record_goes_and_never_comes_back(lake, location, inbox):
    write(location, mixed_objects(10))
    fast_fold(lake, inbox, now=NOW)
    erase(location, v7(0))
    assert fast_fold(lake, inbox, now=NOW).erased == 1
    for fold in (lambda: fast_fold(lake, inbox, now=NOW), lambda: reconcile(lake, inbox)):
        assert fold().folded == 0
        assert v7(0) not in ids(lake)
        assert not any(v7(0) in key for key in codes(lake))
    versions = lake.version(RECORDS), lake.version(UNREADABLE)
    fast_fold(lake, inbox, now=NOW)
    assert (lake.version(RECORDS), lake.version(UNREADABLE)) == versions


def test_a_dropped_table_is_filled_again(lake, location, inbox):
    put(inbox, reasons(3))
    fast_fold(lake, inbox, now=NOW + timedelta(days=1))
    inbox.remember(inbox.list_all(), basis=lake.table(RECORDS).open().schema.metadata[b"comind:table_id"].decode())
    shutil.rmtree(Path(location.root, "_ledger/tables"))
    assert fast_fold(lake, inbox, now=NOW).folded == 3


def test_readers_see_what_is_not_folded_yet(lake, location, inbox):
    put(inbox, reasons(2))
    fast_fold(lake, inbox, now=NOW)
    both = two_of_one_id()
    write(location, dict(both) | damaged_objects())
    put(inbox, reasons(1, first=5))
    erase(location, v7(0))
    versions = lake.version(RECORDS), lake.version(UNREADABLE)
    new = unfolded(lake, inbox, now=NOW)
    shown = ledger_now(lake, inbox, now=NOW)
    assert (lake.version(RECORDS), lake.version(UNREADABLE)) == versions
    assert (v7(5) in new.records["id"], new.erased, new.unreadable.height) == (True, {v7(0)}, len(damaged_objects()) + 1)
    fast_fold(lake, inbox, now=NOW)
    assert sorted(shown.iter_rows()) == sorted(lake.read(RECORDS).iter_rows())


def test_folding_joins_small_files_when_there_are_many(lake, inbox, monkeypatch):
    monkeypatch.setattr("comind.tables.upkeep._SMALL_FILES", 3)
    for number in range(6):
        put(inbox, reasons(1, first=number))
        fast_fold(lake, inbox, now=NOW)
    assert len(lake.table(RECORDS).open().get_fragments()) <= 4
    assert len(ids(lake)) == 6


# --- properties ---------------------------------------------------------------------------------------------------------

OBJECTS = mixed_objects(10)
PLANS = st.permutations(sorted(OBJECTS)).flatmap(
    lambda order: st.lists(st.integers(0, len(order)), max_size=4).map(lambda cuts: split(order, sorted(cuts)))
)


def split(order, cuts):
    return [order[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(order)], strict=True)]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A new empty store at every call."""
    count = iter(range(10**6))
    base = tmp_path_factory.mktemp("stores")
    return lambda: StoreLocation.parse(str(base / str(next(count))), {"XDG_CACHE_HOME": str(base / "cache")})


@settings(max_examples=25, deadline=None)
@given(plan=PLANS, repeated=st.booleans())
def test_objects_that_arrive_in_any_order_fold_to_the_same_tables(store, plan, repeated):
    location = store()
    lake, inbox = Lake(location), Inbox(location)
    for arriving in plan:
        write(location, {key: OBJECTS[key] for key in arriving})
        for _ in range(1 + repeated):
            fast_fold(lake, inbox, now=NOW)
    assert tables_of(lake) == tables_for(OBJECTS)


@settings(max_examples=25, deadline=None)
@given(plan=PLANS, again=st.lists(st.sampled_from(sorted(OBJECTS)), max_size=8))
def test_folds_that_know_only_a_part_each_end_in_the_same_tables(store, plan, again):
    location = store()
    write(location, OBJECTS)
    for keys in [*plan, again]:
        fast_fold(Lake(location), Blind(location), now=NOW, hand_over=keys)
    assert tables_of(Lake(location)) == tables_for(OBJECTS)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("arrive"), st.sets(st.sampled_from(sorted(OBJECTS)), min_size=1, max_size=8)),
        st.tuples(st.just("leave"), st.sets(st.sampled_from(sorted(OBJECTS)), min_size=1, max_size=8)),
        st.tuples(st.just("erase"), st.sampled_from([v7(number) for number in range(4)])),
        st.tuples(st.just("fold"), st.none()),
        st.tuples(st.just("reconcile"), st.none()),
    ),
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_whatever_happened_before_a_reconcile_says_what_lies_there(store, steps):
    location = store()
    lake, inbox = Lake(location), Inbox(location)
    there, erased = set(), set()
    for step, what in steps:
        if step == "arrive":
            write(location, {key: OBJECTS[key] for key in what - there})
            there |= what
        elif step == "leave":
            remove(location, what & there)
            there -= what
        elif step == "erase":
            erase(location, what)
            erased.add(what)
        elif step == "fold":
            fast_fold(lake, inbox, now=NOW)
        else:
            reconcile(lake, inbox)
    reconcile(lake, inbox)
    assert tables_of(lake) == tables_for({key: OBJECTS[key] for key in there if not any(one in key for one in erased)})
