"""The answers to `comind repos` and `comind stats` as lines for a person.

In: a `ReposAnswer` or `StatsAnswer`. Out: styled text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.query.render import labelled, line, repository_name, stacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from comind.query.census import ReposAnswer, RepositoryListed, Share, StatsAnswer

__all__ = ["render_repos", "render_stats"]

_SHORT = 12
_FEW = 6  # packages or repositories that fit in a line


def render_repos(answer: ReposAnswer) -> Text:
    """Render the repositories of a store."""
    lines = [one for repository in answer.repositories for one in _repository(repository)]
    return stacked(lines or [line("no repository is indexed; `comind run --repo PATH` indexes one")])


def _repository(one: RepositoryListed) -> Iterator[Text]:
    yield line((repository_name(one.repo_id), "bold"), (f"  {one.ref or ''} at {(one.head_commit or 'no commit')[:_SHORT]}", "dim"))
    yield labelled("code", f"{one.files:,} source files, {one.symbols:,} definitions")
    if one.packages:
        yield labelled("packages", _few(one.packages))
    if one.uses:
        yield labelled("refers to", _few(tuple(map(repository_name, one.uses))))
    if one.problem:
        yield labelled("problem", (one.problem, "yellow"))


def _few(words: tuple[str, ...]) -> str:
    return ", ".join(words[:_FEW]) + (f" and {len(words) - _FEW} more" if len(words) > _FEW else "")


def render_stats(answer: StatsAnswer) -> Text:
    """Render what is indexed in figures."""
    lines = [
        line((f"{answer.repositories:,} ", "bold"), f"repositories, {answer.files:,} files, {answer.contents:,} contents parsed"),
        line((f"{answer.symbols:,} ", "bold"), "definitions: ", _words(answer.kinds)),
        line((f"{answer.edges:,} ", "bold"), f"references, {answer.across:,} into another repository: ", _words(answer.references)),
    ]
    if answer.resolved_by:
        lines.append(labelled("known by", _words(answer.resolved_by)))
    width = max((len(one.language) for one in answer.languages), default=0)
    for one in answer.languages:
        missed = f", {one.not_whole:,} not parsed whole" if one.not_whole else ""
        lines.append(line(f"  {one.language:<{width}} {one.symbols:>10,} definitions in {one.files:,} files{missed}"))
    return stacked(lines)


def _words(shares: tuple[Share, ...]) -> str:
    return ", ".join(f"{one.count:,} {one.word}" for one in shares)
