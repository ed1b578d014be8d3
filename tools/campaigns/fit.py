"""Fit: the weights of a game's `bot:steady`, from matches that it plays against itself.

`python -m tools.campaigns.fit coup` plays 150,000 matches and writes decks/coup_steady.json; the same seed and number of
matches give the same weights. Each move is made more or less likely by what came of it (policy gradient, with a critic that
expects shares of the win, generalised advantage estimation by Schulman and others, 2016), and entropy counts a little, so
that play stays mixed and the search for a reply to oneself settles (Sokota and others, A Unified Approach to Reinforcement
Learning, Quantal Response Equilibria, and Two-Player Zero-Sum Games, 2023). In a third of the matches one seat has an
earlier version or another way to play. The weights are the mean over the second half.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import games
from games.core import Policy, Rng, State, random_policy
from games.core.softmax import Among, Features, Further, Joint, Softmax, drawn_place
from games.search.playouts import shares_of

BATCH = 25
"""Matches between two steps."""

VERSIONS = 20
"""How many earlier versions are kept as opponents."""

_FADING = 0.95
"""What a later surprise counts less with each round."""

_LONGEST = 3_000
"""Decisions after which a match counts as shared."""

Describing = Callable[[Any], Sequence[Features | None]]
"""Makes of a state the features of each seat, for the critic; None for one that is out."""


class Subject(NamedTuple):
    """What is fitted: the numbers of players, each as often as it stands here, what the critic sees, what entropy is worth, and
    by how many matches.

    `price` is what a move costs, in shares of the win: of moves that are worth nearly the same the one should be made that
    brings the end nearer. `least` is the least weight of some features, by the first word of their name: what must speak for
    a move, whatever the matches seem to say of it.
    """

    players: Sequence[int]
    seen: Describing
    entropy: float
    matches: int = 60_000
    price: Callable[[Any], float] = lambda move: 0.0
    least: Mapping[str, float] = {}


class Critic:
    """Expects shares of the win: of the exponentials of each seat's weighted features."""

    def __init__(self, seen: Describing) -> None:
        self.seen = seen
        self._weights: dict[Hashable, float] = defaultdict(float)

    def shares(self, features: Sequence[Features | None]) -> list[float]:
        """The expected shares."""
        strengths = [0.0 if one is None else exp(self._sum(one)) for one in features]
        return [strength / sum(strengths) for strength in strengths]

    def _sum(self, features: Features) -> float:
        return max(-30.0, min(30.0, sum(self._weights[name] * value for name, value in features.items())))

    def learn(self, features: Sequence[Features | None], shares: Sequence[float], rate: float) -> None:
        """Move the weights towards what came of it."""
        for one, share, expected in zip(features, shares, self.shares(features), strict=True):
            for name, value in (one or {}).items():
                self._weights[name] += rate * value * (share - expected)


class Drawn(NamedTuple):
    """A move that was drawn: by which seat, after which of the critic's looks, from which menu, and its place there."""

    seat: int
    look: int
    key: Hashable
    sums: Sequence[float]
    place: int
    move: Any


class Episode(NamedTuple):
    """A match: what was drawn by the learner, what the critic saw and expected, and how the match ended."""

    drawn: Sequence[Drawn]
    seen: Sequence[Sequence[Features | None]]
    expected: Sequence[Sequence[float]]
    shares: Sequence[float]


def play(state: State, learner: Softmax, others: Mapping[int, Policy], critic: Critic, rng: Rng) -> Episode:
    """A match of the learner, in all seats but those of the others."""
    last, length = -1, 0
    drawn, seen, expected = list[Drawn](), list[Sequence[Features | None]](), list[Sequence[float]]()
    while state.pending and length < _LONGEST:
        if state.round != last:
            last = state.round
            seen.append(critic.seen(state))
            expected.append(critic.shares(seen[-1]))
        seat, length = state.pending[0], length + 1
        if seat in others:
            state = others[seat](state, seat, rng).next_state
        else:
            state = state.apply(seat, _move(state, seat, learner, rng, len(seen) - 1, drawn), None)
    players = state.setup.players
    return Episode(drawn, seen, expected, shares_of(state) if not state.pending else (1 / players,) * players)


def _move(state: State, seat: int, learner: Softmax, rng: Rng, look: int, drawn: list[Drawn]) -> Any:
    key = learner.ask(state, seat)
    if key is None:  # a rule decides, not a softmax
        return state.game.bots["steady"](state, seat, rng).move
    while True:
        moves, sums = learner.draw(key)
        chosen = drawn_place(sums, rng)
        if len(sums) > 1:
            drawn.append(Drawn(seat, look, key, sums, chosen, moves[chosen]))
        move = moves[chosen]
        if not isinstance(move, Further):
            return move
        key = move.ask(state, seat)


def advantages(episode: Episode) -> list[list[float]]:
    """For each look of the critic what came later beyond its expectation, seat by seat."""
    following = [*episode.expected[1:], episode.shares]
    found, later = list[list[float]](), [0.0] * len(episode.shares)
    for now, then in zip(reversed(episode.expected), reversed(following), strict=True):
        later = [new - old + _FADING * rest for new, old, rest in zip(then, now, later, strict=True)]
        found.append(later)
    return found[::-1]


def pull(one: Drawn, advantage: float, entropy: float) -> Iterator[float]:
    """By how much each move of a menu should be worth more (as a logarithm): by what came of the one drawn, and for entropy."""
    chances = [(total - before) / one.sums[-1] for before, total in zip((0.0, *one.sums), one.sums, strict=False)]
    surprise = [log(max(chance, 1e-12)) for chance in chances]
    mean = sum(chance * bits for chance, bits in zip(chances, surprise, strict=True))
    for place, chance in enumerate(chances):
        yield advantage * ((place == one.place) - chance) - entropy * chance * (surprise[place] - mean)


class Adam:
    """Steps along a noisy gradient (Kingma and Ba, 2015)."""

    def __init__(self) -> None:
        self._mean: dict[Hashable, float] = defaultdict(float)
        self._square: dict[Hashable, float] = defaultdict(float)
        self._steps = 0

    def step(self, weights: dict[Hashable, float], gradient: Mapping[Hashable, float], rate: float) -> None:
        """Change the weights a little uphill."""
        self._steps += 1
        for name, slope in gradient.items():
            mean = self._mean[name] = 0.9 * self._mean[name] + 0.1 * slope
            square = self._square[name] = 0.99 * self._square[name] + 0.01 * slope * slope
            corrected = mean / (1 - 0.9**self._steps)
            weights[name] += rate * corrected / (sqrt(square / (1 - 0.99**self._steps)) + 1e-5) - 0.002 * rate * weights[name]


def gradient(episodes: Sequence[Episode], policy: Softmax, subject: Subject) -> dict[Hashable, float]:
    """The slope of each feature's weight, a match."""
    by_key: dict[Hashable, list[float]] = {}
    for episode in episodes:
        ahead = advantages(episode)
        for one in episode.drawn:
            pulls = [*pull(one, ahead[one.look][one.seat] - subject.price(one.move), subject.entropy)]
            for key, part in _parts(one.key, pulls):
                by_key[key] = [a + b for a, b in zip(by_key[key], part, strict=True)] if key in by_key else part
    found: dict[Hashable, float] = defaultdict(float)
    for key, pulls in by_key.items():
        for (_, features), strength in zip(policy.menu(key), pulls, strict=True):
            for name, value in (features or {}).items():
                found[name] += strength * value / len(episodes)
    return found


def _parts(key: Any, pulls: list[float]) -> Iterator[tuple[Hashable, list[float]]]:
    """The keys that a key consists of, each with the pulls of its own menu."""
    if isinstance(key, Among):
        yield from ((part, [one]) for (_, part), one in zip(key, pulls, strict=True))
    else:
        yield from ((part, pulls) for part in (key if isinstance(key, Joint) else (key,)))


def fitted(name: str, subject: Subject, start: Softmax, matches: int, seed: int) -> dict[Hashable, float]:
    """The weights after some matches; progress goes to standard error."""
    game, rng, critic, adam = games.load(name), Rng.of("fit", name, seed), Critic(subject.seen), Adam()
    weights: dict[Hashable, float] = defaultdict(float, start.weights)
    means: dict[Hashable, float] = defaultdict(float)
    learner, versions, steps = start.weighted(weights), list[Policy](), max(1, matches // BATCH)
    for number in range(steps):
        episodes = []
        for _ in range(BATCH):
            players = rng.choice(subject.players)
            pool = versions if versions and rng.random() < 0.75 else [random_policy]
            others = {rng.below(players): rng.choice(pool)} if rng.random() < 1 / 3 else {}
            episode = play(game.begin(players=players, seed=rng.next() >> 1), learner, others, critic, rng)
            for features in episode.seen:
                critic.learn(features, episode.shares, 0.01)
            episodes.append(episode)
        adam.step(weights, gradient(episodes, learner, subject), 0.02 * (1 - number / steps) + 0.001)
        for feature, weight in weights.items():
            if isinstance(feature, tuple) and feature[0] in subject.least:
                weights[feature] = max(weight, subject.least[feature[0]])
        learner.draws.clear()
        if 2 * number + 1 >= steps:
            for feature, weight in weights.items():
                means[feature] += (weight - means[feature]) / (number - steps // 2 + 1)
        if number % max(1, steps // VERSIONS) == 0:
            versions.append(playing(name, start.weighted(dict(weights))))
            sys.stderr.write(f"\r{number * BATCH} of {matches} matches ")
            sys.stderr.flush()
    return means


def playing(name: str, softmax: Softmax) -> Policy:
    """The policy of a game that draws by a softmax."""
    found: Policy = import_module(f"games.{name}.bots").playing(softmax)
    return found


# -- games ---------------------------------------------------------------------------------------------------------------


def _coup(state: Any) -> list[Features | None]:
    """Influences and coins of each player, and whose turn it is."""
    players, living, actor = state.setup.players, state.living.bit_count(), state.turn.actor
    return [
        {
            (len(hand.down), min(10, coins), min(4, living), (seat - actor) % players == 0): 1.0,
            "influences": len(hand.down) * 1.0,
        }
        if hand.down
        else None
        for seat, (hand, coins) in enumerate(zip(state.hands, state.coins, strict=True))
    ]


def _waiting(move: Any) -> float:
    """What an action costs that takes nothing from anybody."""
    return {"exchange": 0.015, "income": 0.01, "foreign aid": 0.005}.get(getattr(move, "action", ""), 0.0)


def _oriflamme(state: Any) -> list[Features | None]:
    """Points, characters that are revealed, cards that are hidden and their tokens."""
    from games.oriflamme.stack import card_of

    tops, mean, now = [card_of(stack) for stack in state.queue], sum(state.scores) / state.setup.players, state.round
    return [
        {
            ("points", now): points - mean,
            ("revealed", now): 1.0 * sum(card.revealed for card in tops if card.owner == seat),
            ("hidden", now): 1.0 * sum(not card.revealed for card in tops if card.owner == seat),
            ("tokens", now): 1.0 * sum(card.tokens for card in tops if card.owner == seat),
        }
        for seat, points in enumerate(state.scores)
    ]


SUBJECTS: Mapping[str, Subject] = {
    "coup": Subject(
        (2,) * 6 + (3,) * 5 + (4,) * 5 + (5,) * 2 + (6,) * 2,
        _coup,
        entropy=0.006,
        matches=150_000,
        price=_waiting,
        least={"challenge, odds": 0.5, "challenge, liar": 0.0},
    ),
    "oriflamme": Subject((3, 4, 4, 5), _oriflamme, 0.01),
}


@cache
def softmax_of(name: str) -> Softmax:
    """The softmax behind a game's `bot:steady`."""
    found: Softmax = import_module(f"games.{name}.bots").SOFTMAX
    return found


def as_data(weights: Mapping[Hashable, float]) -> dict[str, list[list[Any]]]:
    """Weights as JSON data: by the first word of a feature's name the rest of it, and the weight."""
    found: dict[str, list[list[Any]]] = {}
    for feature, weight in sorted(weights.items(), key=repr):
        word, *rest = feature if isinstance(feature, tuple) else (feature,)
        found.setdefault(word, []).append([*rest, round(weight, 2)])
    return found


def written(data: Mapping[str, list[list[Any]]]) -> str:
    """The file of some weights, a line for each feature."""
    parts = (f"{json.dumps(word)}: [\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]" for word, rows in data.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Read the command line, play, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=SUBJECTS)
    parser.add_argument("--matches", type=int, help="how many to play (as the stored weights were fitted)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entropy", type=float, help="what entropy is worth, in shares of the win")
    parser.add_argument("--output", type=Path, help="the file to write (decks/GAME_steady.json)")
    arguments = parser.parse_args()
    subject = SUBJECTS[arguments.game]
    if arguments.entropy is not None:
        subject = subject._replace(entropy=arguments.entropy)
    start = softmax_of(arguments.game).weighted({})
    weights = fitted(arguments.game, subject, start, arguments.matches or subject.matches, arguments.seed)
    output = arguments.output or Path("decks") / f"{arguments.game}_steady.json"
    output.write_text(written(as_data(weights)), encoding="utf-8")


if __name__ == "__main__":
    main()
