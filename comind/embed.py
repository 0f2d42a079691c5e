"""Text to vectors, so that two wordings of one reason are found to be near each other.

In: texts. Out: unit vectors. The default reads the static word vectors that the package `wordllama` carries, through `model2vec`: no
network, no download, a few thousand texts a second. What names an embedder names its weights, so that vectors of two are never compared.
"""

from __future__ import annotations

import os
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from blake3 import blake3

from comind.errors import ComindError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from model2vec import StaticModel
    from numpy.typing import NDArray

__all__ = ["Embedder", "WeightsMissingError", "static_embedder"]

_WEIGHTS, _TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"


class WeightsMissingError(ComindError):
    """The package that carries the vectors has none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"no word vectors at {path.name} of the package wordllama; `pip install --force-reinstall wordllama` brings them")


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def id(self) -> str:
        """Name, version of the weights and dimension: vectors of two ids are not comparable."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, as rows; a text without any known word is a row of zeros."""


class _Static:
    """Averages of word vectors, read when the first text comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def id(self) -> str:
        """Name, version of the weights and dimension."""
        return f"static-{blake3(self._weights.read_bytes()).hexdigest()[:12]}-{self._model.dim}"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text."""
        return self._model.encode(list(texts), use_multiprocessing=False).astype("float32")

    @property
    def _weights(self) -> Path:
        weights = self._folder / _WEIGHTS
        if not weights.is_file():
            raise WeightsMissingError(weights)
        return weights

    @cached_property
    def _model(self) -> StaticModel:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing of what is imported here may look for a network
        from model2vec import StaticModel  # noqa: PLC0415 - half a second that only a comparison of texts pays
        from safetensors.numpy import load_file  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        vectors = load_file(self._weights)["embedding.weight"]
        return StaticModel(vectors, Tokenizer.from_file(str(self._folder / _TOKENIZER)), normalize=True)


@cache
def static_embedder() -> Embedder:
    """Return the default embedder, loaded once; it raises `WeightsMissingError` when it is used without its weights."""
    found = find_spec("wordllama")
    return _Static(Path(found.origin).parent if found and found.origin else Path("wordllama"))
