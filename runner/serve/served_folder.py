"""Served folder: what a web server keeps of a folder of logs, in the user's private state folder.

Nothing in or beside the folder of logs is believed: a folder may come from anybody, keys and tables in it too.
"""

import os
import secrets
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from runner.errors import TabletopError, UsageError
from runner.files import make_private_folder, read_regular_text, state_folder, write_whole
from runner.serve.sitting_down import Gathering
from runner.serve.web_match import TableRules

FOREIGN = ".tabletop-serve.json"
"""The file in a folder of logs in which earlier versions kept the same."""

ADOPT = "--adopt"
_FILE, _SITE = "state.json", "site"


class FolderIdentity(BaseModel):
    """What tells one folder from all others: its real path, its device and its inode."""

    model_config = ConfigDict(frozen=True)

    path: str = ""
    device: int = 0
    inode: int = 0


class ServeState(BaseModel):
    """What outlasts the server: the key from which all links follow, the rules of each table by its log, the tables that wait
    for their people, how often a link was withdrawn, the links that lead nowhere, the match that follows another one, and the
    matches that the host has paused."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(default_factory=lambda: secrets.token_urlsafe(32), min_length=32, max_length=200)
    tables: dict[str, TableRules] = Field(default_factory=dict)
    gathering: dict[str, Gathering] = Field(default_factory=dict)
    withdrawn: dict[str, int] = Field(default_factory=dict)
    revoked: set[str] = Field(default_factory=set)
    followed_by: dict[str, str] = Field(default_factory=dict)
    held: set[str] = Field(default_factory=set)
    folder: FolderIdentity = FolderIdentity()


class ServedFolder:
    """The private folder of a folder of logs, found by its real path and its inode."""

    def __init__(self, folder: Path) -> None:
        """UsageError without a home folder, or for a state that cannot be read."""
        self.folder = folder
        try:
            facts, self._states = folder.stat(), state_folder() / "serve"
        except (OSError, RuntimeError) as error:
            raise UsageError(f"The state of the folder {folder} cannot be kept: {error}.") from error
        self._is = FolderIdentity(path=str(folder.resolve()), device=facts.st_dev, inode=facts.st_ino)
        self.place = self._states / sha256(self._is.model_dump_json().encode()).hexdigest()[:32]
        self.state = _read(self.place / _FILE) if (self.place / _FILE).exists() else ServeState(folder=self._is)

    @property
    def site(self) -> Path:
        """The folder of its gallery."""
        return self.place / _SITE

    def save(self) -> None:
        """Write the state, for its owner alone. PausedError on a full disk, else UsageError."""
        make_private_folder(self.place)
        write_whole(self.place / _FILE, self.state.model_dump_json(exclude_defaults=True), "The file")

    @property
    def foreign(self) -> str:
        """What looks like a state of this folder and is not believed, in a sentence; empty where there is nothing."""
        if (where := next(self._foreign(), None)) is None:
            return ""
        if where.parent == self.folder:
            what = f"The folder holds {FOREIGN}, of an earlier version of tabletop or of somebody else"
        else:
            what = f"This folder was served as {_read(where).folder.path!r:.300}"
        return f"{what}: its links and tables are not used. If they are yours, start the server once with {ADOPT}."

    def adopt(self) -> None:
        """Take over the state of an earlier version, or of the folder before it was moved. UsageError where there is none."""
        if (where := next(self._foreign(), None)) is None:
            raise UsageError(f"{ADOPT}: there is no other state of the folder {self.folder}.")
        self.state = _read(where).model_copy(update={"folder": self._is})
        self.save()
        where.unlink()

    def _foreign(self) -> Iterator[Path]:
        if (own := self.folder / FOREIGN).is_file():
            yield own
        for other in self._states.glob(f"*/{_FILE}"):
            if other.parent != self.place and self._is_of(other):
                yield other

    def _is_of(self, other: Path) -> bool:
        """Whether a state is of this folder before it was moved, or of one that was here before."""
        try:
            known = _read(other).folder
        except UsageError:
            return False
        return (known.device, known.inode) == (self._is.device, self._is.inode) or known.path == self._is.path


def _read(path: Path) -> ServeState:
    """A state. UsageError for a file that is something else, or that others may write."""
    try:
        if path.stat().st_mode & 0o022 or path.stat().st_uid != os.getuid():
            raise UsageError(
                f"{path} can be changed by other users: it is not used.", remedy="Remove it: all links become new."
            )
        return ServeState.model_validate_json(read_regular_text(path, "The file"))
    except (ValidationError, OSError, TabletopError) as error:
        if isinstance(error, TabletopError):
            raise
        raise UsageError(f"{path} is no file of `tabletop serve`: move it away, and all links become new ones.") from error
