"""`tabletop play`, from outside."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from runner.record.reader import read_log, read_sound_part
from runner.record.verify import verify
from tests.cli.command import complaint, offline_server_process, start, tabletop, wait_for_log, wait_while_running
from tests.patience import PATIENCE


def test_one_json_document_the_same_in_every_run(tmp_path: Path) -> None:
    words = [
        "play",
        "dixiquote",
        "--num-players",
        "6",
        "--target",
        "30",
        "--max-rounds",
        "2",
        "--seed",
        "1",
        "--quiet",
        "--json",
    ]
    first, second = tabletop(tmp_path, *words), tabletop(tmp_path, *words, PYTHONHASHSEED="77")
    assert first.returncode == second.returncode == 0
    assert first.stdout == second.stdout
    document = json.loads(first.stdout)
    assert document["winners"] == [s for s, score in enumerate(document["scores"]) if score == max(document["scores"])]
    assert document["players"] == len(document["seats"]) == 6
    assert document["rounds"] <= 2


def test_options_of_the_rules_reach_the_match(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    words = "--players 5 --target-score 7 --rules original --blind-quote --max-quote-lines 2 --score-floor none --genre noir"
    done = tabletop(tmp_path, "play", "dixiquote", *words.split(), "--seat", "bot:steady", "--log", str(log), "--quiet")
    assert done.returncode == 0, done.stderr
    header = read_log(log).header
    wanted = {"target_score": 7, "scoring": "original", "blind_quote": True, "max_quote_lines": 2, "score_floor": None}
    assert {name: header["options"][name] for name in wanted} == wanted
    assert header["options"]["genre"] == "noir"
    assert header["players"] == 5
    assert [seat["kind"] for seat in header["seats"]] == ["bot", *["offline"] * 4]


def test_narration_goes_to_standard_error_and_the_result_to_standard_output(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "dixiquote", "--max-rounds", "1", "--seed", "4")
    assert done.returncode == 0
    assert "Round 1: offline 1 is the Storyteller." in done.stderr
    assert "isn't a language model" in done.stderr
    assert "wins" in done.stdout or "share the win" in done.stdout
    assert "Storyteller" not in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert len(list((tmp_path / "logs").glob("dixiquote-*.jsonl"))) == 1


def test_settings_out_of_reach_are_said_before_the_match(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "dixiquote", "--players", "8", *["--seat", "bot:random"] * 8)
    assert "run out after" not in done.stderr, "nobody asked for 15 rounds"
    assert "target score of 20 is out of reach" in done.stderr
    assert "P-0 to P-3 are Storyteller once more than the others. To avoid it, use" in " ".join(done.stderr.split())
    assert done.returncode == 0
    asked = (*["--seat", "bot:random"] * 8, "--players", "8", "--max-rounds", "9")
    assert "run out after round 4 with 8 players" in tabletop(tmp_path, "play", "dixiquote", *asked).stderr
    assert "Note" not in tabletop(tmp_path, "play", "dixiquote", *asked, "-q").stderr


WRONG = [
    ("play nonesuch", 2, ["nonesuch", "dixiquote"]),
    ("play dixiquote --num-players 2", 2, ["3 to 8", "2"]),
    ("play dixiquote --num-players 9", 2, ["3 to 8", "9"]),
    ("play dixiquote --num-players 3 --seat offline --seat offline --seat offline --seat offline", 2, ["4", "3 seats"]),
    ("play dixiquote --nonesuch 1", 2, ["--nonesuch"]),
    ("play dixiquote --target 0", 2, ["target_score", "0", "from 1"]),
    ("play dixiquote --score-floor 5", 2, ["score_floor", "it takes 0 or none."]),
    ("play dixiquote --scoring best", 2, ["scoring", "best", "revised"]),
    ("play dixiquote --deck small.json", 2, ["small.json", "10 cards", "24"]),
    ("play dixiquote --deck torn.json", 2, ["torn.json", "not JSON"]),
    ("play dixiquote --deck twice.json", 2, ["twice.json", "Card 2", '"a"']),
    ("play dixiquote --deck bare.json", 2, ["bare.json", "Card 1", "text"]),
    ("play dixiquote --deck absent.json", 2, ["absent.json", "No such file"]),
    ("play dixiquote --seat bot:nonesuch", 2, ["bot:nonesuch", "bot:steady"]),
    ("play dixiquote --seat nonesuch", 2, ["nonesuch", "MODEL@BASE_URL"]),
    ("play dixiquote --seat x@nowhere", 2, ["x@nowhere", "http://"]),
    ("play dixiquote --rules nonesuch", 2, ["nonesuch", "original"]),
    ("play dixiquote --view P-7", 2, ["P-7", "P-3"]),
    ("play dixiquote --prompts nonesuch", 2, ["nonesuch", "not a folder"]),
    ("play dixiquote --log small.json", 2, ["small.json", "exists"]),
    ("play dixiquote --log /proc/none/log", 2, ["/proc/none/log"]),
    ("play dixiquote --budget 0", 2, ["--budget"]),
    ("play dixiquote --speed -1", 2, ["--speed"]),
    ("play dixiquote --seat openai/gpt-5-mini", 5, ["OPENROUTER_API_KEY", "offline"]),
    ("nonesuch", 2, ["nonesuch", "play"]),
    ("rules nonesuch", 2, ["nonesuch", "dixiquote"]),
    ("offline-server --host 192.168.0.1", 2, ["192.168.0.1", "loopback"]),
]


@pytest.mark.parametrize(("words", "status", "said"), WRONG, ids=[words for words, _, _ in WRONG])
def test_wrong_input_gets_one_sentence(words: str, status: int, said: list[str], tmp_path: Path) -> None:
    cards = [{"id": str(number), "genre": "x", "text": f"Thing {number} happens."} for number in range(10)]
    (tmp_path / "small.json").write_text(json.dumps(cards))
    (tmp_path / "torn.json").write_text('{"cards": [')
    (tmp_path / "twice.json").write_text(json.dumps([{**cards[0], "id": "a"}, {**cards[1], "id": "a"}]))
    (tmp_path / "bare.json").write_text(json.dumps([{"id": "a", "genre": "x"}]))
    done = tabletop(tmp_path, *words.split())
    sentence = complaint(done)
    assert done.returncode == status
    assert [part for part in said if part not in sentence] == []


def test_a_match_over_http_against_another_process(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with offline_server_process(tmp_path, "--mistakes", "0.2", "--seed", "3") as url:
        seats = [word for name in "abcd" for word in ("--seat", f"{name}@{url}")]
        done = tabletop(tmp_path, "play", "dixiquote", *seats, "--max-rounds", "4", "--seed", "2", "--log", str(log), "--json")
    assert done.returncode == 0, done.stderr
    read = read_log(log)
    assert verify(read).has_ended
    assert {record["phase"] for _, record in read.of_kind("question")} == {1, 2, 3, 4}
    attempts = [record for _, record in read.of_kind("attempt")]
    assert {record["outcome"] for record in attempts} == {"answer", "mistake"}
    assert all(record["reply"]["provider"] == "offline model (no language model)" for record in attempts)
    sent = read.messages(attempts[-1])
    assert sent[0]["role"] == "system"
    assert "# DixiQuote" in sent[0]["content"]


def test_a_faulty_server_costs_time_and_no_strike(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    faults = (
        "--faults 0.3 --retry-after 0.1 --fault-kind rate_limit --fault-kind bad_gateway --fault-kind cut --fault-kind html"
    )
    with offline_server_process(tmp_path, *faults.split()) as url:
        seats = [word for name in "abc" for word in ("--seat", f"{name}@{url}")]
        done = tabletop(
            tmp_path, "play", "dixiquote", "--players", "3", *seats, "--max-rounds", "2", "--log", str(log), "--json"
        )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert sum(seat["failures"] for seat in result["seats"]) > 0
    assert sum(seat["mistakes"] + seat["penalties"] for seat in result["seats"]) == 0
    verify(read_log(log))


@pytest.mark.usefixtures("_tried_at_once")
def test_a_server_that_is_not_there_pauses_the_match(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "x@http://127.0.0.1:9/v1", "--log", str(log), "--quiet", "--json")
    assert done.returncode == 3
    assert "127.0.0.1:9" in json.loads(done.stdout)["paused"]
    assert "127.0.0.1:9" in done.stderr
    read = read_log(log)
    assert not verify(read).has_ended
    assert [record["outcome"] for _, record in read.of_kind("attempt")] == ["infrastructure"] * 5


def test_a_refused_key_stops_with_its_own_status_and_is_written_nowhere(tmp_path: Path, httpserver: HTTPServer) -> None:
    key = "sk-or-v1-canary-0123456789abcdef"
    refusal = {"error": {"code": 401, "message": f"No auth for {key}"}}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(refusal, status=401)
    log = tmp_path / "log.jsonl"
    seat = f"x@{httpserver.url_for('/v1')}"
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", seat, "--log", str(log), OPENAI_API_KEY=key)
    assert done.returncode == 5
    assert key not in done.stdout + done.stderr + log.read_text()
    assert not verify(read_log(log)).has_ended


def test_a_model_of_a_seat_comes_from_env(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MODEL_PLAYER_1=bot:steady\nDEFAULT_MODEL=bot:random\n")
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "offline", "--seed", "1", "--max-rounds", "1", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert [seat["spec"] for seat in json.loads(done.stdout)["seats"]] == ["offline", "bot:steady", "bot:random", "bot:random"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupting_pauses_with_a_whole_log(number: signal.Signals, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    process = start(tmp_path, "play", "dixiquote", "--seat", "offline/slow", "--log", str(log), "--quiet", "--json")
    wait_while_running(process, lambda: log.exists() and b'"question"' in log.read_bytes())
    process.send_signal(number)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    assert json.loads(output)["log"] == str(log)
    assert "Traceback" not in errors
    assert "interrupted" in errors
    read = read_log(log)
    verify(read)
    assert read.records[-1][1]["kind"] == "pause"
    assert [record["outcome"] for _, record in read.of_kind("attempt")] == ["infrastructure"]


def test_what_a_killed_match_has_logged_verifies(tmp_path: Path) -> None:
    for kill_at in (3_000, 30_000):
        log = tmp_path / f"{kill_at}.jsonl"
        words = ("play", "dixiquote", "--players", "3", "--seed", "1", "--mistakes", "0.2", "--quiet")
        process = start(tmp_path, *words, "--log", str(log))
        wait_for_log(process, log, kill_at)
        process.kill()
        process.communicate(timeout=PATIENCE)
        sound = read_sound_part(log)  # a kill may cut the last line short
        assert sound.damage is None or sound.is_torn
        assert not verify(replace(sound, damage=None)).has_ended
