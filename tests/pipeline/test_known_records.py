import time

import pytest

from comind.harvest.touched import Place
from comind.index.names import scip_symbol
from comind.records.vocabulary import Kind, Scope
from comind.tables.known_records import LakeKnownRecords

LATER = int(time.time()) + 10


def _place(pipeline, name="price", path="shop.py", scope=Scope.SYMBOL):
    rows = pipeline.lake.read("symbols").filter(name=name).to_dicts()
    return Place(scope=scope, commit="c" * 40, path=path, name=name, symbol=scip_symbol(rows[0]["canonical_key"]) if rows else None)


@pytest.fixture
def known(pipeline, shop):
    pipeline.run()
    return LakeKnownRecords(pipeline.lake, pipeline.lake.read("repositories")["repo_id"].item())


def test_a_record_is_known_at_the_code_that_it_is_about_and_nowhere_else(pipeline, known):
    found = known([_place(pipeline)], before=LATER)
    assert [(one.kind, one.is_human_backed) for one in found] == [(Kind.ATTEMPT, False)]
    assert "price" in found[0].trigger
    assert known([Place(scope=Scope.FILE, commit="c" * 40, path="other.py", name="other.py")], before=LATER) == ()
    assert known([_place(pipeline)], before=1) == (), "a source does not know what was recorded of later ones"
    assert LakeKnownRecords(pipeline.lake, "another")([_place(pipeline)], before=LATER) == ()
