"""What the ledger believes about a record now, and why."""
