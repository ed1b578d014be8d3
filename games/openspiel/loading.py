"""A game of OpenSpiel as a `Game`: its players, its options from OpenSpiel's parameters, or why it cannot be played."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any

import pyspiel

from games.core import Game, Option, OptionError, Options, random_policy
from games.core.sentence import quoted
from games.openspiel.bots import steady
from games.openspiel.lines import LARGEST, SpielGame, can_resample
from games.openspiel.state import PHASES, SpielState

_TURN_BASED = "turn_based_"
_FEWEST, _MOST = 2, 8
"""Players of a match."""

_COUNTS = ("players", "num_players", "numPlayers")
"""Names of the parameter that is the number of players."""

_TAKEN = ("seed", "rules", "strikes", "name")
"""Parameters called like something that every match has: the option has `game_` before the name."""


def game_of(short: str, name: str) -> Game:
    """The game with OpenSpiel's short name. OptionError for one that cannot be played here."""
    kind, in_turns = _kind(short)
    if not in_turns and (why := _unplayable(kind)):
        raise OptionError(f"openspiel:{short} cannot be played here: {why}.")
    specified = kind.parameter_specification
    counted = next((one for one in _COUNTS if one in specified), None)
    parameters = {
        f"game_{key}" if key in _TAKEN else key: (key, default)
        for key, default in specified.items()
        if key != counted and isinstance(default, bool | int | float | str)
    }
    is_perfect = not in_turns and kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    spiel = SpielGame(kind.short_name, in_turns, counted, parameters, is_perfect)
    usual = spiel.begin({}).players
    most = kind.max_num_players if counted else usual
    options = [_option(one, default) for one, (_, default) in parameters.items()]
    has_worlds = is_perfect or can_resample(spiel)
    state_type = type("State", (SpielState,), {"__slots__": (), "spiel": spiel._replace(has_worlds=has_worlds)})
    return Game(
        name=name,
        title=f"{kind.long_name}{' in turns' if in_turns else ''}",
        summary=f"A game of OpenSpiel: {kind.long_name}.",
        players=range(max(_FEWEST, kind.min_num_players), min(most, _MOST) + 1),
        default_players=usual,
        phases=PHASES,
        roles={"player": "plays a move"},
        options_type=make_dataclass("OpenSpielOptions", options, bases=(Options,), frozen=True, slots=True),
        presets={"default": {}},
        rules_version=f"open_spiel {version('open_spiel')}",
        state_type=state_type,
        bots={"random": random_policy, **({"steady": steady} if has_worlds else {})},
        table="games.openspiel.table",
        has_worlds=has_worlds,
    )


def _kind(short: str) -> tuple[Any, bool]:
    """What OpenSpiel registers of a game, and whether its simultaneous moves are made in turns. OptionError for no game."""
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    simultaneous = kinds.get(short.removeprefix(_TURN_BASED))
    if short in kinds:
        return kinds[short], False
    if simultaneous is not None and simultaneous.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return simultaneous, True
    playable = [one for one, kind in kinds.items() if not _unplayable(kind)]
    near = get_close_matches(short, playable, 1)
    remedy = (
        f"did you mean openspiel:{near[0]}?" if near else f"there is openspiel:{', openspiel:'.join(playable[:3])} and more."
    )
    raise OptionError(f"OpenSpiel has no game {quoted(short)}: {remedy}")


def _unplayable(kind: Any) -> str:
    """Why a game of OpenSpiel cannot be one of ours; empty for one that can."""
    types = pyspiel.GameType
    reasons = {
        f"all players move at once; openspiel:{_TURN_BASED}{kind.short_name} is the same game in turns": kind.dynamics
        == types.Dynamics.SIMULTANEOUS,
        "it is a mean field game, which has no players": kind.dynamics == types.Dynamics.MEAN_FIELD,
        "it is for one player": kind.max_num_players < _FEWEST,
        "it is made of another game or a file": not kind.default_loadable,
        "no seed repeats its chance": kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC,
        "it has no text for what a player sees": not (
            kind.provides_observation_string or kind.provides_information_state_string
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _option(name: str, default: Any) -> tuple[str, type, Any]:
    """A parameter as a field of options."""
    known = Option(name, default, f"OpenSpiel's {name.removeprefix('game_')}")
    if isinstance(default, bool):
        known = known._replace(choices=(False, True))
    elif isinstance(default, int):
        known = known._replace(minimum=-LARGEST, maximum=LARGEST)
    elif isinstance(default, float):
        known = known._replace(default=str(default), text=True)
    else:
        known = known._replace(text=True, choices=() if default.strip() else (default,))
    return name, type(known.default), field(default=known.default, metadata={"option": known})
