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
_FOLLOWED = 60
"""Deals between steady bots on which the win shares are followed."""
_LONGEST = 20_000
_POINTS, _PLAYOUTS = 10, 32
"""Points of a match at which every seat's win share is worked out, and the playouts for it."""
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
    the others, the seat that decided first, rounds, the edges of the phase graph that were taken, and the decisions of the
    bot with their processor time in seconds. Of answers that there were others beside: how often each was possible, would have
    been given at random, and was given by the bot. Where win shares were followed, the changes of the lead, and whether the
    winner came back."""

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
    expected: dict[OfferedAnswer, float]
    given: Counter[OfferedAnswer]
    course: tuple[int, bool] | None


def playtest_jobs(variants: Sequence[GameVariant], seed: int) -> list[PlaytestJob]:
    """The matches of variants of a game, each kind spread over the whole, so that a playtest that stops early has some of each.
    UsageError for a game without `bot:steady`."""
    game = games.load(variants[0].game)
    if not has_playing_policy(game):
        raise UsageError(f"{game.title} has no `bot:steady`, among which a report plays the other bots.")
    found = list[tuple[float, int, PlaytestJob]]()
    for bot, others, deals, plays in (*_KINDS, _CHAOS):
        for deal in range(deals if bot != SEARCH or is_searchable(game) else 0):
            for place, variant in enumerate(variants):
                jobs = (PlaytestJob(variant, deal, seed, bot, others, play) for play in range(plays))
                found += [((deal + 0.5) / deals, place, job) for job in jobs]
    return [job for *_, job in sorted(found, key=lambda one: one[:2])]


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
    state = job.variant.begin(job.seed + job.deal)
    bots = {seat: bot_of(games.load(job.variant.game), name) for seat, name in enumerate(_seated(job))}
    rng, path, seconds, forced, choices = Rng.of("playtest", *job[1:]), [state], 0.0, 0, list[int]()
    asked, offered, expected, given = 0, Counter[OfferedAnswer](), dict[OfferedAnswer, float](), Counter[OfferedAnswer]()
    while state.pending:
        seat = state.pending[0]
        if job.kind == _CHAOS[:2] and rng.random() < _STRIKES:
            path.append(state := state.strike_out(seat))
            continue
        legal = len(state.actions_of(seat))
        began = time.process_time()
        action = bots[seat](state, seat, rng)
        if seat == job.seat and legal > 1:
            asked, seconds = asked + 1, seconds + time.process_time() - began
            free = _alternatives(state.actions_of(seat))
            offered.update(free.keys())
            expected |= {value: expected.get(value, 0.0) + part for value, part in free.items()}
            given.update(value for value in _values(action) if value in free)
        forced += legal == 1
        choices += [legal] * (legal > 1)
        path.append(state := action.next_state)
        if len(path) > _LONGEST:
            raise UsageError(f"A match of {state.game.title} between bots did not end within {_LONGEST:,} decisions.")
    mean = sum(choices) / max(1, len(choices))
    first = next((one.pending[0] for one in path if one.pending), 0)
    is_followed = job.kind == (STEADY, STEADY) and job.play == 0 and job.deal < _FOLLOWED
    course = _course(path, rng) if is_followed else None
    edges = frozenset(_edges(path))
    shares = shares_of(state)
    return PlayedMatch(
        shares, len(path) - 1, forced, mean, first, state.round, edges, asked, seconds, offered, expected, given, course
    )


def _seated(job: PlaytestJob) -> Iterator[str]:
    return (job.bot if seat == job.seat else job.others for seat in range(job.variant.players))


def _alternatives(legal: Sequence[Action]) -> dict[OfferedAnswer, float]:
    """The values that some legal answers have and others do not, with their parts of all legal answers."""
    values = Counter(value for one in legal for value in _values(one))
    return {value: number / len(legal) for value, number in values.items() if number < len(legal)}


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

    def shares(state: State) -> Shares:
        return chances(lambda _: state, rng, _PLAYOUTS, policy)

    points = [path[last * point // _POINTS] for point in range(_POINTS)]
    found = [shares(state) for state in points]
    leader, changes = max(range(len(found[0])), key=found[0].__getitem__), 0
    for now in found:
        ahead = max(range(len(now)), key=now.__getitem__)
        if now[ahead] - now[leader] > _AHEAD:
            leader, changes = ahead, changes + 1
    winner = path[-1].winners[0]
    worst = min(range(len(points)), key=lambda place: found[place][winner])
    return changes, shares(points[worst])[winner] < _BEHIND / len(found[0])
