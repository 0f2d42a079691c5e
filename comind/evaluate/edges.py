"""Measure call edges against SCIP indexes.

In: the indexes that a type checker made, clones of the repositories of one organisation. Out: figures, and what was wrong or missed.

What counts. Wanted is each call site (see `edge_truth`) whose target is a definition of one of the repositories. Answered is each place
that Comind resolves as a call and where the index mentions a symbol that is not local to its file. An answer is right where it names the
same definition; a constructor is its class, and the overloads of a function of Python or TypeScript are one. A target outside of the
repositories, or in them and no definition that Comind lists, makes an answer wrong. Not judged, but counted, are the places where the
index mentions nothing, only a name that is local to the file, or a parameter, variable or attribute of the organisation: there it does
not say what is called. Several mentions of a name on one line are one place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.evaluate.edge_truth import Site
from comind.index.edges import EdgeKind, ResolvedBy
from comind.index.names import sid_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from comind.evaluate.edge_truth import OrganisationCode, Target, Truth

__all__ = ["Difference", "EdgeFigures", "EdgeScore", "judge_calls"]

_CONSTRUCTORS: Final = ("__init__", "__new__", "constructor")
_GROUPS: Final = {
    "import, typed": (ResolvedBy.IMPORT, ResolvedBy.TYPED),
    "all": tuple(ResolvedBy),
    **{str(how): (how,) for how in ResolvedBy},
}


@dataclass(frozen=True, slots=True)
class EdgeScore:
    """How right the answers are, and how much of what is wanted they hold."""

    right: int  # answers
    wrong: int
    found: int  # of the wanted calls
    wanted: int

    @property
    def precision(self) -> float:
        """Share of the answers that are right; 0 where there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        """Share of the wanted calls that was found; 0 where none are wanted."""
        return self.found / self.wanted if self.wanted else 0.0


@dataclass(frozen=True, slots=True, order=True)
class Difference:
    """One answer that is wrong, or one call that was not found."""

    cause: str
    where: str  # clone:path:line name
    said: str
    wanted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFigures:
    """What was measured, and what could not be."""

    files: int  # that the indexes fit
    stale_files: tuple[str, ...]
    calls: int  # wanted
    calls_across_repositories: int
    scores: dict[str, EdgeScore]  # by how it was resolved; recall is a share of all wanted
    across_repositories: dict[str, EdgeScore]
    local: int  # answers not judged: the index takes the name for local to the file
    held: int  # answers not judged: the index names a parameter, variable or attribute
    unmentioned: int  # answers not judged: the index mentions nothing there
    wrong: tuple[Difference, ...]
    missed: tuple[Difference, ...]  # by import or type

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        scores = {
            name: {group: {"precision": one.precision, "recall": one.recall} | asdict(one) for group, one in found.items()}
            for name, found in (("scores", self.scores), ("across_repositories", self.across_repositories))
        }
        return asdict(self) | scores


def judge_calls(places: pl.DataFrame, truth: Truth, code: OrganisationCode) -> EdgeFigures:
    """Compare the calls among places with the truth.

    Args:
        places: `PLACES` of all repositories.
        truth: what the indexes say.
        code: the repositories.
    """
    return _Judge(truth, code).figures(_answers(places, truth))


def _answers(places: pl.DataFrame, truth: Truth) -> dict[Site, set[tuple[int, ResolvedBy]]]:
    """Return what is said of each call site in the files that the indexes fit."""
    found: dict[Site, set[tuple[int, ResolvedBy]]] = defaultdict(set)
    calls = places.filter((pl.col("kind") == EdgeKind.CALLS) & pl.col("dst").is_not_null())
    for repo_id, path, line, name, dst, how in calls.select("repo_id", "path", "line", "name", "dst", "resolved_by").iter_rows():
        if (repo_id, path) in truth.files:
            found[Site(repo_id, path, line, name)].add((dst, ResolvedBy(how)))
    return found


class _Judge:
    """Knows the truth, and which definitions are one."""

    def __init__(self, truth: Truth, code: OrganisationCode) -> None:
        self._truth = truth
        self._keys: dict[int, str] = dict(code.symbols.select("sid", "canonical_key").iter_rows())
        self._homes: dict[int, set[str]] = defaultdict(set)
        for sid, repo_id in code.symbols.select("sid", "repo_id").iter_rows():
            self._homes[sid].add(repo_id)
        self._names = {one.repo_id: one.path.resolve().name for one in code.repositories}
        self._same = _same_definitions(code.symbols)

    def figures(self, answers: Mapping[Site, set[tuple[int, ResolvedBy]]]) -> EdgeFigures:
        wanted = {site: {self._one(sid) for sid in sids} for site, sids in self._truth.calls().items()}
        across = {site: sids for site, sids in wanted.items() if self._is_elsewhere(site, sids)}
        verdicts = {(site, dst, how): self._verdict(site, dst) for site, said in answers.items() for dst, how in said}
        scores = {name: _score(wanted, self._found(answers, hows), verdicts, hows) for name, hows in _GROUPS.items()}
        far = {name: _score(across, self._found(answers, hows), self._across(verdicts), hows) for name, hows in _GROUPS.items()}
        sure = self._found(answers, _GROUPS["import, typed"])
        counts = Counter(verdicts.values())
        return EdgeFigures(
            files=len(self._truth.files),
            stale_files=tuple(f"{self._names[repo_id]}:{path}" for repo_id, path in sorted(self._truth.stale)),
            calls=len(wanted),
            calls_across_repositories=len(across),
            scores={name: one for name, one in scores.items() if one.right + one.wrong},
            across_repositories={name: one for name, one in far.items() if one.right + one.wrong},
            local=counts[_LOCAL],
            held=counts[_HELD],
            unmentioned=counts[_UNMENTIONED],
            wrong=tuple(sorted(self._wrong(site, dst, how, cause) for (site, dst, how), cause in verdicts.items() if cause in _WRONG)),
            missed=tuple(sorted(self._missed(site, sids) for site, sids in wanted.items() if not sids & sure.get(site, set()))),
        )

    def _found(self, answers: Mapping[Site, set[tuple[int, ResolvedBy]]], hows: Iterable[ResolvedBy]) -> dict[Site, set[int]]:
        return {site: {self._one(dst) for dst, how in said if how in hows} for site, said in answers.items()}

    def _across(self, verdicts: Mapping[tuple[Site, int, ResolvedBy], str]) -> dict[tuple[Site, int, ResolvedBy], str]:
        return {key: cause for key, cause in verdicts.items() if self._is_elsewhere(key[0], {key[1]})}

    def _is_elsewhere(self, site: Site, sids: Iterable[int]) -> bool:
        homes = [self._homes[sid] for sid in sids if self._homes[sid]]
        return bool(homes) and all(site.repo_id not in repositories for repositories in homes)

    def _verdict(self, site: Site, dst: int) -> str:
        targets = self._truth.targets.get(site, [])
        if any(self._one(sid) == self._one(dst) for target in targets for sid in target.sids):
            return _RIGHT
        if not targets:
            return _LOCAL if site in self._truth.local else _UNMENTIONED
        if any(target.sids for target in targets):
            return _OTHER
        if any(target.is_held for target in targets):
            return _HELD
        return _UNLISTED if any(target.is_ours for target in targets) else _OUTSIDE

    def _one(self, sid: int) -> int:
        return self._same.get(sid, sid)

    def _wrong(self, site: Site, dst: int, how: ResolvedBy, cause: str) -> Difference:
        return Difference(f"{how}: {cause}", self._place(site), self._named(dst), _symbols(self._truth.targets[site]))

    def _missed(self, site: Site, sids: Iterable[int]) -> Difference:
        receiver = self._truth.receivers.get(site, "")
        cause = receiver if receiver in {"self", "cls", "this", "super", "…"} else "a name" if receiver else "nothing"
        where = f"{self._place(site)} after {receiver}" if receiver else self._place(site)
        return Difference(f"after {cause}", where, "nothing", " or ".join(sorted(map(self._named, sids))))

    def _place(self, site: Site) -> str:
        return f"{self._names[site.repo_id]}:{site.path}:{site.line} {site.name}"

    def _named(self, sid: int) -> str:
        return self._keys.get(sid, "a module")


_RIGHT, _LOCAL, _HELD, _UNMENTIONED = "right", "local", "held", "unmentioned"
_OTHER, _OUTSIDE, _UNLISTED = "another definition", "outside of the repositories", "no definition"
_WRONG: Final = frozenset({_OTHER, _OUTSIDE, _UNLISTED})


def _score(
    wanted: Mapping[Site, set[int]],
    found: Mapping[Site, set[int]],
    verdicts: Mapping[tuple[Site, int, ResolvedBy], str],
    hows: Iterable[ResolvedBy],
) -> EdgeScore:
    judged = Counter(cause for (_, _, how), cause in verdicts.items() if how in hows)
    found_sites = sum(bool(sids & found.get(site, set())) for site, sids in wanted.items())
    return EdgeScore(judged[_RIGHT], sum(judged[cause] for cause in _WRONG), found_sites, len(wanted))


def _same_definitions(symbols: pl.DataFrame) -> dict[int, int]:
    """Map the sids of constructors to those of their classes, and those of overloads that are one function to one of them."""
    keys = symbols.select("sid", "name", "kind", key=pl.col("canonical_key")).unique("key")
    is_one_function = pl.col("key").str.contains("^(?:pypi|npm) ")
    one_key = pl.when(is_one_function).then(pl.col("key").str.replace(r"\([^()]*\)\.$", "().")).otherwise(pl.col("key"))
    is_constructor = pl.col("name").is_in(_CONSTRUCTORS) | (pl.col("kind") == "constructor")
    alike = keys.with_columns(key=pl.when(is_constructor).then(one_key.str.replace(r"[^#]*$", "")).otherwise(one_key))
    return {sid: sid_of(key) for sid, key in alike.select("sid", "key").iter_rows()}


def _symbols(targets: Iterable[Target]) -> str:
    return " or ".join(sorted({target.symbol for target in targets}))
