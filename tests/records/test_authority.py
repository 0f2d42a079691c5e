import pytest
from hypothesis import given

from comind.records.authority import CLAIM_FIELDS, RULING_FIELD, authority_of, claimed_authority, enforcement
from comind.records.codec import as_json
from comind.records.vocabulary import Authority, Enforcement, Kind, RelationKind
from tests.builders import records as make

AGENT = {"author_kind": "agent", "source": "mcp"}


@given(make.records())
def test_every_claim_of_every_record_has_an_authority_and_every_record_a_class(record):
    for field in CLAIM_FIELDS[record.kind]:
        assert isinstance(authority_of(record, field), Authority)
    assert isinstance(enforcement(record), Enforcement)


def test_every_kind_has_a_ruling_among_its_claims():
    assert set(CLAIM_FIELDS) == set(RULING_FIELD) == {*Kind, *RelationKind}
    assert all(RULING_FIELD[kind] in CLAIM_FIELDS[kind] for kind in CLAIM_FIELDS)


@given(make.records())
def test_claims_are_made_in_fields_that_exist(record):
    model = type(record)
    names = {*model.model_fields, *type(record.fields).model_fields}
    assert set(CLAIM_FIELDS[record.kind]) <= names
    assert as_json(record)["kind"] in CLAIM_FIELDS


@pytest.mark.parametrize(
    ("authority", "validated", "expected"),
    [
        ("owner_verbatim", False, "CONSTRAINT"),
        ("owner_ratified", False, "CONSTRAINT"),
        ("reviewer_finding", True, "HOLD"),
        ("reviewer_finding", False, "CONTEXT"),
        ("code_derived", True, "HOLD"),
        ("code_derived", False, "CONTEXT"),
        ("agent_inference", True, "HOLD"),
        ("agent_inference", False, "CONTEXT"),
    ],
)
def test_the_ruling_of_a_person_is_a_constraint_and_any_other_needs_proof_to_hold(authority, validated, expected):
    record = make.constraint(authority={"rule": authority, "body": "agent_inference"})
    assert enforcement(record, evidence_validated=validated) == expected


def test_a_rationale_cannot_lift_an_inferred_ruling():
    record = make.constraint(authority={"rule": "agent_inference", "title": "owner_verbatim", "body": "owner_verbatim"})
    assert enforcement(record) == "CONTEXT"


def test_without_an_entry_the_author_kind_decides():
    assert claimed_authority(make.constraint(), "rule") == "owner_verbatim"
    assert claimed_authority(make.harvested(), "approach") == "code_derived"
    assert claimed_authority(make.constraint(provenance=AGENT), "rule") == "agent_inference"


def test_an_agent_cannot_claim_an_owners_authority():
    record = make.constraint(provenance=AGENT, authority={"rule": "owner_verbatim"})
    assert authority_of(record, "rule") == "agent_inference"
    assert enforcement(record) == "CONTEXT"


def test_an_unsigned_person_counts_only_where_writers_are_trusted():
    record = make.constraint()
    assert enforcement(record) == "CONSTRAINT"
    assert enforcement(record, trust_store_writers=False) == "CONTEXT"
    assert enforcement(record, require_signatures=True) == "CONTEXT"
    assert authority_of(record, "rule", require_signatures=True) == "agent_inference"


def test_a_harvest_speaks_for_an_owner_only_once_its_source_was_checked():
    record = make.harvested(authority={"approach": "owner_verbatim"})
    assert enforcement(record) == "CONTEXT"
    assert enforcement(record, evidence_validated=True) == "CONSTRAINT"
