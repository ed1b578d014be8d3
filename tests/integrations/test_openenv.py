"""One seat of a match through OpenEnv: in this process, and by its own client from a server on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import games
from games.core import OptionError
from runner.errors import UsageError

openenv = pytest.importorskip("openenv", reason="openenv is not installed")
door = pytest.importorskip("tabletop_openenv", reason="integrations/openenv is not installed")
uvicorn = pytest.importorskip("uvicorn")

ANSWERS = {game: json.dumps({}) for game in games.names()} | {"coup": json.dumps({"action": "income", "target": "none"})}


@pytest.mark.parametrize("game", games.names())
def test_every_game_ends_with_the_share_of_the_win(game: str) -> None:
    """Invalid answers strike the seat out of its decisions, and the match still ends."""
    table, players = door.TabletopEnvironment(), games.load(game).default_players
    prompt = table.reset(seed=3, game=game, opponents=["bot:steady"] * (players - 1), seat=players - 1)
    assert [message["role"] for message in prompt.messages] == ["system", "user"]
    while not prompt.done:
        prompt = table.step(door.Reply(text=ANSWERS[game]))
    winners = prompt.result["winners"]
    assert prompt.reward == (1 / len(winners) if players - 1 in winners else 0)
    assert table.state.step_count > 0
    assert prompt.messages == []


def test_an_invalid_answer_is_asked_again_with_what_was_wrong() -> None:
    table = door.TabletopEnvironment()
    first = table.reset(seed=1)
    again = table.step(door.Reply(text="I take it all"))
    assert again.messages[:2] == first.messages
    assert again.messages[2] == {"role": "assistant", "content": "I take it all"}
    assert again.messages[3]["role"] == "user"
    table.close()
    assert table.reset(seed=1).messages == first.messages
    table.close()


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"opponents": ["openai/gpt-5-mini"]}, UsageError, "opponents are bots such as bot:steady"),
        ({"opponents": ["bot:steady"], "seat": 2}, UsageError, "seat is a number from 0 to 1"),
        ({"opponents": ["bot:stedy"]}, UsageError, "did you mean bot:steady?"),
        ({"opponents": ["bot:steady"] * 7}, OptionError, "Coup is for 2 to 6 players"),
        ({"game": "cup"}, OptionError, 'There is no game "cup"'),
        ({"option": {}}, UsageError, "option is not known; did you mean options?"),
    ],
)
def test_what_cannot_be_played_is_named(given: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as found:
        door.TabletopEnvironment().reset(**given)
    assert says in str(found.value)


def test_a_step_needs_an_open_match() -> None:
    with pytest.raises(UsageError, match="reset deals one"):
        door.TabletopEnvironment().step(door.Reply(text=""))


@contextmanager
def served() -> Iterator[str]:
    """The address of the environment, served by a thread."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = uvicorn.Server(uvicorn.Config(door.app, log_level="critical"))
        thread = threading.Thread(target=asyncio.run, args=(server.serve([place]),), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{place.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def test_its_own_client_plays_a_match() -> None:
    with served() as address, openenv.GenericEnvClient(base_url=address).sync() as env:
        step = env.reset(seed=1, opponents=["bot:steady"], seat=1)
        while not step.done:
            assert step.observation["messages"]
            step = env.step({"text": ANSWERS["coup"]})
        winners = step.observation["result"]["winners"]
        assert step.reward == (1.0 if winners == [1] else 0.0)
