"""Luck: what matches owe to their deals and to the choices of bots, and win shares adjusted for it.

The control variates of a seat's win share are the value of its deal, centred over the deals of the kind of match, and the
correction of AIVAT, whose mean is 0. Their coefficients are those of the least squares within agents, worked out again without
each block of deals for the jackknife (S. Asmussen, P. W. Glynn, Stochastic Simulation, 2007, section V.2).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import games
from games.core import Action, Policy, Rng, State, random_policy
from games.search.playouts import Shares
from games.search.policy import has_playing_policy
from runner.agents.spec import Bot, parse_spec
from runner.arena.tournament_dir import recorded_values
from runner.arena.value_function import VALUE, ValueFunction, ValueRecord, value_records
from runner.errors import UsageError
from runner.record.log_summary import LogSummary
from runner.record.reader import Log
from runner.record.replay import opening
from runner.record.unusable import Unusable
from runner.review.decision_review import review_jobs
from runner.review.each_log import Follow, of_each_log
from runner.standings.deal_counts import Deal, DealSums, free_of, summed
from runner.standings.document_types import AdjustedData
from runner.standings.figures import effective_free, share, without_each
from runner.standings.game_document import deal_of

SAMPLES = 16
"""How often a policy whose probabilities are not known is asked again. The mean of the samples is unbiased as well."""

MOST_EXACT = 24
"""With at most this number of legal moves the probabilities of `bot:random` are taken one by one."""


def luck(log: Log, value: ValueFunction) -> Shares:
    """For each seat the sum of the corrections of its win share, over the decisions of known policies. The deal is not among
    them. The policies of `bot:random` and `bot:steady` are known, if they had their seat all through the match, and so is that
    of a model whose answer was drawn from it (`policy = "play"`). One that a model was only asked for is not the one that
    played: the mean of its correction would not be 0. LogDamagedError at a decision that the rules do not lead to, UsageError
    for a game without `bot:steady`."""
    jobs, last = review_jobs(log)
    known, fork = _known_policies(log, last), log.header.get("fork")
    total: Shares = (0.0,) * last.setup.players
    for job in jobs:
        drawn = job.policy if job.policy and job.policy.is_drawn else None
        if (job.seat in known or drawn) and job.answer is not None and (fork is None or job.number >= fork["at"]):
            played = job.state.read(job.seat, job.answer).move
            chances = drawn.chances(job.asked, job.seat) if drawn else None
            found = correction(job.state, job.asked, job.seat, played, known, value, job.number, chances)
            total = tuple([a + b for a, b in zip(total, found, strict=True)])
    return total


def _known_policies(log: Log, state: State) -> dict[int, Policy]:
    changes = [record["seats"] for _, record in log.of_kind("resumed") if "seats" in record]
    played = [{seat["spec"] for seat in seats} for seats in zip(log.header["seats"], *changes, strict=True)]
    specs = [parse_spec(found.pop()) if len(found) == 1 else None for found in played]
    bots = state.game.bots
    return {seat: bots[spec.name] for seat, spec in enumerate(specs) if isinstance(spec, Bot) and spec.name in bots}


def correction(
    state: State,
    asked: State,
    seat: int,
    played: Any,
    known: Mapping[int, Policy],
    value: ValueFunction,
    number: int,
    chances: Sequence[tuple[Action, float]] | None = None,
) -> Shares:
    """The value of a move of a known policy less the mean value over the policy, for every seat. `asked` is the state in which
    the seat was asked, `number` that of the decision; `chances` are those of the policy, None for a bot's."""
    if chances is None:
        weights = _weights(known[seat], asked, seat, Rng.of("aivat", value.seed, state.setup.seed, number))
    else:
        weights = _by_move((action.move, chance) for action, chance in chances if chance)
    players: int = state.setup.players
    if set(weights) <= {played}:
        return (0.0,) * players
    values: dict[Any, Shares] = {move: value.of(state.apply(seat, move, None), number, known) for move in {played, *weights}}
    mean = [sum(weight * values[move][other] for move, weight in weights.items()) for other in range(players)]
    return tuple([own - expected for own, expected in zip(values[played], mean, strict=True)])


def _by_move(chances: Iterable[tuple[Any, float]]) -> dict[Any, float]:
    """The probability of each move: two answers may be the same one."""
    found = dict[Any, float]()
    for move, chance in chances:
        found[move] = found.get(move, 0.0) + chance
    return found


def _weights(policy: Policy, state: State, seat: int, rng: Rng) -> dict[Any, float]:
    """The probability of each move, or its share of independent samples."""
    moves = state.legal_moves(seat)
    if len(moves) == 1 or (policy is random_policy and len(moves) <= MOST_EXACT):
        return {move: 1 / len(moves) for move in moves}
    counts = Counter(policy(state, seat, rng).move for _ in range(SAMPLES))
    return {move: count / SAMPLES for move, count in counts.items()}


Adjust = Literal["deal", "bots"]
"""What win shares are adjusted for: the value of the deal, or that and the decisions of known policies."""


class Luck(NamedTuple):
    """By seat, the value of the deal, and the sum of the corrections at the decisions of bots."""

    values: Shares
    bots: Shares


class FolderLuck(NamedTuple):
    """The luck of matches by the digest of their log, the logs for which it is unknown, and the games with any."""

    found: Mapping[str, Luck]
    unusable: Sequence[Unusable]
    games: Sequence[str]


def folder_luck(logs: Mapping[Path, LogSummary], adjust: Adjust, follow: Follow) -> FolderLuck:
    """The luck in finished matches. The value of a deal is computed once for all of its matches."""
    deals: dict[Deal, Path] = {}
    first = {path: path if adjust == "bots" else deals.setdefault(deal_of(log), path) for path, log in logs.items()}
    found, unusable = of_each_log(partial(_luck_of, adjust), sorted(set(first.values())), follow)
    known = {log.digest: found[first[path]] for path, log in logs.items() if first[path] in found}
    unknown = [unusable[one]._replace(name=path.name) for path, one in first.items() if one in unusable]
    return FolderLuck(known, unknown, sorted({log.game for log in logs.values() if log.digest in known}))


def _luck_of(adjust: Adjust, log: Log) -> Luck:
    game, state = opening(log.header)
    if not has_playing_policy(game):
        raise UsageError(f"{game.title} has no `bot:steady`, whose policy gives the value of a deal.")
    values = VALUE.of(state, "deal")
    return Luck(values, luck(log, VALUE) if adjust == "bots" else (0.0,) * len(values))


def luck_notes(luck: FolderLuck, folder: Path) -> list[str]:
    """Sentences about the value function, whether it was fixed before the matches, and matches whose luck is unknown."""
    recorded = recorded_values(folder)
    own = value_records([games.load(name) for name in luck.games])
    notes = [_said(name, record, recorded.get(name)) for name, record in own.items()]
    return [*notes, *(f"Not adjusted: {one.place}" for one in luck.unusable)]


def _said(game: str, own: ValueRecord, recorded: str | None) -> str:
    when = {
        own["digest"]: "The tournament recorded it before its first match.",
        None: "It was not recorded before the matches, so nothing shows that it was not chosen by their results.",
    }.get(recorded, f"The tournament recorded another one before its first match ({recorded}).")
    what = f"{own['playouts']} playouts of {own['policy']}, digest {own['digest']}"
    return f"Win shares of {game} are adjusted by the value function {what}. {when}"


_RIDGE = 1e-9


class AdjustedMatch(NamedTuple):
    """A match: its deal, and by seat its agents, win shares, the values of the deal and the luck of the bots' decisions."""

    deal: Deal
    agents: Sequence[str]
    wins: Sequence[float]
    values: Sequence[float]
    luck: Sequence[float]


def adjusted(matches: Sequence[AdjustedMatch]) -> dict[str, AdjustedData]:
    """The adjusted win share of each agent, and the part of its variance over deals that the adjustment saves."""
    means, sums = _mean_values(matches), DealSums[str | None]()
    for match in matches:
        for seat, agent in enumerate(match.agents):
            x, d, b = match.wins[seat], match.values[seat] - means[match.deal[0]][seat], match.luck[seat]
            sums.add(match.deal, agent, 1.0, x, d, b)
            sums.add(match.deal, None, x * d, x * b, d * d, d * b, b * b)
    agents, blocks = sorted({agent for match in matches for agent in match.agents}), sums.blocks()
    parts: dict[str | None, list[list[float]]] = {agent: sums.parts(agent, blocks, 4) for agent in agents}
    parts[None] = sums.parts(None, blocks, 5)
    whole = _shares({key: summed(some) for key, some in parts.items()})
    rests = [dict(zip(parts, rest, strict=True)) for rest in zip(*map(without_each, parts.values()), strict=True)]
    moved = [_shares(rest) for rest in rests]
    found: dict[str, AdjustedData] = {}
    for agent in agents:
        plain, error = (
            math.sqrt(sum(b.weight * (one[agent][of] - whole[agent][of]) ** 2 for one, b in zip(moved, blocks, strict=True)))
            for of in range(2)
        )
        figure = share(
            min(1.0, max(0.0, whole[agent][1])), error, effective_free([part[0] for part in parts[agent]], free_of(blocks))
        )
        saved = 1 - (error / plain) ** 2 if plain > _RIDGE and figure["low"] is not None else None
        found[agent] = {"win_share": figure, "saved": saved}
    return found


def _mean_values(matches: Sequence[AdjustedMatch]) -> dict[str, list[float]]:
    kinds: dict[str, list[Sequence[float]]] = {}
    for (kind, _), values in {match.deal: match.values for match in matches}.items():
        kinds.setdefault(kind, []).append(values)
    return {kind: [total / len(found) for total in summed(found)] for kind, found in kinds.items()}


def _shares(sums: Mapping[str | None, Sequence[float]]) -> dict[str, tuple[float, float]]:
    """The plain and the adjusted win share of each agent, by the least squares within agents; 0 without a match. `sums` has the
    seats, wins, values and luck of each agent, and of all (None) the products that the coefficients need."""
    xd, xb, dd, db, bb = sums[None]
    own = {agent: some for agent, some in sums.items() if agent is not None}
    for number, x, d, b in own.values():
        if number:
            xd, xb = xd - x * d / number, xb - x * b / number
            dd, db, bb = dd - d * d / number, db - d * b / number, bb - b * b / number
    dd, bb = dd + _RIDGE, bb + _RIDGE
    det = dd * bb - db * db
    deal, bots = (xd * bb - xb * db) / det, (xb * dd - xd * db) / det
    return {
        agent: (wins / number, (wins - deal * values - bots * luck) / number) if number else (0.0, 0.0)
        for agent, (number, wins, values, luck) in own.items()
    }
