"""Which project of which forge belongs to a repository, and which variable holds the token for it.

In: origins, the configuration. Out: a `ForgeProject`, or None for what lies on no forge that is known.
Each forge has a variable of its own, so that no token is ever shown to another host.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.config import ForgeEntry
from comind.sources.forges.model import ForgeKind, ForgeProject

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["project_of", "token_variable_of"]

_KNOWN = (
    ForgeEntry(host="github.com", kind="github", url="https://api.github.com"),
    ForgeEntry(host="gitlab.com", kind="gitlab"),
)
_USUAL = {ForgeKind.GITLAB: "api/v4", ForgeKind.GITHUB: "api/v3"}


def project_of(origin: str | None, forges: Sequence[ForgeEntry] = ()) -> ForgeProject | None:
    """Return the project that a normalised origin, or a configured `host/path`, names.

    >>> project_of("gitlab.com/group/shop").url
    'https://gitlab.com/api/v4'
    >>> project_of("git.example.com/group/shop")
    """
    host, _, path = (origin or "").partition("/")
    entry = next((one for one in (*forges, *_KNOWN) if one.host.lower() == host.lower()), None)
    if entry is None or "/" not in path:
        return None
    kind = ForgeKind(entry.kind)
    return ForgeProject(
        kind=kind, host=host.lower(), path=path, url=(entry.url or f"https://{host}/{_USUAL[kind]}").rstrip("/"),
        token_variable=entry.token_variable or token_variable_of(host),
    )  # fmt: skip


def token_variable_of(host: str) -> str:
    """Return the variable that holds the token for a host, unless the configuration names another.

    >>> token_variable_of("git.example.com")
    'COMIND_TOKEN_GIT_EXAMPLE_COM'
    """
    return f"COMIND_TOKEN_{re.sub(r'[^A-Za-z0-9]', '_', host).upper()}"
