"""The `comind` command: one file per verb, one catch, four exit codes."""
