"""Merge requests and documents reach a model as commits do: once, from where they were left."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from comind.harvest.request_rows import FROM_FILE, request_rows
from comind.records.codec import decode
from comind.sources.forges.model import MergeRequest, Note, State, Text, Thread, Writer
from comind.tables.merge_requests import keep_requests
from tests.builders.git import make_repository
from tests.builders.models import Reply, proposing, scripted_model
from tests.pipeline.test_distilling import metadata

WHEN = datetime(2024, 3, 1, 12, tzinfo=UTC)
WHY = "The total must not be cached, because the tax of a country changes at midnight and baskets were then sold at the wrong price."
STOCK = "The lock around the stock cannot be dropped: without it two workers sell the last item twice, which happened on Friday."
CODE = "def total(basket):\n    return sum(item.price for item in basket)\n\n\ndef stock(item):\n    return item.stock\n"


@pytest.fixture
def shop(pipeline, tmp_path):
    repository = make_repository(tmp_path / "shop")
    repository.write("shop.py", CODE).commit("Sell things")
    repository.write("shop.py", CODE.replace("item.price", "2 * item.price")).commit("Double prices")
    pipeline.repositories.append(repository.path)
    return repository


def request(shop, number, why, *, when=WHEN):
    said = Note(id=f"n{number}", writer=Writer.REVIEWER, text=Text(why), written=when, url=f"https://git.example.com/n{number}")
    return MergeRequest(
        host="git.example.com", project="group/shop", iid=number, url=f"https://git.example.com/group/shop/-/merge_requests/{number}",
        title=Text("Double prices"), description=Text(""), writer=Writer.AUTHOR, state=State.MERGED, created=when,
        updated=when, merged=when, merge_commit=shop.head, head_commit=shop.head,
        threads=(Thread(id="t", notes=(said,), resolvable=True, resolved=True),),
    )  # fmt: skip


def keep(pipeline, *requests):
    repo_id = pipeline.lake.read("repositories")["repo_id"].item()
    keep_requests(pipeline.lake, request_rows(requests, repo_id=repo_id, read_from=FROM_FILE))


def configure(tmp_path, url, source):
    (tmp_path / "comind.toml").write_text(f'[distill]\nendpoint = "{url}"\nmodel = "scripted"\nsources = ["{source}"]\nconcurrency = 1\n')


def drafts(pipeline):
    return [decode(text.encode()) for text in pipeline.lake.read("ledger_records").filter(author_kind="distilled")["record"]]


def test_what_a_review_says_becomes_a_draft_once_and_only_requests_that_are_new_are_asked_about(pipeline, shop, tmp_path):
    pipeline.run()
    keep(pipeline, request(shop, 7, WHY))
    with scripted_model(proposing()) as (model, url):
        configure(tmp_path, url, "mr")
        assert metadata(pipeline.run(), "distilled_proposals")["records_written_count"] == 1
        pipeline.run()
        assert model.calls == 1
        shop.write("shop.py", CODE.replace("item.price", "3 * item.price")).commit("Treble prices")
        keep(pipeline, request(shop, 8, STOCK, when=WHEN + timedelta(days=1)))
        told = metadata(pipeline.run(), "distilled_proposals")
        assert (model.calls, told["records_written_count"]) == (2, 1)
        assert " mr: 1 read, 1 asked" in told["sources"]
        pipeline.run()
    assert {record.evidence[-1].url for record in drafts(pipeline)} == {"https://git.example.com/n7", "https://git.example.com/n8"}
    assert {(str(record.provenance.source), record.anchors[0].path) for record in drafts(pipeline)} == {("mr", "shop.py")}


def test_a_request_without_an_answer_is_asked_about_again(pipeline, shop, tmp_path):
    pipeline.run()
    keep(pipeline, request(shop, 7, WHY))
    failing = [True]
    with scripted_model(lambda *asked: Reply("{}", status=500) if failing[0] else proposing()(*asked)) as (_, url):
        configure(tmp_path, url, "mr")
        assert metadata(pipeline.run(), "distilled_proposals")["unanswered_count"] == 1
        failing[0] = False
        assert metadata(pipeline.run(), "distilled_proposals")["kept_count"] == 1
    assert pipeline.lake.read("distilled_proposals")["verdict"].to_list() == ["kept"]


def test_a_request_that_says_something_else_is_asked_about_again(pipeline, shop, tmp_path):
    pipeline.run()
    keep(pipeline, request(shop, 7, WHY))
    with scripted_model(proposing()) as (model, url):
        configure(tmp_path, url, "mr")
        pipeline.run()
        keep(pipeline, replace(request(shop, 7, STOCK), updated=WHEN + timedelta(days=2)))
        pipeline.run()
        assert model.calls == 2


def test_a_document_that_gives_a_reason_becomes_a_draft_and_is_asked_about_once(pipeline, shop, tmp_path):
    cause = "`total()` in `shop.py` is computed each time, because a cache kept stale prices after a sale and nobody invalidates it."
    shop.write("docs/prices.md", f"# Prices\n\n{cause}\n").commit("Write it down")
    with scripted_model(proposing()) as (model, url):
        configure(tmp_path, url, "document")
        told = metadata(pipeline.run(), "distilled_proposals")
        assert told["records_written_count"] == 1, told
        shop.write("other.py", "x = 1\n").commit("Another thing")
        pipeline.run()
        assert model.calls == 1
        pipeline.run()
    (record,) = drafts(pipeline)
    assert (str(record.provenance.source), record.evidence[0].path) == ("document", "docs/prices.md")
    assert record.evidence[0].quote in cause
