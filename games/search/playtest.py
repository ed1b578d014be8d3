"""Playtest: many matches of a game between bots, and what they show of its rules to those who design it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import games
from games.core import Action, Rng, State, seat_name
from games.core.errors import GameFault
from games.search.evaluation import chances
from games.search.playouts import Shares, shares_of
from games.search.policy import bot_of, is_searchable, playing_policy
from games.search.worlds import Worlds

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

_ENOUGH = 40
"""How often an answer has to be possible among others before it is called never or always given."""

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


Played = Sequence[tuple[PlaytestJob, PlayedMatch]]


class PlaytestFigure(NamedTuple):
    """A figure: a value for each deal, which may be a share."""

    values: Mapping[int, float]
    is_share: bool = False


def playtest_jobs(variants: Sequence[GameVariant], seed: int) -> list[PlaytestJob]:
    """The matches of variants of a game, each kind spread over the whole: a playtest that stops early has some of each."""
    game = games.load(variants[0].game)
    found = [
        ((deal + 0.5) / deals, PlaytestJob(variant, deal, seed, bot, others, play))
        for bot, others, deals, plays in (*_KINDS, _CHAOS)
        if bot != SEARCH or is_searchable(game)
        for deal in range(deals)
        for variant in variants
        for play in range(plays)
    ]
    return [job for _, job in sorted(found, key=lambda one: one[0])]


def play_job(clock: Callable[[], float], job: PlaytestJob) -> PlayedMatch:
    """Play a match, with the bot's decisions timed by a clock. The same job gives the same match, but for the seconds.
    GameFault where it does not end."""
    state, game = job.variant.begin(job.seed + job.deal), games.load(job.variant.game)
    bots = [bot_of(game, job.bot if seat == job.seat else job.others) for seat in range(job.variant.players)]
    rng, path, choices = Rng.of("playtest", *job[1:]), [state], list[int]()
    asked, seconds, offered, given = 0, 0.0, Counter[OfferedAnswer](), Counter[OfferedAnswer]()
    while state.pending:
        seat = state.pending[0]
        if job.kind == _CHAOS[:2] and rng.random() < _STRIKES:
            path.append(state := state.strike_out(seat))
            continue
        legal, began = state.actions_of(seat), clock()
        action = bots[seat](state, seat, rng)
        choices.append(len(legal))
        if seat == job.seat and len(legal) > 1:
            asked, seconds = asked + 1, seconds + clock() - began
            values = Counter(value for one in legal for value in _values(one))
            free = {value for value, number in values.items() if number < len(legal)}
            offered.update(free)
            given.update(free.intersection(_values(action)))
        path.append(state := action.next_state)
        if len(path) > _LONGEST:
            raise GameFault(game.name, "apply", f"a match between bots did not end within {_LONGEST:,} decisions")
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
    found = [chances(_only(state), rng, _PLAYOUTS, policy) for state in points]
    leader, changes = found[0].index(max(found[0])), 0
    for now in found:
        if max(now) - now[leader] > _AHEAD:
            leader, changes = now.index(max(now)), changes + 1
    winner = path[-1].winners[0]
    worst = min(range(_POINTS), key=lambda place: found[place][winner])
    again = chances(_only(points[worst]), rng, _PLAYOUTS, policy)
    return changes, again[winner] < _BEHIND / len(again)


def _only(state: State) -> Worlds:
    return Worlds(lambda _: state)


def _share_of(seat: int, match: PlayedMatch) -> float:
    return match.shares[seat]


def playtest_figures(played: Played, players: int) -> Iterator[tuple[str, PlaytestFigure]]:
    kinds: dict[tuple[str, str], dict[int, list[PlayedMatch]]] = defaultdict(lambda: defaultdict(list))
    for job, match in played:
        kinds[job.kind][job.deal].append(match)
    even = kinds[STEADY, STEADY]

    def mean(value: Callable[[PlayedMatch], float], is_share: bool = False) -> PlaytestFigure:
        return PlaytestFigure({deal: sum(map(value, some)) / len(some) for deal, some in even.items()}, is_share)

    yield "decisions a match", mean(lambda match: match.decisions)
    yield "decisions a seat", mean(lambda match: match.decisions / players)
    yield "rounds", mean(lambda match: match.rounds)
    yield "forced decisions", mean(lambda match: match.forced / match.decisions, True)
    yield "answers to choose from", mean(lambda match: match.choices)
    for seat in range(players):
        yield f"{seat_name(seat)} wins", mean(partial(_share_of, seat), True)
    yield "who decides first wins", mean(lambda match: match.shares[match.first], True)
    yield "shared wins", mean(lambda match: max(match.shares) < 1, True)
    yield "luck of deal and seat", PlaytestFigure(_luck(even, 1 / players), True)
    courses = {deal: match.course for deal, some in even.items() for match in some if match.course}
    yield "lead changes", PlaytestFigure({deal: course[0] for deal, course in courses.items()})
    yield "comebacks", PlaytestFigure({deal: course[1] for deal, course in courses.items()}, True)
    for bot in (RANDOM, SEARCH):
        shares = {deal: some[0].shares[deal % players] for deal, some in kinds[bot, STEADY].items()}
        yield f"bot:{bot} wins among bot:steady", PlaytestFigure(shares, True)


def _luck(even: Mapping[int, Sequence[PlayedMatch]], fair: float) -> dict[int, float]:
    """For each deal what its two matches have in common of the seats' win shares, relative to how much these vary with one
    winner. The mean is the part of the variance that deal and seat explain (an intraclass correlation)."""
    pairs = {deal: zip(some[0].shares, some[1].shares, strict=True) for deal, some in even.items() if len(some) > 1}
    return {deal: sum((a - fair) * (b - fair) for a, b in pair) / (1 - fair) for deal, pair in pairs.items()}


def playtest_variant(variant: GameVariant, played: Played) -> dict[str, Any]:
    """What stands out of a variant: matches by bots, answers that thinking bots never or always gave among others, edges of the
    phase graph that no match took, processor seconds a decision."""
    game, given, possible = games.load(variant.game), Counter[OfferedAnswer](), Counter[OfferedAnswer]()
    for match in (match for job, match in played if job.bot != RANDOM):
        possible, given = possible + match.offered, given + match.given
    common = [answer for answer, number in possible.most_common() if number >= _ENOUGH]
    shown = [{"phase": answer[0], "answer": answer[1], "offered": possible[answer]} for answer in common]
    counts = [(given[answer], possible[answer]) for answer in common]
    taken = {edge for _, match in played for edge in match.edges}
    edges = ((phase, game.phases.by_id(edge.to), edge.when) for phase in game.phases for edge in phase.edges)
    of_bots = {bot: [match for job, match in played if job.bot == bot] for bot in (STEADY, SEARCH)}
    asked = {bot: sum(match.asked for match in own) for bot, own in of_bots.items()}
    return {
        "name": "changed" if variant.options else "as it is",
        "options": {name: game.options[name].to_json(value) for name, value in variant.options.items()},
        "matches": dict(Counter(" among ".join(job.kind) for job, _ in played)),
        "never": [one for one, (number, _) in zip(shown, counts, strict=True) if not number],
        "always": [one for one, (number, most) in zip(shown, counts, strict=True) if number == most],
        "unused": [
            f"{phase.name} to {to.name}{': ' * bool(when)}{when}" for phase, to, when in edges if (phase.id, to.id) not in taken
        ],
        "seconds": {bot: sum(match.seconds for match in own) / asked[bot] for bot, own in of_bots.items() if asked[bot]},
    }
