"""`tabletop models` and `tabletop agents`."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pytest_httpserver import HTTPServer

from tests.cli.command import complaint, offline_server, tabletop


def test_the_models_of_an_endpoint_with_what_they_take(tmp_path: Path) -> None:
    with offline_server() as url:
        listed = tabletop(tmp_path, "models", "--endpoint", url, "--search", "ILLEGAL")
        data = tabletop(tmp_path, "models", "--endpoint", url, "--json")
    assert listed.stdout.startswith("offline/illegal: $0 in, $0 out")
    assert len(listed.stdout.splitlines()) == 1
    first = json.loads(data.stdout)[0]
    assert (first["name"], first["form"]) == ("offline", "strict_schema")


def test_an_endpoint_that_says_nothing_gets_one_sentence(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "models", "--endpoint", "http://127.0.0.1:9/v1")
    assert done.returncode == 3
    assert "127.0.0.1:9" in complaint(done)
    words = ["--seat", "m@http://127.0.0.1:9/v1", "--no-trial"]
    told = tabletop(tmp_path, "doctor", *words).stdout
    assert "the endpoint http://127.0.0.1:9/v1 cannot be reached: connection refused\n" in told
    assert tabletop(tmp_path, "models", "--endpoint", "nowhere").returncode == 2


def test_an_endpoint_that_wants_a_key_is_said_to_want_one(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(re.compile("/v1/.*")).respond_with_json({"error": {"message": "no"}}, status=401)
    url = httpserver.url_for("/v1")
    for words in (["models", "--endpoint", url], ["play", "coup", "--seat", f"m@{url}", "-q"]):
        done = tabletop(tmp_path, *words)
        assert done.returncode == 5
        assert "it needs a key; OPENAI_API_KEY is not set" in complaint(done)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=none-that-counts\n")
    done = tabletop(tmp_path, "models", "--endpoint", url)
    assert (done.returncode, "the key in OPENAI_API_KEY was refused" in complaint(done)) == (5, True)


def test_the_agents_and_who_fills_free_seats_without_any_key(tmp_path: Path) -> None:
    key = "sk-or-v1-canary-0123456789abcdef"
    (tmp_path / "agents.toml").write_text('[calm]\nmodel = "a/b"\ntemperature = 0.2\nheaders = {X-Secret = "hush-hush-hush"}\n')
    (tmp_path / ".env").write_text(f"OPENROUTER_API_KEY={key}\nMODEL_PLAYER_1=calm\nDEFAULT_MODEL=bot:steady\n")
    told = tabletop(tmp_path, "agents")
    assert told.returncode == 0
    assert "calm: model a/b, temperature 0.2" in told.stdout
    assert "free seats P-1: calm" in told.stdout
    assert "is not set" not in told.stdout
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "agents.toml").write_text('[calm]\nmodel = "a/b"\n')
    assert "calm: model a/b; its key is not set" in tabletop(tmp_path / "bare", "agents").stdout
    data = tabletop(tmp_path, "agents", "--json")
    assert json.loads(data.stdout)["free_seats"][1] == "calm"
    for secret in (key, "hush-hush-hush"):
        assert secret not in told.stdout + told.stderr + data.stdout
