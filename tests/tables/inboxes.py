"""Objects in an inbox for tests: good ones, damaged ones, and the plain writes that make them."""

from pathlib import Path

import obstore
from obstore.store import LocalStore

from comind.canonical import content_hash
from comind.records.codec import encode
from comind.store.layout import ERASED, INBOX, object_key
from comind.tables.fold_rows import record_rows
from tests.builders.records import gotcha, v7


def reasons(count, *, first=0, title="Grants outlive roles"):
    """Records with ids of the same hour, numbered from `first`."""
    return [gotcha(id=v7(number), title=f"{title} {number}") for number in range(first, first + count)]


def put(inbox, records):
    """Write records as a writer does; return their keys."""
    inbox.put_many((record.id, encode(record)) for record in records)
    return [key_of(encode(record), record.id) for record in records]


def key_of(content, record_id):
    return object_key(record_id, content_hash(content))


def write(location, objects):
    """Put bytes under keys whatever they are, over what is there."""
    store = LocalStore(Path(location.root), mkdir=True)
    for key, content in objects.items():
        obstore.put(store, key, content)


def remove(location, keys):
    for key in keys:
        Path(location.root, key).unlink()


def erase(location, record_id):
    write(location, {f"{ERASED}/{record_id}": b""})


def tables_of(lake):
    """Everything that the fold says, as comparable rows."""
    return {
        name: sorted(lake.read(name).iter_rows(named=True), key=lambda row: row[key])
        for name, key in (("ledger_records", "id"), ("unreadable_objects", "object_key"))
    }


def tables_for(objects):
    """What tables must say when these are all objects of an inbox: each is judged alone, and nothing was ever folded before."""
    folded = record_rows(objects)
    return {"ledger_records": folded.records.to_pylist(), "unreadable_objects": folded.unreadable.to_pylist()}


def mixed_objects(count):
    """Good objects, of which every fifth has a namesake and every tenth two, and one of each sort of damage."""
    records = reasons(count) + reasons(count // 5, title="Other words") + reasons(count // 10, title="Third words")
    good = {key_of(encode(record), record.id): encode(record) for record in records}
    return good | damaged_objects(first=count)


def damaged_objects(*, first=1000):
    """One object per sort of damage, each under a key of its own."""
    one, two, three, four, five, six = (encode(record) for record in reasons(6, first=first))
    ids = [v7(number) for number in range(first, first + 6)]
    newer = one.replace(b'"schema":1', b'"schema":99')
    return {
        key_of(one, ids[0]): one[:-20],  # cut off
        key_of(two, ids[1]): b"",
        key_of(three, ids[2]): three.replace(b"Grants", b"Grunts"),  # changed after it was written
        key_of(four, ids[0]): four,  # another record's id
        key_of(newer, ids[4]): newer,
        key_of(five + b"\n", ids[4]): five + b"\n",  # not the one form of these words
        key_of(b"{}", ids[5]): b"{}",
        key_of(b"cut off for ev", ids[5]): b"cut off for ev",
        object_key(ids[5], content_hash(six)).replace("/018bc/", "/wrong/"): six,
        f"{INBOX}/018bc/notes.txt": b"hello",
    }
