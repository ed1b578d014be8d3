"""Model files in seats: matches, logs and refusals, with a stand-in for llama.cpp."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from runner.local import local_model
from runner.local.servers import PLAIN_TEMPLATE
from runner.record.reader import read_log
from tests.cli.command import tabletop
from tests.local.support import TINY, local, new_model, starts, without_template

FOUR = ("--seat", TINY) * 4


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match of four seats with one model."""
    folder = tmp_path_factory.mktemp("local")
    new_model(folder)
    done = local(folder, "play", "coup", *FOUR, "--seed", "3", "--max-turns", "3", "--log", "a.jsonl")
    assert done.returncode == 0, done.stderr
    (folder / "stderr.txt").write_text(done.stderr)
    return folder


def test_seats_share_one_server(played: Path) -> None:
    (started,) = starts(played)
    assert (started["n_parallel"], started["port"], started["ui"]) == (4, 0, False)
    log = read_log(played / "a.jsonl")
    assert {seat["sha256"] for seat in log.header["seats"]} == {log.header["seats"][0]["sha256"]}
    attempts = [record for _, record in log.records if record["kind"] == "attempt"]
    assert attempts
    assert {record["outcome"] for record in attempts} == {"answer"}
    assert {record["charged"] for record in attempts} == {0}


def test_the_log_has_no_address_and_no_key(played: Path) -> None:
    text = (played / "a.jsonl").read_text()
    assert "127.0.0.1" not in text
    assert "Bearer" not in text


def test_loading_is_said(played: Path) -> None:
    said = (played / "stderr.txt").read_text()
    assert "Loading tiny.gguf (0 MB)." in said
    assert "requests at once" in said


def test_a_log_loads_no_file_that_only_it_names(played: Path) -> None:
    for words in (["fork", "a.jsonl", "--at", "2"], ["prompts", "ask", "a.jsonl", "--at", "2"]):
        done = tabletop(played, *words)
        assert done.returncode == 5
        assert f"only the log names the file {played / 'tiny.gguf'}: nothing was loaded" in done.stderr


def test_a_decision_can_be_asked_again(played: Path) -> None:
    done = local(played, "prompts", "ask", "a.jsonl", "--at", "2", "--seat", TINY, "--times", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["legal"] == 2


def test_the_estimate_learns_from_logs(played: Path) -> None:
    (played / "logs").mkdir(exist_ok=True)
    (played / "logs" / "a.jsonl").write_bytes((played / "a.jsonl").read_bytes())
    done = tabletop(played, "play", "coup", *FOUR, "--dry-run", "--json")
    seat = json.loads(done.stdout)["seats"][0]
    assert (seat["past_matches"] > 0, seat["usd"]) == (True, [0, 0, 0])


@pytest.mark.parametrize(
    ("name", "content", "why", "status"),
    [
        ("nope.gguf", None, "gguf:nope.gguf does not exist.", 2),
        (".", None, "gguf:. is no file.", 2),
        ("text.gguf", b"hello", "is no GGUF file: it does not begin with the letters GGUF.", 2),
        ("cut.gguf", b"GGUF\x03\x00\x00\x00", "is cut off: it ends after 8 bytes", 2),
        ("old.gguf", b"GGUF\x01" + bytes(40), "has version 1 of the GGUF format", 2),
    ],
)
def test_what_is_no_model_is_one_sentence(tmp_path: Path, name: str, content: bytes | None, why: str, status: int) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = tabletop(tmp_path, "play", "coup", "--seat", f"gguf:{name}", "--seat", "bot:steady")
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1)
    assert why in done.stderr
    (tmp_path / "agents.toml").write_text(f'[small]\nmodel = "gguf:{name}"\n')
    done = tabletop(tmp_path, "play", "coup", "--seat", "small", "--seat", "bot:steady")
    assert (done.returncode, why in done.stderr) == (5, True)


def test_without_llama_cpp_the_extra_is_named(tmp_path: Path) -> None:
    new_model(tmp_path)
    done = tabletop(tmp_path, "play", "coup", "--seat", TINY, "--seat", "bot:steady")
    assert done.returncode == 2
    assert "tiny.gguf needs the extra local: pip install 'tabletop-runner[local]'." in done.stderr
    assert not (tmp_path / "logs").exists()
    assert "extra local: is not installed" in tabletop(tmp_path, "doctor", "--no-trial").stdout


@pytest.mark.parametrize(
    ("name", "why"),
    [("broken.gguf", "data is not within the file bounds."), ("crashing.gguf", "its process was ended by SIGABRT.")],
)
def test_a_model_that_llama_cpp_cannot_load(tmp_path: Path, name: str, why: str) -> None:
    new_model(tmp_path, name)
    done = local(tmp_path, "play", "coup", "--seat", f"gguf:{name}", "--seat", "bot:steady", "--log", "a.jsonl")
    assert done.returncode == 5
    assert f"llama.cpp cannot load {name}: " in done.stderr
    assert why in done.stderr
    assert not (tmp_path / "a.jsonl").exists()


AGENT = """\
[small]
model = "gguf:tiny.gguf"
context = 4096
threads = 3
gpu_layers = 2
parallel = 2
form = "tool"
temperature = 0.5
"""


def test_settings_of_agents_toml_reach_the_server(tmp_path: Path) -> None:
    without_template(new_model(tmp_path))
    (tmp_path / "agents.toml").write_text(AGENT)
    words = ("play", "dixiquote", "--num-players", "3", "--max-rounds", "1", "--seat", "small", "--seat", "bot:steady")
    done = local(tmp_path, *words, "--seat", "bot:steady", "--rated", "--log", "a.jsonl")
    assert done.returncode == 0, done.stderr
    (started,) = starts(tmp_path)
    assert (started["n_ctx"], started["n_parallel"], started["n_gpu_layers"]) == (8192, 2, 2)
    assert started["chat_template"] == PLAIN_TEMPLATE
    assert "Note: tiny.gguf has no chat template, so tabletop's own is used.\n" in done.stderr
    assert "Note: llama.cpp finds no GPU, so gpu_layers has no effect.\n" in done.stderr
    log = read_log(tmp_path / "a.jsonl")
    seat = log.header["seats"][0]
    assert (seat["model"], seat["chat_template"]) == ("tiny.gguf", "tabletop")
    assert "base_url" not in seat
    (sent, *_) = (record["request"] for _, record in log.records if record.get("request"))
    assert (sent["stop"], sent["temperature"]) == (["```"], 0.5)


def test_too_little_memory_without_a_gpu_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new_model(tmp_path)
    (tmp_path / "agents.toml").write_text(AGENT)
    monkeypatch.setattr(local_model, "free_memory", lambda: 1000)
    done = local(tmp_path, "play", "coup", "--seat", "small", "--seat", "bot:steady")
    assert done.returncode == 5
    assert "tiny.gguf: it finds no GPU for gpu_layers, and the memory of this machine is too small." in done.stderr
    assert starts(tmp_path) == []


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('model = "offline"\ncontext = 4096', "context is only a setting of a gguf:PATH model."),
        ('model = "gguf:tiny.gguf"\nkey = "MY_KEY"', "key is no setting of a gguf:PATH model."),
        ('model = "gguf:tiny.gguf"\nparallel = 0', "parallel cannot be 0: it has to be 1 or more."),
    ],
)
def test_settings_of_the_wrong_kind_of_model(tmp_path: Path, table: str, why: str) -> None:
    (tmp_path / "agents.toml").write_text(f"[small]\n{table}\n")
    done = tabletop(tmp_path, "agents")
    assert done.returncode == 5
    assert why in done.stdout


def test_a_rated_match_holds_the_file(tmp_path: Path) -> None:
    new_model(tmp_path)
    words = ("play", "coup", "--seat", TINY, "--seat", "bot:steady", "--rated", "--seed", "3")
    bounded = (*words, "--budget-tokens", "9000", "--log", "a.jsonl")
    assert local(tmp_path, *bounded).returncode == 3
    again = "resume", "a.jsonl", "--seat", f"P-0={TINY}", "--budget-tokens", "30000"
    before = read_log(tmp_path / "a.jsonl").header["seats"][0]["sha256"]
    new_model(tmp_path, seed=2)
    done = local(tmp_path, *again)
    assert done.returncode == 2
    assert "The match in a.jsonl is rated, so its model files cannot change: tiny.gguf of P-0 has the SHA-256 " in done.stderr
    digests = re.findall(r"([0-9a-f]{12})…", done.stderr)
    assert digests == [sha256((tmp_path / "tiny.gguf").read_bytes()).hexdigest()[:12], before[:12]]
    new_model(tmp_path)
    assert local(tmp_path, *again).returncode in (0, 3)


PLAN = """\
agents = ["gguf:tiny.gguf", "bot:steady", "bot:random"]
seed = 5
[[games]]
name = "dixiquote"
players = 3
deals = 1
options = {max_rounds = 1}
"""


def test_workers_of_a_tournament_share_one_server(tmp_path: Path) -> None:
    new_model(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    done = local(tmp_path, "tournament", "plan.toml", "--workers", "2", "-o", "logs", "--quiet")
    assert done.returncode == 0, done.stderr
    assert len(starts(tmp_path)) == 1
    assert "tiny.gguf" in done.stdout + (tmp_path / "plan.toml").read_text()


def test_a_match_of_a_tournament_holds_the_file(tmp_path: Path) -> None:
    new_model(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    words = "tournament", "plan.toml", "-o", "logs", "--budget-tokens", "6000", "--quiet"
    assert local(tmp_path, *words).returncode == 3
    new_model(tmp_path, seed=2)
    done = local(tmp_path, *words)
    assert done.returncode == 4
    assert "If agents.toml, a model file or a prompt pack has changed since, take that back, or use another" in done.stderr
