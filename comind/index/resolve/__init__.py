"""What names mean: from the references of files to the definitions that they name, across repositories.

In: files with their definitions and references. Out: places, each with what is meant and how that is known.
A name that could mean two things means none: a wrong edge costs more than a missing one.
"""
