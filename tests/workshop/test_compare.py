"""Comparing packs: the worse one is found, what was played is found again, and nothing is played that cannot tell."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import games
import runner.api
from games.search import drawing, stakes
from games.statistics.confidence_sequence import ConfidenceSequence
from games.statistics.rank_changes import rank_changes
from runner import worker_processes
from runner.agents.environment import Environment
from runner.agents.settings import SeatSettings
from runner.arena import match_runner
from runner.arena.executor import MatchPlayer
from runner.arena.match_runner import ExecutorOptions
from runner.arena.paired_differences import Differences
from runner.arena.progress import MatchOutcome, Stop
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.errors import PausedError, UsageError
from runner.match.match_state import Sink
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack
from runner.record.log_folder import summaries
from runner.workshop import asking, pack_check
from runner.workshop import comparing as module
from runner.workshop.comparing import ByDecisions, ByMatches, comparing, outlook_of
from runner.workshop.comparison import OPPONENT, Comparison, ComparisonRequest, check_packs
from runner.workshop.comparison_report import FEWEST, comparison_page, report_of, spread_of
from tests.arena.paid_server import paid_server
from tests.cli.command import complaint, tabletop

ALONE = ExecutorOptions(workers=1, patience=0)


@pytest.fixture(autouse=True)
def _no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_runner, "available_cpus", lambda: 1)


def pack(folder: Path, mistakes: float = 0.0, text: str = "") -> Path:
    (folder / "dixiquote").mkdir(parents=True)
    (folder / "pack.toml").write_text(f'name = "{folder.name}"\n[offline]\nmistakes = {mistakes}\n')
    (folder / "dixiquote" / "advice.j2").write_text(text)
    return folder


def comparison(out: Path, *packs: Path | None, **changes: Any) -> Comparison:
    facts: dict[str, Any] = {"players": 3, "deals": 3, "opponents": "bot:random", "seed": 1, **changes}
    names = ["built-in" if folder is None else str(folder) for folder in packs or (None, None)]
    return ComparisonRequest("dixiquote", names, options={"max_rounds": 2}, out=out, **facts).comparison(Environment())


def played(what: Comparison, differences: Differences | None = None) -> None:
    experiment = what.experiment(differences)
    progress, has_run = experiment.run(Environment(), lambda progress: None, ALONE)
    experiment.check(progress, has_run, "The same command resumes it.")


def logs(what: Comparison) -> dict[str, int]:
    return {f"{path.parent.name}/{path.name}": path.stat().st_mtime_ns for path in what.path.rglob("*.jsonl")}


def result(*winners: int, mistakes: int = 0, decisions: int = 10) -> ResultRecord:
    tally = {"decisions": decisions, "forced": 0, "penalties": 0, "mistakes": mistakes, "cost": 0.001}
    seats = [{**tally, "prompt_tokens": 100, "completion_tokens": 10} for _ in range(3)]
    return cast(ResultRecord, {"winners": [*winners], "scores": [1, 2, 3], "seats": seats})


def results(what: Comparison, first_wins: Sequence[bool], others_win: Sequence[bool]) -> dict[str, ResultRecord]:
    """On each deal whether the first player wins, and whether all others do."""
    found = {}
    for number, fixture in enumerate(schedule(what.plan)):
        deal, place = divmod(number, len(what.players))
        seat = deal % len(fixture.seats)
        does_win = (first_wins if place == 0 else others_win)[deal]
        found[fixture.name] = result(seat if does_win else (seat + 1) % 3)
    return found


@pytest.mark.parametrize("players", [3, 5])
def test_all_players_have_the_same_seat_and_opponents_on_each_deal(players: int, tmp_path: Path) -> None:
    what = comparison(
        tmp_path, None, pack(tmp_path / "b"), players=players, deals=4, models=["offline", "offline@http://localhost:1"]
    )
    fixtures = list(schedule(what.plan))
    assert len(fixtures) == 4 * 4
    for deal in range(4):
        together = fixtures[4 * deal : 4 * deal + 4]
        assert len({fixture.seed for fixture in together}) == 1
        assert [fixture.seats[deal % players].name for fixture in together] == [player.agent for player in what.players]
        assert all([seat.name for seat in one.seats].count(OPPONENT) == players - 1 for one in together)
        assert [kind_of(fixture) for fixture in together] == [player.agent for player in what.players]


def test_the_pack_with_which_more_mistakes_are_made_is_found(tmp_path: Path) -> None:
    what = comparison(tmp_path / "out", pack(tmp_path / "good"), pack(tmp_path / "bad", 1.0), deals=FEWEST)
    played(what)
    found = report_of(what, what.results(), "penalties")
    assert found["shown"]
    assert found["verdict"].startswith("bad has more than good (penalties per decision): -")
    assert [row["measures"]["invalid"] > 0 for row in found["agents"]] == [False, True]
    assert found["pairs"][0]["high"] is None or found["pairs"][0]["high"] < 0
    page = comparison_page(what, found)
    assert page.lead == "A: good   B: bad   with offline, against bot:random, 3 players, seed 1"
    assert [row[0] for row in page.overview[0].rows if row[0].startswith("*")] == ["* penalties per decision"]
    json.dumps(found, allow_nan=False)


def test_after_a_change_of_one_pack_only_that_pack_plays_again(tmp_path: Path) -> None:
    changing = pack(tmp_path / "b", text="Play well.")
    first = comparison(tmp_path / "out", None, changing)
    played(first)
    before = logs(first)
    played(first)
    assert logs(first) == before, "the same command plays nothing"
    (changing / "dixiquote" / "advice.j2").write_text("Play better.")
    again = comparison(tmp_path / "out", None, changing)
    assert again.path == first.path
    played(again)
    after = logs(again)
    assert {name: after[name] for name in before} == before
    assert {name.partition("/")[0] for name in after.keys() - before.keys()} == {again.players[1].agent}
    assert again.players[1].agent != first.players[1].agent


def test_the_same_pack_is_found_again_by_what_it_says_wherever_it_is(tmp_path: Path) -> None:
    first = comparison(tmp_path / "out", None, pack(tmp_path / "b", text="Play well."))
    played(first)
    elsewhere = comparison(tmp_path / "out", pack(tmp_path / "away" / "moved", text="Play well."), None, deals=2)
    assert [player.agent for player in elsewhere.players] == [player.agent for player in first.players[::-1]]
    before = logs(first)
    played(elsewhere)
    assert logs(first) == before


def test_another_table_seed_or_reason_is_played_apart(tmp_path: Path) -> None:
    one = comparison(tmp_path)
    assert comparison(tmp_path, opponents="bot:steady").path != one.path
    assert comparison(tmp_path, seed=2).path != one.path
    asked = comparison(tmp_path, reason="auto,always")
    assert asked.path == one.path
    assert asked.players[0].agent == one.players[0].agent != asked.players[1].agent
    assert asked.names == ("built-in, reason auto", "built-in, reason always")


def test_a_drawn_seed_stays_with_its_folder(tmp_path: Path) -> None:
    what = comparison(tmp_path / "out", None, pack(tmp_path / "b"), deals=1, seed=None)
    played(what)
    assert comparison(tmp_path / "out", seed=None).plan.seed == what.plan.seed


def test_standings_tell_the_players_apart(tmp_path: Path) -> None:
    what = comparison(tmp_path / "out", None, pack(tmp_path / "b", text="Play well."), deals=1)
    played(what)
    names = {seat.name for log in summaries(what.path).values() for seat in log.seats}
    assert names == {OPPONENT, what.players[0].agent, what.players[1].agent}
    assert [name.rpartition("-")[0] for name in sorted(names - {OPPONENT})] == ["b-offline", "built-in-offline"]


def test_a_template_that_breaks_in_the_middle_costs_its_own_pack_alone(tmp_path: Path) -> None:
    broken = pack(tmp_path / "b", text="{% if view.quote is defined and view.quote %}{{ view.nothing.x }}{% endif %}")
    what = comparison(tmp_path / "out", None, broken)
    with pytest.raises(UsageError, match=r"advice\.j2"):
        played(what)
    ended = what.results()
    assert [name for name in ended if name.startswith(what.players[0].agent)] == [*ended]
    assert len(ended) == 3, "the other pack has played all its matches"
    (broken / "dixiquote" / "advice.j2").write_text("Mended.")
    mended = comparison(tmp_path / "out", None, broken)
    played(mended)
    assert len(mended.results()) == 6
    assert ended.items() <= mended.results().items()


def test_a_stopped_comparison_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = comparison(tmp_path / "out", None, pack(tmp_path / "b", text="Play well."), concurrency=1)
    real, count = MatchPlayer.play, 0

    async def failing(player: MatchPlayer, fixture: Fixture, screen: Sink) -> MatchOutcome:
        nonlocal count
        count += 1
        if count > 5:
            return MatchOutcome(fixture, None, Stop.BUDGET, "the budget is spent")
        return await real(player, fixture, screen)

    monkeypatch.setattr(MatchPlayer, "play", failing)
    with pytest.raises(PausedError, match="The same command resumes it"):
        played(what)
    assert report_of(what, what.results())["pairs"][0]["deals"] == 2
    monkeypatch.setattr(MatchPlayer, "play", real)
    played(what)
    assert report_of(what, what.results())["pairs"][0]["deals"] == 3


def test_it_ends_as_soon_as_the_difference_is_surely_smaller_than_the_margin(tmp_path: Path) -> None:
    what = comparison(tmp_path / "out", None, pack(tmp_path / "b", text="Play well."), deals=20, concurrency=1)
    differences = what.differences(margin=0.999)
    differences.pairs[0].values = ConfidenceSequence(-1, 1, error_rate=0.99)
    played(what, differences)
    assert differences.is_decided
    assert 2 <= len(what.results()) < 40


def test_wins_are_judged_at_any_time_and_others_after_enough_deals(tmp_path: Path) -> None:
    what = comparison(tmp_path, None, pack(tmp_path / "b"), deals=60)
    clear = report_of(what, results(what, [True] * 60, [False] * 60))
    (pair,) = clear["pairs"]
    assert (pair["a"], pair["b"], pair["difference"], pair["deals"], pair["sure"]) == ("built-in", "b", 1.0, 60, True)
    assert re.fullmatch(
        r"built-in wins more than b: 100 points of win share \([\d.]+ to 100\), 60 deals, 1,200 decisions, \$0\.12\.",
        clear["verdict"],
    )
    even = report_of(what, results(what, [True, False] * 30, [False, True] * 30))
    assert not even["shown"]
    assert re.fullmatch(
        r"No difference of built-in and b larger than [\d.]+ points of win share, 60 deals, 1,200 decisions, \$0\.12\."
        r" 5 points take about [\d,]+ deals\.",
        even["verdict"].replace("b and built-in", "built-in and b"),
    )
    few = {name: one for name, one in results(what, [True] * 60, [False] * 60).items() if "deal-0000" in name}
    assert (
        report_of(what, dict([*few.items()][:4]), "points")["verdict"]
        == "2 deals are too few for points: at least 6 are needed."
    )


def test_halves_of_the_first_pack_have_the_same_seats(tmp_path: Path) -> None:
    """A player that wins in one seat alone does not differ from itself."""
    what = comparison(tmp_path, None, pack(tmp_path / "b"), deals=12)
    found = report_of(what, results(what, [deal % 3 == 0 for deal in range(12)], [False] * 12))
    assert (found["halves"]["difference"], found["halves"]["deals"]) == (0.0, 6)


def test_several_packs_and_models_are_compared_at_one_error_rate(tmp_path: Path) -> None:
    models = ["offline", "offline@http://localhost:1"]
    what = comparison(tmp_path, None, pack(tmp_path / "b"), pack(tmp_path / "c", 0.5), models=models, deals=6)
    assert [player.name for player in what.players[:3]] == ["built-in, offline", "b, offline", "c, offline"]
    pairs = what.differences().pairs
    assert [(len(pair.a), len(pair.b)) for pair in pairs] == [(2, 2), (2, 2)]
    assert {pair.values.error_rate for pair in pairs} == {0.025}
    found = report_of(what, results(what, [True] * 6, [False] * 6))
    assert [pair["difference"] for pair in found["pairs"]] == [0.5, 0.5], "one of two models wins with the first pack"
    assert [rank["pack"] for rank in found["ranks"]] == ["built-in", "b", "c"]


def test_ranks_move_by_the_sum_of_their_changes() -> None:
    ranks = rank_changes(["A", "B"], [0.5, 0.1, 0.4, 0.2, 0.3, 0.3], ["x", "y", "z"])
    assert [rank["order"] for rank in ranks] == [["x", "y", "z"], ["z", "y", "x"]]
    assert [rank["changes"] for rank in ranks] == [0, 4]
    assert rank_changes(["A", "B"], [0.5, 0.1], ["x"]) == []


def test_a_spread_is_guessed_before_it_is_known(tmp_path: Path) -> None:
    what = comparison(tmp_path, None, pack(tmp_path / "b"), deals=20)
    assert spread_of(what, {}) == pytest.approx((2 * 1 / 3 * 2 / 3) ** 0.5)
    rng = random.Random(1)
    wins = [[rng.random() < 0.5 for _ in range(20)] for _ in range(2)]
    assert spread_of(what, results(what, *wins)) != spread_of(what, {})


@pytest.mark.usefixtures("_few_worlds")
@pytest.mark.parametrize("text", ["", "{# a remark #}"])
def test_packs_with_the_same_prompts_are_refused(text: str, tmp_path: Path) -> None:
    part = tmp_path / "same" / "coup" / "exchanger.j2"
    part.parent.mkdir(parents=True)
    part.write_text(text + PromptPack().source("coup/exchanger.j2"))
    done = tabletop(tmp_path, "prompts", "compare", "coup", "built-in", "same", "--deals", "1", "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert '"built-in" and "same" render the same prompts in coup' in complaint(done)
    assert not (tmp_path / "comparisons").exists()


@pytest.mark.usefixtures("_few_worlds")
def test_a_fault_is_found_before_the_first_call(tmp_path: Path) -> None:
    (tmp_path / "b" / "coup").mkdir(parents=True)
    (tmp_path / "b" / "coup" / "exchanger.j2").write_text('{% include "shared/answer.j2" %}\n{{ view.nothing.x }}')
    done = tabletop(tmp_path, "prompts", "compare", "coup", "built-in", "b", "--deals", "1", "-q")
    assert done.returncode == 2
    assert "b/coup/exchanger.j2:2: 'dict object' has no attribute 'nothing'" in complaint(done)
    assert not (tmp_path / "comparisons").exists()


def test_one_pack_can_be_compared_with_itself_where_reasons_differ(tmp_path: Path) -> None:
    game = games.load("dixiquote")
    with pytest.raises(UsageError, match="render the same prompts"):
        check_packs(game, (None, None), [SeatSettings(), SeatSettings()])
    check_packs(game, (None, None), [SeatSettings(), SeatSettings(reason="always")])


def request(tmp_path: Path, **changes: Any) -> ComparisonRequest:
    out, packs = tmp_path / "out", ("built-in", str(tmp_path / "b"))
    return ComparisonRequest("dixiquote", packs, players=3, options={"max_rounds": 1}, seed=1, out=out, **changes)


def test_what_it_costs_and_shows_is_known_before_the_first_call(tmp_path: Path) -> None:
    pack(tmp_path / "b")
    with paid_server(0.0) as takings:
        asked = request(tmp_path, models=[f"offline@{takings.url}"], deals=30)
        found = outlook_of(what := asked.comparison(Environment()), Environment())
        assert (found.deals, found.matches) == (30, 60)
        assert found.usd is not None
        assert 0 < found.usd.low < found.usd.likely < found.usd.high
        assert re.match(r"Cost: at most \$[\d.]+, about \$[\d.]+\. 30 deals show a difference of 48\.\d points", found.text)
        enough = replace(asked, deals=None, budget=found.usd.likely * 20)
        assert outlook_of(enough.comparison(Environment()), Environment()).deals == pytest.approx(600, rel=0.01)
        little = replace(enough, budget=found.usd.likely / 3)
        with pytest.raises(UsageError, match=r"pays for about (9|10) deals, too few to show a difference of 30 points"):
            outlook_of(little.comparison(Environment()), Environment())
        assert takings.asked == []
    assert not what.path.exists()


def test_a_dry_run_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "check_packs", lambda *packs: None)  # whether they are sound is tested above
    (tmp_path / "b" / "coup").mkdir(parents=True)
    (tmp_path / "b" / "coup" / "advice.j2").write_text("Play well.")
    words = ("prompts", "compare", "coup", "built-in", "b", "--deals", "20", "--players", "2", "--dry-run")
    done = tabletop(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("40 matches. Cost: free. 20 deals show a difference of ")
    assert not (tmp_path / "comparisons").exists()


WRONG = (
    (("built-in",), "at least two packs"),
    (("built-in", "b", "--until", "soon"), "--until soon: expected sure, or a number"),
    (("built-in", "b", "--until", "sure", "--measure", "tokens"), "only --measure wins"),
    (("built-in", "b", "--seat", "offline", "--seat", "offline"), "--seat offline is named twice"),
    (("built-in", "b", "--reason", "often"), "--reason often: expected auto, always or never"),
    (("built-in", "b", "--null", "3"), "--null is gone"),
)


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_wrong_call_is_refused_in_one_sentence(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    pack(tmp_path / "b")
    done = tabletop(tmp_path, "prompts", "compare", "dixiquote", *words)
    assert done.returncode == 2
    assert said in complaint(done)


@pytest.fixture
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions are graded in a moment, and badly; packs are checked by the prompts of one match."""
    monkeypatch.setattr(stakes, "_PLAYOUTS", 8)
    monkeypatch.setattr(stakes, "_FEWEST_WORLDS", 2)
    monkeypatch.setattr(drawing, "_PILOTS", 8)
    monkeypatch.setattr(pack_check, "_MATCHES", 1)
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 1)


@pytest.mark.usefixtures("_few_worlds")
def test_decisions_are_compared_by_default_and_after_a_change_the_changed_pack_alone_is_asked(tmp_path: Path) -> None:
    part = tmp_path / "b" / "coup" / "advice.j2"
    part.parent.mkdir(parents=True)
    part.write_text("Play well.")
    with paid_server(0.0) as takings:
        model = f"offline@{takings.url}"
        words = (
            "prompts",
            "compare",
            "coup",
            "built-in",
            "b",
            "--players",
            "2",
            "--decisions",
            "4",
            "--seat",
            model,
            "-q",
            "--json",
        )
        first = json.loads(tabletop(tmp_path, *words).stdout)
        asked = len(takings.asked)
        assert [first["by"], first["decisions"], [agent["agent"] for agent in first["agents"]]] == [
            "decisions",
            4,
            ["built-in", "b"],
        ]
        assert first["verdict"].startswith("No difference of ")
        assert "so few decisions bound nothing, 4 decisions, $" in first["verdict"]
        part.write_text("Play better.")
        again = json.loads(tabletop(tmp_path, *words).stdout)
        assert again["agents"][0] == first["agents"][0]
        assert 4 <= len(takings.asked) - asked < asked
        before = len(takings.asked)
        assert json.loads(tabletop(tmp_path, *words).stdout) == again
        assert len(takings.asked) == before


@pytest.mark.usefixtures("_few_worlds")
@pytest.mark.parametrize("by", [("decisions", "--decisions", "2"), ("matches", "--deals", "1")], ids=lambda by: by[0])
def test_tokens_bound_a_comparison_and_a_larger_limit_goes_on(by: tuple[str, ...], tmp_path: Path) -> None:
    packs, reason = ["built-in", "built-in"], "always,never"
    words = ("prompts", "compare", "coup", *packs, "--reason", reason, "--players", "2", "--json", "-q", "--by", *by)
    first = tabletop(tmp_path, *words, "--budget-tokens", "900")
    again = "`tabletop " + " ".join([*words, "--budget-tokens"])
    assert first.returncode == 3
    assert "the budget of 900 tokens has 900 left, and the next call may take" in complaint(first)
    assert complaint(first).endswith(f"The same command resumes it: {again} 900`; if the budget is spent, with {again} 1800`.")
    free = tabletop(tmp_path, *words, "--budget-tokens", "900", "--dry-run")
    assert (free.returncode, json.loads(free.stdout)["by"]) == (0, by[0])
    number: dict[str, Any] = {by[1].strip("-"): int(by[2]), "by": by[0], "reason": reason}
    with pytest.raises(PausedError, match="the budget of 900 tokens has 900 left"):
        runner.api.compare("coup", packs, players=2, budget_tokens=900, out=tmp_path / "comparisons", **number)
    done = tabletop(tmp_path, *words, "--budget-tokens", "9000000")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["by"] == by[0]


@pytest.mark.usefixtures("_few_worlds")
def test_several_models_are_each_compared_with_themselves_and_their_order_with_each_pack(tmp_path: Path) -> None:
    part = tmp_path / "b" / "coup" / "advice.j2"
    part.parent.mkdir(parents=True)
    part.write_text("Play well.")
    with paid_server(0.0) as takings:
        models = ["offline", f"offline@{takings.url}"]
        asked = ComparisonRequest(
            "coup", ["built-in", str(tmp_path / "b")], models, players=2, decisions=3, out=tmp_path / "out"
        )
        comparison, told = comparing(asked, None, Environment()), list[str]()
        comparison.run(told.append, "")
        found = comparison.data()
    assert found is not None
    said = re.fullmatch(r"3 of 3 decisions: b, offline ([+-]\d+) points of win share a match \(-100 to \+100\)", told[-1])
    assert said is not None
    assert (int(said[1]) > 0) == (found["pairs"][0]["difference"] > 0)
    names = ["built-in, offline", "b, offline", f"built-in, {models[1]}", f"b, {models[1]}"]
    assert [agent["agent"] for agent in found["agents"]] == names
    assert [(pair["a"], pair["b"]) for pair in found["pairs"]] == [(names[0], names[1]), (names[2], names[3])]
    assert [(one["pack"], sorted(one["order"])) for one in found["ranks"]] == [("built-in", models), ("b", models)]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, ByDecisions),
        ({"deals": 3}, ByMatches),
        ({"opponents": "bot:random"}, ByMatches),
        ({"measure": "points"}, ByMatches),
    ],
)
def test_what_is_asked_for_says_what_is_compared(changes: dict[str, Any], kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (ByDecisions, ByMatches):
        monkeypatch.setattr(one, "__init__", lambda *given: None)
    asked = ComparisonRequest("coup", ["built-in", "b"], **changes)
    assert type(comparing(asked, None, Environment())) is kind
    assert type(comparing(asked, "matches", Environment())) is ByMatches


@pytest.mark.usefixtures("_few_worlds")
def test_python_compares_in_a_running_event_loop_too(tmp_path: Path) -> None:
    other = pack(tmp_path / "b", text="Play well.")

    async def notebook() -> Any:
        options = {"max_rounds": 1}
        return runner.api.compare("dixiquote", ["built-in", other], players=3, deals=1, options=options, out=tmp_path / "out")

    found = asyncio.run(notebook())
    assert (found["by"], found["pairs"][0]["deals"]) == ("matches", 1)


def test_a_logged_decision_is_asked_again_with_the_pack_that_its_seat_played_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "default_playouts", lambda game: 8)
    part = tmp_path / "b" / "coup" / "advice.j2"
    part.parent.mkdir(parents=True)
    part.write_text("Play well.")
    words = (
        "play",
        "coup",
        "--seat",
        "offline",
        "--seat",
        "offline",
        "--seed",
        "1",
        "--max-turns",
        "4",
        "-q",
        "--prompts",
        "b",
        "--log",
        "m.jsonl",
    )
    assert tabletop(tmp_path, *words).returncode == 0
    ask = ("prompts", "ask", "m.jsonl", "--at", "1", "--times", "1", "--json")
    assert json.loads(tabletop(tmp_path, *ask).stdout)["pack"] == "b"
    assert json.loads(tabletop(tmp_path, *ask, "--pack", "built-in").stdout)["pack"] == "built-in"
    shown = tabletop(tmp_path, "prompts", "render", "m.jsonl", "--at", "1", "--pack", "built-in", "--json")
    assert json.loads(shown.stdout)["pack"] == "built-in"
    part.write_text("Play better.")
    changed = tabletop(tmp_path, *ask[:-1]).stdout
    assert "b (changed since the match)" in changed
    part.unlink()
    part.parent.rmdir()
    part.parent.parent.rmdir()
    assert "which is not in this folder" in complaint(tabletop(tmp_path, *ask))
    part.parent.mkdir(parents=True)
    part.write_text("Play better.")
    assert json.loads(tabletop(tmp_path, *ask, "--pack", "b").stdout)["pack"] == "b (changed since the match)"
