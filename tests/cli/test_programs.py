"""Programs and functions on the command line: seats, agents.toml, resuming, logs of strangers, `check-bot`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from runner.record.line import FIRST, seal
from tests.cli.command import complaint, tabletop

RUN = f"{sys.executable} -I -S"
BOT = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        if len(sys.argv) > 1 and message["number"] >= int(sys.argv[1]) and not os.path.exists("mended"):
            sys.exit("out of memory")
        print(json.dumps({"number": message["number"], "answer": (message["legal"] or [{"quote": "Sea."}])[0]}), flush=True)
"""
MODULE = """
def first(ask):
    return ask.legal[0] if ask.legal else {"quote": "Sea."}
def fails(ask):
    raise KeyError("Duke")
def odd(ask):
    return {"action": float("nan")}
"""
COUP = ("play", "coup", "--seed", "3", "--log", "log.jsonl", "-q")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "own_functions.py").write_text(MODULE)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "own_functions", raising=False)
    yield tmp_path
    sys.modules.pop("own_functions", None)


def header(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return found


def test_a_program_a_function_a_bot_and_the_offline_model_play_one_match(folder: Path) -> None:
    seats = ("--seat", f"ada=cmd:{RUN} bot.py", "--seat", "py:own_functions:first", "--seat", "bot:steady", "--seat", "offline")
    done = tabletop(folder, *COUP, *seats, "--max-turns", "3")
    assert done.returncode == 0, done.stderr
    kinds = [(seat["kind"], seat["name"]) for seat in header(folder / "log.jsonl")["seats"]]
    assert kinds[:2] == [("program", "ada"), ("function", "py:own_functions:first")]
    assert tabletop(folder, "replay", "--verify", "log.jsonl").returncode == 0
    again = tabletop(folder, "play", "coup", "--playback", "log.jsonl", "--log", "again.jsonl", "-q")
    assert again.returncode == 0, again.stderr


def test_another_player_for_a_function_is_named_once_in_the_command(folder: Path) -> None:
    seats = "--seat", "py:own_functions:odd", "--seat", "py:own_functions:first"
    done = tabletop(folder, *COUP, *seats, "--hopeless", "1")
    function = "--seat P-1=py:own_functions:first"
    assert done.returncode == 3
    assert f"another player by `tabletop resume log.jsonl {function} --seat P-0=SPEC`" in complaint(done)
    assert f"as it is by `tabletop resume log.jsonl --seat P-0=py:own_functions:odd {function}`" in complaint(done)
    assert tabletop(folder, "replay", "--verify", "log.jsonl").returncode == 0


def test_a_program_that_fails_pauses_the_match_and_the_printed_command_resumes_it(folder: Path) -> None:
    done = tabletop(folder, *COUP, "--seat", f"cmd:{RUN} bot.py 4", "--seat", "bot:steady")
    assert done.returncode == 3
    said = complaint(done)
    assert "exited with status 1; its standard error ends with: out of memory (log.jsonl.P-0.stderr)" in said
    command = said.partition("`")[2].partition("`")[0]
    assert command == f"tabletop resume log.jsonl --seat 'P-0=cmd:{RUN} bot.py 4'"
    (folder / "mended").touch()
    resumed = tabletop(folder, "resume", "log.jsonl", "--seat", f"P-0=cmd:{RUN} bot.py 4", "-q")
    assert resumed.returncode == 0, resumed.stderr
    assert (folder / "log.jsonl.P-0.stderr").read_text() == "out of memory\n" * 2
    attempts = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    failures = [one["what"] for one in attempts if one["kind"] == "attempt" and one["outcome"] == "infrastructure"]
    assert failures == ["exited", "exited"]


def test_agents_toml_names_programs_and_functions(folder: Path) -> None:
    table = f'[first]\nprogram = "{RUN} bot.py"\nname = "Ada"\ntime_limit = 5\n[fun]\nfunction = "own_functions:first"\n'
    (folder / "agents.toml").write_text(table)
    done = tabletop(folder, *COUP, "--seat", "first", "--seat", "fun")
    assert done.returncode == 0, done.stderr
    found = [(seat["spec"], seat["name"], seat["kind"]) for seat in header(folder / "log.jsonl")["seats"]]
    assert found == [("first", "Ada", "program"), ("fun", "fun", "function")]
    listed = tabletop(folder, "agents")
    assert f"first: name Ada, time_limit 5.0, program {RUN} bot.py\nfun: function own_functions:first\n" in listed.stdout
    (folder / "agents.toml").write_text('[first]\nprogram = "./gone"\n[bad]\nprogram = "x"\nenvironment = ["A B"]\n')
    assert 'environment cannot be ["A B"]: "A B" is no name of a variable' in tabletop(folder, "agents").stdout
    gone = tabletop(folder, *COUP, "--seat", "first", "--seat", "bot:steady")
    assert (gone.returncode, '"./gone" does not exist' in complaint(gone)) == (5, True)


FAULTS = {
    "cmd:": (2, "a command line is needed"),
    "cmd:./bot.py": (2, '"./bot.py" is not executable: run chmod +x ./bot.py'),
    "cmd:bot.py": (2, "write ./bot.py for the file in this folder"),
    "cmd:/": (2, '"/" is a folder'),
    "cmd:'x": (2, "cannot be split into words: no closing quotation"),
    "cmd:true+pack:mine": (2, "is a program, which reads no prompts"),
    "py:own_functions": (2, "has no name: write py:MODULE:NAME"),
    "py:own_functions:second": (2, "the module own_functions has no second"),
}


@pytest.mark.parametrize("spec", FAULTS)
def test_a_seat_that_cannot_be_played_is_refused_before_the_match(spec: str, folder: Path) -> None:
    status, why = FAULTS[spec]
    done = tabletop(folder, *COUP, "--seat", spec, "--seat", "bot:steady")
    assert (done.returncode, why in complaint(done)) == (status, True), done.stderr
    assert not (folder / "log.jsonl").exists()


def test_a_file_that_the_system_cannot_run_pauses_the_match_with_the_reason(folder: Path) -> None:
    (folder / "data").write_text("no program\n")
    (folder / "data").chmod(0o755)
    done = tabletop(folder, *COUP, "--seat", "cmd:./data", "--seat", "bot:steady")
    assert (done.returncode, "cannot be run: Exec format error" in complaint(done)) == (3, True)


def test_a_function_that_fails_shows_one_traceback(folder: Path) -> None:
    done = tabletop(folder, *COUP, "--seat", "py:own_functions:fails", "--seat", "bot:steady")
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 1)
    assert (
        "tabletop: The match failed: KeyError: 'Duke'. Resume it with `tabletop resume log.jsonl --seat P-0=py:" in done.stderr
    )


def test_a_function_that_fails_stops_only_its_own_matches_of_a_tournament(folder: Path) -> None:
    plan = ("tournament", "--game", "coup", "--players", "2", "--deals", "1", "-o", "t", "-q", "--json", "--workers", "1")
    done = tabletop(folder, *plan, "--seat", "py:own_functions:fails,bot:steady,bot:random")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ended"], {one["stop"] for one in found["stopped"].values()}) == (1, 2, {"bug"})
    assert done.stderr.count("Traceback") == 1


VERBS = {
    "resume": ("resume", "log.jsonl", "-q"),
    "fork": ("fork", "log.jsonl", "--at", "1", "-q"),
    "ask": ("prompts", "ask", "log.jsonl", "--at", "1", "--times", "1"),
    "playback": ("play", "coup", "--playback", "log.jsonl", "-q"),
}


CANARIES = ("cmd:touch canary", "py:canary:touch")


@pytest.mark.parametrize("verb", VERBS)
def test_a_log_starts_nothing_that_this_call_does_not_name(verb: str, folder: Path) -> None:
    (folder / "canary.py").write_text("open('canary', 'w')\n")
    assert tabletop(folder, *COUP, "--seat", "bot:random", "--seat", "bot:steady").returncode == 0
    path, previous, lines = folder / "log.jsonl", FIRST, []
    for line in path.read_bytes().splitlines()[:8]:
        record = {name: value for name, value in json.loads(line).items() if name != "hash"}
        if record["kind"] == "header":
            record["seats"] = [{"spec": spec, "name": "m", "kind": "program"} for spec in CANARIES]
        sealed, previous = seal(record, previous)
        lines.append(sealed)
    path.write_bytes(b"".join(lines))
    done = tabletop(folder, *VERBS[verb])
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert not (folder / "canary").exists()
    if verb in ("resume", "fork"):
        for seat, spec in enumerate(CANARIES):
            refused = tabletop(folder, *VERBS[verb], *(("--seat", "bot:steady") if seat else ()))
            why = f'P-{seat} of the log is "{spec}", and only the log names what it starts: nothing was started.'
            assert (refused.returncode, why in complaint(refused)) == (5, True)


def test_check_bot_finds_nothing_wrong_with_a_good_bot(folder: Path) -> None:
    done = tabletop(folder, "check-bot", f"cmd:{RUN} bot.py", "--matches", "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 matches to the end" in done.stdout
    assert done.stdout.endswith("No problems.\n")
    assert tabletop(folder, "check-bot", "py:own_functions:first", "--matches", "2", "--game", "coup").returncode == 0


CHATTER = """
import json, sys, time
print("loading")
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        for more in (0, 0, 5):
            print(json.dumps({"number": message["number"] + more, "answer": {}}), flush=True)
        if message["number"] > 5:
            sys.exit(3)
time.sleep(600)
"""


def test_check_bot_names_each_kind_of_problem_with_the_message_at_fault(folder: Path) -> None:
    (folder / "bad.py").write_text(CHATTER)
    done = tabletop(folder, "check-bot", f"cmd:{RUN} bad.py", "--matches", "2", "--game", "coup", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 2
    kinds = {problem["kind"]: problem for problem in found["problems"]}
    assert {"unreadable", "illegal", "wrong_number"} <= kinds.keys()
    assert kinds["unreadable"]["wrote"] == "loading"
    assert kinds["illegal"]["ask"]["type"] == "ask"
    words = tabletop(folder, "check-bot", f"cmd:{RUN} bad.py", "--matches", "1", "--game", "coup").stdout
    assert "the line is not JSON" in words
    assert "wrote: loading" in words


def test_check_bot_reports_exceptions_and_programs_that_go_on(folder: Path) -> None:
    raised = tabletop(folder, "check-bot", "py:own_functions:fails", "--matches", "9", "--game", "coup")
    assert raised.returncode == 2
    assert " times: KeyError: 'Duke'" in raised.stdout
    assert "after three of them no further one starts" in raised.stdout
    (folder / "stays.py").write_text(BOT + "import time\ntime.sleep(600)\n")
    stays = tabletop(folder, "check-bot", f"cmd:{RUN} stays.py", "--matches", "1", "--game", "coup")
    assert (stays.returncode, "no_exit, 1 time" in stays.stdout) == (2, True)
    other = tabletop(folder, "check-bot", "bot:steady")
    assert (other.returncode, "specify a program" in complaint(other)) == (2, True)
