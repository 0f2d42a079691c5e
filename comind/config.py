"""Settings: flags over environment over the nearest `comind.toml` over defaults.

In: a working directory, an environment, flags. Out: one frozen `Settings`.
Secrets never stand here; object store credentials are read from the environment by the store itself.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "ConfigurationError",
    "DistillSettings",
    "ForgeEntry",
    "RepositoryEntry",
    "Settings",
    "find_configuration",
    "load_settings",
    "remember_checkouts",
]

FILE_NAME = "comind.toml"
_ENDPOINT = r"^https?://[^\s/@]+(?:/\S*)?$"  # a key in an address would end up in a table


class ConfigurationError(UsageError):
    """A `comind.toml` or a COMIND_… variable says something that cannot be meant."""

    def __init__(self, where: str, problem: str) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{where}: {problem}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryEntry:
    """One repository to index: where its checkout is and, where the defaults do not fit, what it is."""

    path: Path
    name: str | None = None  # replaces the origin URL as identity
    ref: str | None = None  # replaces origin/HEAD as the indexed ref
    branches: tuple[str, ...] = ()  # release branches that harvest reads too
    scip: tuple[Path, ...] = ()  # SCIP indexes of it, beside an index.scip at its root
    project: str | None = None  # `host/path` on its forge, where the origin URL does not say it


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeEntry:
    """One forge beside github.com and gitlab.com, whose merge requests may be read."""

    host: str  # as in the origin URLs of its clones
    kind: Literal["gitlab", "github"]  # the interface it speaks
    url: str | None = None  # of the interface, where it is not the usual one
    token_variable: str | None = None  # of the environment, where it is not COMIND_TOKEN_<HOST>


@dataclass(frozen=True, slots=True, kw_only=True)
class DistillSettings:
    """Which model reads prose, and what it may cost in one run; its key stands in the environment alone."""

    endpoint: str | None = None  # base URL of an OpenAI-compatible interface; without one nothing is asked
    model: str | None = None
    key_variable: str = "COMIND_DISTILL_KEY"  # of the environment; a local server needs none
    sources: tuple[Literal["git", "mr", "document"], ...] = ("git", "mr")
    first_commits: int = 1_000  # read of a repository that was never distilled, the newest ones
    concurrency: int = 4  # calls at once
    timeout_seconds: float = 60
    max_calls: int = 500
    max_input_tokens: int = 1_000_000
    max_output_tokens: int = 200_000
    max_cost: float | None = None  # in the currency of the prices
    input_price: float | None = None  # of a million tokens
    output_price: float | None = None  # of a million tokens

    @property
    def is_on(self) -> bool:
        """Whether a model was named that can be asked."""
        return self.endpoint is not None and self.model is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a run or a question needs to know about where and how."""

    store: str  # a local path or s3://, gs://, az:// URI
    repositories: tuple[RepositoryEntry, ...] = ()  # said by flags, environment or file
    remembered: tuple[RepositoryEntry, ...] = ()  # checkouts of earlier runs on this store, on this machine
    workers: int = 2  # parser processes
    max_file_bytes: int = 1_000_000  # a larger source file is listed, not parsed
    leave_out: tuple[str, ...] = ()  # patterns of paths that are listed, not parsed
    keep: tuple[str, ...] = ()  # patterns of paths that no rule for paths leaves out
    dormant_after_days: int = 60
    max_flip_share: float = 0.3  # of anchors, in one run, before it refuses to publish
    trust_store_writers: bool = True
    require_signatures: bool = False
    forges: tuple[ForgeEntry, ...] = ()
    distill: DistillSettings = DistillSettings()
    configuration: Path | None = None  # the file that was read

    @property
    def watched(self) -> tuple[RepositoryEntry, ...]:
        """The repositories that sensors follow and questions compare with: those said, else those remembered."""
        return self.repositories or self.remembered


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Repository(_Strict):
    path: str
    name: str | None = None
    ref: str | None = None
    branches: list[str] = Field(default_factory=list)
    scip: list[str] = Field(default_factory=list)
    project: Annotated[str | None, Field(pattern=r"^[^/\s:]+(?:/[^/\s]+)+$")] = None


class _Forge(_Strict):
    host: Annotated[str, Field(pattern=r"^[^/\s:]+$")]
    kind: Literal["gitlab", "github"]
    url: Annotated[str | None, Field(pattern=r"^https?://[^\s/@]+(?:/\S*)?$")] = None
    token_variable: Annotated[str | None, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = None


class _Distill(_Strict):
    endpoint: Annotated[str | None, Field(pattern=_ENDPOINT)] = None
    model: Annotated[str | None, Field(min_length=1)] = None
    key_variable: Annotated[str | None, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = None
    sources: list[Literal["git", "mr", "document"]] | None = None
    first_commits: Annotated[int | None, Field(ge=1)] = None
    concurrency: Annotated[int | None, Field(ge=1, le=64)] = None
    timeout_seconds: Annotated[float | None, Field(gt=0, strict=False)] = None
    max_calls: Annotated[int | None, Field(ge=0)] = None
    max_input_tokens: Annotated[int | None, Field(ge=0)] = None
    max_output_tokens: Annotated[int | None, Field(ge=0)] = None
    max_cost: Annotated[float | None, Field(ge=0, strict=False)] = None
    input_price: Annotated[float | None, Field(ge=0, strict=False)] = None
    output_price: Annotated[float | None, Field(ge=0, strict=False)] = None


class _File(_Strict):
    store: str | None = None
    repositories: list[str | _Repository] = Field(default_factory=list)
    workers: Annotated[int | None, Field(ge=1, le=256)] = None
    max_file_bytes: Annotated[int | None, Field(ge=1)] = None
    leave_out: list[str] = Field(default_factory=list)
    keep: list[str] = Field(default_factory=list)
    dormant_after_days: Annotated[int | None, Field(ge=1)] = None
    max_flip_share: Annotated[float | None, Field(gt=0, le=1)] = None
    trust_store_writers: bool | None = None
    require_signatures: bool | None = None
    forges: list[_Forge] = Field(default_factory=list)
    distill: _Distill = Field(default_factory=_Distill)


def load_settings(*, cwd: Path, env: Mapping[str, str], store: str | None = None, repositories: Sequence[str] = ()) -> Settings:
    """Resolve every setting.

    Args:
        cwd: where the search for `comind.toml` starts, and what relative flags are relative to.
        env: `COMIND_STORE`, `COMIND_REPOS` (paths joined by the system's path separator), `COMIND_WORKERS`, `COMIND_DISTILL_ENDPOINT`,
            `COMIND_DISTILL_MODEL`, `XDG_…`.
        store: the `--store` flag.
        repositories: the `--repo` flags.

    Raises:
        ConfigurationError: the file is not TOML, has an unknown key or a value of the wrong type.
    """
    path = find_configuration(cwd)
    told = _read(path) if path else _File()
    base = path.parent if path else cwd
    where = _store_uri(store, cwd) or _store_uri(env.get("COMIND_STORE"), cwd) or _store_uri(told.store, base) or _default_store(env)
    chosen = {
        name: value
        for name in (
            "max_file_bytes", "dormant_after_days", "max_flip_share", "trust_store_writers", "require_signatures",
        )
        if (value := getattr(told, name)) is not None
    }  # fmt: skip
    return Settings(
        store=where,
        repositories=_from_paths(repositories, cwd)
        or _from_paths([text for text in env.get("COMIND_REPOS", "").split(os.pathsep) if text], cwd)
        or tuple(_entry(item, base) for item in told.repositories),
        remembered=tuple(RepositoryEntry(path=found) for found in _recall(where, env)),
        workers=_workers(env) or told.workers or max(1, min(8, os.cpu_count() or 1)),
        configuration=path,
        leave_out=tuple(told.leave_out),
        keep=tuple(told.keep),
        forges=tuple(ForgeEntry(**one.model_dump()) for one in told.forges),
        distill=_distill(told.distill, env),
        **chosen,
    )


def find_configuration(cwd: Path) -> Path | None:
    """Find the nearest `comind.toml` in `cwd` or above it."""
    return next((found for folder in (cwd, *cwd.parents) if (found := folder / FILE_NAME).is_file()), None)


def remember_checkouts(settings: Settings, entries: Sequence[RepositoryEntry], env: Mapping[str, str]) -> None:
    """Note on this machine which checkouts were indexed into a store; the shared store never learns a path."""
    known = _checkouts(env)
    paths = sorted({*known.get(settings.store, []), *(str(entry.path) for entry in entries)})
    if paths == known.get(settings.store):
        return
    target = _checkouts_file(env)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(known | {settings.store: paths}, indent=1), encoding="utf-8")
    draft.replace(target)


def _read(path: Path) -> _File:
    try:
        return _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(str(path), f"is not TOML: {error}") from None
    except OSError as error:
        raise ConfigurationError(str(path), f"cannot be read: {error.strerror}") from None
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ConfigurationError(str(path), f"{problems}; known settings: {', '.join(_File.model_fields)}") from None


def _entry(item: str | _Repository, base: Path) -> RepositoryEntry:
    told = _Repository(path=item) if isinstance(item, str) else item
    return RepositoryEntry(
        path=_absolute(told.path, base), name=told.name, ref=told.ref, branches=tuple(told.branches),
        scip=tuple(_absolute(text, base) for text in told.scip), project=told.project,
    )  # fmt: skip


def _distill(told: _Distill, env: Mapping[str, str]) -> DistillSettings:
    chosen = {name: tuple(value) if isinstance(value, list) else value for name, value in told.model_dump(exclude_none=True).items()}
    endpoint = env.get("COMIND_DISTILL_ENDPOINT")
    if endpoint and not re.match(_ENDPOINT, endpoint):
        raise ConfigurationError("COMIND_DISTILL_ENDPOINT", f"{endpoint!r} is no address such as http://127.0.0.1:8080/v1")
    said = {"endpoint": endpoint, "model": env.get("COMIND_DISTILL_MODEL")}
    given: dict[str, Any] = chosen | {name: value for name, value in said.items() if value}
    return DistillSettings(**given)


def _from_paths(paths: Sequence[str], base: Path) -> tuple[RepositoryEntry, ...]:
    return tuple(RepositoryEntry(path=_absolute(text, base)) for text in paths)


def _absolute(text: str, base: Path) -> Path:
    return Path(os.path.normpath(base / Path(text).expanduser()))


def _store_uri(text: str | None, base: Path) -> str | None:
    if not text:
        return None
    return text.rstrip("/") if "://" in text else str(_absolute(text, base))


def _default_store(env: Mapping[str, str]) -> str:
    return str(_xdg(env, "XDG_DATA_HOME", ".local/share") / "comind" / "store")


def _workers(env: Mapping[str, str]) -> int | None:
    text = env.get("COMIND_WORKERS")
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ConfigurationError("COMIND_WORKERS", f"{text!r} is not a number of processes")
    return int(text)


def _xdg(env: Mapping[str, str], variable: str, below_home: str) -> Path:
    return Path(env[variable]) if env.get(variable) else Path(env.get("HOME", "~")).expanduser() / below_home


def _checkouts_file(env: Mapping[str, str]) -> Path:
    return _xdg(env, "XDG_STATE_HOME", ".local/state") / "comind" / "checkouts.json"


def _checkouts(env: Mapping[str, str]) -> dict[str, list[str]]:
    try:
        known: object = json.loads(_checkouts_file(env).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # a hint: lost means only that a checkout has to be named again
    return {store: [str(path) for path in paths] for store, paths in known.items()} if isinstance(known, dict) else {}


def _recall(store: str, env: Mapping[str, str]) -> list[Path]:
    return [Path(text) for text in _checkouts(env).get(store, []) if Path(text).exists()]
