import pytest

from comind.tables import publish as publishing
from comind.tables.errors import PublishConflictError, SchemaMismatchError
from tests.tables.builders import drifts

TABLE = "anchor_drift"


def test_rows_stand_with_the_digest_of_their_inputs(lake):
    published = lake.publish(TABLE, drifts("b", "a"), inputs="one")
    assert lake.read(TABLE)["anchor_id"].to_list() == ["a", "b"]
    assert lake.inputs_of(TABLE) == "one"
    assert (published.changed, published.rows, published.version) == (True, 2, lake.version(TABLE))


def test_publishing_the_same_again_writes_nothing(lake, tmp_path):
    lake.publish(TABLE, drifts("a", "b"), inputs="one")
    before = files_of(tmp_path)
    published = lake.publish(TABLE, drifts("b", "a"), inputs="one")
    assert not published.changed
    assert files_of(tmp_path) == before


def test_same_rows_of_new_inputs_change_the_digest_and_no_data(lake, tmp_path):
    lake.publish(TABLE, drifts("a", "b"), inputs="one")
    data = {path for path in files_of(tmp_path) if "/data/" in path}
    published = lake.publish(TABLE, drifts("a", "b"), inputs="two")
    assert (published.changed, lake.inputs_of(TABLE), lake.count(TABLE)) == (False, "two", 2)
    assert {path for path in files_of(tmp_path) if "/data/" in path} == data


def test_other_rows_replace_all_that_stood(lake):
    lake.publish(TABLE, drifts("a", "b"), inputs="one")
    assert lake.publish(TABLE, drifts("c"), inputs="one").changed
    assert lake.read(TABLE)["anchor_id"].to_list() == ["c"]


@pytest.mark.parametrize("first", [(), ("a",)])
def test_no_rows_can_be_published(lake, first):
    lake.publish(TABLE, drifts(*first), inputs="one")
    lake.publish(TABLE, drifts(), inputs="two")
    assert (lake.count(TABLE), lake.inputs_of(TABLE)) == (0, "two")
    lake.publish(TABLE, drifts("b"), inputs="three")
    assert lake.read(TABLE)["anchor_id"].to_list() == ["b"]


def test_a_publisher_that_read_an_older_version_is_refused(lake):
    read = lake.version(TABLE)
    lake.publish(TABLE, drifts("new"), inputs="newer")
    with pytest.raises(PublishConflictError, match="compute it again"):
        lake.publish(TABLE, drifts("old"), inputs="older", expected_version=read)
    assert lake.inputs_of(TABLE) == "newer"


def test_a_publisher_overtaken_while_it_writes_is_refused(lake, monkeypatch):
    lake.publish(TABLE, drifts("a"), inputs="one")
    read = lake.version(TABLE)
    compare = publishing._holds

    def overtaken(*arguments):
        monkeypatch.undo()
        lake.publish(TABLE, drifts("new"), inputs="newer")
        return compare(*arguments)

    monkeypatch.setattr(publishing, "_holds", overtaken)
    with pytest.raises(PublishConflictError):
        lake.publish(TABLE, drifts("old"), inputs="older", expected_version=read)
    assert (lake.read(TABLE)["anchor_id"].to_list(), lake.inputs_of(TABLE)) == (["new"], "newer")


def test_a_change_of_the_digest_alone_overtakes_too(lake, monkeypatch):
    lake.publish(TABLE, drifts("a"), inputs="one")
    compare = publishing._holds

    def overtaken(*arguments):
        monkeypatch.undo()
        lake.publish(TABLE, drifts("a"), inputs="two")
        return compare(*arguments)

    monkeypatch.setattr(publishing, "_holds", overtaken)
    with pytest.raises(PublishConflictError):
        lake.publish(TABLE, drifts("b"), inputs="older")
    assert lake.inputs_of(TABLE) == "two"


def test_two_rows_with_one_key_are_not_published(lake):
    with pytest.raises(SchemaMismatchError):
        lake.publish(TABLE, drifts("a", "a"), inputs="one")
    assert not lake.exists(TABLE)


def files_of(directory):
    return {str(path) for path in directory.rglob("*") if path.is_file()}
