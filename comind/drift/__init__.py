"""What happened to the code under an anchor."""
