import pytest

from comind.store.format import check_format, ensure_format
from comind.store.layout import FORMAT_KEY
from comind.store.location import StoreUnreadableError, StoreUnwritableError
from comind.store.objects import Missing
from tests.builders.s3 import Identity


def test_the_marker_is_written_once(local_location, tmp_path):
    assert not check_format(local_location)
    ensure_format(local_location)
    written = (tmp_path / "store" / FORMAT_KEY).stat()

    ensure_format(local_location)

    assert check_format(local_location)
    assert (tmp_path / "store" / FORMAT_KEY).stat() == written


def test_checking_writes_nothing(local_location, tmp_path):
    check_format(local_location)

    assert list(tmp_path.iterdir()) == []


def test_a_marker_with_more_to_say_is_still_understood(local_location):
    local_location.objects().create(FORMAT_KEY, b'{ "format": 1, "created_by": "another", "since": [1] }')

    assert check_format(local_location)


@pytest.mark.s3
def test_who_may_not_write_the_marker_goes_on_without_a_word(s3_store):
    for identity in (Identity.READER, Identity.INBOX_WRITER, Identity.STRANGER):
        ensure_format(s3_store(identity))

    assert isinstance(s3_store().objects().read(FORMAT_KEY), Missing)


@pytest.mark.s3
def test_who_may_write_but_not_read_writes_the_marker(s3_store):
    ensure_format(s3_store(Identity.WRITER))
    ensure_format(s3_store(Identity.WRITER))

    assert check_format(s3_store(Identity.READER))
    with pytest.raises(StoreUnreadableError, match="permission denied"):
        check_format(s3_store(Identity.WRITER))


def test_a_store_that_is_a_file_is_no_store(tmp_path, local_location):
    (tmp_path / "store").write_bytes(b"")

    with pytest.raises((StoreUnreadableError, StoreUnwritableError), match="there is a file where a directory should be"):
        ensure_format(local_location)
