"""Ten decisions of each game, each role in turn: the tokens of their prompts, and with `--whole` the prompts.

Run it in two checkouts to compare: `python -m tools.campaigns.ten_decisions --whole --games coup`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from statistics import fmean

import games
from games.core import Rng, State
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import SeatSettings
from runner.llm.budget import message_tokens
from runner.llm.client import Client
from runner.llm.request import OPENROUTER, AnswerForm, Message, Model
from runner.prompting.pack import PromptPack

COUNT, PLAYERS, SEEDS = 10, 4, range(1, 8)
PACK = PromptPack()


def decisions(name: str) -> list[tuple[State, int]]:
    """The decisions with a choice: of each role as many as possible, spread over the matches."""
    by_role: dict[str, list[tuple[State, int]]] = defaultdict(list)
    for seed in SEEDS:
        state, number = games.load(name).begin(players=PLAYERS, seed=seed), 0
        while not state.has_ended:
            for seat in state.pending:
                if len(state.actions_of(seat)) > 1:
                    by_role[state.question(seat).role].append((state, seat))
            seat, number = state.pending[0], number + 1
            state = state.game.bots["steady"](state, seat, Rng.of("ten", seed, number)).next_state
    share = -(-COUNT // len(by_role))
    spread = [found[:: max(1, len(found) // share)] for found in by_role.values()]
    return list(islice(filter(None, chain.from_iterable(zip_longest(*spread))), COUNT))


def messages(state: State, seat: int) -> list[Message]:
    """What a model is sent that gets a strict schema and writes a reason."""
    agent = LlmAgent(
        Client(), Model("any", OPENROUTER, "", "none"), AnswerForm.STRICT_SCHEMA, PACK, SeatSettings(reason="always")
    )
    ask = DecisionRequest.of(state, seat)
    return agent.messages(ask, agent.question(ask))


def lines(name: str, whole: bool) -> Iterator[str]:
    """A line for each decision, with its prompt if that is asked for, and the means."""
    found = []
    for number, (state, seat) in enumerate(decisions(name), 1):
        sent = messages(state, seat)
        found.append((message_tokens(sent), message_tokens(sent[1:])))
        role = state.question(seat).role
        yield f"{name} {number:>2}  {role:<18}{state.phase.name:<26}{found[-1][0]:>6} tokens, {found[-1][1]:>5} after the rules"
        if whole:
            yield "\n".join(f"[{message['role']}]\n{message['content']}\n" for message in sent[0 if number == 1 else 1 :])
    yield f"{name}: {fmean(total for total, _ in found):.0f} tokens, {fmean(rest for _, rest in found):.0f} after the rules"


def main() -> None:
    """Read the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=games.names(), choices=games.names())
    parser.add_argument("--whole", action="store_true", help="print the prompts")
    arguments = parser.parse_args()
    for name in arguments.games:
        sys.stdout.writelines(f"{line}\n" for line in lines(name, arguments.whole))


if __name__ == "__main__":
    main()
