"""One table where it lies: opened, created, and told from one of another version.

In: a table's specification and a store. Out: an open Lance dataset, or None where there is nothing to read.
Opening never creates anything. What the rows mean is none of this module's business.
"""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import lance
import uuid_utils
from lance.commit import CommitConflictError

from comind.schemas import TableRole, TableSpec
from comind.store.failures import translated
from comind.store.format import ensure_format
from comind.store.location import StoreLocation, StoreUnreadableError, StoreUnwritableError
from comind.store.probe import probe_once
from comind.tables.errors import NewerTableError, OlderTableError, TableBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from lance.lance import _Session as Session  # what `lance.Session` is; type checkers know it by this name alone

__all__ = ["INPUTS", "TABLE_ID", "Table", "is_conflict", "metadata_of", "new_session"]

SCHEMA_VERSION: Final = "comind:schema_version"
INPUTS: Final = "comind:inputs"  # digest of what a derived table was computed from
TABLE_ID: Final = "comind:table_id"  # another one means that the table was dropped and made anew
RECORDS_PER_FILE: Final = 131_072  # erasing rewrites whole files, so those of the log are small
ROWS_PER_FILE: Final = 1_048_576


@dataclass(frozen=True, slots=True)
class Table:
    """One table of one store. Equal handles share the caches of their session."""

    spec: TableSpec
    location: StoreLocation
    session: Session = field(repr=False, compare=False)

    @property
    def uri(self) -> str:
        """Where it lies."""
        return self.location.table_uri(self.spec.name, private=self.spec.private)

    @property
    def rows_per_file(self) -> int:
        """How many rows a full data file has; compaction must aim at the same number, or it rewrites everything."""
        return RECORDS_PER_FILE if self.spec.role is TableRole.LOG else ROWS_PER_FILE

    def open(self) -> lance.LanceDataset | None:
        """Return its newest version; None if there is none, or only one that this Comind would rebuild.

        Raises:
            NewerTableError: a newer Comind wrote it.
            OlderTableError: an older one did, and it is not derived from other tables.
            StoreUnreadableError: the store cannot be read.
        """
        dataset = self.standing()
        return dataset if dataset is not None and self.is_current(dataset) else None

    def standing(self) -> lance.LanceDataset | None:
        """Return what stands, of this version or an outdated one; raises as `open` does."""
        with translated(StoreUnreadableError, where=self.location.where, scheme=self.location.scheme):
            try:
                return lance.dataset(self.uri, storage_options=self.location.lance_options(), session=self.session)
            except ValueError as error:
                if "was not found" not in str(error):
                    raise
                return None

    def open_or_create(self) -> lance.LanceDataset:
        """Return its newest version, an empty one if need be; any number of processes may ask at once.

        Raises:
            StoreUnwritableError: it cannot be created.
            TableBusyError: others kept changing it.
        """
        for _ in range(10):
            standing = self.standing()
            if standing is not None and self.is_current(standing):
                return standing
            if standing is None:
                self.create()
            else:
                self.swap(standing, self.stored_schema(), [])
        raise TableBusyError(self.spec.name, "it is being replaced again and again")

    def create(self) -> lance.LanceDataset | None:
        """Create it without rows; None where somebody else was faster.

        `lance.write_dataset(mode="create")` is not used: of several at once, each but the first replaces what the others have
        written by then, and says nothing.
        """
        with self.writing():
            probe_once(self.location)
            ensure_format(self.location)
            try:
                return lance.LanceDataset.commit(
                    self.uri,
                    lance.LanceOperation.Overwrite(self.stored_schema(), []),
                    read_version=0,
                    max_retries=0,
                    enable_v2_manifest_paths=True,
                    storage_options=self.location.lance_options(),
                )
            except OSError as error:
                if is_conflict(error) or any(sign in str(error) for sign in ("already exists", "0.manifest was not found")):
                    return None
                raise

    def swap(self, read: lance.LanceDataset, schema: pa.Schema, fragments: Sequence[lance.FragmentMetadata]) -> lance.LanceDataset | None:
        """Replace schema, metadata and rows in one step, if nothing at all was committed since `read`; None otherwise.

        Lance lets an overwrite pass over what others wrote meanwhile, but one that may not retry is refused.
        """
        with self.writing():
            try:
                operation = lance.LanceOperation.Overwrite(schema, fragments)
                return lance.LanceDataset.commit(read, operation, read_version=read.version, max_retries=0)
            except OSError as error:
                if is_conflict(error):
                    return None
                raise

    def extend(self, read: lance.LanceDataset, rows: pa.Table) -> bool:
        """Add rows in one step, if nothing was committed since `read`; False otherwise.

        Lance lets an append pass over what others wrote meanwhile. A merge of fragments it refuses after any other change, except
        the making of an index. Numbers of fragments are ours to choose here: one that an index covers already, of a fragment that is
        gone, would hide these rows from it. The gap is for an index of such a one that is being made just now.
        """
        if read.latest_version != read.version:
            return False
        with self.writing():
            try:
                new = lance.fragment.write_fragments(rows.cast(read.schema), read, max_rows_per_file=self.rows_per_file)
                standing = [fragment.metadata for fragment in read.get_fragments()]
                covered = (number for index in read.describe_indices() for segment in index.segments for number in segment.fragment_ids)
                free = max((*(fragment.id for fragment in standing), *covered), default=-1) + 1
                free += random.randrange(64)  # noqa: S311 - guards no secret
                for position, fragment in enumerate(new):
                    fragment.id = free + position
                operation = lance.LanceOperation.Merge([*standing, *new], read.lance_schema)
                lance.LanceDataset.commit(read, operation, read_version=read.version, max_retries=0)
            except OSError as error:
                if is_conflict(error):
                    return False
                raise
        return True

    def stored_schema(self, inputs: str | None = None, *, table_id: str | None = None) -> pa.Schema:
        """Return its schema with what is kept beside the rows."""
        kept = {SCHEMA_VERSION: str(self.spec.version), TABLE_ID: table_id or str(uuid_utils.uuid4())}
        return self.spec.schema.with_metadata(kept | ({INPUTS: inputs} if inputs is not None else {}))

    def is_current(self, dataset: lance.LanceDataset) -> bool:
        """Tell a table of this version from one to rebuild; raises `NewerTableError` or `OlderTableError` for what must stay."""
        spec, stored = self.spec, metadata_of(dataset).get(SCHEMA_VERSION, "")
        found = int(stored) if stored.isdecimal() else 0
        if found > spec.version:
            raise NewerTableError(spec.name, found, spec.version)
        if found == spec.version and dataset.schema.equals(spec.schema):
            return True
        if spec.role in {TableRole.LOG, TableRole.STATE}:
            raise OlderTableError(spec.name, found, spec.version, self.uri)
        return False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Say what a failure of the block, which reads, means."""
        with translated(StoreUnreadableError, where=self.location.where, scheme=self.location.scheme):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Say what a failure of the block, which writes, means."""
        with translated(StoreUnwritableError, where=self.location.where, scheme=self.location.scheme):
            try:
                yield
            except OSError as error:
                if is_conflict(error):
                    raise TableBusyError(self.spec.name, "it gave up waiting") from error
                raise


def new_session() -> Session:
    """Return the caches that the handles of one store share."""
    session: Session = lance.Session()  # type: ignore[attr-defined]  # there, but not exported to type checkers
    return session


def metadata_of(dataset: lance.LanceDataset) -> dict[str, str]:
    """Return what is kept beside the rows."""
    return {key.decode(): value.decode() for key, value in (dataset.schema.metadata or {}).items()}


def is_conflict(error: Exception) -> bool:
    """Tell "somebody was faster" from a failure of the store; Lance says both as `OSError`."""
    return isinstance(error, CommitConflictError) or any(
        sign in str(error) for sign in ("commit conflict", "Commit conflict", "concurrent writers", "concurrent transaction")
    )
