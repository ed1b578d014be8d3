"""The encoding of a game for a number of players and options: its own, or a plain one for a game that has none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import games
from games.core import Action, Encoding, OptionError, State
from games.core.encoding import lay_out

_FEATURES = 2048
_ACTIONS = 4096


def encoding(name: str, players: int | None = None, rules: str | None = None, **options: Any) -> Encoding:
    """The encoding of a game's matches that `Game.begin` opens with the same arguments.

    OptionError for an unknown game, player count, preset or option.
    """
    game = games.load(name)
    setup = game.set_up(players, 0, rules, options)
    return PlainEncoding() if game.encoding is None else game.encoding(setup.players, setup.options)


class PlainEncoding(Encoding):
    """Numbers made of a seat's view and of its legal answers, for a game without an encoding of its own.

    Each fact of the view goes to a place by the checksum of where it stands: a number as it is, anything else as 1 at the place
    of its value (feature hashing: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009). Facts that
    share a place add up. The number of an action is the checksum of its answer, or the next one that no other legal answer has.
    """

    size = _FEATURES
    actions = _ACTIONS
    legend = lay_out(("view", (_FEATURES,), "facts of the view, each at the place of its checksum"))

    def observe(self, state: State, seat: int) -> tuple[int, ...]:
        """The seat's view as numbers."""
        found = [0] * _FEATURES
        for place, value in _facts("", state.view(seat)):
            is_number = type(value) in (int, float)
            found[_checksum(place if is_number else f"{place}={value}", _FEATURES)] += int(value) if is_number else 1
        return tuple(max(-(2**31), min(number, 2**31 - 1)) for number in found)

    def number(self, action: Action) -> int:
        """The number of a legal action."""
        return next(number for number, one in self.legal(action.state, action.seat).items() if one == action)

    def legal(self, state: State, seat: int) -> dict[int, Action]:
        """The seat's legal actions by number. OptionError for more than there are numbers."""
        numbered: dict[int, Action] = {}
        actions = {json.dumps(action.to_json(), sort_keys=True): action for action in state.actions_of(seat)}
        if len(actions) > _ACTIONS:
            raise OptionError(
                f"{state.game.title} has {len(actions):,} legal actions in a decision, more than the plain encoding has"
                " numbers: the game needs one of its own, `Game.encoding`."
            )
        for answer in sorted(actions):
            number = _checksum(answer, _ACTIONS)
            while number in numbered:
                number = (number + 1) % _ACTIONS
            numbered[number] = actions[answer]
        return numbered


def _checksum(text: str, count: int) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) % count


def _facts(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The values of JSON data with where they stand."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _facts(f"{place}.{key}", one)
    elif isinstance(value, list | tuple):
        for index, one in enumerate(value):
            yield from _facts(f"{place}[{index}]", one)
    else:
        yield place, value
