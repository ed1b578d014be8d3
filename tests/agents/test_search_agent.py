"""A seat of `bot:search`: the event loop is not blocked, progress shows, it can be cancelled, and a match can be repeated."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

import games
from games.core import Game, random_policy
from games.search.policy import playouts_of
from runner.agents.bot_seats import SearchAgent, bot_agent
from runner.agents.environment import Environment
from runner.agents.protocol import AgentReply, DecisionRequest, JsonRecord
from runner.agents.spec import Bot, Spec, parse_spec
from runner.errors import UsageError
from runner.session.match_spec import MatchSpec, SeatSpec, ready
from tests.match.tables import bot, match

PLAYOUTS = 40


async def ignored(record: JsonRecord) -> None:
    raise AssertionError("a bot reports nothing")


def asked(progress: list[float], seed: int = 3) -> DecisionRequest:
    """The first question of a match of Oriflamme."""
    state = games.load("oriflamme").begin(players=3, seed=seed)
    return replace(DecisionRequest.of(state, state.pending[0]), progress=progress.append)


def spec_of(text: str) -> Bot:
    found: Spec = parse_spec(text)
    assert isinstance(found, Bot)
    return found


async def ticks(agent: SearchAgent, ask: DecisionRequest, until: int = 10**9) -> tuple[int, AgentReply | None]:
    """How often another task ran during an answer, and the answer; None where it was cancelled after `until` of them."""
    answering = asyncio.ensure_future(agent.answer(ask, ignored))
    count = 0
    while not answering.done() and count < until:
        await asyncio.sleep(0)
        count += 1
    answering.cancel()
    with suppress(asyncio.CancelledError):
        return count, await answering
    return count, None


def test_the_event_loop_runs_between_playouts_and_progress_shows() -> None:
    progress: list[float] = []
    count, given = asyncio.run(ticks(SearchAgent(PLAYOUTS, random_policy), asked(progress)))
    assert given is not None
    assert count >= len(progress) >= 0.9 * PLAYOUTS
    assert progress == sorted(progress)
    assert progress[0] <= 2 / PLAYOUTS
    assert 0.9 <= progress[-1] <= 1


def test_a_search_can_be_cancelled_between_two_playouts() -> None:
    progress: list[float] = []
    _, given = asyncio.run(ticks(SearchAgent(10**6, random_policy), asked(progress), until=5))
    assert given is None
    assert len(progress) <= 5


@pytest.mark.parametrize("game", ["coup", "oriflamme"])
def test_a_match_can_be_repeated(game: str) -> None:
    def digests() -> list[str]:
        table = match(game, [SearchAgent(6, random_policy), bot(game), bot(game)], seed=5)
        asyncio.run(table.run())
        return [str(table.so_far.state.to_json()), str(table.so_far.tallies)]

    assert digests() == digests()


def test_a_seat_shows_how_much_of_its_search_is_done() -> None:
    table = match("oriflamme", [bot("oriflamme"), SearchAgent(4, random_policy), bot("oriflamme")], seed=2)
    asyncio.run(table.run())
    assert table.so_far.progress[0] is None
    assert table.so_far.progress[1] is not None


@pytest.mark.parametrize(
    ("text", "facts"), [("bot:search", {"playouts": 200}), ("bot:search:9", {"playouts": 9}), ("bot:steady", {})]
)
def test_a_bot_that_searches_says_how_much(text: str, facts: dict[str, object]) -> None:
    spec_of(text).check(games.load("coup"), Environment(), ())
    assert spec_of(text).describe(Environment()) == facts
    assert isinstance(bot_agent(spec_of(text), games.load("coup")), SearchAgent) is bool(facts)


@pytest.mark.parametrize(
    ("text", "game", "why"),
    [
        ("bot:search:0", "coup", "write bot:search, bot:search:N with a number of playouts from 1 to 1,000,000"),
        ("bot:search:0s", "coup", "or bot:search:2s with seconds a decision"),
        ("bot:search:2s", "coup", "measured where one match begins: write bot:search:N here"),
        ("bot:search:1000001", "coup", "from 1 to 1,000,000"),
        ("bot:search:", "coup", "write bot:search, bot"),
        ("bot:search:٣", "coup", "write bot:search, bot"),
        ("bot:searching", "coup", "did you mean bot:search?"),
        ("bot:search", "dixiquote", '"bot:search" cannot play DixiQuote, where answers are free text'),
        ("bot:search:x", "dixiquote", "cannot play DixiQuote"),
    ],
)
def test_a_search_that_cannot_be_is_refused_in_a_sentence(text: str, game: str, why: str) -> None:
    rules: Game = games.load(game)
    with pytest.raises(UsageError) as refusal:
        spec_of(text).check(rules, Environment(), ())
    assert why in str(refusal.value)


def test_seconds_become_a_number_of_playouts_before_the_match_begins() -> None:
    """The header has the number, so that no clock decides how the match is played again, resumed or forked."""
    spec = MatchSpec(game="coup", players=2, seed=3, seats=("ada=bot:search:0.05s", "bot:steady"))
    found = ready(spec, Environment())
    first, second = found.specs
    assert isinstance(first, Bot)
    assert (playouts_of(first.name) or 0) > 10
    assert (first.text, first.player, second.text) == (f"bot:{first.name}", "ada", "bot:steady")
    more = ready(spec.model_copy(update={"seats": (SeatSpec.of("bot:search:1s"), *spec.seats[1:])}), Environment()).specs[0]
    assert isinstance(more, Bot)
    assert (playouts_of(more.name) or 0) > (playouts_of(first.name) or 0)
