import pytest

from comind.harvest.interop.code import Code
from comind.harvest.interop.entire import import_entire, is_entire
from comind.sources.git.objects import ObjectReader
from tests.builders.ledger import PATH
from tests.builders.notes import write_checkpoint

ULID = "01JABCDEFGHJKMNPQRSTVWXYZ0"


@pytest.fixture
def take(shop):
    return lambda: import_entire(shop.repository.path, Code(shop.git(), lambda _commit, _path: []))


def commit_with(shop, *checkpoints):
    lines = "".join(f"Entire-Checkpoint: {one}\n" for one in checkpoints)
    return shop.repository.write(PATH, f"x = {len(shop.repository.commits)}\n").commit(f"Change\n\n{lines}")


def losses(found):
    return [(loss.where.partition(" ")[2], loss.code, loss.refused) for loss in found.losses]


@pytest.mark.parametrize(("checkpoint", "ref"), [("0123456789ab", False), ("0123456789ab", True), (ULID, True)])
def test_the_files_of_a_commit_have_the_agent_of_its_checkpoint_in_both_layouts(take, shop, checkpoint, ref):
    write_checkpoint(shop.repository, checkpoint, {"files_touched": [PATH, "gone.py"]}, ref=ref)
    commit = commit_with(shop, checkpoint)
    (origin,) = take().origins
    assert (origin.commit, origin.path, origin.lines, origin.tool, origin.model) == (commit, PATH, None, "Claude Code", None)
    assert "5e55" not in origin.session_hash


def test_nothing_but_metadata_is_ever_opened(take, shop, monkeypatch):
    opened, read = [], ObjectReader.read
    monkeypatch.setattr(ObjectReader, "read", lambda self, blob: opened.append(read(self, blob)) or opened[-1])
    write_checkpoint(shop.repository, "0123456789ab", {"files_touched": [PATH]}, {"files_touched": [PATH], "session_id": "other"})
    commit_with(shop, "0123456789ab")
    assert len(take().origins) == 2
    assert [b"session_id" in content for content in opened] == [True, True]
    assert not [content for content in opened if b"words of Grace" in content]


def test_what_says_nothing_or_is_broken_is_named_and_the_rest_is_taken(take, shop):
    touched = {"files_touched": [PATH]}
    write_checkpoint(
        shop.repository, "aaaaaaaaaaaa", touched, "not json", "[]", touched | {"agent": "Agent"}, {"files_touched": "x"}, ref=True
    )
    write_checkpoint(shop.repository, "bbbbbbbbbbbb", ref=True)
    commit_with(shop, "aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc", "not an id")
    found = take()
    assert len(found.origins) == 1
    assert found.read == 3
    assert losses(found) == [
        ("aaaaaaaaaaaa/1/metadata.json", "not_json", True), ("aaaaaaaaaaaa/2/metadata.json", "not_json", True),
        ("aaaaaaaaaaaa/3/metadata.json", "no_tool", False), ("aaaaaaaaaaaa/4/metadata.json", "place_not_found", False),
        ("bbbbbbbbbbbb", "no_session", False), ("cccccccccccc", "dangling_checkpoint", False),
    ]  # fmt: skip


def test_a_repository_has_checkpoints_only_when_one_of_their_refs_is_there(shop, tmp_path):
    assert not is_entire(shop.repository.path)
    write_checkpoint(shop.repository, ULID, {}, ref=True)
    assert is_entire(shop.repository.path)
    assert not is_entire(tmp_path / "notes")
