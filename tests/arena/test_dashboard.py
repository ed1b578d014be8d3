"""What is on the screen while a tournament is run."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from runner.arena.plan import plan_of
from runner.arena.progress import MatchOutcome, Progress, Stop
from runner.arena.schedule import schedule
from runner.llm.budget import Budget
from runner.screen.dashboard import Dashboard
from runner.standings.rating import LiveRatings


def under_way() -> tuple[Progress, LiveRatings]:
    """Two deals are played, the careful one wins; one match is paused, one is on."""
    game = {"name": "coup", "players": 2, "deals": 8}
    agents = {"a-careful-one": "offline", "hasty": "bot:random"}
    fixtures = list(schedule(plan_of({"games": [game], "agents": agents})))
    ratings = LiveRatings(fixtures)
    progress = Progress(len(fixtures), budget=Budget(usd=2.0, spent_usd=0.25), on_result=ratings.add)
    for fixture in fixtures[:12]:
        best = [entrant.name for entrant in fixture.seats].index("a-careful-one")
        if fixture.name == fixtures[3].name:
            best = 1 - best
        seats = [{"decisions": 9, "penalties": 0, "prompt_tokens": 900, "completion_tokens": 90, "cost": 0.01}] * 2
        progress.end(fixture, {"scores": [int(seat == best) for seat in (0, 1)], "winners": [best], "seats": seats})
    progress.begin(fixtures[12])
    progress.defer(MatchOutcome(fixtures[13], None, Stop.OUTAGE, "it gives no answer"))
    progress.note("hasty", "mistake")
    return progress, ratings


@pytest.mark.parametrize("width", [60, 80])
def test_everything_fits_and_names_are_whole(width: int) -> None:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    progress, ratings = under_way()
    dashboard = Dashboard(console, False, ratings)
    dashboard._rate()
    console.print(dashboard._drawn(progress))
    lines = out.getvalue().splitlines()
    assert lines[0].strip("━╸╺ ") == ""
    said = " ".join(line.strip() for line in lines[1:3])
    assert said.startswith("12 of 16 matches, 1 running, 1 paused, 1 strike, $0.2500 spent, $0.33 in the end")
    careful = next(line for line in lines if line.startswith("a-careful-one"))
    assert " to " in careful
    assert all(len(line) <= width for line in lines)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (80, 12)])
def test_many_agents_fit_the_height_the_best_first(width: int, height: int) -> None:
    names = {f"agent-{number:02}": "bot:random" for number in range(30)}
    games = [{"name": name, "players": 4, "deals": 1} for name in ("coup", "oriflamme")]
    fixtures = list(schedule(plan_of({"games": games, "agents": names, "rotation": "random"})))
    ratings = LiveRatings(fixtures)
    progress = Progress(len(fixtures), budget=Budget(usd=2.0, spent_usd=0.25), on_result=ratings.add)
    for fixture in fixtures:
        players = [entrant.name for entrant in fixture.seats]
        best = players.index(max(players))
        seats = [{"decisions": 9, "penalties": 0, "prompt_tokens": 900, "completion_tokens": 90, "cost": 0.01}] * 4
        progress.end(fixture, {"scores": [int(seat == best) for seat in range(4)], "winners": [best], "seats": seats})
    out = io.StringIO()
    console = Console(file=out, width=width, height=height, force_terminal=True, color_system=None)
    dashboard = Dashboard(console, False, ratings)
    dashboard._rate()
    console.print(dashboard._drawn(progress))
    lines = out.getvalue().splitlines()
    assert len(lines) < height
    assert sum(" so far" in line for line in lines) == 2
    assert sum("more agents" in line for line in lines) == 2
    shown = [float(line.split()[1]) for line in lines if line.startswith("agent-")]
    half = shown[: len(shown) // 2]
    assert half == sorted(half, reverse=True)


def test_a_pipe_gets_plain_lines() -> None:
    out = io.StringIO()
    console = Console(file=out, width=40)
    progress, ratings = under_way()
    with Dashboard(console, False, ratings) as dashboard:
        dashboard.show(progress)
    first, second = out.getvalue().splitlines()
    assert first == "outage: it gives no answer (coup-2p/deal-00007-0002.jsonl)"
    assert second.startswith("12 of 16 matches, 1 running, 1 paused")


def first_lines(progress: Progress, ratings: LiveRatings, width: int = 80) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(Dashboard(console, False, ratings)._drawn(progress))
    return out.getvalue().splitlines()


def test_a_run_in_which_no_match_has_ended_says_what_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [{"name": name, "players": 3, "deals": 2} for name in ("coup", "oriflamme")]
    fixtures = list(schedule(plan_of({"games": listed, "agents": ["offline", "bot:random"]})))
    progress = Progress(len(fixtures), budget=Budget(usd=2.0), _started=100.0)
    for fixture in fixtures[:3]:
        progress.begin(fixture)
    monkeypatch.setattr("runner.arena.progress.time.monotonic", lambda: 104.2)
    status, on, *_ = first_lines(progress, LiveRatings(fixtures))
    assert status == f"0 of {len(fixtures)} matches, 3 running"
    assert on.startswith("4 s · none has ended yet · ")
    assert on.endswith("on now: 3 × coup")


@pytest.mark.parametrize(("seconds", "pace"), [(120.0, "6 a minute"), (36000.0, "1 an hour")])
def test_a_run_says_how_fast_it_plays(seconds: float, pace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    progress, ratings = under_way()
    progress._started = 100.0
    monkeypatch.setattr("runner.arena.progress.time.monotonic", lambda: 100.0 + seconds)
    on = next(line for line in first_lines(progress, ratings) if "on now" in line)
    assert f" · {pace} · on now: coup" in on


def test_what_is_on_takes_one_line_on_a_narrow_terminal() -> None:
    progress, ratings = under_way()
    assert all(len(line) <= 20 for line in first_lines(progress, ratings, width=20))
    assert sum(" · " in line for line in first_lines(progress, ratings, width=20)) <= 1
