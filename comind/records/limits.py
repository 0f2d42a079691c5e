"""How long a text of a record may be, and how many parts it may have.

In: nothing. Out: numbers. They belong to version 1 of the record: a wider limit is a new version, because
a reader of this one would call what it holds invalid.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "MAX_ALTERNATIVES", "MAX_ANCHORS", "MAX_BODY_BYTES", "MAX_CLAIM_CHARS", "MAX_EVIDENCE", "MAX_LABEL_CHARS", "MAX_NAME_CHARS",
    "MAX_PATH_CHARS", "MAX_RECORD_BYTES", "MAX_REPO_CHARS", "MAX_TITLE_CHARS", "MAX_TRIGGER_CHARS", "MAX_URL_CHARS",
]  # fmt: skip

MAX_TITLE_CHARS: Final = 120
MAX_TRIGGER_CHARS: Final = 200
MAX_BODY_BYTES: Final = 2048  # of UTF-8, so that a record costs a reader the same in every script
MAX_CLAIM_CHARS: Final = 1000  # one claim of a kind: an approach, a rule, a cause, a reason, a quote
MAX_LABEL_CHARS: Final = 60  # how two records belong together
MAX_NAME_CHARS: Final = 200  # a model, an agent, a branch, a package, a version range
MAX_REPO_CHARS: Final = 400
MAX_URL_CHARS: Final = 1000
MAX_PATH_CHARS: Final = 4096  # a path, a symbol; what file systems allow
MAX_ANCHORS: Final = 64
MAX_EVIDENCE: Final = 32
MAX_ALTERNATIVES: Final = 16
MAX_RECORD_BYTES: Final = 65_536  # of the canonical form; a larger object is not a record
