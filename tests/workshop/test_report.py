"""`tabletop report GAME`: what matches of bots show of a game's rules, two variants side by side, and models among bots."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import games
from games.search import playtest
from games.search.playtest import RANDOM, SEARCH, STEADY, GameVariant, PlayedMatch, PlaytestJob
from games.statistics.playtest_report import game_report
from runner import worker_processes
from runner.arena import match_runner
from runner.cli import report as verb
from runner.workshop.game_report import report_page
from tests.cli.command import complaint, tabletop

COUP = GameVariant("coup", 2, None, {"max_turns": 6})


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few matches, and no processes for them."""
    monkeypatch.setattr(playtest, "_KINDS", ((STEADY, STEADY, 8, 2), (RANDOM, STEADY, 4, 1), (SEARCH, STEADY, 1, 1)))
    monkeypatch.setattr(playtest, "_CHAOS", (RANDOM, RANDOM, 2, 1))
    monkeypatch.setattr(playtest, "_FOLLOWED", 1)
    for module in (match_runner, worker_processes):
        monkeypatch.setattr(module, "available_cpus", lambda: 1)


def play_job(job: PlaytestJob) -> PlayedMatch:
    return playtest.play_job(lambda: 0.0, job)


def job(deal: int = 0, bot: str = STEADY, others: str = STEADY, play: int = 0) -> PlaytestJob:
    return PlaytestJob(COUP, deal, 0, bot, others, play)


def played(deal: int, shares: tuple[float, ...], play: int = 0, **more: object) -> tuple[PlaytestJob, PlayedMatch]:
    plain = PlayedMatch(shares, 10, 2, 3.0, 0, 5, frozenset(), 4, 0.1, Counter(), Counter(), None)
    return job(deal, play=play), plain._replace(**more)  # type: ignore[arg-type]


def figures(found: Sequence[tuple[PlaytestJob, PlayedMatch]]) -> dict[str, float]:
    report = game_report([COUP], found, [[]])
    return {row["name"]: round(row["variants"][0]["value"], 6) for row in report["figures"]}


def test_a_job_gives_the_same_match_again_but_for_its_time() -> None:
    one, other = play_job(job()), play_job(job())
    assert one == other
    assert sum(one.shares) == 1
    assert one.course is not None
    edges = {(phase.id, edge.to) for phase in games.load("coup").phases for edge in phase.edges}
    assert one.edges <= edges
    assert play_job(job(play=1)) != one


def test_answers_are_counted_where_there_are_others() -> None:
    match = play_job(job(bot=SEARCH))
    assert match.asked > 0
    assert set(match.given) <= set(match.offered)
    assert all(match.given[answer] <= number for answer, number in match.offered.items())
    assert max(match.offered.values()) <= match.asked


def test_figures_are_means_over_deals() -> None:
    found = figures([played(0, (1, 0)), played(0, (0, 1), 1), played(1, (1, 0), decisions=20, course=(3, True))])
    assert found["decisions a match"] == 15
    assert found["decisions a seat"] == 7.5
    assert found["forced decisions"] == 0.15
    assert (found["P-0 wins"], found["P-1 wins"]) == (0.75, 0.25)
    assert (found["lead changes"], found["comebacks"]) == (3, 1)


@pytest.mark.parametrize(("second", "luck"), [((1, 0), 1.0), ((0, 1), 0.0), ((0.5, 0.5), 0.0)])
def test_luck_is_what_two_matches_on_a_deal_have_in_common(second: tuple[float, float], luck: float) -> None:
    pairs = [played(deal, shares, play) for deal in range(6) for play, shares in enumerate([(1, 0), second])]
    assert figures(pairs)["luck of deal and seat"] == luck


def test_answers_that_bots_never_or_always_give_and_edges_that_nobody_takes_are_named() -> None:
    rare, usual, few = ("Turn", "action: rare"), ("Turn", "action: usual"), ("Turn", "action: few")
    counts = {"offered": Counter({rare: 60, usual: 50, few: 3}), "given": Counter({usual: 50})}
    [variant] = game_report([COUP], [played(0, (1, 0), **counts)], [[]])["variants"]
    assert variant["never"] == [{"phase": "Turn", "answer": "action: rare", "offered": 60}]
    assert variant["always"] == [{"phase": "Turn", "answer": "action: usual", "offered": 50}]
    assert len(variant["unused"]) == sum(len(phase.edges) for phase in games.load("coup").phases)


@pytest.mark.parametrize(("shift", "is_sure"), [(0, False), (5, True)])
def test_only_what_differs_beyond_chance_is_sure(shift: int, is_sure: bool) -> None:
    longer = COUP._replace(options={"max_turns": 9})
    found = [played(deal, (1, 0), decisions=10 + deal % 3) for deal in range(12)]
    found += [(one._replace(variant=longer), match._replace(decisions=11 - deal % 2 * 2 + shift + deal % 3))
              for deal, (one, match) in enumerate(found)]  # fmt: skip
    report = game_report([COUP, longer], found, [[], []])
    sure = {row["name"] for row in report["figures"] if row["sure"]}
    assert ("decisions a match" in sure) is is_sure
    assert "P-0 wins" not in sure
    assert ("Differs surely" in report_page(report).html("report")) is is_sure


def test_jobs_are_spread_so_that_an_early_end_has_some_of_each_kind() -> None:
    jobs = playtest.playtest_jobs([COUP], 0)
    assert len(jobs) == 8 * 2 + 4 + 1 + 2
    assert {one.kind for one in jobs[:16]} == {(STEADY, STEADY), (RANDOM, STEADY), (SEARCH, STEADY), (RANDOM, RANDOM)}


def test_a_report_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verb, "_SECONDS", 0.0)
    done = tabletop(tmp_path, "report", "coup", "--json")
    assert "Note: time allowed for 1 of 23 matches." in done.stderr
    assert sum(json.loads(done.stdout)["variants"][0]["matches"].values()) == 1


def test_two_variants_side_by_side(tmp_path: Path) -> None:
    words = ("report", "coup", "--num-players", "2", "--option", "max_turns=2", "-q")
    done = tabletop(tmp_path, *words, "--json", "--html")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [one["options"] for one in data["variants"]] == [{}, {"max_turns": 2}]
    length = next(row for row in data["figures"] if row["name"] == "rounds")
    assert length["difference"]["value"] < 0
    assert length["sure"]
    assert "max_turns=2" in (tmp_path / "reports" / "coup.html").read_text()
    text = tabletop(tmp_path, *words).stdout
    assert "Differs surely: " in text
    assert "changed: max_turns=2" in text


def test_a_model_plays_among_bots_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playtest, "_KINDS", ((STEADY, STEADY, 1, 1),))
    words = ("report", "coup", "--players", "2", "--seat", "ada=offline", "--deals", "1", "-q", "--json")
    first = tabletop(tmp_path, *words)
    assert first.returncode == 0, first.stderr
    [model] = json.loads(first.stdout)["variants"][0]["models"]
    assert (model["agent"], model["matches"]) == ("ada", 2)
    logs = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    assert json.loads(tabletop(tmp_path, *words).stdout)["variants"][0]["models"] == [model]
    assert len(logs) == 2
    assert logs == {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}, "nothing was played again"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--option", "max_turns"),
            "--option max_turns: expected NAME=VALUE; `tabletop rules coup --options` lists the names.",
        ),
        (("--option", "strikes=3"), "--option strikes=3: the game has this value without the option, too."),
        (("--option", "foo=3"), "--option foo=3: coup has no option foo; `tabletop rules coup --options` lists the names."),
        (("--html", "--json", "-o", "-"), "--json and --html cannot both go to standard output: name a file with -o."),
        (("-o", "x.html"), "--output x.html is the file of the page: add --html."),
        (("--players", "9"), "Coup is for 2 to 6 players, not 9."),
        (
            ("--seat", "bot:nobody"),
            'There is no bot "bot:nobody" for Coup: there is "bot:random", "bot:steady" or "bot:search".',
        ),
    ],
)
def test_bad_input_is_a_sentence(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert complaint(tabletop(tmp_path, "report", "coup", *words)) == f"tabletop: {said}"
