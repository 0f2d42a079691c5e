"""All tables of one store behind one name.

In: table names, rows, filters. Out: rows, counts, digests, versions.
Reading never creates anything. What a table may hold stands in `comind.schemas`; what the rows mean is for the layers above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.schemas import TABLES
from comind.store.format import check_format
from comind.tables import digest, merge, publish, repository_files, upkeep
from comind.tables.catalog import INPUTS, TABLE_ID, Table, metadata_of, new_session
from comind.tables.rows import as_frame, conform, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from comind.store.location import StoreLocation
    from comind.tables.publish import Published
    from comind.tables.rows import Rows
    from comind.tables.upkeep import Upkeep

__all__ = ["Lake"]


class Lake:
    """The tables of one store. Safe to use from several threads and processes; errors are those of `Table` and its functions."""

    def __init__(self, location: StoreLocation) -> None:
        self.location = location
        self._session = new_session()
        self._digests: dict[tuple[str, str, int], str] = {}  # of (table, its id, its version)
        self._may_be_read = False

    def table(self, name: str) -> Table:
        """Return the handle of a table; opens nothing, but makes sure once that the store is of a version we know.

        Raises:
            NewerStoreError, UnknownFormatError: the store is to be left alone.
            StoreUnreadableError: it cannot be read.
        """
        self._may_be_read = self._may_be_read or check_format(self.location)
        return Table(TABLES[name], self.location, self._session)

    def create_missing(self) -> None:
        """Make every table that is not there yet, empty, so that whoever reads the lake with other tools finds them all."""
        for name in TABLES:
            if not self.exists(name):
                self.table(name).open_or_create()

    def exists(self, name: str) -> bool:
        """Say whether there is a table of this name and version."""
        return self.table(name).open() is not None

    def version(self, name: str) -> int:
        """Return the version of a table, 0 for none: what `publish` takes as `expected_version`. It grows with every commit."""
        standing = self.table(name).standing()
        return 0 if standing is None else standing.version

    def read(self, name: str, *, columns: Sequence[str] | None = None, where: str | None = None) -> pl.DataFrame:
        """Return rows in no order; none where there is no table of this version.

        Args:
            name: the table.
            columns: those to read; None for all.
            where: a filter in SQL; `comind.tables.rows.quoted` makes literals.

        Raises:
            NewerTableError, OlderTableError, StoreUnreadableError: what stands cannot be read.
        """
        table = self.table(name)
        dataset = table.open()
        if dataset is None:
            return as_frame(table.spec.schema.empty_table().select(list(columns or table.spec.schema.names)))
        with table.reading():
            return as_frame(dataset.to_table(columns=None if columns is None else list(columns), filter=where))

    def first(self, name: str, most: int, *, columns: Sequence[str], where: str) -> pl.DataFrame:
        """Return at most so many of the rows that a filter names, as they come: of a hub, not all need to be read."""
        table = self.table(name)
        dataset = table.open()
        if dataset is None:
            return as_frame(table.spec.schema.empty_table().select(list(columns)))
        with table.reading():
            return as_frame(dataset.to_table(columns=list(columns), filter=where, limit=most))

    def count(self, name: str, where: str | None = None) -> int:
        """Return how many rows there are; 0 where there is no table."""
        table = self.table(name)
        dataset = table.open()
        if dataset is None:
            return 0
        with table.reading():
            return int(dataset.count_rows(filter=where))

    def publish(self, name: str, rows: Rows, *, inputs: str, expected_version: int | None = None) -> Published:
        """Replace a derived table as a whole; see `comind.tables.publish.publish`."""
        return publish.publish(self.table(name), rows, inputs=inputs, expected_version=expected_version)

    def inputs_of(self, name: str) -> str | None:
        """Return the digest of what a derived table was computed from; None where there is nothing to rely on."""
        dataset = self.table(name).open()
        return None if dataset is None else metadata_of(dataset).get(INPUTS)

    def digest(self, name: str) -> str:
        """Return the digest of a table's content; see `comind.tables.digest.digest`."""
        table = self.table(name)
        dataset = table.open()
        which = (name, metadata_of(dataset).get(TABLE_ID, ""), dataset.version) if dataset is not None else (name, "", 0)
        if which not in self._digests:
            self._digests[which] = digest.digest(table, dataset)
        return self._digests[which]

    def upsert(self, name: str, rows: Rows) -> int:
        """Make rows of a state table stand, by key; return how many did not stand already."""
        table = self.table(name)
        changed = merge.upsert(table, rows)
        if changed:
            upkeep.tidy(table)
        return changed

    def insert(self, name: str, rows: Rows) -> int:
        """Insert the rows of a log or state table whose key does not stand yet; return how many that were."""
        table = self.table(name)
        return merge.insert(table, conform(rows, table.spec))

    def delete(self, name: str, where: str) -> int:
        """Delete the rows that a filter names; return how many that were."""
        return merge.delete(self.table(name), where)

    def replace_repository_files(self, name: str, repo_id: str, paths: Sequence[str] | None, rows: Rows) -> int:
        """Replace the rows of some files; see `comind.tables.repository_files.replace_repository_files`."""
        table = self.table(name)
        written = repository_files.replace_repository_files(table, repo_id, paths, rows)
        if written:
            upkeep.tidy(table)
        return written

    def head_of(self, name: str, repo_id: str) -> str | None:
        """Return the commit that a code table describes for a repository; None where it has no rows of it."""
        own = self.read(name, columns=["head_commit"], where=f"repo_id = {quoted(repo_id)} AND {repository_files.OWN_ROW}")
        return own["head_commit"].item() if own.height else None

    def tidy(self, name: str) -> Upkeep:
        """Index and join what is new if much is; cheap enough to call after every write."""
        return upkeep.tidy(self.table(name))

    def maintain(self, name: str) -> Upkeep:
        """Do all upkeep there is and forget versions of more than a day ago; for a schedule, not for every write."""
        return upkeep.maintain(self.table(name))
