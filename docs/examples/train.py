"""Train a linear policy against random play by policy gradient (REINFORCE), in pure Python.

    python train.py coup 2 --matches 2000

Each action number has a weight for each number of the observation. The policy plays the softmax of the legal actions' scores.
After a match, the actions of the winner become more likely, those of the loser less.
"""

from __future__ import annotations

import argparse
import math
import random

import games
from games.core import State
from games.learning.encoding import encoding
from games.learning.rewards import rewards

RATE = 0.05
LARGEST = 8


class LinearPolicy:
    """A weight for each action number and each number of an observation."""

    def __init__(self, game: str, players: int, rng: random.Random) -> None:
        self.code, self.rng = encoding(game, players), rng
        self.weights = [[0.0] * self.code.size for _ in range(self.code.actions)]

    def act(self, state: State, seat: int) -> tuple[State, Choice]:
        """The state after an action drawn from the policy, and what was chosen from what."""
        seen = self.code.observe(state, seat)
        features = [(place, min(value, LARGEST) / LARGEST) for place, value in enumerate(seen) if value]
        actions = state.actions_of(seat)
        numbers = [self.code.number(action) for action in actions]
        scores = [sum(self.weights[number][place] * value for place, value in features) for number in numbers]
        powers = [math.exp(score - max(scores)) for score in scores]
        chances = [power / sum(powers) for power in powers]
        (chosen,) = self.rng.choices(range(len(actions)), chances)
        return actions[chosen].next_state, Choice(features, numbers, chances, chosen)

    def learn(self, choice: Choice, reward: float) -> None:
        """Move the weights along the gradient of the chosen action's logarithmic chance, times the reward."""
        for index, number in enumerate(choice.numbers):
            step = RATE * reward * ((index == choice.chosen) - choice.chances[index])
            for place, value in choice.features:
                self.weights[number][place] += step * value


class Choice:
    """A decision of the policy: the features it saw, the legal action numbers, their chances, and which it took."""

    def __init__(self, features: list[tuple[int, float]], numbers: list[int], chances: list[float], chosen: int) -> None:
        self.features, self.numbers, self.chances, self.chosen = features, numbers, chances, chosen


def play(game: str, players: int, policy: LinearPolicy, seed: int, *, learns: bool) -> float:
    """Play a match, the policy in one seat and random play in the others; the policy's reward."""
    state, own, choices = games.load(game).begin(players=players, seed=seed), seed % players, list[Choice]()
    while (seat := state.actor) is not None:
        if seat == own:
            state, choice = policy.act(state, seat)
            choices.append(choice)
        else:
            state = policy.rng.choice(state.actions).next_state
    reward = rewards(state)[own]
    if learns:
        for choice in choices:
            policy.learn(choice, reward)
    return reward


def win_rate(game: str, players: int, policy: LinearPolicy, matches: int) -> float:
    """The share of matches that the policy wins, on deals that it has not been trained on."""
    seeds = range(10**6, 10**6 + matches)
    return sum(play(game, players, policy, seed, learns=False) > 0 for seed in seeds) / matches


def train(game: str, players: int, matches: int, seed: int = 0) -> LinearPolicy:
    """A policy trained for a number of matches."""
    policy = LinearPolicy(game, players, random.Random(seed))
    for match in range(matches):
        play(game, players, policy, match, learns=True)
    return policy


def main() -> None:
    """Train, and print the win rate before and after."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", nargs="?", default="coup")
    parser.add_argument("players", nargs="?", type=int, default=2)
    parser.add_argument("--matches", type=int, default=2000)
    options = parser.parse_args()
    untrained = LinearPolicy(options.game, options.players, random.Random(1))
    print(f"before: wins {win_rate(options.game, options.players, untrained, 400):.0%} against random play")
    policy = train(options.game, options.players, options.matches)
    print(f"after {options.matches} matches: wins {win_rate(options.game, options.players, policy, 400):.0%}")


if __name__ == "__main__":
    main()
