"""Beliefs: what is stated is logged and judged by the truth and the chance; who states exact chances scores as that must."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import stdev
from typing import Any, cast

import pytest

import games
from games.core import Rng
from games.statistics.document_types import GameData
from runner.agents.environment import Environment
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.record.log_folder import PerLog, per_log, unfollowed
from runner.record.log_summary import LogState, LogSummary, SeatSummary
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.review.honesty import belief_rows, choices_of, seat_beliefs
from runner.review.logged_answers import SeatSums
from runner.session.match_spec import MatchSpec, ready
from runner.session.session import Session, Source
from runner.standings.studies import belief_study
from tests.cli.command import tabletop
from tests.record.matches import short


class Believer(Agent):
    """Plays by chance, and states for each proposition what `tell` makes of its exact chance and of the proposition."""

    def __init__(self, tell: Any) -> None:
        self._tell = tell

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        rng = ask.rng("believer")
        world, game = ask.world(rng), games.load(ask.view["game"])
        found = [{"text": one.text, "chance": self._tell(one, world)} for one in game.propositions(world, ask.seat)]
        return AgentReply(rng.choice(ask.answers()), facts={"belief": found} if found else {})


async def played(folder: Path, tell: Any, matches: int, game: str = "coup", players: int = 4) -> list[Path]:
    """Logs of matches between believers."""
    paths = [folder / f"{number}.jsonl" for number in range(matches)]
    for seed, path in enumerate(paths):
        spec = MatchSpec(game=game, seats=("bot:random",) * players, players=players, seed=seed, options=short(game))
        match = ready(spec, Environment({}))
        seated = {seat: Believer(tell) for seat in range(players)}
        async with Session(match, Source(path), seated=seated) as session:
            await session.run()
    return paths


def total(paths: Sequence[Path]) -> Counter[str]:
    found = Counter[str]()
    for path in paths:
        for sums in seat_beliefs(read_log(path), playouts=2):
            found.update(sums)
    return found


async def test_exact_chances_score_their_own_spread_and_have_no_gap(tmp_path: Path) -> None:
    own = total(paths := await played(tmp_path, lambda one, world: one.chance, 3, players=3))
    assert own["settled"] == own["compared"] > 50
    assert own["gap"] == pytest.approx(0, abs=1e-12)
    assert own["brier"] == pytest.approx(own["chance_brier"])
    spread = [row.chance * (1 - row.chance) for path in paths for row in belief_rows(read_log(path)) if row.chance is not None]
    assert own["brier"] / own["settled"] == pytest.approx(sum(spread) / len(spread), abs=0.1)
    verify(read_log(paths[0]))


async def test_overconfidence_by_a_known_amount_is_found(tmp_path: Path) -> None:
    def sure(one: Any, world: Any) -> float:
        return round(min(1.0, one.chance + 0.2) if one.chance > 0.5 else max(0.0, one.chance - 0.2), 6)

    paths = await played(tmp_path, sure, 3, players=3)
    own = total(paths)
    rows = [row for path in paths for row in belief_rows(read_log(path))]
    expected = sum((sure(row, None) - row.chance) ** 2 for row in rows)  # type: ignore[operator]
    assert own["gap"] == pytest.approx(expected)
    assert own["gap"] / own["compared"] == pytest.approx(0.04, abs=0.015)
    high = [(n, own[f"sum {part}"], own[f"true {part}"]) for part in range(6, 10) if (n := own[f"stated {part}"]) > 20]
    assert all(true / n < stated / n for n, stated, true in high)


async def test_what_is_left_out_or_does_not_add_up_is_counted_and_not_mended(tmp_path: Path) -> None:
    path, *_ = await played(tmp_path, lambda one, world: None if "Archer" in one.text else 0.2, 1, "oriflamme")
    own, rows = total([path]), [*belief_rows(read_log(path))]
    assert own["missing"] == sum("Archer" in row.text for row in rows) > 0
    assert own["groups"] == len({(row.seat, row.number) for row in rows}) > 0
    whole = {(row.seat, row.number) for row in rows}
    for key in [*whole]:
        stated = [row.stated for row in rows if (row.seat, row.number) == key]
        if None in stated or len(stated) != 5:
            whole.discard(key)
    assert own["groups"] - own["unsummed"] == len(whole)
    assert own["asked"] == own["settled"] + own["missing"]


def test_what_comes_out_later_is_settled_then(tmp_path: Path) -> None:
    log = tmp_log(tmp_path)
    rows = [row for row in belief_rows(log) if row.group == "voters"]
    assert rows
    by_decision = {row.number: [one.holds for one in rows if one.number == row.number] for row in rows}
    assert all(found.count(True) == 1 for found in by_decision.values() if None not in found)
    assert all(row.chance is None for row in rows)


def tmp_log(folder: Path) -> Any:
    words = ("--seat", "offline", "--seat", "offline", "--seat", "bot:steady", "--max-rounds", "3", "--seed", "2")
    done = tabletop(folder, "play", "dixiquote", *words, "--belief", "--quiet", "--log", "d.jsonl")
    assert done.returncode == 0, done.stderr
    return read_log(folder / "d.jsonl")


async def test_a_choice_against_the_own_probability_costs(tmp_path: Path) -> None:
    """A player who is sure that every claim is true and challenges by chance gives up more than one who is exact."""
    lose = []
    for name, tell in (("sure", lambda one, world: 1.0), ("exact", lambda one, world: one.chance)):
        found = [loss for path in await played(tmp_path / name, tell, 1) for _, loss in choices_of(read_log(path), 8)]
        assert found
        assert all(0 <= loss <= 1 for loss in found)
        lose.append(sum(found) / len(found))
    assert lose[0] > lose[1]


@pytest.mark.parametrize("game", games.names())
def test_propositions_follow_from_what_the_seat_knows_and_exclude_one_another(game: str) -> None:
    rules, rng, seen = games.load(game), Rng.of("propositions", game), 0
    for seed in range(3):
        state = rules.begin(seed=seed, **short(game))
        while state.pending:
            seat = state.pending[0]
            if found := rules.propositions(state, seat):
                seen += 1
                worlds = [state.resample(seat, rng) for _ in range(3)]
                for world in worlds:
                    assert [one.text for one in rules.propositions(world, seat)] == [one.text for one in found]
                for group in {one.group for one in found} - {""}:
                    truths = [one.holds(state) for one in found if one.group == group]
                    assert truths.count(True) == 1 or truths == [None] * len(truths)
                assert all(one.chance is None or 0 <= one.chance <= 1 for one in found)
            state = rules.bots["random"](state, seat, rng).next_state
    assert seen > 3


def stated(deal: int, **sums: float) -> tuple[LogSummary, SeatSums]:
    """A log with one seat, and what its player stated."""
    player = SeatSummary("ada", "ada", {}, "", 0, 0, 0, {}, 0, 0, 0, 0.0, 0.0, 0.0, {}, {})
    log = LogSummary(LogState.FINISHED, game="dixiquote", seed=deal, seats=(player,), digest=str(deal))
    return log, (Counter({"asked": 3, "settled": 3, "compared": 2, **sums}),)


def test_brier_scores_of_an_agent_and_of_chances_are_over_the_same_propositions() -> None:
    """Three statements a deal, of which two have a chance. The interval is that of Student over deals."""
    rows = [stated(deal, brier=0.4 + 0.1 * deal, chance_brier=0.3, gap=0.2, log=3.0) for deal in range(6)]
    found = PerLog({log.digest: sums for log, sums in rows})
    own: Any = belief_study(found).figures([log for log, _ in rows], cast(GameData, {}))["ada"]
    assert own["brier"] == pytest.approx(sum(0.4 + 0.1 * deal for deal in range(6)) / 12)
    assert (own["chance_brier"], own["gap"], own["log"]) == pytest.approx((0.15, 0.1, 1.0))
    reach = 2.5706 * stdev(0.2 + 0.05 * deal for deal in range(6)) / 6**0.5
    assert own["interval"] == pytest.approx([own["brier"] - reach, own["brier"] + reach], abs=1e-4)


def test_standings_and_tables_have_beliefs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_beliefs, "__defaults__", (8,))  # playouts, which the values of choices alone depend on
    for seed in "12":
        words = ("--seat", "bot:steady", "--seat", "offline", "--seat", "offline", "--seed", seed, "--max-turns", "5")
        done = tabletop(tmp_path, "play", "coup", *words, "--belief", "--quiet", "--log", f"logs/{seed}.jsonl")
        assert done.returncode == 0, done.stderr
    found = json.loads(tabletop(tmp_path, "standings", "logs", "--beliefs", "--json").stdout)
    agents = {agent["agent"]: agent["beliefs"] for agent in found["games"][0]["agents"]}
    assert agents["bot:steady"] is None
    own = agents["offline model"]
    assert own["asked"] > 10
    assert 0 < own["gap"] < 1
    assert own["interval"] is None, "two deals are too few"
    assert sum(one["stated"] for one in own["calibration"]) == own["asked"] - own["missing"]
    assert "Beliefs: " in tabletop(tmp_path, "standings", "logs", "--beliefs").stdout
    table = tabletop(tmp_path, "export", "logs", "--table", "beliefs", "--csv", "-o", "-").stdout.splitlines()
    assert len(table) == own["asked"] + 1
    assert per_log(seat_beliefs, [tmp_path / "logs" / "1.jsonl"], unfollowed).unusable == []
    plain = tabletop(tmp_path, "play", "coup", *words, "--quiet", "--log", "logs/3.jsonl")
    assert plain.returncode == 0
    assert "did not always play with the same belief" in tabletop(tmp_path, "standings", "logs").stderr
