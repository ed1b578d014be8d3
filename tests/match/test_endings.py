"""Every match ends with a result or pauses, whoever sits at the table."""

from __future__ import annotations

import errno
import itertools
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import games
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.errors import PausedError
from runner.match import open_question
from runner.match.loop import Match
from runner.match.tally import MOST_STRIKE_OUTS
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.match.tables import Erring, Failing, Illegal, Unreadable, bot, match

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ


def tables(game: str) -> list[tuple[str, int]]:
    """Tables of the lowest, the default and the highest number of players; in the campaign of every number."""
    rules = games.load(game)
    some = {rules.players[0], rules.default_players, rules.players[-1]}
    return [(game, players) for players in (rules.players if IS_CAMPAIGN else sorted(some))]


TABLES = [table for name in games.names() for table in tables(name)]
KINDS: Sequence[type[Illegal | Unreadable]] = (Illegal, Unreadable)
SEEDS, LOGGED, PAUSES = (20, 4, 3) if IS_CAMPAIGN else (2, 1, 1)
"""The mixes of seats at each table, how many of them are logged and verified, and the matches that each seat pauses."""

each_table = pytest.mark.parametrize(("game", "players"), TABLES)


def wrong_mixes(game: str, players: int, seed: int) -> list[Agent]:
    """Seats drawn from: a bot, a bot that errs, one always illegal, one never readable."""
    rng = random.Random(f"{game} {players} {seed}")
    return [rng.choice([bot(game), Erring(bot(game), 0.5), Illegal(), Unreadable()]) for _ in range(players)]


async def ended(played: Match) -> dict[str, Any] | None:
    """The result; None when the match paused because nobody at the table gives valid answers any more."""
    try:
        return await played.run()
    except PausedError as pause:
        if f"{MOST_STRIKE_OUTS} decisions in a row" not in str(pause):
            raise
        return None


@each_table
async def test_every_mix_of_wrong_seats_ends_with_a_result(game: str, players: int, tmp_path: Path) -> None:
    for seed in range(SEEDS):
        log = tmp_path / f"{seed}.jsonl"
        played = match(game, wrong_mixes(game, players, seed), seed, log if seed < LOGGED else None)
        result = await ended(played)
        assert (result is None) == (not played.so_far.state.has_ended)
        assert result is None or (result["ending"] and result["winners"])
        if seed < LOGGED:
            verdict = verify(read_log(log))
            assert verdict.has_ended == (result is not None)
            assert verdict.decisions == sum(tally.decisions + tally.penalties for tally in played.so_far.tallies)


@each_table
async def test_all_seats_wrong_for_ever_end_too(game: str, players: int) -> None:
    for kind in KINDS if IS_CAMPAIGN else [KINDS[players // 2 % 2]]:
        agents: list[Agent] = [kind() for _ in range(players)]
        played = match(game, agents, seed=3)
        await ended(played)
        assert all(tally.decisions == tally.forced for tally in played.so_far.tallies)


@each_table
async def test_a_failing_seat_pauses_the_match_and_is_never_punished(game: str, players: int, tmp_path: Path) -> None:
    for seed, failing in itertools.product(range(PAUSES), range(players)):
        agents: list[Agent] = [bot(game) for _ in range(players)]
        agents[failing] = Failing()
        log = tmp_path / f"{seed}-{failing}.jsonl"
        played = match(game, agents, seed, log)
        with pytest.raises(PausedError, match="no server answered") as pause:
            await played.run()
        assert pause.value.seat == failing
        read = read_log(log)
        assert not verify(read).has_ended
        assert read.records[-1][1]["kind"] == "pause"
        assert played.so_far.tallies[failing].penalties == 0
        assert played.so_far.tallies[failing].mistakes == 0
        assert played.so_far.tallies[failing].failures == 2


class OutOfFiles(Agent):
    """A bot that finds the limit of open files reached at its first attempts."""

    needs_sync = False

    def __init__(self, bot: Agent, times: int) -> None:
        self._bot, self._left = bot, times

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        if self._left:
            self._left -= 1
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return await self._bot.answer(ask, report)


@pytest.mark.parametrize("times", [3, 4])
async def test_a_decision_waits_for_open_files_and_then_pauses(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_question, "MOST_WAITS", 3)
    monkeypatch.setattr(open_question, "WAIT", 0.0)
    played = match("coup", [OutOfFiles(bot("coup"), times), bot("coup")], 1)
    if times <= 3:
        assert (await played.run())["winners"]
    else:
        with pytest.raises(PausedError, match="limit of open files"):
            await played.run()
