"""A plan from a TOML file, from a tournament's folder or from flags; UsageError says in one sentence what is wrong with it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

import games
from games.core import OptionError, listed, quoted
from runner.agents.environment import Settings
from runner.agents.factory import check_spec
from runner.agents.spec import parse_spec
from runner.arena.plan import Entrant, Event, Plan, Schedule
from runner.arena.seating import Rotation
from runner.errors import UsageError
from runner.match.config import Asking

_EVENT_KEYS = ("name", "players", "rules", "deals", "options")
_KEYS = (
    *("games", "agents", "opponents", "deals", "schedule", "rotation", "seed", "budget", "concurrency", "prompts", "mistakes"),
    *("ask", "budget_tokens", "rated"),
)
_DEALS = 10
_MOST_CONCURRENT = 5000


def read_plan(path: Path) -> dict[str, Any]:
    """The data of a plan's file. UsageError when it cannot be read."""
    try:
        if path.suffix == ".json":
            data = json.loads(path.read_text(encoding="utf-8"))
            return dict(data["plan"])
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The plan {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The plan {path} is not TOML: {error}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"The file {path} is not the record of a tournament.") from error


def plan_of(data: Mapping[str, Any], settings: Settings) -> Plan:
    """The plan that data describes. UsageError or OptionError says what cannot be."""
    _known(data, _KEYS, "a plan")
    deals = _number(data, "deals", _DEALS, 1, 1_000_000)
    events = _events(data.get("games"), deals)
    schedule = _choice(data, "schedule", get_args(Schedule))
    plan = Plan(
        events,
        _entrants(data.get("agents"), "agents"),
        _entrants(data.get("opponents", []), "opponents"),
        schedule,
        _choice(data, "rotation", get_args(Rotation)),
        _number(data, "seed", 1, 0, 2**53),
        _amount(data, "budget"),
        _number(data, "budget_tokens", None, 1, 2**53),
        _flag(data, "rated"),
        _number(data, "concurrency", 200, 1, _MOST_CONCURRENT),
        _text(data, "prompts"),
        _rate(data, "mistakes"),
        _choice(data, "ask", get_args(Asking)),
    )
    _check_entrants(plan, settings)
    return plan


def _check_entrants(plan: Plan, settings: Settings) -> None:
    names = [entrant.name for entrant in plan.entrants]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        _refuse(f'The agent {quoted(doubled)} is named twice: give them names, such as agents = {{ a = "SPEC", b = "SPEC" }}')
    if plan.schedule == "gauntlet" and not plan.opponents:
        _refuse("A gauntlet needs opponents: name those whom every agent meets")
    if plan.schedule == "round-robin" and plan.opponents:
        _refuse('Opponents belong to a gauntlet: set schedule = "gauntlet" or leave them out')
    if len(plan.entrants) < 2:
        _refuse("A tournament needs two agents at least")
    for event in plan.events:
        for entrant in plan.entrants:
            check_spec(entrant.spec, games.load(event.game), settings)


def _events(data: Any, deals: int) -> tuple[Event, ...]:
    if isinstance(data, str):
        data = [data]
    if not isinstance(data, list) or not data:
        _refuse('A plan needs games: [[games]] with name = "...", or a list of names')
    return tuple(_event({"name": one} if isinstance(one, str) else one, deals) for one in data)


def _event(data: Any, deals: int) -> Event:
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        _refuse(f"A game of a plan is a table with a name, not {quoted(data)}")
    _known(data, _EVENT_KEYS, "a game")
    game = games.load(data["name"])
    rules, options = _text(data, "rules"), data.get("options", {})
    if not isinstance(options, dict):
        _refuse(f"The options of {game.name} are a table, not {quoted(options)}")
    players = data.get("players", game.default_players)
    counts = tuple(players if isinstance(players, list) else [players])
    if not counts:
        _refuse(f"The players of {game.name} are a number or a list of numbers")
    for count in counts:
        game.set_up(count, 0, rules, options)
    try:
        game.begin(counts[0], 0, rules, **options)
    except OptionError as error:
        raise OptionError(f"{game.name}: {error}") from error
    return Event(game.name, counts, rules, options, _number(data, "deals", deals, 1, 1_000_000))


def _entrants(data: Any, what: str) -> tuple[Entrant, ...]:
    if isinstance(data, dict) and all(isinstance(spec, str) for spec in data.values()):
        return tuple(Entrant(name, parse_spec(spec)) for name, spec in data.items())
    if not isinstance(data, list) or not all(isinstance(word, str) and word for word in data):
        _refuse(f'The {what} are a list of SPECs, or a table of names with their SPECs: agents = ["bot:steady", "offline"]')
    return tuple(named(word) for word in data)


def named(word: str) -> Entrant:
    """The entrant of a word `NAME=SPEC`, or of a SPEC, which then is its own name."""
    name, mark, spec = word.partition("=")
    name, spec = (name.strip(), spec.strip()) if mark and spec.strip() and name.strip() else (word.strip(), word.strip())
    return Entrant(name, parse_spec(spec))


def _known(data: Mapping[str, Any], keys: Sequence[str], what: str) -> None:
    for key in data:
        if key not in keys:
            _refuse(f"There is no {quoted(key)} in {what}: there is {', '.join(sorted(keys))}")


def _choice(data: Mapping[str, Any], key: str, choices: Sequence[str]) -> Any:
    value = data.get(key, choices[0])
    if value not in choices:
        _refuse(f"{key} cannot be {quoted(value)}: it is {listed(choices)}")
    return value


def _number(data: Mapping[str, Any], key: str, default: int | None, least: int, most: int) -> Any:
    """The number under a key; the default may be None."""
    if (value := data.get(key, default)) is None:
        return None
    if type(value) is not int or not least <= value <= most:
        _refuse(f"{key} cannot be {quoted(value)}: it is a whole number from {least} to {most}")
    return value


def _amount(data: Mapping[str, Any], key: str) -> float | None:
    value = data.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 < value < float("inf"):
        _refuse(f"{key} cannot be {quoted(value)}: it is an amount in USD, more than 0")
    return float(value)


def _rate(data: Mapping[str, Any], key: str) -> float:
    value = data.get(key, 0.0)
    if type(value) not in (int, float) or not 0 <= value <= 1:
        _refuse(f"{key} cannot be {quoted(value)}: it is a rate from 0 to 1")
    return float(value)


def _flag(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        _refuse(f"{key} cannot be {quoted(value)}: it is true or false")
    return value


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not (isinstance(value, str) and value):
        _refuse(f"{key} cannot be {quoted(value)}: it is a text")
    return value


def _refuse(why: str) -> NoReturn:
    raise UsageError(f"{why}.")
