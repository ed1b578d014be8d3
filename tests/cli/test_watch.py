"""`tabletop watch`, and what the ways of showing a match tell, from outside."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

from tests.cli.command import complaint, start, tabletop
from tests.patience import PATIENCE
from tests.screen.terminal import Terminal

COUP = [
    "play",
    "coup",
    "--players",
    "2",
    "--seat",
    "offline",
    "--seat",
    "bot:steady",
    "--seed",
    "5",
    "--mistakes",
    "0.2",
]
SEATS = {"offline": "P-0", "steady": "P-1"}
HIDDEN = {"action", "answer", "why", "what", "thoughts"}


def test_a_finished_match_is_told_as_it_was_and_the_same_in_every_way(tmp_path: Path) -> None:
    played = tabletop(tmp_path, *COUP, "--log", "log.jsonl", "--view", "public")
    assert played.returncode == 0, played.stderr
    watched = tabletop(tmp_path, "watch", "log.jsonl", "--view", "public")
    assert (watched.returncode, watched.stdout, watched.stderr) == (0, played.stdout, played.stderr)
    newest = tabletop(tmp_path, "watch", ".", "--plain", "--json")
    assert json.loads(newest.stdout)["winners"]
    printed = tabletop(tmp_path, "watch", "log.jsonl", "--view", "public", "--json-events").stdout.splitlines()
    events = [json.loads(line) for line in printed]
    told = [event["text"] for event in events if event["event"] == "told" and event["kind"] != "phase"]
    lines, _, highlights = played.stderr.partition("\nHighlights: ")
    lines = re.sub(r"\b(offline|steady)\b", lambda name: SEATS[name[0]], lines)
    assert [line.removesuffix(" ✦") for line in lines.splitlines() if not line.startswith(("✗", "…"))] == told
    assert len(json.loads(newest.stdout)["highlights"]) >= highlights.count("  decision ") > 0
    assert [event["event"] for event in (events[0], events[-1])] == ["begun", "ended"]
    assert events[-1]["result"]["winners"] == json.loads(newest.stdout)["winners"]
    assert "measures" not in events[-1]["result"]["seats"][0]


def test_events_come_as_they_happen_and_the_same_from_play_and_watch(tmp_path: Path) -> None:
    process = start(tmp_path, *COUP, "--log", "log.jsonl", "--json-events", "--view", "P-1", "--speed", "0.02")
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    assert process.poll() is None
    rest = process.stdout.read()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    watched = tabletop(tmp_path, "watch", "log.jsonl", "--json-events", "--view", "P-1", "-q").stdout
    assert [json.loads(line) for line in watched.splitlines()] == [first, *map(json.loads, rest.splitlines())]
    for event in map(json.loads, rest.splitlines()):
        assert event.get("only") in (None, ["P-1"])
        assert event.get("seat") == "P-1" or not HIDDEN & set(event)


def test_what_cannot_be_watched_gets_one_sentence(tmp_path: Path) -> None:
    absent = tabletop(tmp_path, "watch", "absent.jsonl", "--wait", "0.1")
    assert absent.returncode == 2
    assert "absent.jsonl" in complaint(absent)
    assert "There are no logs" in complaint(tabletop(tmp_path, "watch", "."))
    both = tabletop(tmp_path, "play", "coup", "--json", "--json-events")
    assert both.returncode == 2
    assert "--json and --json-events" in complaint(both)
    tabletop(tmp_path, *COUP, "--log", "log.jsonl", "-q")
    raw = (tmp_path / "log.jsonl").read_bytes()
    (tmp_path / "torn.jsonl").write_bytes(raw[: len(raw) // 2])
    torn = tabletop(tmp_path, "watch", "torn.jsonl", "--until-paused", "-q")
    assert torn.returncode == 3
    assert "no process is writing its log, and its last line is incomplete" in complaint(torn)
    waiting = start(tmp_path, "watch", "torn.jsonl", "-q")
    assert waiting.stderr is not None
    assert waiting.stderr.readline().startswith("The match is paused: no process is writing its log")
    waiting.send_signal(signal.SIGINT)
    assert waiting.communicate(timeout=PATIENCE) == ("", "")
    (tmp_path / "changed.jsonl").write_bytes(raw.replace(b'"how":"answer"', b'"how":"answre"', 1))
    changed = tabletop(tmp_path, "watch", "changed.jsonl")
    assert changed.returncode == 4
    assert "has been changed" in complaint(changed)


def test_a_match_is_followed_live_through_a_stop_to_its_end(tmp_path: Path) -> None:
    watching = Terminal("watch", "log.jsonl", "--wait", "60", "--speed", "0", folder=tmp_path)
    watching.wait_for("Waiting for log.jsonl")
    playing = start(tmp_path, *COUP, "--log", "log.jsonl", "--speed", "0.1")
    watching.wait_for("Coup · turn")
    watching.wait_for("offline")
    playing.send_signal(signal.SIGINT)
    playing.communicate(timeout=PATIENCE)
    assert playing.returncode == 3
    watching.wait_for("The match is paused: interrupted.")
    assert b"\x1b[?25h" in watching.raw[watching.raw.rindex(b"\x1b[?25l") :]
    assert tabletop(tmp_path, "resume", "log.jsonl", "-q").returncode == 0
    assert watching.ended() == 0
    assert "Coup: result" in watching.text
    assert "tabletop export LOG" in watching.text
    assert watching.raw.rindex(b"\x1b[?25h") > watching.raw.rindex(b"\x1b[?25l")


def test_leaving_leaves_the_match_alone_and_the_terminal_as_it_was(tmp_path: Path) -> None:
    playing = start(tmp_path, *COUP, "--log", "log.jsonl", "--speed", "0.2")
    watching = Terminal("watch", "log.jsonl", "--wait", "60", folder=tmp_path)
    watching.wait_for("Coup · turn")
    before, modes = watching.modes_before, watching.modes()
    assert before != modes
    watching.type("\x03")
    assert watching.ended() == 0
    assert watching.modes() == before
    assert playing.poll() is None
    playing.terminate()
    playing.communicate(timeout=PATIENCE)
