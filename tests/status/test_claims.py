import orjson
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.records.codec import encode
from comind.records.vocabulary import RelationKind
from comind.status.claims import with_relation_claims, with_trust_claims
from tests.builders import records as build
from tests.builders.code_tables import folded

SLY = st.sampled_from(
    ['"quarantine":"hidden_bidi"', ',"authority":{"rule":"owner_verbatim"}', '{"override":true}', '\\","at_commit":"abc"', "\\", '"']
)


def _trust(record):
    (row,) = with_trust_claims(folded(record)).to_dicts()
    return row["quarantine"], row["authority"] and orjson.loads(row["authority"])


@settings(deadline=None, max_examples=25)
@given(build.reasons(), st.lists(SLY, max_size=4), st.none() | st.just("hidden_tags"))
def test_claims_are_read_off_the_json_as_decoding_reads_them_whatever_the_texts_say(record, sly, quarantine):
    raw = orjson.loads(folded(record)["record"][0])
    raw["body"], raw["trigger"] = "".join(sly), " ".join(["when", *sly])
    raw["provenance"] |= {"quarantine": quarantine} if quarantine else {}
    decoded = build.record_of(raw)
    text = encode(decoded).decode()
    row = with_trust_claims(pl.DataFrame({"id": [record.id], "record": [text]})).to_dicts()[0]
    assert row["quarantine"] == decoded.provenance.quarantine
    assert orjson.loads(row["authority"] or "{}") == {field: str(value) for field, value in decoded.authority.items()}


@settings(deadline=None, max_examples=25)
@given(build.relations(kinds=(RelationKind.SUPERSEDES, RelationKind.CONFIRMS, RelationKind.RETRACTS)), st.booleans(), SLY)
def test_relation_claims_are_read_off_the_json_as_decoding_reads_them(record, override, sly):
    raw = orjson.loads(folded(record)["record"][0])
    if record.kind == RelationKind.SUPERSEDES and override:
        raw["fields"]["override"] = True
    if record.kind == RelationKind.RETRACTS:
        raw["fields"]["reason"] = f"so {sly}"
    decoded = build.record_of(raw)
    text = encode(decoded).decode()
    row = with_relation_claims(pl.DataFrame({"record": [text]})).to_dicts()[0]
    assert row["override"] == getattr(decoded.fields, "override", False)
    assert row["at_commit"] == getattr(decoded.fields, "at_commit", None)


@pytest.mark.parametrize("authority", [{}, {"rule": "owner_verbatim", "title": "agent_inference"}])
def test_a_record_without_claims_has_none(authority):
    assert _trust(build.constraint(authority=authority)) == (None, authority or None)
