"""`tabletop play GAME --estimate`: what a match may take, and what is known of that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.core import counted, seat_name
from runner.agents.factory import wording_agent
from runner.agents.spec import is_offline, needs_client
from runner.cli.output import say, say_json
from runner.screen.dashboard import duration
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.arena.estimate_range import Span
    from runner.arena.match_estimate import MatchEstimate, SeatEstimate
    from runner.cli.model_options import ModelOptions
    from runner.match.config import MatchConfig
    from runner.prompting.pack import PromptPack

LOGS = Path("logs")


def print_match_estimate(
    config: MatchConfig, pack: PromptPack, settings: Settings, models: ModelOptions, as_json: bool, logs: Path = LOGS
) -> None:
    """Print decisions, tokens and cost a seat, and the sum; nothing is played and no model is asked."""
    from runner.arena.match_estimate import estimate_match

    specs = [seat.spec for seat in config.seats]
    agents = [wording_agent(spec, pack, config.setup, settings) if needs_client([spec]) else None for spec in specs]
    found = estimate_match(config, agents, settings, logs)
    notes = [*_knowledge(found, logs), *_within(found, models)]
    if as_json:
        say_json(_document(config, found, notes))
        return
    say(f"{config.game.title} with {len(specs)} players, an estimate: nothing is played, no model is asked.")
    for seat, one in enumerate(found.seats):
        say(f"{seat_name(seat)} {clean(one.spec)}: {_in_words(one)}")
    cost = "unknown" if found.usd is None else _money(found.usd)
    say(f"Cost of the match: {cost}. Time: about {duration(found.seconds)}.")
    for note in notes:
        say(f"- {note}")


def _document(config: MatchConfig, found: MatchEstimate, notes: list[str]) -> dict[str, Any]:
    return {
        "game": config.game.name,
        "players": len(found.seats),
        "seats": [seat.to_json(number) for number, seat in enumerate(found.seats)],
        "usd": found.usd.to_json() if found.usd else None,
        "seconds": round(found.seconds),
        "notes": notes,
    }


def _in_words(seat: SeatEstimate) -> str:
    decisions = f"{_range(seat.decisions)} decisions"
    if not seat.is_model:
        return f"{decisions}, free"
    cost = "cost unknown" if seat.usd is None else _money(seat.usd)
    return f"{decisions} of {_range(seat.prompt_tokens)} tokens asked and {_range(seat.reply_tokens)} answered, {cost}"


def _range(span: Span) -> str:
    low, high = f"{span.low:,.0f}", f"{span.high:,.0f}"
    return low if low == high else f"{low} to {high}"


def _money(span: Span) -> str:
    if not span.high:
        return "free"
    return f"${span.low:.4f} to ${span.high:.4f}, likely ${span.likely:.4f}"


def _knowledge(found: MatchEstimate, logs: Path) -> Iterator[str]:
    """What the estimate is made from, and what nobody knows."""
    from runner.arena.match_estimate import SAMPLES

    yield f"Decisions are those of {SAMPLES} matches between bots; forced ones are not asked for."
    for spec, seat in {seat.spec: seat for seat in found.seats if seat.is_model}.items():
        if is_offline(spec):
            yield f"{clean(spec)} is built in and costs nothing."
        else:
            yield f"{clean(spec)}: {_prices(seat)}; {_past(seat, logs)}."


def _prices(seat: SeatEstimate) -> str:
    if seat.prices is None:
        known = "its cost is that of past matches" if seat.usd else "its cost is unknown"
        return f"no price is known, neither from its endpoint's list nor from agents.toml, so {known}"
    return f"${seat.prices.prompt * 1e6:g} in and ${seat.prices.completion * 1e6:g} out for a million tokens"


def _past(seat: SeatEstimate, logs: Path) -> str:
    if not seat.past.decisions:
        return f"there is no past match of this game in {logs}/, so the length of its replies is a guess"
    past = f"{counted(seat.past.decisions, 'decision')} in {counted(seat.past.matches, 'past match')}"
    return f"tokens a decision are those of {past} in {logs}/"


def _within(found: MatchEstimate, models: ModelOptions) -> Iterator[str]:
    """Whether the match may fit the budgets that were named."""
    if models.budget is not None:
        verdict = "can be judged by nobody" if found.usd is None else _verdict(models.budget, found.usd.low, found.usd.high)
        yield f"The budget of {models.budget:g} USD {verdict}."
    if models.budget_tokens is not None:
        spans = [seat.tokens for seat in found.seats if seat.is_model]
        low, high = sum(span.low for span in spans), sum(span.high for span in spans)
        verdict = _verdict(models.budget_tokens, low, high)
        yield f"The budget of {models.budget_tokens} tokens {verdict}: the match takes {low:,.0f} to {high:,.0f}."


def _verdict(budget: float, low: float, high: float) -> str:
    return "will not do" if low > budget else "may not do" if high > budget else "should do"
