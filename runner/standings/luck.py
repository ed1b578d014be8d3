"""Luck: what matches owe to their deals and to the choices of bots: the values of deals, and the corrections of AIVAT."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import games
from games.core import Policy, Rng, State
from games.search.playouts import Shares
from games.search.policy import has_playing_policy
from games.search.value_function import VALUE, ValueFunction, bot_weights, correction, weights_of
from games.statistics.adjusted import Luck, adjusted
from games.statistics.deal_sums import Deal
from games.statistics.document_types import AdjustedData, GameData
from runner.agents.spec import Bot, parse_spec
from runner.arena.tournament_dir import ValueRecord, recorded_values, value_records
from runner.errors import UsageError
from runner.record.log_folder import FollowWork, PerLog, of_each_log
from runner.record.log_summary import LogSummary
from runner.record.reader import Log
from runner.record.replay import opening
from runner.review.decision_review import DecisionJob, review_jobs
from runner.standings.document import folder_matches, standings
from runner.standings.game_document import deal_of, rated
from runner.standings.studies import Study, left_out


def luck(log: Log, value: ValueFunction) -> Shares:
    """For each seat the sum of the corrections of its win share, over the decisions of known policies. The deal is not among
    them. The policies of `bot:random` and `bot:steady` are known, if they had their seat all through the match, and so is that
    of a model whose answer was drawn from it (`policy = "play"`). One that a model was only asked for is not the one that
    played: the mean of its correction would not be 0. LogDamagedError at a decision that the rules do not lead to, UsageError
    for a game without `bot:steady`."""
    jobs, last = review_jobs(log)
    known, first = _known_policies(log, last), log.header.get("fork", {"at": 1})["at"]
    total: Shares = (0.0,) * last.setup.players
    for job in jobs:
        if job.answer is not None and job.number >= first and (weights := _weights(job, known, value)):
            played = job.state.read(job.seat, job.answer).move
            found = correction(job.state, job.seat, played, weights, known, value, job.number)
            total = tuple([a + b for a, b in zip(total, found, strict=True)])
    return total


def _known_policies(log: Log, state: State) -> dict[int, Policy]:
    changes = [record["seats"] for _, record in log.of_kind("resumed") if "seats" in record]
    played = [{seat["spec"] for seat in seats} for seats in zip(log.header["seats"], *changes, strict=True)]
    specs = [parse_spec(found.pop()) if len(found) == 1 else None for found in played]
    bots = state.game.bots
    return {seat: bots[spec.name] for seat, spec in enumerate(specs) if isinstance(spec, Bot) and spec.name in bots}


def _weights(job: DecisionJob, known: Mapping[int, Policy], value: ValueFunction) -> Mapping[Any, float]:
    """The probability of each move at a decision, nothing where its policy is not known."""
    if job.policy is not None and job.policy.is_drawn:
        return weights_of(job.policy.chances(job.asked, job.seat))
    if job.seat not in known:
        return {}
    return bot_weights(known[job.seat], job.asked, job.seat, Rng.of("aivat", value.seed, job.state.setup.seed, job.number))


Adjust = Literal["deal", "bots"]
"""What win shares are adjusted for: the value of the deal, or that and the decisions of known policies."""


def luck_study(logs: Mapping[Path, LogSummary], adjust: Adjust, folder: Path, follow: FollowWork) -> Study:
    """The adjusted win shares of the agents of finished matches. The value of a deal is computed once for all of its matches.
    Notes say by which value function, and for which matches it is unknown."""
    deals: dict[Deal, Path] = {}
    first = {path: path if adjust == "bots" else deals.setdefault(deal_of(log), path) for path, log in logs.items()}
    found, unusable = of_each_log(partial(_luck_of, adjust), sorted(set(first.values())), follow)
    known = {log.digest: found[first[path]] for path, log in logs.items() if first[path] in found}
    unknown = [unusable[one]._replace(name=path.name) for path, one in first.items() if one in unusable]

    def figures(logs: Sequence[LogSummary], game: GameData) -> Mapping[str, AdjustedData]:
        return adjusted([(rated(log), known[log.digest]) for log in logs if log.digest in known])

    names = sorted({log.game for log in logs.values() if log.digest in known})
    return Study("adjusted", figures, [*value_notes(names, folder), *left_out("Not adjusted", PerLog({}, unknown))])


def adjusted_games(folder: Path, adjust: Adjust, follow: FollowWork) -> list[GameData]:
    """The standings of the finished matches of a folder, without pairs' intervals, with the adjusted win shares of agents."""
    matches = folder_matches(folder)
    return standings(matches, 0, studies=[luck_study(matches.logs, adjust, folder, follow)])["games"]


def shares_of(found: Sequence[GameData]) -> list[dict[str, object]]:
    """The adjusted win shares alone, for a JSON document."""
    return [
        {"game": game["game"], "players": game["players"], "agent": agent["agent"], **own}
        for game in found
        for agent in game["agents"]
        if (own := agent.get("adjusted"))
    ]


def _luck_of(adjust: Adjust, log: Log) -> Luck:
    game, state = opening(log.header)
    if not has_playing_policy(game):
        raise UsageError(f"{game.title} has no `bot:steady`, whose policy gives the value of a deal.")
    values = VALUE.of(state, "deal")
    return Luck(values, luck(log, VALUE) if adjust == "bots" else (0.0,) * len(values))


def value_notes(names: Sequence[str], folder: Path) -> list[str]:
    """Sentences about the value function of some games: whether it was fixed before the matches."""
    recorded, records = recorded_values(folder), value_records([games.load(name) for name in names])
    return [_said(name, record, recorded.get(name)) for name, record in records.items()]


def _said(game: str, own: ValueRecord, recorded: str | None) -> str:
    when = {
        own["digest"]: "The tournament recorded it before its first match.",
        None: "It was not recorded before the matches, so nothing shows that it was not chosen by their results.",
    }.get(recorded, f"The tournament recorded another one before its first match ({recorded}).")
    what = f"{own['playouts']} playouts of {own['policy']}, digest {own['digest']}"
    return f"Win shares of {game} are adjusted by the value function {what}. {when}"
