"""From a changed function to the records of its callers, in another repository."""

from datetime import UTC, datetime

import pytest

from comind.query.facts import records_shown
from comind.query.pending import open_view
from comind.records.codec import encode
from comind.sources.git import GitRepository
from comind.status.policy import Policy
from comind.store.inbox import Inbox
from tests.builders import records as build
from tests.builders.git import make_repository

NOW_MS = int(datetime.now(UTC).timestamp() * 1000)
PROJECT = '[project]\nname = "{}"\ndependencies = ["lib"]\n'
CHARGE = "def charge(card):\n    return card.pay({})\n"
SELL = "from lib import charge\n\ndef sell(card):\n    return charge(card)\n"


def record(builder, make, number, symbol):
    """Return a record about one symbol at the head of a repository: `lib/charge().` of the package `lib` in `lib.py`."""
    package = symbol.partition("/")[0]
    found = GitRepository.open(builder.path)
    anchor = build.raw_anchor(
        repo=found.repo_id, path=f"{package}.py", symbol=f"comind pypi {package} . {symbol}", start_line=1, end_line=2, commit=found.head
    )
    return make(id=build.v7(number, ms=NOW_MS), anchors=[anchor | {"role": "subject"}], provenance={"repo": found.repo_id})


@pytest.fixture
def shops(pipeline, tmp_path):
    library = make_repository(tmp_path, "library").write("pyproject.toml", PROJECT.format("lib")).write("lib.py", CHARGE.format(1))
    library.commit()
    user = make_repository(tmp_path, "user").write("pyproject.toml", PROJECT.format("user")).write("user.py", SELL)
    user.commit()
    pipeline.repositories = [library.path, user.path]
    pipeline.run()
    rule = record(library, build.constraint, 1, "lib/charge().")
    trap = record(user, build.gotcha, 2, "user/sell().")
    Inbox(pipeline.lake.location).put_many([(one.id, encode(one)) for one in (rule, trap)])
    pipeline.run()
    return library


def flags(pipeline):
    return {kind: list(found) for kind, found in pipeline.lake.read("ledger_current").select("kind", "flags").iter_rows()}


def test_what_a_caller_relies_on_changed_in_another_repository(pipeline, shops):
    assert flags(pipeline) == {"constraint": [], "gotcha": []}
    shops.write("lib.py", CHARGE.format(2)).commit("Charge twice")
    pipeline.max_flip_share = 1.0
    pipeline.run()
    assert flags(pipeline)["gotcha"] == ["callee_changed"]
    view = open_view(pipeline.lake, Inbox(pipeline.lake.location), Policy(), now=datetime.now(UTC))
    (shown,) = records_shown(view, [build.v7(2, ms=NOW_MS)]).values()
    assert shown.cascade == ("sell calls charge; charge: the body changed",)
    assert shown.status == "active"
    assert {row["status"] for row in pipeline.lake.read("ledger_current").to_dicts() if row["kind"] == "constraint"} == {"stale"}
