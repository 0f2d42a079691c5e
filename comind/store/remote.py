"""A store in a bucket: S3 and what speaks it, Google Cloud Storage, Azure Blob Storage.

In: an open client whose root is the store's. Out: what `ObjectStore` promises.
Waits for nobody for long: the client's limits are set by `comind.store.location`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import obstore

from comind.store.failures import CLIENT_ERRORS, StoreUnreadableError, StoreUnwritableError, Trouble, explain, is_about_bucket, translated
from comind.store.objects import MAX_OBJECT_BYTES, Level, Missing, Names, ReadFailure

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Client

__all__ = ["RemoteObjects"]

_PAGE = 1000  # what the protocols return per request
_THIS_OBJECT_ALONE = {Trouble.DENIED, Trouble.OTHER}  # an object of a foreign owner is refused where others are not


class RemoteObjects:
    """The objects under one prefix of a bucket."""

    parallel = 24  # more gains nothing measurable; one request at a time costs a round trip per object

    def __init__(self, client: Client, *, where: str, scheme: str) -> None:
        self.client, self.where, self.scheme = client, where, scheme

    def create(self, key: str, content: bytes) -> bool:
        """Put the object with a precondition, so that the server lets exactly one writer of a key win."""
        with translated(StoreUnwritableError, where=self.where, scheme=self.scheme):
            try:
                obstore.put(self.client, key, content, mode="create", use_multipart=False)
            except obstore.exceptions.AlreadyExistsError:
                return False
            return True

    def read(self, key: str, *, limit: int = MAX_OBJECT_BYTES) -> bytes | ReadFailure:
        """Get one object; what concerns the whole store is raised."""
        try:
            found = obstore.get(self.client, key)
            if (size := found.meta["size"]) > limit:
                return ReadFailure(key, f"is {size} bytes, larger than {limit}")
            return found.bytes().to_bytes()
        except CLIENT_ERRORS as error:
            if isinstance(error, FileNotFoundError) and not is_about_bucket(error):
                return Missing(key)
            explanation = explain(error, scheme=self.scheme)
            if explanation.trouble in _THIS_OBJECT_ALONE:
                return ReadFailure(key, explanation.reason, explanation)
            raise StoreUnreadableError(self.where, explanation) from error

    def names(self, folder: str, *, beginning: str = "") -> Names:
        """List a folder page by page, starting at the first name that can begin so."""
        found = Names()
        with translated(StoreUnreadableError, where=self.where, scheme=self.scheme):
            for page in obstore.list(self.client, folder, offset=f"{folder}/{beginning}" if beginning else None, chunk_size=_PAGE):
                names = [entry["path"][len(folder) + 1 :] for entry in page]
                mine = [name for name in names if name.startswith(beginning)]
                found.names += mine
                if len(mine) < len(names):  # names come in order, and these are past the last
                    break
        return found

    def level(self, folder: str) -> Level:
        """List the names and the next level of folders."""
        with translated(StoreUnreadableError, where=self.where, scheme=self.scheme):
            found = obstore.list_with_delimiter(self.client, folder)
        start = len(folder) + 1
        return Level(
            names=[entry["path"][start:] for entry in found["objects"]],
            folders={prefix[start:].rstrip("/"): 0 for prefix in found["common_prefixes"]},
        )
