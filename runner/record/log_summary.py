"""What a log says in a few words, found in one quick pass: chain proved, hardly a line parsed."""

from __future__ import annotations

import fcntl
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.errors import LogDamagedError, TabletopError
from runner.match.header import HeaderRecord
from runner.record.hash_chain import UnsoundLineError, check_seal, unseal
from runner.record.reader import read_bytes, read_header

FINISHED, RESUMABLE, RUNNING, DAMAGED = "finished", "resumable", "running", "damaged"
STATES = (FINISHED, RESUMABLE, RUNNING, DAMAGED)

_DECISION, _ATTEMPT, _RESULT = b'{"kind":"decision"', b'{"kind":"attempt"', b'{"kind":"result"'


@dataclass(slots=True)
class Summary:
    """A log in a few words. `scores` and `winners` are empty before the end; `why` says where a damaged log is damaged."""

    state: str
    game: str = ""
    created: str = ""
    seed: int | None = None
    seats: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    decisions: int = 0
    cost: float = 0.0
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """The summary as data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Summary:
        """The summary that `to_json` wrote. TypeError or KeyError for other data."""
        lists = {name: tuple(data[name]) for name in ("seats", "scores", "winners")}
        return cls(**{**data, **lists})


def summary(path: Path) -> Summary:
    """The summary of a log, whatever its condition."""
    try:
        return _read(path)
    except TabletopError as error:
        return Summary(DAMAGED, why=str(error))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return Summary(DAMAGED, why=f"a record is not complete ({error!r})")


def _read(path: Path) -> Summary:
    lines = read_bytes(path).split(b"\n")
    if len(lines) == 1:
        raise LogDamagedError(1, "there is no whole line in it.")
    header, last = read_header(lines[0])
    found = _of_header(header)
    inherited = header["fork"]["spent"] if "fork" in header else 0.0
    for number, line in enumerate(lines[1:-1], 2):
        try:
            before, last = last, check_seal(line, last)
            if line.startswith(_DECISION):
                found.decisions += 1
            elif line.startswith(_ATTEMPT):
                found.cost += unseal(line, before)[0].get("charged") or 0.0
            elif line.startswith(_RESULT):
                result = unseal(line, before)[0]
                found.state, found.scores, found.winners = FINISHED, tuple(result["scores"]), tuple(result["winners"])
        except UnsoundLineError as error:
            found.state, found.why = DAMAGED, f"line {number}: {error}"
            return found
    found.cost = max(0.0, found.cost - inherited)
    if found.state == RESUMABLE and is_being_written(path):
        found.state = RUNNING
    return found


def _of_header(header: HeaderRecord) -> Summary:
    names = tuple(str(seat["name"]) for seat in header["seats"])
    return Summary(RESUMABLE, str(header["game"]), str(header["created"]), header["seed"], names)


def is_being_written(path: Path) -> bool:
    """Whether a process is writing the log now."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
