"""Player name: what people call a player; prompts never contain it."""

from __future__ import annotations

import re
import unicodedata

from games.core import quoted
from runner.agents.spec import OFFLINE, Bot, Endpoint, Function, Human, Local, Mcp, Named, Offline, Program, Spec, parse_spec
from runner.errors import UsageError

MOST_CELLS = 20
"""The columns of a terminal that a name takes at most."""

_MOST_CHARACTERS = 40
_SEAT = re.compile(r"[Pp]?[-_ ]?\d+")
_MARKS = {"Mn", "Mc"}
_OTHERS = "-_. "


def default_name(spec: Spec) -> str:
    """What a player without a given name is called."""
    match spec:
        case Offline(model=model):
            return model.replace(OFFLINE, "offline model", 1)
        case Endpoint(model=model, url=url):
            return model or url or ""
        case Local(path=path):
            return path.stem
        case Named(name=name):
            return name
        case Bot() | Human() | Mcp() | Program() | Function():
            return spec.who


def is_given(name: str, spec: Spec) -> bool:
    """Whether somebody gave a player its name, so that it does not only repeat the SPEC or add the prompt pack to it."""
    return name.partition(" (")[0] not in (default_name(spec), spec.text, spec.who)


def check_name(name: str) -> None:
    """UsageError for a name that a player cannot have."""
    if (fault := name_fault(name)) is not None:
        raise UsageError(f"A player cannot be called {quoted(name)}: {fault}.")


def stands_for_seat(name: str) -> bool:
    """Whether a name reads like a seat: P-2, p2, 2."""
    return _SEAT.fullmatch(unicodedata.normalize("NFKC", name).strip()) is not None


def name_fault(name: str) -> str | None:
    """What is wrong with a player's name; None for a good one."""
    if stands_for_seat(name):
        return "that stands for a seat"
    if wrong := next((letter for letter in name if not _is_allowed(letter)), None):
        return f"a name has letters, digits, blanks and the signs - _ ., not {quoted(wrong)}"
    if not name or not name[0].isalnum():
        return "a name begins with a letter or a digit"
    if not isinstance(parse_spec(name), Named):
        return "that stands for a kind of player"
    if cells(name) > MOST_CELLS or len(name) > _MOST_CHARACTERS:
        return f"a name takes at most {MOST_CELLS} columns"
    return None


def _is_allowed(letter: str) -> bool:
    return letter.isalnum() or letter in _OTHERS or unicodedata.category(letter) in _MARKS


def cells(name: str) -> int:
    """The columns of a terminal that a name takes."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in name)
