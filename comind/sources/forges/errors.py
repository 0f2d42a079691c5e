"""Why a forge cannot be read, in one line that says what to do.

In: facts. Out: errors. None repeats a token or what a forge answered in full.
"""

from __future__ import annotations

from comind.errors import ComindError

__all__ = ["ForgeAnswerError", "ForgeBusyError", "ForgeError", "ForgeRefusedError", "ForgeUnreachableError"]


class ForgeError(ComindError):
    """A forge cannot be read; what was read before is kept."""


class ForgeRefusedError(ForgeError):
    """A forge does not let this token read this project."""

    def __init__(self, project: str, variable: str, status: int) -> None:
        self.project, self.variable, self.status = project, variable, status
        why = {
            401: f"the token in {variable} is not known there, has expired or was revoked; make a new one that may read",
            403: f"the token in {variable} may not read it; give it the right to read the API (read_api, or pull requests: read)",
            404: f"there is no such project, or the token in {variable} may not see it; `project` in comind.toml names another one",
        }
        super().__init__(f"{project}: {why.get(status, f'it answered {status} to a question that the token in {variable} asked')}")


class ForgeBusyError(ForgeError):
    """A forge asks for a longer break than anybody should sit through."""

    def __init__(self, host: str, seconds: float) -> None:
        self.host, self.seconds = host, seconds
        minutes = max(1, round(seconds / 60))
        super().__init__(f"{host} asks to be left alone for {minutes} minutes; what was read is kept, run again after that")


class ForgeUnreachableError(ForgeError):
    """A forge does not answer, or breaks off again and again."""

    def __init__(self, host: str, tries: int, why: str) -> None:
        self.host, self.tries, self.why = host, tries, why
        super().__init__(f"{host} could not be read in {tries} tries: {why}; what was read is kept, run again to go on")


class ForgeAnswerError(ForgeError):
    """A forge answers something that is not its interface."""

    def __init__(self, host: str, problem: str) -> None:
        self.host, self.problem = host, problem
        super().__init__(f"{host} answers {problem}; `url` under [[forges]] in comind.toml says where its interface is")
