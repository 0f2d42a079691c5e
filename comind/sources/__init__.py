"""Read-only views of the outside world."""
