"""The sensors by themselves: what they ask for, and when they hold back."""

import dagster as dg
import pytest

from comind.records.codec import encode
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind_assets.definitions import defs
from comind_resources.ledger import LedgerResource
from comind_sensors.heads import heads_sensor
from comind_sensors.inbox import inbox_sensor
from comind_sensors.jobs import FOLD_JOB, RUN_JOB
from tests.builders.records import gotcha


@pytest.fixture
def tick(pipeline):
    def ask(sensor):
        ledger = LedgerResource(store=str(pipeline.store), repositories=[str(path) for path in pipeline.repositories])
        context = dg.build_sensor_context(instance=pipeline.instance, definitions=defs, resources={"ledger": ledger})
        return sensor(context)

    return ask


def asked(result):
    return [request.job_name for request in result.run_requests]


def drop(pipeline):
    record = gotcha()
    Inbox(StoreLocation.parse(str(pipeline.store), {})).put(record.id, encode(record))


def test_a_repository_that_no_table_describes_asks_for_a_run(pipeline, shop, tick):
    assert asked(tick(heads_sensor)) == [RUN_JOB]


def test_a_head_that_is_indexed_asks_for_nothing_until_it_moves(pipeline, shop, tick):
    pipeline.run()
    assert isinstance(tick(heads_sensor), dg.SkipReason)
    shop.write("shop.py", "def price(item): ...\n").commit("Stop")
    assert asked(tick(heads_sensor)) == [RUN_JOB]


def test_an_object_that_is_not_folded_asks_for_a_fold_and_a_folded_one_does_not(pipeline, shop, tick):
    pipeline.run()
    assert isinstance(tick(inbox_sensor), dg.SkipReason)
    drop(pipeline)
    assert asked(tick(inbox_sensor)) == [FOLD_JOB]
    pipeline.run(FOLD_JOB)
    assert isinstance(tick(inbox_sensor), dg.SkipReason)


def test_an_object_that_cannot_be_read_does_not_ask_again_and_again(pipeline, shop, tick):
    pipeline.run()
    shard = pipeline.store / "_ledger" / "inbox" / "00000"
    shard.mkdir()
    (shard / "nonsense.json").write_text("{}")
    pipeline.run(FOLD_JOB)
    assert isinstance(tick(inbox_sensor), dg.SkipReason)


def test_a_run_under_way_makes_both_sensors_wait(pipeline, shop, tick):
    job = defs.resolve_job_def(RUN_JOB)
    pipeline.instance.create_run_for_job(job_def=job, status=dg.DagsterRunStatus.STARTED, run_config={"resources": pipeline.resource})
    drop(pipeline)
    for sensor in (heads_sensor, inbox_sensor):
        assert "is under way" in tick(sensor).skip_message


def test_a_run_that_has_just_failed_is_not_asked_for_again_at_once(pipeline, shop, tick):
    job = defs.resolve_job_def(RUN_JOB)
    pipeline.instance.create_run_for_job(job_def=job, status=dg.DagsterRunStatus.FAILURE, run_config={"resources": pipeline.resource})
    assert "failed in the last" in tick(heads_sensor).skip_message


def test_a_store_that_does_not_exist_yet_has_nothing_to_fold_and_stays_away(pipeline, tick):
    assert isinstance(tick(inbox_sensor), dg.SkipReason)
    assert not pipeline.store.exists()
