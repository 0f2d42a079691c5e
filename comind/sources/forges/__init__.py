"""Read-only views of what teams discuss beside their code: merge and pull requests of GitLab and GitHub, live or from a file."""
