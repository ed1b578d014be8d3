"""Slots of programs in a tournament: never more than there are, all of a match's at once, and no match waits for ever."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from runner.arena.match_runner import ProcessSlots
from tests.cli.command import complaint, tabletop
from tests.patience import PATIENCE

BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        print(json.dumps({"number": message["number"], "answer": message["legal"][0]}), flush=True)
"""


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), max_size=12))
def test_matches_of_any_size_all_get_their_slots(matches: list[tuple[int, int, bool]]) -> None:
    async def run() -> tuple[int, int]:
        slots, used, most, ended = ProcessSlots(4), 0, 0, 0

        async def play(need: int, steps: int) -> None:
            nonlocal used, most, ended
            async with slots.taken(need):
                used += need
                most = max(most, used)
                try:
                    for _ in range(steps):
                        await asyncio.sleep(0)
                finally:
                    used -= need
                ended += 1

        tasks = [asyncio.ensure_future(play(need, steps)) for need, steps, _ in matches]
        await asyncio.sleep(0)
        for task, (_, _, is_cancelled) in zip(tasks, matches, strict=True):
            if is_cancelled:
                task.cancel()
        found = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), PATIENCE)
        cancelled = sum(isinstance(one, asyncio.CancelledError) for one in found)
        assert ended <= len(matches) - cancelled
        async with asyncio.timeout(PATIENCE), slots.taken(4):
            assert used == 0
        return most, len(found)

    most, ended = asyncio.run(run())
    assert (most <= 4, ended) == (True, len(matches))


def test_a_tournament_plays_programs_within_its_slots(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    agents = f"one=cmd:{sys.executable} -I -S bot.py,two=cmd:{sys.executable} -I -S bot.py,bot:steady"
    plan = ("tournament", "--game", "coup", "--players", "2", "--deals", "1", "--seed", "1", "-o", "t", "-q", "--json")
    few = tabletop(tmp_path, *plan, "--seat", agents, "--programs", "1")
    assert "--programs 1: a match has 2 programs, which play at the same time." in complaint(few)
    assert few.returncode == 2
    done = tabletop(tmp_path, *plan, "--seat", agents, "--programs", "2", "--workers", "1")
    found = json.loads(done.stdout)
    assert (done.returncode, found["matches"], found["ended"]) == (0, 6, 6), done.stderr
    assert not list(tmp_path.rglob("*.stderr"))


def test_a_program_that_is_missing_stops_only_its_own_matches(tmp_path: Path) -> None:
    plan = ("tournament", "--game", "coup", "--players", "2", "--deals", "1", "-o", "t", "-q", "--json", "--workers", "1")
    done = tabletop(tmp_path, *plan, "--seat", "gone=cmd:./gone,bot:steady,bot:random")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ended"], {one["stop"] for one in found["stopped"].values()}) == (2, 2, {"usage"})
    assert '"./gone" does not exist' in done.stderr


def test_a_plan_alone_starts_no_program_and_no_function(tmp_path: Path) -> None:
    (tmp_path / "canary.py").write_text("open('canary', 'w')\ndef touch(ask): return ask.legal[0]\n")
    plan = 'games = ["coup"]\ndeals = 1\nagents = ["cmd:touch canary", "py:canary:touch", "bot:steady"]\n'
    (tmp_path / "plan.toml").write_text(plan)
    assert tabletop(tmp_path, "tournament", "plan.toml", "--dry-run").returncode == 0
    refused = tabletop(tmp_path, "tournament", "plan.toml", "--workers", "1")
    why = 'The plan plan.toml starts "cmd:touch canary" and "py:canary:touch" with your rights, and only the plan names them'
    assert (refused.returncode, why in complaint(refused)) == (5, True)
    assert complaint(refused).endswith("nothing was started. If you trust the plan, add --allow-programs.")
    assert not (tmp_path / "canary").exists()
    assert not (tmp_path / "tournaments").exists()


def test_a_plan_starts_what_this_call_or_agents_toml_allows(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    command = f"{sys.executable} -I -S bot.py"
    head = 'games = [{ name = "coup", players = 2, options = { max_turns = 2 } }]\ndeals = 1\n'
    (tmp_path / "plan.toml").write_text(f'{head}agents = ["cmd:{command}", "bot:steady"]\n')
    (tmp_path / "named.toml").write_text(f'{head}agents = ["mine", "bot:steady"]\n')
    (tmp_path / "agents.toml").write_text(f'[mine]\nprogram = "{command} 1"\n')
    run = ("--workers", "1", "-q")
    for words in (("plan.toml", "--allow-programs"), ("named.toml",), ("plan.toml", "--seat", f"cmd:{command},bot:random")):
        done = tabletop(tmp_path, "tournament", *words, "-o", f"of_{len(words)}_{words[0]}", *run)
        assert done.returncode == 0, done.stderr
    again = tabletop(tmp_path, "tournament", "of_2_plan.toml", *run)
    assert (again.returncode, "add --allow-programs" in complaint(again)) == (5, True)
