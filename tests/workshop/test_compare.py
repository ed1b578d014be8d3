"""Comparing packs: the worse one is found, the same one is not, and it goes on where it stopped."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runner.agents.environment import Environment
from runner.agents.spec import parse_spec
from runner.arena.executor import MatchPlayer
from runner.arena.match_runner import ExecutorOptions
from runner.arena.plan import GamePlan
from runner.arena.progress import MatchOutcome, Stop
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.errors import PausedError, UsageError
from runner.match.events import Sink
from runner.match.seeds import deal_seed
from runner.standings.deal_sums import DealSums
from runner.workshop.comparison import (
    ERROR_RATE,
    FEWEST,
    NULL,
    REAL,
    TERMS,
    A,
    B,
    Comparison,
    Difference,
    comparison_of,
    deals_to_show,
    half_of,
    lines_of,
    measured,
    report_of,
    results,
    run,
)
from tests.cli.command import complaint, tabletop

DEALS = 8
ALONE = ExecutorOptions(workers=1, patience=0)


def pack(folder: Path, mistakes: float) -> Path:
    folder.mkdir()
    (folder / "pack.toml").write_text(f'name = "{folder.name}"\n[offline]\nmistakes = {mistakes}\n')
    return folder


def comparison(a: Path | None, b: Path | None, **changes: object) -> Comparison:
    facts: dict[str, Any] = {"options": {"max_rounds": 3}, "players": 3, "opponents": None, "deals": DEALS, **changes}
    players, opponents = facts.pop("players"), facts.pop("opponents")
    game = GamePlan("dixiquote", (players,), None, facts.pop("options"), facts.pop("deals"))
    return comparison_of(
        game,
        (a, b),
        parse_spec("offline"),
        None if opponents is None else parse_spec(opponents),
        facts.pop("null_deals", 0),
        seed=facts.pop("seed", 1),
        **facts,
    )


def played(what: Comparison, out: Path) -> None:
    run(what, out, Environment(), lambda progress: None, "The same command resumes it.", ALONE)


@pytest.mark.parametrize("opponents", [None, "bot:steady"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_seats_are_balanced_on_every_deal(players: int, opponents: str | None) -> None:
    fixtures = list(schedule(comparison(None, None, players=players, opponents=opponents, null_deals=3, deals=4).plan))
    assert Counter(map(kind_of, fixtures)) == {REAL: 8, NULL: 6}
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.name[:-8] == other.name[:-8]
        first, second = ([entrant.name for entrant in fixture.seats] for fixture in (one, other))
        assert {one.seed, other.seed} == {deal_seed(1, int(one.name[-12:-8]))}
        assert [seat for seat, side in enumerate(first) if side == A] == [seat for seat, side in enumerate(second) if side == B]
        assert sum(side == A for side in first + second) == sum(side == B for side in first + second)


def test_the_pack_with_which_more_mistakes_are_made_is_found_and_what_was_played_is_kept(tmp_path: Path) -> None:
    good, bad = pack(tmp_path / "good", 0.0), pack(tmp_path / "bad", 0.9)
    what, out = comparison(good, bad), tmp_path / "out"
    played(what, out)
    found = report_of(what, "penalties", results(what, out))
    measures = found["packs"]["measures"]
    assert found["shown"]
    assert measures["penalties"]["difference"]["mean"] < 0
    assert measures["invalid"]["difference"]["shown"]
    assert measures["invalid"][A] == 0 < measures["invalid"][B]
    assert found["verdict"].startswith("A difference is shown: bad has more than good (penalties")
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.jsonl")}
    played(what, out)
    assert before == {path: path.stat().st_mtime_ns for path in out.rglob("*.jsonl")}
    (bad / "pack.toml").write_text('name = "better"\n')
    with pytest.raises(UsageError, match="another comparison"):
        played(what, out)


def test_twice_the_same_pack_shows_no_difference(tmp_path: Path) -> None:
    what, out = comparison(None, None, deals=6, null_deals=2), tmp_path / "out"
    played(what, out)
    found = report_of(what, "points", results(what, out))
    assert found["verdict"].startswith("No difference shown")
    assert found["null"]["deals"] == 2
    assert any("noise" in line for line in lines_of(what, found))
    assert any("prompt tokens a decision" in line for line in lines_of(what, found))
    costs = json.loads(json.dumps(found))["prompts"]
    assert costs["A"] == costs["B"]
    assert 0 < costs["A"]["decision"] < costs["A"]["match"]
    assert 0 < costs["A"]["cached"] < 1


def test_a_folder_of_another_comparison_is_refused_without_figures(tmp_path: Path) -> None:
    words = ("prompts", "compare", "dixiquote", "built-in", "built-in", "--players", "3", "--option", "max_rounds=1", "-q")
    played = tabletop(tmp_path, *words, "--deals", "1", "--null", "0", "--seed", "1")
    assert (played.returncode, "share of wins" in played.stdout) == (0, True), played.stderr
    refused = tabletop(tmp_path, *words, "--deals", "1", "--null", "0", "--seed", "2")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "holds another comparison: its seed differs" in complaint(refused)


def test_a_stopped_comparison_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what, out = comparison(None, None, deals=6, concurrency=1), tmp_path / "out"
    real, count = MatchPlayer.play, 0

    async def failing(player: MatchPlayer, fixture: Fixture, screen: Sink) -> MatchOutcome:
        nonlocal count
        count += 1
        if count > 5:
            return MatchOutcome(fixture, None, Stop.BUDGET, "the budget is spent")
        return await real(player, fixture, screen)

    monkeypatch.setattr(MatchPlayer, "play", failing)
    with pytest.raises(PausedError, match="The same command resumes it"):
        played(what, out)
    assert len(results(what, out)) == 5
    assert half_of(what, REAL, results(what, out))["deals"] == 2
    monkeypatch.setattr(MatchPlayer, "play", real)
    played(what, out)
    assert half_of(what, REAL, results(what, out))["deals"] == 6
    assert half_of(what, NULL, results(what, out))["deals"] == 0


def difference(values: Sequence[float], measure: str = "points") -> Difference:
    """The difference of two sides, of which one has these figures on deals of one match, and the other none."""
    sums = DealSums[str](len(TERMS))
    for deal, value in enumerate(values):
        for side, own in ((A, value), (B, 0.0)):
            terms = {"seats": 1.0, "questions": 1.0, measure: own}
            sums.add((REAL, str(deal)), side, *(terms.get(term, 0.0) for term in TERMS))
    found: Difference = measured(len(values), sums)["measures"][measure]["difference"]
    return found


@pytest.mark.parametrize("count", [6, 9, 20])
def test_nothing_is_found_where_nothing_is_at_the_promised_rate(count: int) -> None:
    """Figures of every shape that are as likely to have one sign as the other: heavy tails, ties, a few large ones."""
    shapes = [
        lambda rng: rng.gauss(0, 1),
        lambda rng: rng.choice((-1, 0, 0, 1)),
        lambda rng: rng.choice((-1, 1)) * rng.random() ** -1,
    ]
    rng, repetitions = random.Random(count), 240 if count > 12 else 600
    found = sum(difference([shapes[n % 3](rng) for _ in range(count)])["shown"] for n in range(repetitions))
    assert found / repetitions < ERROR_RATE + 3 * (ERROR_RATE / repetitions) ** 0.5


def test_few_deals_show_nothing_and_say_so() -> None:
    assert difference([1.0] * (FEWEST - 1))["interval"] is None
    assert difference([1.0] * FEWEST)["shown"]


@pytest.mark.parametrize("measure", ["points", "wins"])
def test_deals_that_are_all_alike_show_no_certainty(measure: str) -> None:
    """Nobody wins, or makes a mistake: the difference is 0, and it has no interval that says it is 0 for certain."""
    found = difference([0.0] * 20, measure)
    assert (found["mean"], found["shown"]) == (0.0, False)
    assert found["interval"] is None or found["interval"][0] < 0 < found["interval"][1]
    all_won = difference([1.0] * 20, measure)
    assert (all_won["mean"], all_won["shown"]) == (1.0, True)
    assert all_won["interval"] is None or 0 < all_won["interval"][0] < all_won["interval"][1] == 1


def test_the_deals_that_it_takes() -> None:
    found = Difference(deals=20, mean=0.1, interval=[-0.1, 0.3], spread=0.5, shown=False)
    assert deals_to_show(found) == 197
    assert deals_to_show({**found, "mean": 0.0}) is None


@pytest.mark.campaign
def test_the_same_pack_is_told_from_itself_at_the_promised_rate_by_play(tmp_path: Path) -> None:
    repetitions, shown = 60, 0
    for number in range(repetitions):
        what = comparison(None, None, deals=6, seed=1 + 1000 * number)
        played(what, tmp_path / str(number))
        shown += report_of(what, "points", results(what, tmp_path / str(number)))["shown"]
    assert shown / repetitions < ERROR_RATE + 3 * (ERROR_RATE / repetitions) ** 0.5


@pytest.mark.campaign
@pytest.mark.parametrize("measure", ["wins", "points"])
def test_the_pack_with_which_more_mistakes_are_made_wins_less(measure: str, tmp_path: Path) -> None:
    good, bad = pack(tmp_path / "good", 0.0), pack(tmp_path / "bad", 0.8)
    what = comparison(good, bad, players=4, options={"max_rounds": 6}, deals=24)
    played(what, tmp_path / "out")
    found = report_of(what, measure, results(what, tmp_path / "out"))
    assert found["shown"]
    assert found["packs"]["measures"][measure]["difference"]["mean"] > 0
