"""What standings need of one log."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, cast

from runner.agents.settings import DEFAULT_SETTINGS
from runner.digest import canonical, digest_of
from runner.match.records import AttemptRecord
from runner.match.tally import Tally
from runner.record.hash_chain import FIRST

Summary = dict[str, Any]

_SEAL = b',"hash":"'
_ATTEMPT, _HEADER, _RESULT = b'{"kind":"attempt"', b'{"kind":"header"', b'{"kind":"result"'
_RESUMED = b'{"kind":"resumed"'
_LONGEST_SHOWN = 60
_SEAT_NAMES = ("seat", "name", "spec")
_MANNERS = {"help": DEFAULT_SETTINGS.help, "memory": DEFAULT_SETTINGS.memory, "rated": False}
"""How a model is asked, with what holds where a log does not say."""

PLAYED_BACK = "played back"


def summarise(path: Path) -> Summary:
    """The facts of a log, as JSON data. `state` is ended, unfinished, damaged or played back; every line's hash is checked."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        return {"state": "damaged", "why": f"it cannot be read: {error.strerror}"}
    try:
        return _summary(raw)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        return {"state": "damaged", "why": f"it is no log that can be read: {error or type(error).__name__}"}


def _summary(raw: bytes) -> Summary:
    lines = raw.split(b"\n")
    lines.pop()  # empty, or a line that was not written to its end
    if not lines or not lines[0].startswith(_HEADER):
        raise ValueError("it does not begin with its header")
    previous = FIRST
    for number, line in enumerate(lines, 1):
        previous = _proved(line, previous, number)
    header = json.loads(lines[0])
    for line in lines:
        if line.startswith(_RESUMED):
            header |= {name: value for name, value in json.loads(line).items() if name in ("seats", "prompts")}
    if "playback" in header:
        return {"state": PLAYED_BACK, "spent": 0.0, **_facts(header)}
    is_ended = lines[-1].startswith(_RESULT)
    attempts = [json.loads(line) for line in lines if line.startswith(_ATTEMPT)]
    counts = _Counts(len(header["seats"]), attempts)
    summary = {"state": "ended" if is_ended else "unfinished", "spent": counts.spent, **_facts(header)}
    return summary | _ending(json.loads(lines[-1]), counts) if is_ended else summary


def _proved(line: bytes, previous: str, number: int) -> str:
    """The hash of a line that is what was written. ValueError when it is not, or does not follow the one before."""
    body, _, rest = line.rpartition(_SEAL)
    own = digest_of(body)
    if rest != own.encode() + b'"}' or not body.endswith(b'"prev":"' + previous.encode() + b'"'):
        raise ValueError(f"line {number} is not what was written")
    return own


def _facts(header: dict[str, Any]) -> Summary:
    """Who played what; long values by their digest."""
    return {
        "game": header["game"],
        "players": header["players"],
        "seed": header["seed"],
        "about": {
            "schema": header["schema"],
            "rules version": header["rules_version"],
            "rules": header["rules"],
            "ask": header["ask"],
            "ask_forced": header["ask_forced"],
        },
        "options": {name: _short(value) for name, value in header["options"].items()},
        "prompts": _short(header["prompts"]) if header["prompts"] else "",
        "pack": (header["prompts"] or {}).get("pack", ""),
        "agents": [seat["name"] for seat in header["seats"]],
        "specs": [seat["spec"] for seat in header["seats"]],
        "manners": [{name: seat.get(name, usual) for name, usual in _MANNERS.items()} for seat in header["seats"]],
        "is": [_short({name: fact for name, fact in seat.items() if name not in _SEAT_NAMES}) for seat in header["seats"]],
    }


def _short(value: Any) -> str:
    text = canonical(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN // 2]}… ({digest_of(text)[:8]})"


class _Counts:
    """What the attempts of a log add up to, by seat."""

    def __init__(self, seats: int, attempts: list[dict[str, Any]]) -> None:
        self.tallies = [Tally() for _ in range(seats)]
        self.mistakes: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.answers = [0] * seats
        self.longest = [0.0] * seats
        self.spent = 0.0
        for attempt in attempts:
            self._add(attempt["seat"], attempt)

    def _add(self, seat: int, attempt: dict[str, Any]) -> None:
        self.tallies[seat].add_attempt(cast(AttemptRecord, attempt))
        self.spent += attempt.get("charged") or 0.0
        if attempt["outcome"] == "mistake":
            self.mistakes[seat][attempt["what"]] += 1
        self.answers[seat] += attempt["outcome"] in ("mistake", "answer")
        self.longest[seat] = max(self.longest[seat], attempt.get("latency") or 0.0)

    def of_seat(self, seat: int, result: dict[str, Any]) -> dict[str, Any]:
        """The counts of a seat."""
        tally = self.tallies[seat]
        return {
            "decisions": result["decisions"] - result["forced"],
            "penalties": result["penalties"],
            "answers": self.answers[seat],
            "mistakes": dict(self.mistakes[seat]),
            "failures": tally.failures,
            "prompt_tokens": tally.prompt_tokens,
            "completion_tokens": tally.completion_tokens,
            "cost": tally.cost,
            "seconds": tally.seconds,
            "longest": self.longest[seat],
            "measures": result.get("measures") or {},
        }


def _ending(result: dict[str, Any], counts: _Counts) -> Summary:
    seats = [counts.of_seat(seat, found) for seat, found in enumerate(result["seats"])]
    return {"scores": result["scores"], "winners": result["winners"], "rounds": result["rounds"], "seats": seats}
