"""Real decisions: what a small model answers to decisions of bots' matches, by game, role and form of answer.

Every pack and form gets the same decisions, so that prompts can be compared: `make real-decisions ARGS="--packs old new"`.
It costs less than matches, as prompts for one decision share their beginning.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import games
from games.core import IllegalAction, State
from games.search.sample_matches import sample_matches
from runner.agents.environment import Environment
from runner.agents.model_agent import LlmAgent
from runner.agents.model_seats import model_of
from runner.agents.preflight import MatchSeats, start_local
from runner.agents.protocol import AgentReply, DecisionRequest, JsonRecord
from runner.agents.settings import SeatSettings
from runner.agents.spec import Local, parse_spec
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Model
from runner.local.servers import end_servers
from runner.prompting.pack import PromptPack
from tools.campaigns.real import prepare

BUILT_IN = "built-in"
PLAYERS, SEEDS = 3, range(1, 40)
REPLY_TOKENS = 120
_Z = NormalDist().inv_cdf(0.975)
_ROW = "{:<10}{:<15}{:<14}{:<18}{:>9}{:>9}{:>12}{:>10}{:>10}{:>13}"
_HEADS = ("pack", "game", "form", "role", "asked", "answers", "unreadable", "illegal", "repaired", "legal, %")


class Decision(NamedTuple):
    """A seat with a choice in a match between bots."""

    state: State
    seat: int
    role: str


@dataclass(frozen=True, eq=False)
class Trial:
    """What is asked for: one pack and one form."""

    name: str
    pack: PromptPack
    form: AnswerForm


def decisions(name: str, count: int) -> list[Decision]:
    """Decisions of a game, each of its roles in turn."""
    by_role: dict[str, list[Decision]] = defaultdict(list)
    starts = [games.load(name).begin(players=PLAYERS, seed=seed) for seed in SEEDS]
    for step in chain.from_iterable(sample_matches(starts).matches):
        for seat in step.seats:
            by_role[step.state.question(seat).role].append(Decision(step.state, seat, step.state.question(seat).role))
    in_turn = chain.from_iterable(zip_longest(*by_role.values()))
    return sorted(islice(filter(None, in_turn), count), key=lambda found: found.role)


def interval(count: int, total: int) -> str:
    """The Wilson interval of a share, 95 %, in per cent."""
    share, square = count / total, _Z**2 / total
    middle = (share + square / 2) / (1 + square)
    half = _Z * sqrt(share * (1 - share) / total + square / 4 / total) / (1 + square)
    return f"{100 * (middle - half):.0f} to {100 * (middle + half):.0f}"


async def asked(client: Client, model: Model, trial: Trial, found: Decision) -> str:
    """What the answer to a decision is: `answers`, `repaired`, `illegal` or `unreadable`."""
    own = replace(model, form=trial.form, max_tokens=REPLY_TOKENS)
    settings = SeatSettings(reason="never")
    agent = LlmAgent(client, own, trial.form, trial.pack, settings)
    return judged(found, await agent.answer(DecisionRequest.of(found.state, found.seat), _unheard))


def judged(found: Decision, given: AgentReply) -> str:
    """What a given answer is."""
    if given.mistake is not None:
        return "unreadable"
    try:
        found.state.read(found.seat, given.data)
    except IllegalAction:
        return "illegal"
    return "repaired" if given.facts.get("repaired") else "answers"


async def _unheard(record: JsonRecord) -> None:
    """Do nothing: trials have no log."""


async def play(model: Path, names: Iterable[str], trials: list[Trial], count: int) -> None:
    """Ask all decisions, and print a row for each pack, form and role of a game."""
    spec, environment = parse_spec(f"gguf:{model}"), Environment()
    assert isinstance(spec, Local)
    tables = [
        MatchSeats(games.load(name), games.load(name).set_up(PLAYERS, 1, None, {}), [(spec, spec.settings(environment))])
        for name in names
    ]
    await start_local(tables, trials[0].pack, environment)
    async with Client() as client:
        for table in tables:
            counts: dict[tuple[Trial, str], Counter[str]] = defaultdict(Counter)
            for found in decisions(table.game.name, count):
                for trial in trials:
                    counts[trial, found.role][await asked(client, model_of(spec, environment), trial, found)] += 1
            _print(rows(table.game.name, counts))


def rows(game: str, counts: dict[tuple[Trial, str], Counter[str]]) -> Iterator[str]:
    """The rows of a game: each role, and all of them."""
    for trial in dict.fromkeys(trial for trial, _ in counts):
        of_trial = {role: found for (other, role), found in counts.items() if other is trial}
        for role, found in {**of_trial, "all": sum(of_trial.values(), Counter())}.items():
            legal = found["answers"] + found["repaired"]
            numbers = found.total(), legal, found["unreadable"], found["illegal"], found["repaired"]
            yield _ROW.format(trial.name, game, trial.form.value, role, *numbers, interval(legal, found.total()))


def _print(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def main() -> None:
    """Read the command line and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="decisions of each game")
    parser.add_argument("--games", nargs="+", default=games.names(), choices=games.names())
    parser.add_argument("--forms", nargs="+", type=AnswerForm, default=list(AnswerForm))
    parser.add_argument("--packs", nargs="+", default=[BUILT_IN], help=f"folders of prompt packs, or {BUILT_IN}")
    parser.add_argument("--model", type=Path, help="a GGUF file")
    arguments = parser.parse_args()
    packs = {name: PromptPack() if name == BUILT_IN else PromptPack(Path(name)) for name in arguments.packs}
    trials = [Trial(Path(name).name, pack, form) for form in arguments.forms for name, pack in packs.items()]
    _print([_ROW.format(*_HEADS)])
    try:
        asyncio.run(play(arguments.model or prepare(None), arguments.games, trials, arguments.count))
    finally:
        end_servers()


if __name__ == "__main__":
    main()
