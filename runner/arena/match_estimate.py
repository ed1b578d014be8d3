"""What one match would take: decisions, tokens and money a seat, as ranges, and what that is known from."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import games
from games.core import State
from runner.agents.environment import Settings
from runner.agents.protocol import Ask
from runner.agents.spec import Offline, Spec, is_model
from runner.arena.cost_history import Past, past_of
from runner.arena.estimate_range import NOTHING, Span
from runner.arena.list_prices import prices_of
from runner.arena.rollouts import LETTERS_A_TOKEN, asked_in
from runner.match.config import MatchConfig

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.prices import Prices

SAMPLES = 5
SHORT_REPLY, LIKELY_REPLY, LONG_REPLY = 20, 400, 2000
"""Tokens of a reply where no past match tells: an answer alone, with a little thinking, with a lot of it."""

MOST_LETTERS, LEAST_LETTERS = 4.5, 3.2
"""Letters of a token, by tokenizer."""

LIKELY_SECONDS = 8.0
"""Seconds a reply takes where no past match tells."""


@dataclass(slots=True)
class SeatEstimate:
    """One seat: decisions, tokens of one prompt and one reply, cost in USD (None: nobody knows), and where that is from."""

    spec: Spec
    decisions: Span
    is_model: bool
    prompt_tokens: Span = NOTHING
    reply_tokens: Span = NOTHING
    usd: Span | None = None
    seconds: float = 0.0
    prices: Prices | None = None
    past: Past = field(default_factory=Past)

    @property
    def tokens(self) -> Span:
        """All tokens of the match."""
        return self.decisions.with_each(
            lambda count, prompt, reply: count * (prompt + reply), self.prompt_tokens, self.reply_tokens
        )

    def to_json(self, seat: int) -> dict[str, Any]:
        """The estimate as data."""
        return {
            "seat": seat,
            "spec": self.spec.text,
            "decisions": self.decisions.to_json(),
            "prompt_tokens": self.prompt_tokens.to_json(),
            "reply_tokens": self.reply_tokens.to_json(),
            "tokens": self.tokens.to_json(),
            "usd": self.usd.to_json() if self.usd else None,
            "usd_per_million": [self.prices.prompt * 1e6, self.prices.completion * 1e6] if self.prices else None,
            "past_matches": self.past.matches,
        }


@dataclass(frozen=True, slots=True)
class MatchEstimate:
    """A match: its seats, and seconds where models play one decision after the other."""

    seats: tuple[SeatEstimate, ...]
    seconds: float

    @property
    def usd(self) -> Span | None:
        """The cost of the match; None when a seat's is not known."""
        spans = [seat.usd for seat in self.seats]
        if any(span is None for span in spans):
            return None
        known = [span for span in spans if span is not None]
        return Span(sum(s.low for s in known), sum(s.likely for s in known), sum(s.high for s in known))


def estimate_match(config: MatchConfig, agents: Sequence[LlmAgent | None], settings: Settings, logs: Path) -> MatchEstimate:
    """What a match would take. `agents` word its prompts, None for a seat without; past matches are looked for in `logs`."""
    specs = [seat.spec for seat in config.seats]
    prices = asyncio.run(prices_of(specs, settings))
    past = past_of(logs, config.game.name)
    counts, chain, prompts = _sampled(config, agents)
    seats = []
    for seat, spec in enumerate(specs):
        found = SeatEstimate(spec, Span.of([sample[seat] for sample in counts]), is_model(spec))
        if found.is_model:
            found.past, found.prices = past.get(spec.text, Past()), prices.get(spec)
            _fill(found, prompts[seat], agents[seat])
        else:
            found.usd = NOTHING
        seats.append(found)
    pace = max((seat.seconds for seat in seats), default=0.0)
    share = sum(seat.is_model and not isinstance(seat.spec, Offline) for seat in seats) / len(seats)
    return MatchEstimate(tuple(seats), chain * pace * share)


def _fill(seat: SeatEstimate, prompt_tokens: Span, agent: LlmAgent | None) -> None:
    """What a model takes: as in its past matches, else by the prompts it would get and a guess at its replies."""
    past, count = seat.past, seat.past.decisions
    most = agent.most_reply_tokens if agent else LONG_REPLY
    if count:
        seat.prompt_tokens, seat.seconds = Span.of([past.prompt_tokens / count]), past.seconds / count
        seat.reply_tokens = Span.of([past.completion_tokens / count])
    else:
        seat.prompt_tokens, seat.seconds = prompt_tokens, LIKELY_SECONDS
        seat.reply_tokens = Span(*(min(most, length) for length in (SHORT_REPLY, LIKELY_REPLY, LONG_REPLY)))
    if isinstance(seat.spec, Offline):
        seat.usd, seat.seconds = NOTHING, 0.0
    elif past.usd:
        a_decision = past.usd / count
        seat.usd = seat.decisions.with_each(lambda number: number * a_decision)
    elif (prices := seat.prices) is not None:
        costs = seat.prompt_tokens.with_each(lambda prompt, reply: prices.cost(round(prompt), round(reply)), seat.reply_tokens)
        seat.usd = seat.decisions.with_each(lambda number, usd: number * usd, costs)


def _sampled(config: MatchConfig, agents: Sequence[LlmAgent | None]) -> tuple[list[list[int]], float, list[Span]]:
    """Decisions of each seat in each sample, questions one after the other in one, and tokens of a prompt for each seat."""
    setup, chain = config.setup, 0
    counts = [[0] * setup.players for _ in range(SAMPLES)]
    tokens: list[list[Span]] = [[] for _ in agents]
    options = setup.options.to_json()
    for sample in range(SAMPLES):
        state = games.load(config.game.name).begin(setup.players, setup.seed + sample, setup.rules, **options)
        for number, asked in enumerate(asked_in(state)):
            chain += 1
            for seat in asked.seats:
                counts[sample][seat] += 1
                if sample == 0 and (agent := agents[seat]) is not None:
                    tokens[seat].append(_prompt_tokens(agent, asked.state, seat, number))
    return counts, chain / SAMPLES, [_mean(found) for found in tokens]


def _mean(spans: Sequence[Span]) -> Span:
    if not spans:
        return NOTHING
    return spans[0].with_each(lambda *values: sum(values) / len(values), *spans[1:])


def _prompt_tokens(agent: LlmAgent, state: State, seat: int, number: int) -> Span:
    """Tokens of what a model is sent, its past included; endpoints differ in whether they count the schema.

    The model then remembers having given the first legal answer.
    """
    ask = Ask.of(state, seat, number)
    question = agent.question(ask)
    messages = agent.messages(ask, question)
    agent.remember(ask, {"reply": {"text": json.dumps(ask.answers()[0])}})
    letters = sum(len(message["content"]) for message in messages)
    whole = letters + len(json.dumps(question.schema))
    return Span(letters / MOST_LETTERS, whole / LETTERS_A_TOKEN, whole / LEAST_LETTERS)
