"""The policy that searches, and the bots of a game by their names with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from functools import partial

from games.core import Action, Definition, Game, Policy, Rng, State, random_policy
from games.core.policy import noisy
from games.search.evaluation import Evaluation, evaluating
from games.search.steps import finished
from games.search.worlds import Worlds, worlds_of

SEARCH = "search"
PLAYOUTS = 200
"""How many playouts a decision gets by default."""

_PLAYING = "steady"
"""The bot whose policy every seat follows in the playouts."""

MOST_PLAYOUTS = 1_000_000
"""The most playouts a name can ask for."""

_CLEARLY = 0.5
"""By how many standard errors the best candidate has to beat the action of the policy to be played instead."""

_NAME = re.compile(rf"{SEARCH}(?::([1-9][0-9]*))?")
_TIMED = re.compile(rf"{SEARCH}:([0-9]{{1,4}}(?:\.[0-9]{{1,3}})?)s")


WorldsOf = Callable[[State, int], Worlds]
_LEARNT: WorldsOf = partial(worlds_of, is_adapting=True)
"""Worlds in which the others play on as they played so far."""


def search_policy(playouts: int, playing: Policy, worlds: WorldsOf = _LEARNT) -> Policy:
    """A policy that plays the best candidate of an evaluation, if it is clearly better than the action of `playing`.

    `playing` is the policy of all seats in the playouts; that of the others as a style of theirs adapts it
    (`games.search.worlds`). `worlds` draws the worlds of a seat.
    """

    def decide(state: State, seat: int, rng: Rng) -> Action:
        return finished(deciding(state, seat, rng, playouts, playing, worlds))

    return decide


def deciding(
    state: State, seat: int, rng: Rng, playouts: int, playing: Policy, worlds: WorldsOf = _LEARNT
) -> Generator[int, None, Action]:
    """The same in steps: yields the number of playouts made after each, and returns the action."""
    actions = state.actions_of(seat)
    if len(actions) == 1:
        return actions[0]
    usual = playing(state, seat, Rng(rng.next()))
    evaluation = yield from evaluating(worlds(state, seat), actions, rng, playouts, playing, (usual,))
    return _chosen(evaluation, usual)


def _chosen(evaluation: Evaluation, usual: Action) -> Action:
    """The best candidate; the usual action where that is not clearly better, so that few playouts do not mislead."""
    own = next(grade for grade in evaluation.grades if grade.action == usual)
    return usual if own.behind < _CLEARLY * own.behind_error else evaluation.best.action


def is_searchable(game: Game) -> bool:
    """Whether `search` plays a game: not one of free text, whose answers cannot be enumerated, nor one without worlds."""
    return not game.free_text and game.has_worlds


def bot_names(game: Game) -> tuple[str, ...]:
    """The names of a game's bots, `search` included where it plays the game."""
    return (*game.bots, SEARCH) if is_searchable(game) else tuple(game.bots)


def playouts_of(name: str) -> int | None:
    """The number of playouts that the name of a bot stands for (`search`, `search:800`); None for any other name."""
    found = _NAME.fullmatch(name)
    if found is None or len(found[1] or "") > len(str(MOST_PLAYOUTS)):
        return None
    playouts = int(found[1] or PLAYOUTS)
    return playouts if playouts <= MOST_PLAYOUTS else None


def seconds_of(name: str) -> float | None:
    """The seconds a decision that the name of a bot asks for (`search:2s`, `search:0.5s`), above 0; None for any other name."""
    found = _TIMED.fullmatch(name)
    return float(found[1]) or None if found else None


def has_playing_policy(game: Definition) -> bool:
    """Whether a game has the bot whose policy is followed in playouts."""
    return _PLAYING in game.bots


def playing_policy(game: Definition) -> Policy:
    """The policy that every seat follows in the playouts of `search`; random play for a game without that bot."""
    return game.bots.get(_PLAYING, random_policy)


def second_policy(game: Definition) -> Policy:
    """Another way to play playouts: the same with three of ten moves at random. What holds only under one of the two depends
    on the yardstick."""
    return noisy(0.3)(playing_policy(game))


def bot_of(game: Game, name: str) -> Policy:
    """The bot of a game by its name, `search` and `search:N` included. KeyError when there is none."""
    playouts = playouts_of(name)
    return game.bots[name] if playouts is None else search_policy(playouts, playing_policy(game))
