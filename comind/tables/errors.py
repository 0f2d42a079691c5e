"""What can be wrong with a table.

In: facts. Out: errors in one line that name the table and the next step.
A store that cannot be reached or written is `comind.store`'s error, not one of these.
"""

from __future__ import annotations

from comind.errors import ComindError

__all__ = ["NewerTableError", "OlderTableError", "PublishConflictError", "SchemaMismatchError", "TableBusyError"]


class NewerTableError(ComindError):
    """A newer Comind wrote this table; this one leaves it unread."""

    def __init__(self, table: str, found: int, supported: int) -> None:
        self.table, self.found, self.supported = table, found, supported
        super().__init__(f"table {table} has schema version {found}, this Comind reads up to {supported}; update Comind")


class OlderTableError(ComindError):
    """A table that cannot be rebuilt in passing is of an older version."""

    def __init__(self, table: str, found: int, supported: int, uri: str) -> None:
        self.table, self.found, self.supported, self.uri = table, found, supported, uri
        super().__init__(
            f"table {table} has schema version {found}, this Comind writes {supported}; delete {uri} and run `comind run` to fill it anew"
        )


class PublishConflictError(ComindError):
    """Somebody else changed a derived table since its inputs were read; what was computed may be older than what stands."""

    def __init__(self, table: str, expected: int, found: int | None = None) -> None:
        self.table, self.expected, self.found = table, expected, found
        moved = "has moved on" if found is None else f"is at version {found}"
        super().__init__(f"table {table} {moved} since version {expected} was read; compute it again from what stands now")


class SchemaMismatchError(ComindError):
    """Rows do not fit their table."""

    def __init__(self, table: str, column: str, problem: str) -> None:
        self.table, self.column, self.problem = table, column, problem
        super().__init__(f"rows for table {table} do not fit: {column} {problem}")


class TableBusyError(ComindError):
    """Other writers kept changing the table; nothing of this write stands."""

    def __init__(self, table: str, reason: str) -> None:
        self.table, self.reason = table, reason
        super().__init__(f"table {table} is being changed by too many writers at once ({reason}); run it again")
