"""What other tools wrote down about a repository: their reasons become records, never their transcripts."""
