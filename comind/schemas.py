"""One Arrow schema per table: names, types, descriptions and units.

In: nothing. Out: `TABLES`, from which the tables are created, the README's catalogue and the column
descriptions in the Dagster UI are generated. Never reads or writes a table; `comind.tables` does that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import pyarrow as pa

__all__ = ["FINGERPRINT_BYTES", "TABLES", "TableRole", "TableSpec"]

FINGERPRINT_BYTES = 16
_PRIMARY_KEY = b"lance-schema:unenforced-primary-key"


class TableRole(StrEnum):
    """How a table is kept, and so what may be done to it when its schema changes."""

    LOG = "log"  # folded from the inbox; rows are inserted and deleted, never changed
    CACHE = "cache"  # append only; a row is a pure function of its key
    STATE = "state"  # how far a stage has come; rows are replaced by key
    DERIVED = "derived"  # recomputed from other tables; may be dropped at any time


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """One table of the lake: what a row is, how it is keyed and what its columns mean."""

    name: str
    row: str  # what one row is, as a sentence
    role: TableRole
    key: tuple[str, ...]  # columns that together name a row
    schema: pa.Schema
    version: int = 1  # a derived table of another version is rebuilt
    private: bool = False  # raw texts: kept apart, and never shown by what shows tables


def _column(name: str, kind: pa.DataType, description: str, *, unit: str = "", null: bool = True) -> pa.Field[Any]:
    metadata = {b"description": description.encode()} | ({b"unit": unit.encode()} if unit else {})
    return pa.field(name, kind, nullable=null, metadata=metadata)


def _key(name: str, description: str) -> pa.Field[Any]:
    # Merges are safe between processes only with this mark, on a string, set when the table is created.
    return pa.field(name, pa.string(), nullable=False, metadata={b"description": description.encode(), _PRIMARY_KEY: b"true"})


def _text(name: str, description: str, *, null: bool = True) -> pa.Field[Any]:
    return _column(name, pa.string(), description, null=null)


def _texts(name: str, description: str) -> pa.Field[Any]:
    return _column(name, pa.list_(pa.field("item", pa.string(), nullable=False)), description, null=False)


def _count(name: str, description: str, *, unit: str, null: bool = False) -> pa.Field[Any]:
    return _column(name, pa.int64(), description, unit=unit, null=null)


def _hash(name: str, description: str) -> pa.Field[Any]:
    return _column(name, pa.binary(FINGERPRINT_BYTES), description, unit="16 bytes of BLAKE3")


def _time(name: str, description: str, *, null: bool = True) -> pa.Field[Any]:
    return _column(name, pa.timestamp("us", tz="UTC"), description, unit="us since 1970, UTC", null=null)


_LINES = (
    _count("start_line", "First line of the definition", unit="line, 1-based", null=True),
    _count("end_line", "Last line of the definition", unit="line, 1-based, inclusive", null=True),
)
_FINGERPRINTS = (
    _hash("sig_hash", "Hash of name, parameters and return type"),
    _hash("body_hash", "Hash of the body's normalised tokens; survives reformatting"),
    _hash("shape_hash", "The body's hash with identifiers renamed in order of first use; survives renames"),
    _hash("doc_hash", "Hash of the documentation text, white space collapsed"),
    _count("n_tokens", "Normalised tokens in the body", unit="tokens", null=True),
    _text("fingerprint_version", "Version of the normalisation rules; hashes compare only within one"),
    _text("grammar_probe", "Hash of how the grammar parses a fixed probe; hashes compare only within one"),
)
_FINGERPRINT_STRUCT = pa.struct(
    [
        pa.field("descriptors", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("ordinal", pa.int32(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("sig_hash", pa.binary(FINGERPRINT_BYTES)),
        pa.field("body_hash", pa.binary(FINGERPRINT_BYTES)),
        pa.field("shape_hash", pa.binary(FINGERPRINT_BYTES)),
        pa.field("doc_hash", pa.binary(FINGERPRINT_BYTES)),
        pa.field("n_tokens", pa.int32(), nullable=False),
    ]
)
_REFERENCE_STRUCT = pa.struct(
    [
        pa.field("definition", pa.int32(), nullable=False),
        pa.field("line", pa.int32(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("target", pa.string(), nullable=False),
        pa.field("member", pa.string()),
        pa.field("name", pa.string()),
    ]
)
_REPO = _text("repo_id", "Repository: its configured name, else normalised origin URL, else root commit", null=False)
_WHERE_FROM = _text("where_from", "The record, anchor or commit that the status came from")


_MOMENT = pa.timestamp("us", tz="UTC")
_NOTE_STRUCT = pa.struct(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("writer", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
        pa.field("withheld", pa.string()),
        pa.field("written_at", _MOMENT, nullable=False),
        pa.field("edited", pa.bool_(), nullable=False),
        pa.field("url", pa.string()),
    ]
)
_THREAD_STRUCT = pa.struct(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("resolvable", pa.bool_(), nullable=False),
        pa.field("resolved", pa.bool_(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("line", pa.int64()),
        pa.field("line_commit", pa.string()),
        pa.field("line_removed", pa.bool_(), nullable=False),
        pa.field("notes", pa.list_(pa.field("item", _NOTE_STRUCT, nullable=False)), nullable=False),
    ]
)
_SPAN_STRUCT = pa.struct([pa.field("first", pa.int64(), nullable=False), pa.field("last", pa.int64(), nullable=False)])
_CHANGE_STRUCT = pa.struct(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("path_before", pa.string()),
        pa.field("spans", pa.list_(pa.field("item", _SPAN_STRUCT, nullable=False)), nullable=False),
    ]
)


def _structs(name: str, kind: pa.StructType, description: str) -> pa.Field[Any]:
    return _column(name, pa.list_(pa.field("item", kind, nullable=False)), description, null=False)


def _spec(name: str, role: TableRole, key: tuple[str, ...], row: str, *columns: pa.Field[Any], version: int = 1) -> TableSpec:
    return TableSpec(name=name, row=row, role=role, key=key, schema=pa.schema(columns), version=version)


def _cursor(sources: str, position: str, unit: str) -> tuple[pa.Field[Any], ...]:
    """Return the columns of a table that says how far the harvest of some sources has come."""
    return (
        _key("cursor_id", "`<repo_id> <source>`"),
        _REPO,
        _text("source", f"What is harvested: {sources}", null=False),
        _text("harvester_version", "Version of the rules; another one reads everything again", null=False),
        _text("read_up_to", f"How far it has come: {position}", null=False),
        _texts("branch_commits", "Heads of the release branches that have been read too"),
        _count("read", f"Read so far: {unit}", unit=unit),
        _count("found", "Records found so far", unit="records"),
        _count("refused", "Findings refused so far; those that still stand are rows of harvest_refusals", unit="findings"),
        _texts("handed_over", "Inbox objects of the newest batch; the fold reads them without listing"),
    )


_SPECS = (
    _spec(
        "repositories", TableRole.STATE, ("repo_id",), "One repository, as the last run saw it.",
        _key("repo_id", "Repository: its configured name, else normalised origin URL, else root commit"),
        _text("identified_by", "Where repo_id comes from: configured | origin | root_commit", null=False),
        _text("origin", "Normalised origin URL, without credentials"),
        _text("root_commit", "First commit of the indexed history"),
        _text("ref", "The indexed ref: configured, else origin/HEAD, else HEAD"),
        _text("head_commit", "Commit at the indexed ref"),
        _time("head_time", "Committer time of head_commit"),
        _text("problem", "Why the repository could not be read; null when it was"),
    ),
    _spec(
        "parse_cache", TableRole.CACHE, ("key",), "What one blob parses to, for ever: its definitions, fingerprints and references.",
        _text("key", "blob:language:fingerprint_version.references_version", null=False),
        _text("blob", "Git object id of the content", null=False),
        _text("language", "Language it was parsed as", null=False),
        _text("fingerprint_version", "Version of the normalisation rules", null=False),
        _text("grammar_probe", "Hash of how the grammar parses a fixed probe", null=False),
        _text("problem", "Why the blob has no (complete) parse; null when it has"),
        _count("error_nodes", "Places where the parser gave up and went on; null when nothing was parsed", unit="nodes", null=True),
        _column("definitions", pa.list_(_FINGERPRINT_STRUCT), "Definitions in source order, with lines and fingerprints", null=False),
        _column(
            "references", pa.list_(_REFERENCE_STRUCT),
            "Names that the code mentions, each with the position of the definition around it in definitions, -1 for the file itself; "
            "kind is call | import | reexport | export | extends | type | value; only a reexport or an export has a name for other files",
        ),
    ),
    _spec(
        "code_files", TableRole.DERIVED, ("repo_id", "path"), "One file at the head of a repository, read or not.",
        _REPO,
        _text("path", "Path from the root of the repository, `/`-separated; empty for the repository's own row", null=False),
        _text("blob", "Git object id of the content", null=False),
        _text("language", "Language it was parsed as; null when none is known for its name"),
        _text("status", "parsed | partial | skipped | excluded | unreadable | not_code | repository", null=False),
        _text("problem", "Why it was not parsed whole, in words; null when it was"),
        _count("size_bytes", "Size of the content", unit="bytes", null=True),
        _count("n_symbols", "Definitions found in it", unit="symbols"),
        _text("package", "Package it belongs to: `<manager> <name>`"),
        _text("module", "Module descriptors of the file within its package, source root stripped"),
        _text("head_commit", "Only in the repository's own row: the commit that these rows describe"),
        _text("selected_by", "Only in the repository's own row: digest of the rules and the limit by which files are left out"),
        version=2,
    ),
    _spec(
        "symbols", TableRole.DERIVED, ("repo_id", "path", "sid", "ordinal"), "One definition at the head of a repository.",
        _REPO,
        _text("path", "File it is defined in; empty for the package symbol of the repository", null=False),
        _column("sid", pa.int64(), "First 8 bytes of BLAKE3 of canonical_key, as a signed integer; joins tables", null=False),
        _column("ordinal", pa.int32(), "Position among the definitions of one file that share a sid", unit="0-based", null=False),
        _text("symbol", "SCIP symbol, scheme comind", null=False),
        _text("canonical_key", "`<manager> <package> . <descriptors>`: the symbol without version and source root", null=False),
        _text("name", "Bare name, as written in the code", null=False),
        _text("qualified_name", "Names of the containers within the file and of the symbol, joined by dots", null=False),
        _text("kind", "function | method | class | interface | enum | constant | field | … | package", null=False),
        _text("language", "Language of the file"),
        _text("blob", "Git object id of the file's content"),
        *_LINES,
        *_FINGERPRINTS,
        _text("head_commit", "Only in the package symbol's row: the commit that these rows describe"),
    ),
    _spec(
        "edges", TableRole.DERIVED, ("repo_id", "path", "src", "dst", "kind"),
        "One definition that mentions another, in one file at the head of a repository.",
        _REPO,
        _text("path", "File that holds the reference; empty for the repository's own row", null=False),
        _column("src", pa.int64(), "sid of the innermost definition around the reference; at top level of the module", null=False),
        _column("dst", pa.int64(), "sid of what is referred to, in whatever repository it is defined; joins symbols", null=False),
        _text("kind", "calls | imports | extends | references; repository in the repository's own row", null=False),
        _text("resolved_by", "scip | import | typed | unique_name: how dst is known, by the surest of its places"),
        _count("line", "First place in the file", unit="line, 1-based", null=True),
        _count("n_places", "Places in the file", unit="places"),
        _text("resolver_version", "Only in the repository's own row: version of the rules that say what a name means"),
        _text("head_commit", "Only in the repository's own row: the commit that these rows describe"),
        _text("selected_by", "Only in the repository's own row: digest of the rules by which files were left out"),
        version=2,
    ),
    _spec(
        "scip_indexes", TableRole.DERIVED, ("repo_id", "path"), "One SCIP index that a repository has, and what became of it.",
        _REPO,
        _text("path", "Where it lies in the repository, outside of it its name; empty for the repository's own row", null=False),
        _text("digest", "Hash of its bytes; one with another is taken in anew", null=False),
        _text("made_by", "Tool and version"),
        _count("current_documents", "Documents that fit their file at the commit", unit="documents", null=True),
        _count("stale_documents", "Documents left out: their file was another one when they were made", unit="documents", null=True),
        _count("missing_documents", "Documents left out: the commit has no such file", unit="documents", null=True),
        _text("problem", "Why nothing of it was taken in, in words; null when it was"),
        _text("head_commit", "Only in the repository's own row: the commit that the documents were compared with"),
    ),
    _spec(
        "packages", TableRole.DERIVED, ("repo_id", "path"), "One package at the head of a repository: its manifest, name and version.",
        _REPO,
        _text("path", "Manifest; empty for the repository's own row", null=False),
        _text("manager", "pypi | npm | gomod | cargo | maven | gem | composer | nuget"),
        _text("name", "Name as the manager compares names; null where the manifest names no package, or computes the name"),
        _text("version", "Version, inherited or its own; null where it has none or computes it"),
        _text("workspace", "Manifest of the workspace that it is a member of"),
        _texts("source_roots", "Directories that modules are named from, relative to the manifest"),
        _text("problem", "Why the manifest could not be read, in words"),
        _text("head_commit", "Only in the repository's own row: the commit that these rows describe"),
    ),
    _spec(
        "dependencies", TableRole.DERIVED, ("repo_id", "path", "ecosystem", "package", "use"),
        "One package as one manifest or lockfile at the head of a repository names it.",
        _REPO,
        _text("path", "File that names it; empty for the repository's own row", null=False),
        _text("ecosystem", "pypi | npm | jsr | cargo | gomod | maven | gem | …; empty where a file has a problem", null=False),
        _text("package", "Name as the ecosystem compares names; empty where a file has a problem", null=False),
        _text("use", "own | direct | transitive | unknown: how the repository comes to it; empty where a file has a problem", null=False),
        _texts("versions", "Resolved versions, as written"),
        _texts("declared_ranges", "Ranges that the file asks for, as written"),
        _texts("excluded_versions", "Versions that the file rules out by name"),
        _text("scope", "runtime | optional | dev; null where the file does not say"),
        _text("blob", "Git object id of the file's content"),
        _text("problem", "Why the file was not understood whole, in words; its other rows stand beside this one"),
        _text("reader_version", "Version of the readers; another one reads every file again", null=False),
        _text("head_commit", "Only in the repository's own row: the commit that these rows describe"),
    ),
    _spec(
        "git_harvest", TableRole.STATE, ("cursor_id",), "How far the harvest of one source has come in one repository.",
        *_cursor("reverts, trailers", "commit id, from which everything reachable has been read", "commits"),
        version=2,
    ),
    _spec(
        "document_harvest", TableRole.STATE, ("cursor_id",), "How far the harvest of decision records has come in one repository.",
        *_cursor("documents", "commit id, whose files have been read", "documents"),
    ),
    _spec(
        "documents", TableRole.STATE, ("document_id",),
        "One file that may be a decision record, what it says of itself, and what became of it.",
        _key("document_id", "`<repo_id> <path>`"),
        _REPO,
        _text("path", "Where it stands, or stood", null=False),
        _text("blob", "Git object id of the content that was read; null once the file is gone"),
        _text("verdict", "accepted | superseded | deprecated | rejected | open | unclear | none: what it says of itself", null=False),
        _text("title", "Its title, without the number"),
        _text("status", "Its status as it is written"),
        _text("date", "Its date as it is written: ISO 8601, or year and month"),
        _text("record_id", "The record that it became; null where it became none"),
        _texts("supersedes", "Decisions whose place it says it takes: names of files, or numbers"),
        _texts("superseded_by", "Decisions that it says take its place"),
        _texts("amends", "Decisions that it says it amends"),
        _texts("amended_by", "Decisions that it says amend it"),
        _text("stated_path", "Where it stood when it came to say all this"),
        _text("stated_commit", "The commit in which it came to say all this"),
        _count("stated_at", "Committer time of that commit", unit="seconds since 1970, UTC", null=True),
        _count("read_at", "Committer time of the head at which it was read; an older head changes nothing", unit="seconds since 1970, UTC"),
        _text("problem", "Why it became no record, or what of it could not be read"),
        _text("link_problem", "What of its supersessions is not sure"),
        _text("harvester_version", "Version of the rules that read it; others read it again", null=False),
        version=2,
    ),
    _spec(
        "merge_request_harvest", TableRole.STATE, ("cursor_id",), "How far the harvest of merge requests has come in one repository.",
        *_cursor("merge_requests", "digest of all that was read, and the head if commits were missed", "requests"),
    ),
    _spec(
        "merge_requests", TableRole.STATE, ("request_id",),
        "One merge or pull request as its forge tells it, without names, secrets and hidden characters.",
        _key("request_id", "`<host>/<project>!<number>`"),
        _REPO,
        _text("host", "The forge", null=False),
        _text("project", "Path of the project on it", null=False),
        _count("number", "Its number within the project", unit="1-based"),
        _text("url", "Where people read it", null=False),
        _text("title", "Its title; empty where it was withheld", null=False),
        _text("description", "Its description; empty where it was withheld", null=False),
        _text("withheld", "What its title or description carried that keeps it from being stored"),
        _text("writer", "author | bot | gone: what opened it", null=False),
        _text("state", "open | closed | merged", null=False),
        _time("created_at", "When it was opened", null=False),
        _time("updated_at", "When the forge saw it change last", null=False),
        _time("merged_at", "When it was merged"),
        _time("closed_at", "When it was closed"),
        _text("merge_commit", "Commit that brought it to the target branch"),
        _text("head_commit", "Newest commit of its own"),
        _text("base_commit", "Commit at which it left the target branch; known of closed ones"),
        _structs("threads", _THREAD_STRUCT, "Its comments, by thread: part of the writer, text, time, and where in the code they hang"),
        _structs("changes", _CHANGE_STRUCT, "Files it changes, with the lines that stood before; known of closed ones"),
        _text("incomplete", "What could not be read of it, in words; null when nothing is missing"),
        _text("read_from", "forge | file", null=False),
    ),
    _spec(
        "harvest_refusals", TableRole.STATE, ("refusal_id",), "One finding that was not written, or not whole, and why.",
        _key("refusal_id", "`<source> <repo_id> <source_id>`"),
        _REPO,
        _text("source", "What was harvested, such as reverts", null=False),
        _text("source_id", "Where it stands: a commit id, or whatever names a thing of that source", null=False),
        _text("code", "Machine-readable reason", null=False),
        _text("detail", "The reason in words, naming no person and no secret", null=False),
        _text("harvester_version", "Version of the rules that refused it", null=False),
    ),
    _spec(
        "code_origins", TableRole.STATE, ("origin_id",), "Lines of one file that one session of an agent wrote, as its tool says.",
        _key("origin_id", "UUIDv5 of source, repository, commit, path and session"),
        _REPO,
        _text("source", "Whose store says so: agent-trace | entire | git-ai", null=False),
        _text("commit", "Commit at which the path holds, and on which the source put its note", null=False),
        _text("path", "File", null=False),
        _text("lines", "Ranges at that commit, 1-based and inclusive, such as 1-4,9; null where the source names the file alone"),
        _count("n_lines", "Lines in these ranges", unit="lines", null=True),
        _text("tool", "Program that wrote them", null=False),
        _text("model", "Language model that worded them; null where the source does not say"),
        _text("session_hash", "Hash of the session's id; joins rows, reveals nothing"),
        _text("harvester_version", "Version of the rules that read it", null=False),
    ),
    _spec(
        "distill_cache", TableRole.CACHE, ("request_id",), "One answer of a language model, as it came, by everything that decided it.",
        _key("request_id", "BLAKE3 of prompt version, schema, model, host, parameters and messages"),
        _text("response", "The text of the answer; empty for a refusal", null=False),
        _text("code", "answered | refused | too_long | invalid", null=False),
        _text("model", "Language model that was asked", null=False),
        _text("host", "Host of the endpoint", null=False),
        _count("prompt_version", "Version of the prompt", unit="version"),
        _count("input_tokens", "Tokens of the prompt, as the endpoint counts them", unit="tokens"),
        _count("output_tokens", "Tokens of the answer, as the endpoint counts them", unit="tokens"),
    ),
    _spec(
        "distill_progress", TableRole.STATE, ("progress_id",),
        "How far the distiller has come in one source of one repository, and what that has cost.",
        _key("progress_id", "`<repo_id> <source>`"),
        _REPO,
        _text("source", "What was read: git | mr | document", null=False),
        _text("distiller_version", "Version of prompt, contract and checks; another one reads everything again", null=False),
        _text("read_up_to", "Commit from which everything reachable has been read; time of the newest request that has been"),
        _text("reading_to", "Commit up to which a run that was stopped was to read; null when it came to the end"),
        _text("stopped_at", "The first source that it did not ask about"),
        _count("read", "Read so far: commits, requests, documents", unit="sources"),
        _count("asked", "Of these, put to the model", unit="sources"),
        _count("calls", "Calls so far; an answer from the cache is none", unit="calls"),
        _count("input_tokens", "Tokens of prompts so far", unit="tokens"),
        _count("output_tokens", "Tokens of answers so far", unit="tokens"),
        _column("cost", pa.float64(), "What they cost so far, where prices are configured", unit="currency of the prices"),
        _count("kept", "Proposals that became records so far", unit="proposals"),
        _count("duplicates", "Proposals that said what is recorded already", unit="proposals"),
        _count("refused", "Proposals that did not pass the checks", unit="proposals"),
        _count("unanswered", "Sources of the newest run without an answer; they are asked again", unit="sources"),
        _text("stopped", "Why the newest run ended before the end: the budget, or the endpoint; null at the end"),
    ),
    _spec(
        "distilled_proposals", TableRole.STATE, ("proposal_id",),
        "One thing that a language model proposed to record, and what became of it.",
        _key("proposal_id", "`<repo_id> <source> <source_id> <position>`"),
        _REPO,
        _text("source", "git | mr | document", null=False),
        _text("source_id", "Commit, request or document that it is about", null=False),
        _text("op", "new | confirm | supersede | dispute; null where there was no answer"),
        _text("kind", "attempt | decision | constraint | gotcha; null where there was no answer"),
        _text("verdict", "kept | duplicate | refused | unanswered", null=False),
        _text("code", "Which check refused it, which record it repeats, or why there was no answer"),
        _text("detail", "The same in words; never words that were refused"),
        _text("title", "What it says; kept and duplicate ones alone"),
        _text("record_id", "The record or relation that it became, or that it repeats"),
        _text("request_id", "Its answer in distill_cache"),
        _text("model", "Language model that worded it", null=False),
        _text("distiller_version", "Version of prompt, contract and checks", null=False),
        _time("source_at", "Time of the source", null=False),
    ),
    _spec(
        "ledger_records", TableRole.LOG, ("id",), "One record or relation, for ever as it was written.",
        _key("id", "UUIDv7 of a writer, UUIDv5 of a harvest"),
        _text("content_hash", "BLAKE3 of the canonical bytes", null=False),
        _text("object_key", "Inbox object it was folded from", null=False),
        _text("kind", "intent | decision | attempt | constraint | gotcha | question, or a relation: supersedes | retracts | …", null=False),
        _count("lamport", "Causal order: 1 + the largest among the records it cites", unit="Lamport time"),
        _time("recorded_at", "Transaction time: of the id, else of the source", null=False),
        _text("author_kind", "human | agent | harvested | distilled", null=False),
        _text("source", "mcp | hook | git | mr | document | import | cli", null=False),
        _text("repo_id", "Repository it was written in"),
        _text("title", "What it says, in a line"),
        _text("trigger", "When a reader would need it"),
        _text("body", "The whole of it, Markdown"),
        _text("subject_id", "Relations only: the record that it is about"),
        _text("successor_id", "Relations only: the record that takes its place, or the other end"),
        _text("valid_from", "Commit from which it holds"),
        _text("record", "Canonical JSON of the record, all of it", null=False),
    ),
    _spec(
        "unreadable_objects", TableRole.STATE, ("object_key",), "One inbox object that cannot be trusted, and why.",
        _key("object_key", "Where it lies in the store"),
        _text("code", "truncated | hash_mismatch | id_mismatch | invalid_record | newer_version | id_taken | bad_name | …", null=False),
        _text("detail", "What is wrong and what to do", null=False),
    ),
    _spec(
        "ledger_anchors", TableRole.DERIVED, ("anchor_id",), "One anchor of a record: the code as it was when it was written.",
        _key("anchor_id", "`<record id>#<position>`"),
        _text("record_id", "The record it belongs to", null=False),
        _column("position", pa.int32(), "Position in the record", unit="0-based", null=False),
        _text("role", "subject | context | evidence", null=False),
        _text("scope", "symbol | file | module | repo | org | dependency", null=False),
        _text("repo_id", "Repository; null for org scope"),
        _text("path", "File or directory"),
        _text("symbol", "SCIP symbol as recorded"),
        _text("canonical_key", "The symbol without version and source root"),
        _column("sid", pa.int64(), "First 8 bytes of BLAKE3 of canonical_key; joins symbols"),
        _column("ordinal", pa.int32(), "Position among the definitions of the file that share the key", unit="0-based"),
        _text("name", "Bare name of the symbol"),
        _text("qualified_name", "Containers within the file and name, joined by dots"),
        _text("commit", "Commit at which it was anchored"),
        _text("package", "Dependency scope: `<ecosystem> <name>`"),
        _text("version_range", "Dependency scope: native range text"),
        *_LINES,
        *_FINGERPRINTS,
        _count("n_twins", "Other definitions of its file with an equal body, at that commit", unit="symbols", null=True),
        _text("problem", "Why there are no fingerprints; null when there are, or the scope has none"),
    ),
    _spec(
        "anchor_locations", TableRole.DERIVED, ("anchor_id",), "Where one anchor is now, and how that is known.",
        _key("anchor_id", "`<record id>#<position>`"),
        _text("record_id", "The record it belongs to", null=False),
        _text("repo_id", "Repository"),
        _text("commit", "Head commit that was looked at"),
        _text(
            "matched_by",
            "same | file_moved | container | body | params | similar | merged | ambiguous | deleted | unknown: the rung that decided",
            null=False,
        ),
        _text("level", "sure | likely; null when nothing was located"),
        _text("path", "File now"),
        _text("canonical_key", "Symbol now"),
        _column("sid", pa.int64(), "Symbol now; joins symbols"),
        _column("ordinal", pa.int32(), "Which of the definitions that share the key in that file", unit="0-based"),
        _text("qualified_name", "Containers and name now"),
        *_LINES,
        _text("detail", "Why this rung, in words", null=False),
        _texts("candidates", "Canonical keys that were as good; nothing was guessed"),
    ),
    _spec(
        "anchor_drift", TableRole.DERIVED, ("anchor_id",), "What happened to the code under one anchor.",
        _key("anchor_id", "`<record id>#<position>`"),
        _text("record_id", "The record it belongs to", null=False),
        _text("role", "subject | context | evidence", null=False),
        _text("drift", "unchanged | moved | signature | body | deleted | ambiguous | unknown", null=False),
        _text("detail", "What was compared and what differed", null=False),
        _text("commit", "Head commit that was looked at"),
    ),
    _spec(
        "drift_cascade", TableRole.DERIVED, ("flag_id",), "One reason to look at a record again because of what changed elsewhere.",
        _key("flag_id", "`<record id> <rule> <source anchor>`"),
        _text("record_id", "The record to look at", null=False),
        _text("rule", "evidence_changed | context_changed | callee_changed", null=False),
        _text("source_anchor", "The anchor whose code changed", null=False),
        _text("source_record", "The record of that anchor; of callee_changed a constraint", null=False),
        _text("drift", "What happened to that code: signature | body | deleted", null=False),
        _count("hops", "References between the record's code and the code that changed", unit="references"),
        _texts("path", "These references, from the record's code on"),
        _text("detail", "All of it in words", null=False),
        _text("commit", "Head commit at which the change was seen"),
    ),
    _spec(
        "dependency_findings", TableRole.DERIVED, ("finding_id",), "What one file that resolves a package says of the range of one record.",
        _key("finding_id", "`<anchor id> <repo_id> <path>`"),
        _text("record_id", "The record it belongs to", null=False),
        _text("anchor_id", "The dependency anchor", null=False),
        _text("repo_id", "Repository of the file", null=False),
        _text("path", "Lockfile or manifest that resolves the package", null=False),
        _text("ecosystem", "pypi | npm | cargo | …", null=False),
        _text("package", "Name as the ecosystem compares names", null=False),
        _text("version_range", "Range that the anchor names, in the ecosystem's own text", null=False),
        _texts("versions", "Versions that the file resolves the package to, as written"),
        _text("verdict", "in | out | mixed | unknown: where these versions are", null=False),
        _text("rule", "retry_condition_met | re_check | none: what follows for the record", null=False),
        _text("detail", "All of it in words", null=False),
        _text("commit", "Head commit that was looked at"),
    ),
    _spec(
        "evidence_checks", TableRole.STATE, ("check_id",), "What was proven about one piece of evidence.",
        _key("check_id", "`<record id>#<evidence position> <check>`"),
        _text("record_id", "The record it belongs to", null=False),
        _text("check", "on_indexed_ref | revert_is_inverse", null=False),
        _text("result", "proven | refuted | unverifiable", null=False),
        _text("detail", "How it was shown, or what kept it from being shown", null=False),
        _text("commit", "Commit that the proof speaks of"),
    ),
    _spec(
        "ledger_current", TableRole.DERIVED, ("id",), "What the ledger believes about one record now, and why.",
        _key("id", "Record id"),
        _text("kind", "intent | decision | attempt | constraint | gotcha | question", null=False),
        _text("title", "What it says, in a line", null=False),
        _text("status", "quarantined | retracted | superseded | orphaned | stale | dormant | active", null=False),
        _text("status_reason", "Why it has that status, in words", null=False),
        _text("status_rule", "The row of the status table that decided", null=False),
        _WHERE_FROM,
        _texts(
            "flags",
            "challenged | ambiguous | likely_location | unknown_location | unknown_drift | signature_changed | partly_deleted | "
            "evidence_changed | context_changed | callee_changed",
        ),
        _text("trust", "T0 quarantined … T4 enforced", null=False),
        _text("trust_reason", "Why it is trusted that much", null=False),
        _text("enforcement", "CONSTRAINT | HOLD | CONTEXT: what its authority lets it do", null=False),
        _text("author_kind", "human | agent | harvested | distilled", null=False),
        _time("recorded_at", "Transaction time", null=False),
        _time("confirmed_at", "Transaction time of the newest confirmation"),
        _text("repo_id", "Repository of the located subject anchor"),
        _text("path", "File of the located subject anchor"),
        _text("canonical_key", "Symbol of the located subject anchor"),
        _text("qualified_name", "Containers and name of the located subject anchor"),
        *_LINES,
        _text("matched_by", "How the subject anchor was located"),
        _text("drift", "What happened to the code under the subject anchors, the worst of them"),
        _text("located_commit", "Head commit that was looked at"),
    ),
)  # fmt: skip

_PRIVATE = frozenset({"distill_cache", "merge_requests"})

TABLES: dict[str, TableSpec] = {spec.name: replace(spec, private=spec.name in _PRIVATE) for spec in _SPECS}
