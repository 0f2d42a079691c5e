"""What `--on` and `--evidence` name, as anchors and evidence of a record.

In: what a person typed, the session, `--repo`, `--path`, `--commit`. Out: plain JSON of anchors and evidence.
Asks the tables only for a name that needs looking up, so that an identity that may only write can still remember.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from comind.errors import UsageError
from comind.records.vocabulary import EvidenceKind, Scope

if TYPE_CHECKING:
    from comind.canonical import Json
    from comind.cli.context import Session
    from comind.query.answer import SubjectShown
    from comind.sources.git import GitRepository

__all__ = ["AnchorTextError", "Anchoring", "EvidenceTextError"]

_FULL_COMMIT = re.compile(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")
_REVISION = re.compile(r"^[^/.:\s]+$")  # what git may know as a commit; a path has a slash or a dot
_DEPENDENCY = re.compile(r"^(?P<ecosystem>[^/\s]+)/(?P<name>.+)@(?P<range>[^@]+)$")
_SCIP = re.compile(r"^\S+ (?:[^ ]|  )+ (?:[^ ]|  )+ (?:[^ ]|  )+ \S")
_COMMITS = {EvidenceKind.COMMIT, EvidenceKind.REVERT, EvidenceKind.REVERTED}


class AnchorTextError(UsageError):
    """What `--on` says names nothing that a record can be anchored to, or several things."""

    def __init__(self, text: str, problem: str) -> None:
        self.text, self.problem = text, problem
        super().__init__(f"{text!r} {problem}")


class EvidenceTextError(UsageError):
    """What `--evidence` says cannot be looked up."""

    def __init__(self, text: str, problem: str) -> None:
        self.text, self.problem = text, problem
        super().__init__(f"{text!r} {problem}")


@dataclass(frozen=True)
class Anchoring:
    """Turns what a person typed into anchors and evidence."""

    session: Session
    repo: str | None = None  # --repo: the identity of a repository
    path: str | None = None  # --path, for a SCIP symbol that is not to be looked up
    commit: str | None = None  # --commit: as the code was there

    @cached_property
    def checkout(self) -> GitRepository | None:
        """The checkout of the repository in question, when there is one on this machine."""
        return self.session.checkouts.find(self.repo) if self.repo else self.session.checkouts.here

    @property
    def repo_id(self) -> str | None:
        """The repository in question: the one that was named, else that of the working directory."""
        return self.repo or (self.checkout.repo_id if self.checkout else None)

    def anchor(self, text: str) -> dict[str, Json]:
        """Return the anchor that a text names.

        Raises:
            AnchorTextError: it names nothing, several things, or something that is not there at the commit.
            CommitNotFoundError: the checkout has no such commit.
        """
        scope, colon, rest = text.partition(":")
        if text == Scope.ORG:
            return {"scope": "org"}
        if text == Scope.REPO:
            return {"scope": "repo", "repo": self._needed_repo(text)}
        if colon and scope in {"file", "module"} and rest:
            return self._place(Scope(scope), rest)
        if colon and scope == "dep":
            return self._dependency(text, rest)
        if _SCIP.match(text) and self.path and self.commit and self.repo_id:
            return {"scope": "symbol", "repo": self.repo_id, "path": self.path, "symbol": text, "commit": self.commit_of(self.commit)}
        return self._looked_up(text)

    def evidence(self, text: str) -> dict[str, Json]:
        """Return the evidence that a text names: a commit, a URL, a path, or one of these after its kind as in ``issue:https://…``.

        Raises:
            EvidenceTextError: a commit is not written out, and no checkout is here to complete it.
            CommitNotFoundError: the checkout has no such commit.
        """
        word, _, rest = text.partition(":")
        kind = EvidenceKind(word) if word in set(EvidenceKind) and rest else None
        what = rest.strip() if kind else text.strip()
        if kind in _COMMITS or (kind is None and _REVISION.match(what)):
            found: dict[str, Json] = {"kind": str(kind or EvidenceKind.COMMIT), "commit": self.commit_of(what)}
            return found | ({"repo": self.repo_id} if self.repo_id else {})
        if what.startswith(("http://", "https://")):
            return {"kind": str(kind or EvidenceKind.DOCUMENT), "url": what}
        if kind is EvidenceKind.ERROR:
            return {"kind": "error", "quote": what}
        repo: dict[str, Json] = {"repo": self.repo_id} if self.repo_id else {}
        return repo | {"kind": str(kind or EvidenceKind.DOCUMENT), "path": self.session.checkouts.path_of(what) or what}

    def commit_of(self, text: str) -> str:
        """Return the full id of the commit that a text names.

        Raises:
            EvidenceTextError: it is not written out, and no checkout is here to complete it.
            CommitNotFoundError: the checkout has no such commit.
        """
        if self.checkout is not None:
            return self.checkout.resolve(text)
        if not _FULL_COMMIT.match(text):
            raise EvidenceTextError(
                text, "is not a full commit id, and no checkout completes it here; write all 40 digits, or a URL or path"
            )
        return text

    def _place(self, scope: Scope, text: str) -> dict[str, Json]:
        repo, path = self._needed_repo(text), self.session.checkouts.path_of(text) or text.removeprefix("./").rstrip("/")
        commit = self.commit_of(self.commit) if self.commit else self.checkout.head if self.checkout else None
        if commit is None:
            raise AnchorTextError(text, "is in a repository that is not checked out here; say at which commit with --commit")
        if self.checkout and not self._stands(self.checkout, commit, scope, path):
            raise AnchorTextError(
                text, f"is no {'file' if scope is Scope.FILE else 'directory'} of {repo} at {commit[:12]}; commit it first"
            )
        return {"scope": str(scope), "repo": repo, "path": path, "commit": commit}

    @staticmethod
    def _stands(checkout: GitRepository, commit: str, scope: Scope, path: str) -> bool:
        if scope is Scope.FILE:
            return checkout.blob_at(commit, path) is not None
        return next(iter(checkout.files(commit, path)), None) is not None

    def _dependency(self, text: str, rest: str) -> dict[str, Json]:
        found = _DEPENDENCY.match(rest)
        if found is None:
            raise AnchorTextError(text, "is not a dependency; write dep:ECOSYSTEM/NAME@RANGE, as in `dep:pypi/flask@>=3,<4`")
        return {"scope": "dependency", "package": f"{found['ecosystem']} {found['name']}", "version_range": found["range"]}

    def _looked_up(self, text: str) -> dict[str, Json]:
        from comind.query.resolve import Asked, resolve  # noqa: PLC0415 - whoever only writes needs no table

        checkouts = self.session.checkouts
        here = checkouts.here.repo_id if checkouts.here and not self.repo else None
        subjects = resolve(self.session.view, Asked(text=text, repo=self.repo, path=checkouts.path_of(text), here=here))
        if not subjects:
            raise AnchorTextError(text, f"is nothing that is indexed; `comind why {text}` says how far the index is, file:PATH needs none")
        if len(subjects) > 1:
            raise AnchorTextError(text, f"names {len(subjects)} things; `comind why {text}` lists them")
        return self._anchor_on(text, subjects[0])

    def _anchor_on(self, text: str, subject: SubjectShown) -> dict[str, Json]:
        if subject.kind == "gone":
            raise AnchorTextError(text, "is no longer in the code; anchor the record to what took its place")
        scope = {"symbol": Scope.SYMBOL, "file": Scope.FILE, "directory": Scope.MODULE}.get(subject.kind, Scope.REPO)
        anchor: dict[str, Json] = {"scope": str(scope), "repo": subject.repo_id}
        if scope is Scope.REPO:
            return anchor
        anchor |= {"path": subject.path, "commit": self._indexed(subject.repo_id or "")}
        if scope is Scope.SYMBOL:
            anchor |= {"symbol": subject.symbol, "start_line": subject.start_line, "end_line": subject.end_line}
        return anchor

    def _indexed(self, repo_id: str) -> str:
        from comind.query.where import all_of, equal  # noqa: PLC0415

        own_row = all_of(equal("repo_id", repo_id), equal("path", ""))
        return str(self.session.view.read("code_files", columns=["head_commit"], where=own_row)["head_commit"][0])

    def _needed_repo(self, text: str) -> str:
        if self.repo_id is None:
            raise AnchorTextError(text, "needs a repository; run this inside a checkout, or name one with --repo")
        return self.repo_id
