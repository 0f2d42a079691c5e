"""Classify what happened to the code under each anchor.

In: anchored fingerprints, locations, the symbols that stand there now. Out: one drift row per anchor.
Never reads a repository or a clock, and never guesses: hashes made by different rules or grammars are not compared.

    deleted | ambiguous | unknown | body | signature | moved | unchanged

A changed comment, layout or documentation text is `unchanged`, and the detail says that it changed.
"""

from __future__ import annotations

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.anchors.frames import HASHES, conform, schema_of
from comind.records.vocabulary import Scope

__all__ = ["DRIFT_TABLE", "classify_drift"]

_STAMP = ("fingerprint_version", "grammar_probe")
_ROW = ("repo_id", "path", "sid", "ordinal")


def classify_drift(anchors: pl.DataFrame, locations: pl.DataFrame, symbols: pl.DataFrame) -> pl.DataFrame:
    """Return what happened to the code under each anchor, by the first row of `DRIFT_TABLE` that holds.

    Args:
        anchors: `ledger_anchors`.
        locations: `anchor_locations` of these anchors.
        symbols: `symbols` at the heads that the locations speak of.

    Returns:
        `anchor_drift`, one row per anchor, by ``anchor_id``, whatever the order of the rows that came in.
    """
    now = locations.select(
        "anchor_id", "matched_by", "commit", *_ROW, *(pl.col(name).alias(f"now_{name}") for name in ("detail", "qualified_name"))
    )
    was = anchors.rename({name: f"was_{name}" for name in (*_ROW, "commit")})
    code = symbols.join(locations.select("sid").unique(), on="sid", how="semi")
    stands = code.select(*_ROW, *(pl.col(name).alias(f"now_{name}") for name in _COMPARED), stands=ALWAYS)
    compared = was.join(now, on="anchor_id", how="left").join(stands, on=_ROW, how="left")
    return conform(decide(compared, DRIFT_TABLE), schema_of("anchor_drift")).sort("anchor_id")


_COMPARED = ("name", *HASHES, *_STAMP, "start_line", "end_line")


def _differs(name: str) -> pl.Expr:
    return pl.col(name).ne_missing(pl.col(f"now_{name}"))


# A definition that the index read has a token count, and a hash it lacks means that it has no body. A record's own fingerprints have
# none, and there a missing hash was not recorded.
_READ = pl.col("n_tokens").is_not_null()
_COMPARABLE = pl.all_horizontal(*(pl.col(name) == pl.col(f"now_{name}") for name in _STAMP))
_BODY = _differs("body_hash")  # a record that carries no hash of the body was sorted out before
_SIGNATURE = _differs("sig_hash") & (_READ | pl.col("sig_hash").is_not_null())
_DOCUMENTATION = _READ & _differs("doc_hash")
_LAYOUT = _READ & ((pl.col("end_line") - pl.col("start_line")) != (pl.col("now_end_line") - pl.col("now_start_line")))

_ALSO = pl.concat_str(
    pl.when(_SIGNATURE).then(pl.lit("; the signature changed too")).otherwise(pl.lit("")),
    pl.when(_DOCUMENTATION).then(pl.lit("; the documentation changed")).otherwise(pl.lit("")),
)
_NOTE = pl.concat_str(
    pl.when(_DOCUMENTATION).then(pl.lit("; only the documentation changed")).otherwise(pl.lit("")),
    pl.when(_LAYOUT.fill_null(value=False)).then(pl.lit("; it is laid out on another number of lines")).otherwise(pl.lit("")),
)


def _is(drift: str, detail: pl.Expr) -> dict[str, pl.Expr]:
    return {"drift": pl.lit(drift), "detail": detail}


DRIFT_TABLE: tuple[Case, ...] = (
    Case(pl.col("matched_by").is_null(), _is("unknown", words("the anchor has no location"))),
    Case(pl.col("matched_by") == "deleted", _is("deleted", words("{now_detail}"))),
    Case(pl.col("matched_by") == "ambiguous", _is("ambiguous", words("{now_detail}"))),
    Case(pl.col("matched_by") == "unknown", _is("unknown", words("{now_detail}"))),
    Case(
        (pl.col("scope") != Scope.SYMBOL) & (pl.col("matched_by") == "file_moved"),
        _is("moved", words("{now_detail}; a {scope} anchor is compared by place, not by content")),
    ),
    Case(pl.col("scope") != Scope.SYMBOL, _is("unchanged", words("{now_detail}; a {scope} anchor is compared by place, not by content"))),
    Case(pl.col("stands").is_null(), _is("unknown", words("the index does not hold the symbol at its location; locate the anchor again"))),
    Case(
        pl.col("fingerprint_version").is_null(),
        _is("unknown", words("located, and its code at the anchored commit is not known: {problem}")),
    ),
    Case(
        _COMPARABLE.fill_null(value=False).not_(),
        _is("unknown", words("located, and the fingerprints are of other rules or another grammar; fingerprint both sides anew")),
    ),
    Case(
        pl.col("body_hash").is_null() & ~_READ,
        _is("unknown", words("located, and the record carries no hash of the body: {problem}")),
    ),
    Case(
        _BODY & (pl.col("shape_hash") == pl.col("now_shape_hash")),
        _is("body", pl.concat_str(pl.lit("the body changed in its identifiers only"), _ALSO)),
    ),
    Case(_BODY, _is("body", pl.concat_str(pl.lit("the body changed"), _ALSO))),
    Case(
        _SIGNATURE & _differs("name"),
        _is("signature", pl.concat_str(words("the body is equal; the name was {name} and is {now_name}"), _NOTE)),
    ),
    Case(_SIGNATURE, _is("signature", pl.concat_str(pl.lit("the body is equal; parameters or return type changed"), _NOTE))),
    Case(pl.col("matched_by") != "same", _is("moved", pl.concat_str(words("signature and body are equal; {now_detail}"), _NOTE))),
    Case(ALWAYS, _is("unchanged", pl.concat_str(pl.lit("signature and body are equal"), _NOTE))),
)
"""Drift by the first condition that holds; what could not be compared comes before what was."""
