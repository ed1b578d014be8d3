"""AIVAT: the share of a match's result that is luck of the deal and of bots whose policies are known, by a value function.

N. Burch, M. Schmid, M. Moravcik, D. Morrill, M. Bowling, AIVAT: A New Variance Reduction Technique for Agent Evaluation in
Imperfect Information Games, AAAI 2018. At a decision of a known policy the correction is the value of what was played less its
mean over the policy; its own mean is 0 whatever the value function is, so that a result less its corrections is unbiased.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.core import Policy, Rng, State, random_policy
from games.search.playouts import Shares
from runner.agents.spec import Bot, parse_spec
from runner.arena.value_function import ValueFunction
from runner.record.reader import Log
from runner.review.review_jobs import review_jobs

SAMPLES = 16
"""How often a policy whose probabilities are not known is asked again. The mean of the samples is unbiased as well."""

MOST_EXACT = 24
"""With at most this number of legal moves the probabilities of `bot:random` are taken one by one."""


def luck(log: Log, value: ValueFunction) -> Shares:
    """For each seat the sum of the corrections of its win share, over the decisions of bots. The deal is not among them.

    The policies of `bot:random` and `bot:steady` are known, if they had their seat all through the match. LogDamagedError at a
    decision that the rules do not lead to, UsageError for a game without `bot:steady`.
    """
    jobs, last = review_jobs(log)
    known, fork = _known_policies(log, last), log.header.get("fork")
    total: Shares = (0.0,) * last.setup.players
    for job in jobs:
        if job.seat in known and job.answer is not None and (fork is None or job.number >= fork["at"]):
            played = job.state.read(job.seat, job.answer).move
            found = correction(job.state, job.asked, job.seat, played, known, value, job.number)
            total = tuple([a + b for a, b in zip(total, found, strict=True)])
    return total


def _known_policies(log: Log, state: State) -> dict[int, Policy]:
    """The policies of the seats that one bot had all through the match."""
    changes = [record["seats"] for _, record in log.of_kind("resumed") if "seats" in record]
    played = [{seat["spec"] for seat in seats} for seats in zip(log.header["seats"], *changes, strict=True)]
    specs = [parse_spec(found.pop()) if len(found) == 1 else None for found in played]
    bots = state.game.bots
    return {seat: bots[spec.name] for seat, spec in enumerate(specs) if isinstance(spec, Bot) and spec.name in bots}


def correction(
    state: State, asked: State, seat: int, played: Any, known: Mapping[int, Policy], value: ValueFunction, number: int
) -> Shares:
    """The value of a move of a known policy less the mean value over the policy, for every seat. `asked` is the state in which
    the seat was asked, `number` that of the decision."""
    weights = _weights(known[seat], asked, seat, Rng.of("aivat", value.seed, state.setup.seed, number))
    players: int = state.setup.players
    if set(weights) <= {played}:
        return (0.0,) * players
    values: dict[Any, Shares] = {move: value.of(state.apply(seat, move, None), number, known) for move in {played, *weights}}
    mean = [sum(weight * values[move][other] for move, weight in weights.items()) for other in range(players)]
    return tuple([own - expected for own, expected in zip(values[played], mean, strict=True)])


def _weights(policy: Policy, state: State, seat: int, rng: Rng) -> dict[Any, float]:
    """The probability of each move, or its share of independent samples."""
    moves = state.legal_moves(seat)
    if len(moves) == 1 or (policy is random_policy and len(moves) <= MOST_EXACT):
        return {move: 1 / len(moves) for move in moves}
    counts = Counter(policy(state, seat, rng).move for _ in range(SAMPLES))
    return {move: count / SAMPLES for move, count in counts.items()}
