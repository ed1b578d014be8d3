"""A folder that somebody else wrote: its files name no program and no host for players of its logs unasked, its `.env` moves
no key of the shell, and a bomb in it is one sentence."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import typer

from runner.agents.config_files import read_environment
from runner.agents.environment import may_have_key
from runner.cli import output
from runner.llm.address import parse_address
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, tabletop
from tests.cli.test_log_trust import VERBS, strangers_log

PROGRAM = """\
import json, os, sys
open("started", "w").close()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        print(json.dumps({"number": message["number"], "answer": (message["legal"] or [{"quote": "A sea."}])[0]}), flush=True)
"""
NAMES = {
    "agents.toml": f'[friend]\nprogram = "{sys.executable} friend.py"\n',
    ".env": f"MODEL_PLAYER_0='cmd:{sys.executable} friend.py'\n",
}


def strangers_folder(folder: Path, spec: str, file: str) -> None:
    """A paused match of a program that a file beside its log names."""
    (folder / "friend.py").write_text("raise SystemExit(3)\n")
    (folder / file).write_text(NAMES[file])
    mine = str(folder / "theirs")  # they have played it, not the one who has got the folder
    match = ("play", "dixiquote", "--players", "3", "--max-rounds", "1", "--seed", "1", "--log", "log.jsonl", "-q")
    done = tabletop(folder, *match, "--seat", spec, "--seat", "bot:steady", "--seat", "bot:steady", XDG_STATE_HOME=mine)
    assert done.returncode == 3, done.stderr
    assert "tabletop resume log.jsonl`" in done.stderr
    (folder / "friend.py").write_text(PROGRAM)


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path, str, str], None]:
    """What makes a folder a copy of such a one."""

    @cache
    def made(spec: str, file: str) -> Path:
        strangers_folder(folder := tmp_path_factory.mktemp("strangers"), spec, file)
        return folder

    def copy(folder: Path, spec: str, file: str) -> None:
        shutil.copytree(made(spec, file), folder, dirs_exist_ok=True)

    return copy


@pytest.mark.parametrize(("file", "spec"), [("agents.toml", "friend"), (".env", f"cmd:{sys.executable} friend.py")])
@pytest.mark.parametrize("verb", ["resume", "fork"])
def test_a_program_that_a_file_beside_the_log_names_is_not_started_unasked(
    verb: str, file: str, spec: str, strangers: Callable[[Path, str, str], None], tmp_path: Path
) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    folder = tmp_path / "folder"
    strangers(folder, spec, file)
    words = ("resume", "log.jsonl", "-q") if verb == "resume" else ("fork", "log.jsonl", "--at", "1", "-q")
    refused = tabletop(folder, *words, **state)
    assert refused.returncode == 5
    assert "friend.py" in complaint(refused)
    assert "nothing was started" in complaint(refused)
    assert "add --trust-folder, or --seat " in complaint(refused)
    assert not (folder / "started").exists()
    copy = (folder / "log.jsonl").read_bytes()
    assert tabletop(folder, *words, "--trust-folder", **state).returncode == 0
    (folder / "started").unlink()
    (folder / "log.jsonl").write_bytes(copy)
    assert tabletop(folder, *words, **state).returncode == 0
    assert (folder / "started").exists()
    (folder / "log.jsonl").write_bytes(copy)
    with (folder / file).open("a") as changed:
        changed.write("# changed\n")
    assert tabletop(folder, *words, **state).returncode == 5
    assert (tmp_path / "state" / "tabletop" / "trusted-files").stat().st_mode & 0o777 == 0o600


def test_a_program_that_the_user_has_had_played_in_this_folder_is_not_asked_about(tmp_path: Path) -> None:
    strangers_folder(tmp_path, "friend", "agents.toml")
    mine, words = {"XDG_STATE_HOME": str(tmp_path / "theirs")}, ("fork", "log.jsonl", "--at", "1", "-q")
    assert tabletop(tmp_path, *words, **mine).returncode == 0
    (tmp_path / "agents.toml").write_text(NAMES["agents.toml"] + "time_limit = 30\n")
    assert tabletop(tmp_path, *words, **mine).returncode == 0
    (tmp_path / "agents.toml").write_text(NAMES["agents.toml"].replace("friend.py", "./friend.py"))
    assert tabletop(tmp_path, *words, **mine).returncode == 5


def test_what_the_command_line_names_is_not_asked_about(strangers: Callable[[Path, str, str], None], tmp_path: Path) -> None:
    strangers(tmp_path, "friend", "agents.toml")
    done = tabletop(tmp_path, "resume", "log.jsonl", "-q", "--seat", "P-0=friend", XDG_STATE_HOME=str(tmp_path / "state"))
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("answer", [True, False])
def test_a_terminal_asks_once(
    answer: bool, strangers: Callable[[Path, str, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strangers(tmp_path, "friend", "agents.toml")
    asked: list[str] = []

    def confirm(text: str, **how: object) -> bool:
        asked.append(text)
        return answer

    class Terminal:
        """A standard stream that is a terminal."""

        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(typer, "confirm", confirm)
    monkeypatch.setattr(output, "sys", type("sys", (), {"stdin": Terminal(), "stderr": Terminal()}))
    done = tabletop(tmp_path, "resume", "log.jsonl", "-q", XDG_STATE_HOME=str(tmp_path / "state"))
    assert done.returncode == (0 if answer else 5)
    assert len(asked) == 1
    assert "agents.toml here name what it starts" in asked[0]
    assert (tmp_path / "started").exists() == answer


@pytest.mark.parametrize("verb", ["resume", "fork", "ask"])
@pytest.mark.parametrize("by", ["agents.toml", "agent", ".env"])
async def test_a_host_that_a_file_beside_the_log_names_is_not_called_unasked(by: str, verb: str, tmp_path: Path) -> None:
    async with Answering() as server:
        await asyncio.to_thread(strangers_log, tmp_path, server.base_url)
        if by == ".env":
            (tmp_path / ".env").write_text(f"MODEL_PLAYER_3=x@{server.base_url}\n")
        else:
            (tmp_path / "agents.toml").write_text(f'[mine]\nmodel = "x"\nbase_url = "{server.base_url}/"\n')
        refused = await run(tmp_path, *VERBS[verb], XDG_STATE_HOME=str(tmp_path / "state"))
        assert (refused.returncode, server.connections) == (5, 0)
        assert f"the host 127.0.0.1:{server.port}: nothing was sent there" in complaint(refused)
        done = await run(tmp_path, *VERBS[verb], "--trust-folder", XDG_STATE_HOME=str(tmp_path / "state"))
    assert done.returncode == 0, done.stderr
    assert server.bodies


@pytest.mark.parametrize("host", ["TABLETOP_KEY_HOSTS=canary.example", "OPENAI_BASE_URL=https://canary.example/v1"])
def test_a_key_of_the_shell_goes_to_no_host_that_dotenv_names(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "TABLETOP_KEY_HOSTS", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    address = parse_address("https://canary.example/v1")
    (tmp_path / ".env").write_text(f"{host}\nOPENAI_API_KEY=of-the-file\n")
    assert may_have_key(address, read_environment())
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-shell")
    assert not may_have_key(address, read_environment())
    monkeypatch.setenv(*host.split("="))
    assert may_have_key(address, read_environment())


def test_values_of_dotenv_that_grow_without_bound_are_one_sentence(tmp_path: Path) -> None:
    lines = ["A0=xxxxxxxxxx", *(f"A{n + 1}=" + f"${{A{n}}}" * 10 for n in range(40))]
    (tmp_path / ".env").write_text("\n".join(lines))
    done = tabletop(tmp_path, "agents")
    assert done.returncode == 5
    assert "exceed 1,048,576 characters" in complaint(done)


def test_values_of_dotenv_name_variables_before_them_and_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OF_SHELL", "shell")
    (tmp_path / ".env").write_text("A=1\nB=${A}-${OF_SHELL}-${NONE:-none}\nC='${A}'\n")
    found = read_environment()
    assert (found["B"], os.environ.get("B")) == ("1-shell-none", None)
    assert found.own == {"A", "B", "C"}
