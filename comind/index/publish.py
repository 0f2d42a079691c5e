"""Name the definitions of files: the published join of `code_files` and `parse_cache`.

In: rows of `code_files`, rows of `parse_cache`. Out: rows of `symbols`, the package symbol of each repository included.
Never parses anything; whoever has the two tables can rebuild the third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import polars as pl

from comind.fingerprints import FINGERPRINT_VERSION
from comind.index.files import FileStatus
from comind.index.names import PACKAGE_DESCRIPTOR, SCHEME, package_field, qualified_name, sid_of
from comind.schemas import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["name_definitions", "publish_symbols", "to_table"]

_PARSED = [str(FileStatus.PARSED), str(FileStatus.PARTIAL)]
_STAMPS = ("fingerprint_version", "grammar_probe")


def publish_symbols(code_files: pa.Table, parses: pa.Table) -> pa.Table:
    """Return one row per definition at the head of each repository, and one per repository for its package.

    Args:
        code_files: of any number of repositories; the row of each repository must be among them.
        parses: rows of `parse_cache`; those of other contents or another fingerprint version are left out.

    Returns:
        `symbols`, by repository, path and line.
    """
    files = cast("pl.DataFrame", pl.from_arrow(code_files))
    definitions = name_definitions(files, cast("pl.DataFrame", pl.from_arrow(parses)))
    packages = _package_symbols(files.filter(pl.col("status") == FileStatus.REPOSITORY))
    rows = pl.concat([packages, definitions], how="diagonal").sort("repo_id", "path", "start_line", "canonical_key", "ordinal")
    return to_table("symbols", rows)


def name_definitions(files: pl.DataFrame, parses: pl.DataFrame) -> pl.DataFrame:
    """Return one row per definition: the columns of the files, of their parses, and the names of the symbols.

    Args:
        files: ``blob, language, status, package, module`` and whatever else tells one file from another.
        parses: rows of `parse_cache`.
    """
    definitions = (
        parses.filter(pl.col("fingerprint_version") == FINGERPRINT_VERSION)
        .unique(["blob", "language"], keep="any")  # keys also tell parses without references from those with
        .select("blob", "language", *_STAMPS, "definitions")
        .explode("definitions", empty_as_null=False)
        .unnest("definitions")
    )
    code = files.filter(pl.col("status").is_in(_PARSED)).drop("problem", "status", "size_bytes", "n_symbols", strict=False)
    joined = code.join(definitions, on=["blob", "language"], how="inner")
    return _named(joined.with_columns(descriptors_in_package=pl.col("module").fill_null("") + pl.col("descriptors")))


def to_table(name: str, frame: pl.DataFrame) -> pa.Table:
    """Return a frame as a table of the lake: its columns, order and types; what is missing is null."""
    schema = TABLES[name].schema
    columns = [pl.col(column) if column in frame.columns else pl.lit(None).alias(column) for column in schema.names]
    return frame.select(columns).to_arrow().cast(schema)


def _package_symbols(repositories: pl.DataFrame) -> pl.DataFrame:
    name = pl.col("package").str.splitn(" ", 2).struct.field("field_1")
    packages = repositories.with_columns(
        name=name,
        kind=pl.lit("package"),
        ordinal=pl.lit(0, pl.Int32),
        descriptors=pl.lit(""),
        descriptors_in_package=pl.lit(PACKAGE_DESCRIPTOR),
    )
    return _named(packages).with_columns(qualified_name=name, blob=pl.lit(None, pl.String))


def _named(definitions: pl.DataFrame) -> pl.DataFrame:
    """Add canonical key, SCIP symbol, sid and qualified name."""
    fields = {package: package_field(*package.split(" ", 1)) for package in definitions["package"].unique().to_list()}
    key = pl.col("package").replace_strict(fields, return_dtype=pl.String) + " . " + pl.col("descriptors_in_package")
    keyed = definitions.with_columns(canonical_key=key)
    return keyed.with_columns(
        pl.Series("sid", [sid_of(text) for text in keyed["canonical_key"]], pl.Int64),
        pl.Series("qualified_name", [qualified_name(text) for text in keyed["descriptors"]], pl.String),
        symbol=pl.lit(f"{SCHEME} ") + pl.col("canonical_key"),
    ).drop("descriptors", "descriptors_in_package")
