"""Sources to records, one module per source."""
