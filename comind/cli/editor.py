"""A record in the editor of a person, again and again until it is right or they give up.

In: a desk, an id, perhaps a file instead of an editor. Out: the decision that the edited text makes, or none where nothing changed.
What somebody wrote is never lost: a text that makes no record is kept in a file, and the error names it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from comind.cli.editing import edit_text
from comind.cli.rewriting import about_lines, require_editable, rewrite
from comind.cli.targets import find_targets
from comind.errors import UsageError
from comind.records.problems import RecordInvalidError

if TYPE_CHECKING:
    from comind.cli.deciding import Decision, Desk, Said

__all__ = ["EditedTextError", "FileUnreadableError", "edited_decision"]

_MAX_BYTES = 1_000_000


class FileUnreadableError(UsageError):
    """A file that should hold an edited text cannot be read."""

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path} cannot be read: {problem}")


class EditedTextError(UsageError):
    """An edited text makes no record; it is kept."""

    def __init__(self, problems: str, kept: Path) -> None:
        self.problems, self.kept = problems, kept
        super().__init__(f"{problems}; your text is in {kept}, and --from takes it from there")


def edited_decision(desk: Desk, text: str, said: Said, *, file: str | None = None) -> Decision | None:
    """Let a person write a record anew, in a file or in their editor, and return what that decides.

    Raises:
        RecordInvalidError: the id names no record, or the file makes none.
        EditedTextError: the text makes no record, and the person does not go on.
    """
    targets, problems = find_targets(desk.session.view, [text])
    if problems:
        raise RecordInvalidError(problems)
    (target,) = targets
    require_editable(target)
    if file is not None:
        return rewrite(desk, target, _read(file), said)
    about = about_lines(desk.session.view, target)
    shown = edit_text(target.plain, about=about)
    while True:
        written = click.edit(shown, extension=".md")
        if written is None or written == shown:
            return None
        try:
            return rewrite(desk, target, written, said)
        except RecordInvalidError as error:
            wrong = [str(problem) for problem in error.problems]
            if not _goes_on(wrong):
                raise EditedTextError(str(error), _keep(written, target.id)) from None
            shown = "".join(f"# not yet: {' '.join(one.split())}\n" for one in wrong) + _without_complaints(written)


def _goes_on(wrong: list[str]) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    for one in wrong:
        click.echo(f"comind: {one}", err=True)
    return click.confirm("Edit it again?", default=True, err=True)


def _without_complaints(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# not yet: "))


def _keep(text: str, record_id: str) -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    path = (Path(state) if state else Path.home() / ".local" / "state") / "comind" / "edits" / f"{record_id}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _read(file: str) -> str:
    try:
        content = _first_bytes(file)
    except OSError as error:
        raise FileUnreadableError(file, error.strerror or str(error)) from None
    if len(content) > _MAX_BYTES:
        raise FileUnreadableError(file, f"it has more than {_MAX_BYTES:,} bytes, and a record is a page")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise FileUnreadableError(file, "it is not UTF-8 text") from None


def _first_bytes(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(_MAX_BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(_MAX_BYTES + 1)
