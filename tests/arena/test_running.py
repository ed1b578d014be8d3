"""Tournaments run from outside: stopped, killed, out of money, with agents that fail."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from runner.arena.tournament_dir import logged_spending
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.standings.document import folder_matches
from runner.standings.document import standings as standings_of
from tests.arena.paid_server import paid_server
from tests.cli.command import complaint, start, tabletop
from tests.conftest import Here
from tests.patience import PATIENCE
from tools.warm_processes import WarmProcess

GAME = ("--game", "dixiquote", "--players", "3", "--option", "target_score=3", "--seed", "1")
BOTS = (*GAME, "--seat", "bot:steady,bot:random,x=bot:random", "--deals", "2", "-o", "t")
MODELS = (*GAME, "--seat", "a=offline,b=offline,bot:steady", "--deals", "1", "--mistakes", "0.2", "-o", "t")


IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
KILLS = [0.05 * part for part in range(1, 13)] if IS_CAMPAIGN else [0.3]
"""How far the tournament has come when it is killed, again and again."""

KILLED = {"bots": BOTS, "models": MODELS} if IS_CAMPAIGN else {"models": MODELS}
"""The tournaments that are killed: the one with models has a bot too."""


def standings(folder: Path) -> dict[str, Any]:
    found = standings_of(folder_matches(folder / "t")) | {"folder": "t"}
    for game in found["games"]:
        for agent in game["agents"]:
            for name in ("seconds", "latency", "longest_latency"):
                del agent[name]
    return found


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "t").rglob("*.jsonl"))


def test_a_tournament_between_bots_is_played_once_whole_and_proved(tmp_path: Path, here: Here) -> None:
    first = tabletop(tmp_path, "tournament", *BOTS, "--json", "-q")
    assert json.loads(first.stdout) == {"folder": "t", "matches": 12, "ended": 12, "spent": 0.0, "stopped": {}}
    assert all(verify(read_log(path)).has_ended for path in logs(tmp_path))
    before = {path: path.stat().st_mtime_ns for path in logs(tmp_path)}
    assert here(tmp_path, "tournament", "t").returncode == 0
    assert {path: path.stat().st_mtime_ns for path in logs(tmp_path)} == before
    assert json.loads(here(tmp_path, "tournament", "t", "--deals", "3", "--json", "--workers", "1").stdout)["ended"] == 18
    assert "another tournament: its seed: 1, not 5." in complaint(tabletop(tmp_path, "tournament", "t", "--seed", "5"))
    rules = tabletop(tmp_path, "tournament", "t", "--option", "target_score=4", "--players", "4")
    assert "its dixiquote.options.target_score: 3, not 4, its dixiquote.players: [3], not [4]." in complaint(rules)
    assert "Use either a plan or --game" in complaint(tabletop(tmp_path, "tournament", "t", "--game", "coup"))


def test_a_deck_from_a_file_is_played_with_and_needed_no_more(tmp_path: Path, here: Here) -> None:
    cards = [{"id": f"c{number}", "genre": "sea", "text": f"Ship {number} comes home."} for number in range(30)]
    (tmp_path / "ships.json").write_text(json.dumps({"cards": cards}), encoding="utf-8")
    game = (*GAME, "--option", "deck=ships.json", "--option", "max_rounds=1")
    words = (*game, "--seat", "bot:random,x=bot:random", "--deals", "1", "-o", "t")
    assert here(tmp_path, "tournament", *words, "-q").returncode == 0
    (tmp_path / "ships.json").unlink()
    played = [read_log(path) for path in logs(tmp_path)]
    assert all(log.header["options"]["deck"] == cards and verify(log).has_ended for log in played)
    again = json.loads(here(tmp_path, "tournament", "t", "--deals", "2", "--json", "-q").stdout)
    assert again["ended"] == 2 * len(played)
    gone = here(tmp_path, "tournament", *words[:-1], "u", "-q")
    assert (gone.returncode, "--deck: the file ships.json cannot be read" in complaint(gone)) == (2, True)


def workers(process: WarmProcess) -> list[int]:
    """The processes that play for a tournament."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "worker_processes" in line]


def written(folder: Path) -> int:
    return sum(path.stat().st_size for path in logs(folder))


def grown(folder: Path, size: float, process: WarmProcess) -> None:
    """Wait until the logs are so large, or the process has ended."""
    until = time.monotonic() + PATIENCE
    while written(folder) < size and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.01)


def killed(process: WarmProcess, whom: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(whom, signal.SIGKILL)
    if whom == process.pid:
        process.communicate()


@pytest.mark.parametrize("words", KILLED.values(), ids=KILLED)
def test_killed_again_and_again_it_ends_as_if_undisturbed(words: tuple[str, ...], tmp_path: Path, here: Here) -> None:
    quiet, disturbed = tmp_path / "quiet", tmp_path / "disturbed"
    quiet.mkdir(), disturbed.mkdir()
    assert here(quiet, "tournament", *words, "-q", "--workers", "1").returncode == 0
    rng, whole = random.Random(4), written(quiet)
    for part in KILLS:
        process = start(disturbed, "tournament", *words, "-q", "--workers", "2")
        grown(disturbed, whole * (part + 0.05 * rng.random()), process)
        killed(process, process.pid)
    process = start(disturbed, "tournament", *words, "-q", "--workers", "2")
    grown(disturbed, whole * 0.8, process)
    for worker in workers(process)[:1]:
        killed(process, worker)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert [path.relative_to(disturbed) for path in logs(disturbed)] == [path.relative_to(quiet) for path in logs(quiet)]
    assert all(verify(read_log(path)).has_ended for path in logs(disturbed))
    assert standings(disturbed) == standings(quiet)


def test_calls_that_a_kill_cut_off_count_against_the_budget(tmp_path: Path) -> None:
    words = ("tournament", "--json", "-q", "--budget")
    with paid_server(0.3) as server:
        told = (*GAME, "--seat", f"a=offline@{server.url},b=bot:steady", "--deals", "1", "-o", "t")
        process = start(tmp_path, *words, "0.5", *told, "--workers", "2")
        while len(server.charged) < 20:
            assert process.poll() is None
            time.sleep(0.01)
        killed(process, process.pid)
        logged, _ = logged_spending(tmp_path / "t")
        again = tabletop(tmp_path, *words, "0.000001", "t", "--workers", "1")
        assert again.returncode == 3
        spent = json.loads(again.stdout)["spent"]
        assert logged < sum(server.charged) <= spent <= 0.5
        assert "under way" in again.stderr


def test_ctrl_c_pauses_and_the_same_command_goes_on(tmp_path: Path) -> None:
    with paid_server(0.05) as server:
        words = (*GAME, "--seat", f"a=offline@{server.url},b=bot:steady", "--deals", "1", "-o", "t")
        process = start(tmp_path, "tournament", *words)
        while len(server.charged) < 6:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 3, errors
        assert "tabletop: The tournament was interrupted. `tabletop tournament t` plays the remaining" in errors
        assert tabletop(tmp_path, "tournament", "t", "--workers", "1").returncode == 0
    assert all(verify(read_log(path)).has_ended for path in logs(tmp_path))


def test_ctrl_c_while_workers_start_is_heard_by_the_tournament_alone(tmp_path: Path) -> None:
    """A terminal sends it to every process of the command."""
    words = (*GAME, "--seat", "bot:steady,bot:random", "--deals", "300", "-o", "t", "--workers", "4")
    process = start(tmp_path, "tournament", *words, start_new_session=True)
    while process.poll() is None and not (tmp_path / "t" / "tournament.json").exists():
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode in (3, 130), errors
    assert "Traceback" not in errors


def test_a_budget_hit_in_the_middle_is_kept_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    with paid_server(0.0) as server:
        charged = server.charged
        words = (*GAME, "--seat", f"a=offline@{server.url},b=bot:steady", "--deals", "1", "-o", "t", "--json", "-q")
        first = tabletop(tmp_path, "tournament", *words, "--budget", "0.03")
        found = json.loads(first.stdout)
        assert first.returncode == 3
        assert "The budget is spent" in first.stderr
        assert {stop["stop"] for stop in found["stopped"].values()} == {"budget"}
        assert found["spent"] == pytest.approx(sum(charged))
        assert 0 < sum(charged) <= 0.03
        calls = len(charged)
        second = json.loads(tabletop(tmp_path, "tournament", "t", "--budget", "5", "--json", "-q").stdout)
        assert second["ended"] == second["matches"]
        assert second["spent"] == pytest.approx(sum(charged))
        answers = sum(a["answers"] for game in standings(tmp_path)["games"] for a in game["agents"] if a["agent"] == "a")
        assert answers == len(charged) > calls


def test_twenty_matches_at_once_never_cost_more_than_their_budget(tmp_path: Path) -> None:
    """One dollar, a server that charges a cent or two an answer, and calls whose worst case is more."""
    with paid_server(0.02, price=8e-6) as server:
        (tmp_path / "agents.toml").write_text(f'[rich]\nmodel = "offline"\nbase_url = "{server.url}"\nmax_tokens = 64\n')
        words = (*GAME, "--seat", "rich,bot:steady", "--deals", "4", "--concurrency", "20", "-o", "t", "--json", "-q")
        done = tabletop(tmp_path, "tournament", *words, "--budget", "1")
    assert done.returncode == 3, done.stderr
    found = json.loads(done.stdout)
    assert found["matches"] >= 24
    assert 0.8 < sum(server.charged) <= 1
    assert found["spent"] == pytest.approx(sum(server.charged))
    begun = [path.relative_to(tmp_path / "t").as_posix() for path in logs(tmp_path)]
    assert found["ended"] > len(begun) / 2, "the money bought matches that ended"
    assert begun == sorted({*begun, *found["stopped"]})[: len(begun)], "in the order of the schedule"
    assert len(done.stderr.splitlines()) == 1
    assert re.search(r"Raise it to continue: `tabletop tournament t --budget [2-9.]+` plays the remaining", done.stderr)


@pytest.mark.usefixtures("_tried_at_once")
def test_one_failing_agent_does_not_take_the_others_down(tmp_path: Path, here: Here) -> None:
    dead = "dead=m@http://127.0.0.1:9/v1"
    words = ("--game", "coup", "--players", "2", "--seat", f"{dead},a=offline,b=bot:steady", "--deals", "1", "-o", "t")
    done = tabletop(tmp_path, "tournament", *words, "--patience", "0", "--json", "-q", "--workers", "1")
    found = json.loads(done.stdout)
    assert done.returncode == 3
    assert 0 < found["ended"] < found["matches"]
    assert {stop["agent"] for stop in found["stopped"].values()} == {"dead"}
    assert {stop["stop"] for stop in found["stopped"].values()} == {"outage"}
    assert "unfinished match" in here(tmp_path, "standings", "t").stdout


def test_a_folder_is_run_by_one_process_at_a_time(tmp_path: Path) -> None:
    process = start(tmp_path, "tournament", *BOTS, "--deals", "200", "-q", "--workers", "1")
    while process.poll() is None and not any((tmp_path / "t").rglob("*.jsonl")):  # a log is begun under the lock only
        time.sleep(0.01)
    said = complaint(tabletop(tmp_path, "tournament", *BOTS, "--deals", "200"))
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert "is being run by another process" in said


def test_a_tournament_grades_its_matches(tmp_path: Path) -> None:
    short = (
        "--game",
        "dixiquote",
        "--players",
        "3",
        "--option",
        "max_rounds=1",
        "--seed",
        "1",
        "--seat",
        "bot:steady,bot:random",
    )
    done = tabletop(tmp_path, "tournament", *short, "--deals", "1", "--rotation", "random", "--review", "--quiet", "-o", "t")
    assert done.returncode == 0, done.stderr
    reviews = [log.with_name(f".{log.name}.review.json") for log in logs(tmp_path)]
    kept = {path: path.read_bytes() for path in reviews}
    assert kept
    assert tabletop(tmp_path, "tournament", "t", "--review", "--quiet").returncode == 0
    assert {path: path.read_bytes() for path in reviews} == kept


def test_a_tournament_ends_when_every_pair_is_surely_different(tmp_path: Path) -> None:
    words = ("tournament", "--game", "coup", "--players", "2", "--seat", "bot:steady,bot:random", "--workers", "1", "--seed=1")
    done = tabletop(tmp_path, *words, "--deals", "60", "--until", "sure", "-o", "t", "-q", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert 10 <= found["ended"] < found["matches"] == 120
    again = tabletop(tmp_path, *words, "--deals", "60", "--until", "sure", "-o", "t", "-q")
    assert f"All differences are decided after {found['ended']} matches." in again.stdout
    fixed = tabletop(tmp_path, *words, "--until", "2", "-o", "fixed", "-q", "--json")
    assert json.loads(fixed.stdout)["matches"] == 4
