"""Where a store lies and how to open it: a local path, s3://, gs:// or az://.

In: what the user calls the store, and the environment. Out: a `StoreLocation` that opens objects and names tables.
Parsing touches neither disk nor network. Credentials come from the environment alone and are never shown.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from obstore.store import AzureStore, GCSStore, S3Store

from comind.store.failures import StoreUnreadableError, StoreUnwritableError, translated
from comind.store.layout import PRIVATE_TABLES, TABLES
from comind.store.local import LocalObjects
from comind.store.remote import RemoteObjects
from comind.store.settings import ENDPOINTS, InvalidStoreError, client_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from comind.store.objects import ObjectStore

__all__ = ["InvalidStoreError", "Patience", "StoreLocation", "StoreUnreadableError", "StoreUnwritableError"]

Scheme: TypeAlias = Literal["file", "s3", "gs", "az"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a server is waited for: a dead host is reported within a quarter of a minute."""

    connect_seconds: int = 3
    request_seconds: int = 20
    retries: int = 5  # of what is safe to repeat: refused connections, overloaded servers
    retry_seconds: int = 10  # after this no further attempt is made


@dataclass(frozen=True, kw_only=True)
class StoreLocation:
    """One store: equal locations are the same store seen with the same credentials."""

    scheme: Scheme
    root: str  # file: an absolute path; else bucket, or bucket/prefix
    settings: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # the client's own names -> values; holds secrets
    cache: Path | None = None  # this machine's directory for hints about stores; None: keep none
    patience: Patience = field(default_factory=Patience)

    @classmethod
    def parse(cls, uri: str, env: Mapping[str, str], *, patience: Patience | None = None) -> StoreLocation:
        """Understand what the user calls a store.

        Args:
            uri: a path (absolute, relative to the working directory, or below ``~``), ``file://``, ``s3://``, ``gs://`` or ``az://``.
            env: ``AWS_*``, ``GOOGLE_*`` or ``AZURE_*`` for the client; ``XDG_CACHE_HOME`` or ``HOME`` for hints.
            patience: how long servers are waited for.

        Raises:
            InvalidStoreError: no such kind of store, no bucket, or an endpoint that is not a URL.

        >>> StoreLocation.parse("s3://ledger/team/", {}).table_uri("symbols")
        's3://ledger/team/_ledger/tables/symbols.lance'
        """
        before, separator, after = uri.partition("://")
        scheme = before.lower() if separator else "file"
        waiting = patience or Patience()
        if scheme == "file":
            return cls(scheme="file", root=_directory(after if separator else uri), cache=_cache(env), patience=waiting)
        if scheme not in ENDPOINTS:
            raise InvalidStoreError(repr(f"{before}://"), "is not a kind of store")
        known: Scheme = scheme  # type: ignore[assignment]  # checked just above
        return cls(
            scheme=known,
            root=_bucket(scheme, after),
            settings=tuple(sorted(client_settings(known, env).items())),
            cache=_cache(env),
            patience=waiting,
        )

    @property
    def uri(self) -> str:
        """The store as the user may type it again: an absolute path, or ``scheme://bucket/prefix``."""
        return self.root if self.is_local else f"{self.scheme}://{self.root}"

    @property
    def is_local(self) -> bool:
        """Whether the store is a directory of this machine."""
        return self.scheme == "file"

    @property
    def where(self) -> str:
        """The store as messages name it: with its server where that is not the usual one."""
        endpoint = dict(self.settings).get(ENDPOINTS.get(self.scheme, ""))
        shown = self.uri if self.uri.isprintable() else repr(self.uri)  # a path may hold a line break, a message may not
        return f"{shown} at {endpoint}" if endpoint else shown

    def table_uri(self, name: str, *, private: bool = False) -> str:
        """Return where a table lies, as Lance understands it together with `lance_options`."""
        return f"{self.uri}/{PRIVATE_TABLES if private else TABLES}/{name}.lance"

    def lance_options(self) -> dict[str, str] | None:
        """Return the ``storage_options`` for Lance; None for a local store."""
        if self.is_local:
            return None
        return dict(self.settings) | {
            "connect_timeout": f"{self.patience.connect_seconds}s",
            "request_timeout": f"{self.patience.request_seconds}s",
            "client_max_retries": str(self.patience.retries),
            "client_retry_timeout": str(self.patience.retry_seconds),
        }

    def objects(self) -> ObjectStore:
        """Open the store's objects; opening touches neither disk nor network."""
        return _open(self)


@functools.cache
def _open(location: StoreLocation) -> ObjectStore:
    if location.is_local:
        return LocalObjects(Path(location.root), where=location.where)
    bucket, _, prefix = location.root.partition("/")
    kinds: dict[str, Any] = {"s3": S3Store, "gs": GCSStore, "az": AzureStore}
    patience = location.patience
    settings = dict(location.settings)
    insecure = settings.pop("allow_http", "false") == "true"
    with translated(StoreUnreadableError, where=location.where, scheme=location.scheme):
        client = kinds[location.scheme](
            bucket,
            prefix=prefix or None,
            config=settings,
            client_options={
                "allow_http": insecure,
                "connect_timeout": timedelta(seconds=patience.connect_seconds),
                "timeout": timedelta(seconds=patience.request_seconds),
            },
            retry_config={"max_retries": patience.retries, "retry_timeout": timedelta(seconds=patience.retry_seconds)},
        )
    return RemoteObjects(client, where=location.where, scheme=location.scheme)


def _directory(text: str) -> str:
    if not text or "\0" in text:
        raise InvalidStoreError(repr(text), "is not a path")
    try:
        return str(Path(text).expanduser().absolute())
    except RuntimeError:  # `~name` of nobody
        raise InvalidStoreError(repr(text), "names the home of an unknown user") from None


def _bucket(scheme: str, text: str) -> str:
    bucket, *prefix = text.rstrip("/").split("/")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}", bucket):
        raise InvalidStoreError(f"{scheme}://", "is not followed by a bucket")  # no echo: people paste s3://KEY:SECRET@bucket
    if any(part in {"", ".", ".."} or not part.isprintable() for part in prefix):
        raise InvalidStoreError(repr(text), "has an empty, relative or unprintable part")
    return "/".join((bucket, *prefix))


def _cache(env: Mapping[str, str]) -> Path | None:
    if base := env.get("XDG_CACHE_HOME"):
        return Path(base) / "comind"
    return Path(env["HOME"]) / ".cache" / "comind" if env.get("HOME") else None
