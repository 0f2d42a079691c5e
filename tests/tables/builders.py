"""Rows of tables for tests: what a test does not say is filled in by the schema."""

import pyarrow as pa

from comind.schemas import TABLES


def rows_of(table, rows):
    """Arrow rows of a table from dicts; a column that must not be null and is not given gets a plain value."""
    schema = TABLES[table].schema
    filled = [{field.name: row.get(field.name, _plain(field)) for field in schema} for row in rows]
    return pa.Table.from_pylist(filled, schema=schema)


def drifts(*ids, drift="unchanged"):
    """Rows of `anchor_drift`."""
    return rows_of("anchor_drift", [{"anchor_id": anchor_id, "drift": drift} for anchor_id in ids])


def refusals(**details):
    """Rows of `harvest_refusals`: id -> detail."""
    return rows_of("harvest_refusals", [{"refusal_id": refusal_id, "detail": detail} for refusal_id, detail in details.items()])


def symbols(repo_id, files, *, head="1" * 40):
    """Rows of `symbols`: path -> names, and the repository's own row."""
    own = {"repo_id": repo_id, "path": "", "kind": "package", "head_commit": head}
    return rows_of(
        "symbols",
        [own]
        + [
            {"repo_id": repo_id, "path": path, "sid": hash_of(path, name), "name": name, "body_hash": name.ljust(16)[:16].encode()}
            for path, names in files.items()
            for name in names
        ],
    )


def hash_of(*texts):
    return int.from_bytes("/".join(texts).encode()[-7:].rjust(7, b"\0"), "big")


def _plain(field):
    if field.nullable:
        return None
    if pa.types.is_string(field.type):
        return ""
    return [] if pa.types.is_list(field.type) else 0
