"""Playtest: many matches of a game between bots, played by the rules alone, and what each of them shows of those rules."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

import games
from games.core import Action, Rng, State
from games.search.evaluation import chances
from games.search.playouts import Shares, shares_of
from games.search.policy import bot_of, has_playing_policy, is_searchable, playing_policy
from runner.errors import UsageError
from runner.review.each_log import FollowWork
from runner.worker_processes import in_order

RANDOM, STEADY, SEARCH = "random", "steady", "search:40"
_KINDS: Sequence[tuple[str, str, int, int]] = ((STEADY, STEADY, 240, 2), (RANDOM, STEADY, 240, 1), (SEARCH, STEADY, 80, 1))
"""A bot that has one seat, the bots in the others, on how many deals, and how often on each."""
_CHAOS, _STRIKES = (RANDOM, RANDOM, 120, 1), 0.05
"""Matches for the edges of the phase graph alone, and how often a seat is struck out in them."""
_LONGEST = 20_000
_FOLLOWED, _POINTS, _PLAYOUTS = 60, 10, 32
"""Deals between steady bots whose win shares are followed, at how many points, with how many playouts at each."""
_AHEAD, _BEHIND = 0.25, 1 / 3
"""By how much a seat has to be ahead of the leader to lead, and the part of a fair share below which a winner comes back."""

OfferedAnswer = tuple[str, str]
"""A phase by its name, and a value of a field of its answers, as `action: income`."""


class GameVariant(NamedTuple):
    """A game with a number of players and rules options."""

    game: str
    players: int
    rules: str | None
    options: Mapping[str, object]

    def begin(self, seed: int) -> State:
        return games.load(self.game).begin(self.players, seed, self.rules, **self.options)


class PlaytestJob(NamedTuple):
    """A match to be played: on each deal in turn `bot` has another seat, among bots `others`; `play` tells matches of one deal
    apart."""

    variant: GameVariant
    deal: int
    seed: int
    bot: str
    others: str
    play: int

    @property
    def kind(self) -> tuple[str, str]:
        return self.bot, self.others

    @property
    def seat(self) -> int:
        return self.deal % self.variant.players


class PlayedMatch(NamedTuple):
    """A match: the share of the win of each seat, decisions, those with one legal answer, the mean number of legal answers of
    the others, the seat that decided first, rounds, the edges of the phase graph that were taken; the bot's decisions among
    several answers with their processor time in seconds, how often each answer was possible then, and given. Where win shares
    were followed, the changes of the lead, and whether the winner came back."""

    shares: Shares
    decisions: int
    forced: int
    choices: float
    first: int
    rounds: int
    edges: frozenset[tuple[int, int]]
    asked: int
    seconds: float
    offered: Counter[OfferedAnswer]
    given: Counter[OfferedAnswer]
    course: tuple[int, bool] | None


def playtest_jobs(variants: Sequence[GameVariant], seed: int) -> list[PlaytestJob]:
    """The matches of variants of a game, each kind spread over the whole, so that a playtest that stops early has some of each.
    UsageError for a game without `bot:steady`."""
    game = games.load(variants[0].game)
    if not has_playing_policy(game):
        raise UsageError(f"{game.title} has no `bot:steady`, among which a report plays the other bots.")
    found = [
        ((deal + 0.5) / deals, PlaytestJob(variant, deal, seed, bot, others, play))
        for bot, others, deals, plays in (*_KINDS, _CHAOS)
        if bot != SEARCH or is_searchable(game)
        for deal in range(deals)
        for variant in variants
        for play in range(plays)
    ]
    return [job for _, job in sorted(found, key=lambda one: one[0])]


def playtest(jobs: Sequence[PlaytestJob], seconds: float, follow: FollowWork) -> Iterator[tuple[PlaytestJob, PlayedMatch]]:
    """The matches that end within some seconds, in order."""
    until = time.monotonic() + seconds
    with closing(in_order(play_job, jobs)) as playing:
        for job, match in zip(jobs, follow(playing, len(jobs)), strict=False):
            yield job, match
            if time.monotonic() > until:
                return


def play_job(job: PlaytestJob) -> PlayedMatch:
    """Play a match. The same job gives the same match, but for the seconds. UsageError where it does not end."""
    state, game = job.variant.begin(job.seed + job.deal), games.load(job.variant.game)
    bots = [bot_of(game, job.bot if seat == job.seat else job.others) for seat in range(job.variant.players)]
    rng, path, choices = Rng.of("playtest", *job[1:]), [state], list[int]()
    asked, seconds, offered, given = 0, 0.0, Counter[OfferedAnswer](), Counter[OfferedAnswer]()
    while state.pending:
        seat = state.pending[0]
        if job.kind == _CHAOS[:2] and rng.random() < _STRIKES:
            path.append(state := state.strike_out(seat))
            continue
        legal, began = state.actions_of(seat), time.process_time()
        action = bots[seat](state, seat, rng)
        choices.append(len(legal))
        if seat == job.seat and len(legal) > 1:
            asked, seconds = asked + 1, seconds + time.process_time() - began
            values = Counter(value for one in legal for value in _values(one))
            free = {value for value, number in values.items() if number < len(legal)}
            offered.update(free)
            given.update(free.intersection(_values(action)))
        path.append(state := action.next_state)
        if len(path) > _LONGEST:
            raise UsageError(f"A match of {game.title} between bots did not end within {_LONGEST:,} decisions.")
    several = [number for number in choices if number > 1]
    return PlayedMatch(
        shares_of(state),
        len(path) - 1,
        len(choices) - len(several),
        sum(several) / max(1, len(several)),
        next((one.pending[0] for one in path if one.pending), 0),
        state.round,
        frozenset(_edges(path)),
        asked,
        seconds,
        offered,
        given,
        _course(path, rng) if job.kind == (STEADY, STEADY) and job.play == 0 and job.deal < _FOLLOWED else None,
    )


def _values(action: Action) -> Iterator[OfferedAnswer]:
    state, unlisted = action.state, action.state.game.free_text
    return ((state.phase.name, f"{name}: {value}") for name, value in action.to_json().items() if name not in unlisted)


def _edges(path: Sequence[State]) -> Iterator[tuple[int, int]]:
    at = path[0].game.phases[0].id
    for state in path:
        for to in state.path:
            yield at, to
            at = to


def _course(path: Sequence[State], rng: Rng) -> tuple[int, bool]:
    """How often the lead clearly changed, and whether a winner once had little chance. The worst chance is worked out again:
    the lowest of several estimates is too low."""
    policy, last = playing_policy(path[0].game), len(path) - 1
    points = [path[last * point // _POINTS] for point in range(_POINTS)]
    found = [chances(lambda _, state=state: state, rng, _PLAYOUTS, policy) for state in points]  # type: ignore[misc]
    leader, changes = found[0].index(max(found[0])), 0
    for now in found:
        if max(now) - now[leader] > _AHEAD:
            leader, changes = now.index(max(now)), changes + 1
    winner = path[-1].winners[0]
    worst = min(range(_POINTS), key=lambda place: found[place][winner])
    again = chances(lambda _: points[worst], rng, _PLAYOUTS, policy)
    return changes, again[winner] < _BEHIND / len(again)
