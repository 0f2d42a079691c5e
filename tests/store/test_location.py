import pickle
from pathlib import Path

import lance
import pyarrow as pa
import pytest

from comind.store.location import InvalidStoreError, StoreLocation
from tests.builders.s3 import Identity, shared_s3_server


def test_a_path_may_be_absolute_relative_to_here_or_to_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    assert StoreLocation.parse("/srv/ledger", {}).uri == "/srv/ledger"
    assert StoreLocation.parse("file:///srv/ledger", {}).uri == "/srv/ledger"
    assert StoreLocation.parse("here", {}).uri == str(tmp_path / "here")
    assert StoreLocation.parse("~/ledger", {}).uri == str(tmp_path / "home" / "ledger")


def test_a_local_store_needs_no_options_and_names_its_tables_by_path():
    location = StoreLocation.parse("/srv/ledger", {"AWS_ACCESS_KEY_ID": "unused"})

    assert location.is_local
    assert location.lance_options() is None
    assert location.table_uri("symbols") == "/srv/ledger/_ledger/tables/symbols.lance"


@pytest.mark.parametrize(
    ("uri", "root"),
    [("s3://ledger", "ledger"), ("S3://ledger/", "ledger"), ("gs://ledger/a/b/", "ledger/a/b"), ("az://box/a b", "box/a b")],
)
def test_a_bucket_keeps_its_prefix_without_a_trailing_slash(uri, root):
    location = StoreLocation.parse(uri, {})

    assert location.root == root
    assert location.uri == f"{uri[:2].lower()}://{root}"
    assert not location.is_local


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "file://",
        "http://ledger/x",
        "ftp://x",
        "s3://",
        "s3:///x",
        "s3://a",
        "s3://ledger//x",
        "s3://ledger/../x",
        "s3://led ger",
        "a\0b",
    ],
)
def test_what_cannot_be_a_store_is_a_question_that_cannot_be_asked(uri):
    with pytest.raises(InvalidStoreError, match="a store is a directory, s3://BUCKET/PREFIX") as caught:
        StoreLocation.parse(uri, {})

    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "endpoint", ["127.0.0.1:9000", "::::", "http://", "http://host:port", "ftp://host", "http://a b", "http://key:secret@host"]
)
def test_an_endpoint_that_is_no_url_is_refused_by_its_variable_and_not_shown(endpoint):
    with pytest.raises(InvalidStoreError, match=r"^AWS_ENDPOINT_URL is not a URL") as caught:
        StoreLocation.parse("s3://ledger", {"AWS_ENDPOINT_URL": endpoint})

    assert "secret" not in str(caught.value)


def test_credentials_are_never_shown():
    location = StoreLocation.parse("s3://ledger", {"AWS_ACCESS_KEY_ID": "an-id", "AWS_SECRET_ACCESS_KEY": "hush"})

    assert "hush" not in f"{location!r} {location} {location.where}"
    with pytest.raises(InvalidStoreError) as caught:
        StoreLocation.parse("s3://an-id:hush@ledger", {})
    assert "hush" not in str(caught.value)


def test_an_own_server_is_spoken_to_by_path_and_over_http_where_it_says_so():
    env = {"AWS_ENDPOINT_URL": "http://127.0.0.1:8333", "AWS_DEFAULT_REGION": "eu-north-1"}
    options = StoreLocation.parse("s3://ledger", env).lance_options()

    assert options["aws_endpoint"] == "http://127.0.0.1:8333"
    assert (options["allow_http"], options["aws_virtual_hosted_style_request"], options["aws_region"]) == ("true", "false", "eu-north-1")
    assert StoreLocation.parse("s3://ledger", {"AWS_ENDPOINT_URL": "https://s3.example"}).lance_options()["allow_http"] == "false"
    assert "allow_http" not in StoreLocation.parse("s3://ledger", {}).lance_options()


def test_the_special_endpoint_of_s3_wins_over_the_general_one():
    env = {"AWS_ENDPOINT_URL": "https://all.example", "AWS_ENDPOINT_URL_S3": "https://s3.example"}

    assert StoreLocation.parse("s3://ledger/x", env).where == "s3://ledger/x at https://s3.example"


def test_a_location_survives_the_way_to_a_worker_process():
    location = StoreLocation.parse(
        "s3://ledger/x", {"AWS_ENDPOINT_URL": "http://127.0.0.1:8333", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}
    )
    location.objects()

    assert pickle.loads(pickle.dumps(location)) == location


def test_hints_lie_in_the_cache_directory_or_nowhere():
    assert StoreLocation.parse("/x", {"XDG_CACHE_HOME": "/c", "HOME": "/h"}).cache == Path("/c/comind")
    assert StoreLocation.parse("/x", {"HOME": "/h"}).cache == Path("/h/.cache/comind")
    assert StoreLocation.parse("/x", {}).cache is None


@pytest.mark.s3
def test_lance_reads_and_writes_with_the_options_and_rights_of_the_location(s3_store):
    admin, reader = s3_store(), s3_store(Identity.READER)
    rows = pa.table({"key": ["a", "b"]})
    lance.write_dataset(rows, admin.table_uri("t"), storage_options=admin.lance_options())

    assert lance.dataset(reader.table_uri("t"), storage_options=reader.lance_options()).to_table() == rows
    with pytest.raises(OSError, match=r"[Aa]ccess"):
        lance.write_dataset(rows, reader.table_uri("t"), storage_options=reader.lance_options(), mode="append")


@pytest.mark.s3
def test_a_store_may_be_the_whole_bucket_or_have_a_prefix_with_spaces(s3_store):
    env = shared_s3_server().env()
    for uri in ("s3://ledger", f"{s3_store().uri}/a b/é"):
        objects = StoreLocation.parse(uri, env).objects()
        objects.create("_ledger/x/y", b"1")
        assert objects.read("_ledger/x/y") == b"1"
        assert objects.names("_ledger/x").names == ["y"]
        assert "x" in objects.level("_ledger").folders
