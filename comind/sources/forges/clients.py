"""The client for a project: which one, and with which token.

In: a project, the environment. Out: a `Forge`, or None where there is no token. Loads a client only when it opens one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.sources.forges.model import ForgeKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.sources.forges.courtesy import Patience
    from comind.sources.forges.model import Forge, ForgeProject

__all__ = ["open_forge"]


def open_forge(project: ForgeProject, env: Mapping[str, str], patience: Patience | None = None) -> Forge | None:
    """Open the client for a project; None where its variable of the environment holds no token."""
    token = env.get(project.token_variable, "").strip()
    if not token:
        return None
    if project.kind is ForgeKind.GITLAB:
        from comind.sources.forges.gitlab import GitLab  # noqa: PLC0415 - a client takes a third of a second to load

        return GitLab(project, token, patience)
    from comind.sources.forges.github import GitHub  # noqa: PLC0415

    return GitHub(project, token, patience)
