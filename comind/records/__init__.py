"""The vocabulary of the ledger: records, relations, anchors, evidence, their limits and their bytes."""
