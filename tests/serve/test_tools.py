"""The tools of the MCP server, called in this process: turns, mistakes, stale answers, silence, limits."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import games
from games.core import OptionError
from runner.errors import PausedError, UsageError
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.serve.match_host import SeatPolicy
from runner.serve.match_tools import call
from tests.prompting.packs import pack_of
from tests.record.matches import SMALL
from tests.serve.hosting import Hosted, answer_of, hosted, play

SHORT: dict[str, dict[str, Any]] = {"dixiquote": SMALL, "coup": {}, "cat_in_the_box": {}, "oriflamme": {}}

FLY = {"action": "fly", "target": "none"}


def nested(levels: int) -> dict[str, Any]:
    return {"action": nested(levels - 1)} if levels else {}


ODD_ANSWERS = {
    "not a number": {"action": float("nan"), "target": "none"},
    "infinite": {"action": float("inf"), "target": "none"},
    "a huge number": {"action": 10**5000, "target": "none"},
    "deep": nested(200),
    "deep text": '{"action":' * 3000 + "1" + "}" * 3000,
    "half a character": {"action": "\ud800", "target": "none"},
    "control characters": {"action": "\x00\x1b[31m", "target": "none"},
    "many fields": {str(number): number for number in range(3000)},
    "no fields": {},
}


async def coup(server: Hosted, *seats: str, **more: Any) -> dict[str, Any]:
    return await server("new_match", game="coup", seats=list(seats or ("mcp", "bot:steady")), seed=4, **more)


async def turn_of(server: Hosted, handle: str) -> dict[str, Any]:
    turn = await server("wait_for_turn", handle=handle)
    assert turn["status"] == "your_turn", turn
    return turn


async def poll(server: Hosted, handle: str) -> None:
    """Ask for the turn again and again, and never answer."""
    while True:
        await server("wait_for_turn", handle=handle)
        await asyncio.sleep(0)


@pytest.mark.parametrize("game", games.names())
async def test_clients_play_whole_matches_whose_logs_verify(game: str, tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        seats = ["mcp", "bot:steady", "ada=mcp", "bot:random"]
        begun = await server("new_match", game=game, seats=seats, seed=5, options=SHORT[game])
        assert list(begun["handles"]) == ["P-0", "P-2"]
        result = await play(server, begun["handles"], reason="by chance")
    log = read_log(Path(begun["log"]))
    verify(log)
    assert log.header["match"] == begun["match"]
    assert log.result is not None
    assert result["winners"] == log.result["winners"]
    assert [seat["kind"] for seat in log.header["seats"]] == ["mcp", "bot", "mcp", "bot"]
    assert [seat["name"] for seat in log.header["seats"]][2] == "ada"


async def test_a_mistake_says_why_and_how_many_are_left(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        begun = await coup(server)
        handle = begun["handles"]["P-0"]
        turn = await turn_of(server, handle)
        for left in (2, 1, 0):
            given = await server("act", handle=handle, decision=turn["decision"], answer=FLY)
            assert (given["status"], given["left"]) == ("mistake", left)
            assert "fly" in given["why"]
            if left:
                again = await turn_of(server, handle)
                assert again["decision"] == turn["decision"]
                assert [mistake["answer"] for mistake in again["mistakes"]] == [FLY] * (3 - left)
        assert await server("act", handle=handle, decision=turn["decision"], answer=turn["legal"][0]) == {"status": "stale"}


async def test_a_mistake_that_is_sent_again_after_a_lost_reply_is_one_strike(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        handle = (await coup(server))["handles"]["P-0"]
        turn = await turn_of(server, handle)

        async def act(answer: dict[str, str]) -> int:
            return int((await server("act", handle=handle, decision=turn["decision"], answer=answer))["left"])

        assert [await act(FLY), await act(FLY)] == [2, 2]
        assert [len((await turn_of(server, handle))["mistakes"]), await act(FLY)] == [1, 1]
        assert [await act({"action": "swim"})] == [0]


async def test_an_answer_to_a_decision_that_is_over_is_stale_and_no_strike(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        begun = await coup(server)
        handle = begun["handles"]["P-0"]
        turn = await turn_of(server, handle)
        assert await server("act", handle=handle, decision=turn["decision"], answer=turn["legal"][0]) == {"status": "ok"}
        later = await turn_of(server, handle)
        for answer in (turn["legal"][0], FLY):
            assert await server("act", handle=handle, decision=turn["decision"], answer=answer) == {"status": "stale"}
        assert (await turn_of(server, handle)) == later
        with pytest.raises(UsageError, match="has not been asked decision 99"):
            await server("act", handle=handle, decision=99, answer={})
    assert all(record.get("outcome") != "mistake" for _, record in read_log(Path(begun["log"])).records)


async def test_two_clients_with_one_handle_answer_once(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        handle = (await coup(server))["handles"]["P-0"]
        turns = await asyncio.gather(*(turn_of(server, handle) for _ in range(2)))
        assert turns[0] == turns[1]
        answers = [
            server("act", handle=handle, decision=turns[0]["decision"], answer=turns[0]["legal"][number]) for number in (0, 1)
        ]
        assert sorted(given["status"] for given in await asyncio.gather(*answers)) == ["ok", "stale"]


async def test_told_has_what_happened_since_the_last_decision_until_the_next_is_made(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        handle = (await coup(server))["handles"]["P-0"]
        first = await turn_of(server, handle)
        assert first["told"][0]["kind"] == "introduction"
        assert (await turn_of(server, handle))["told"] == first["told"]
        await server("act", handle=handle, decision=first["decision"], answer=first["legal"][0])
        second = await turn_of(server, handle)
        assert second["told"]
        assert not [told for told in second["told"] if told in first["told"]]


async def test_table_talk_is_told_as_a_quotation(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        begun = await coup(server, "mcp", "mcp", talk=True)
        handles = begun["handles"]
        asked = {handle: await server("wait_for_turn", handle=handle, seconds=0) for handle in handles.values()}
        speaker, turn = next((handle, turn) for handle, turn in asked.items() if turn["status"] == "your_turn")
        said = "hello\nyou must “pass”" + "!" * 300
        await server("act", handle=speaker, decision=turn["decision"], answer=turn["legal"][0], say=said)
        (listener,) = set(handles.values()) - {speaker}
        talk = [told for told in (await turn_of(server, listener))["told"] if told["kind"] == "talk"]
        assert len(talk) == 1
        assert 'says: "hello you must “pass”!!!' in talk[0]["text"]
        assert len(talk[0]["data"]["text"]) == 200


async def test_a_silent_client_pauses_the_match_which_the_same_handle_can_play_on(tmp_path: Path) -> None:
    async with hosted(tmp_path, seconds=0.01) as server:
        begun = await coup(server)
        handle, log = begun["handles"]["P-0"], Path(begun["log"]).name
        with pytest.raises(PausedError, match=rf"P-0 has not answered within 0.01 s. .*resume={log}"):
            await poll(server, handle)
    async with hosted(tmp_path) as server:
        again = await server("new_match", resume=log)
        assert again["match"] == begun["match"]
        with pytest.raises(UsageError, match="no seat with that handle"):
            await server("table", handle=handle)
        await play(server, again["handles"])
        with pytest.raises(UsageError, match="has ended"):
            await server("new_match", resume=log)
    verify(read_log(tmp_path / log))


async def test_a_match_resumed_by_the_same_server_keeps_its_handles(tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        begun = await coup(server, "mcp", "mcp", talk=True)
        handles = begun["handles"]
        asked = [await server("wait_for_turn", handle=handle, seconds=0) for handle in handles.values()]
        assert await server.host.close() == [Path(begun["log"])]
        again = await server("new_match", resume=begun["log"])
        assert again == {**begun, "handles": {}}
        with pytest.raises(UsageError, match="is being played"):
            await server("new_match", resume=begun["log"])
        assert [await server("wait_for_turn", handle=handle, seconds=0.01) for handle in handles.values()] == asked
        await play(server, handles)


async def test_the_server_plays_only_so_many_matches_at_once(tmp_path: Path) -> None:
    async with hosted(tmp_path, matches=2) as server:
        begun = [await coup(server) for _ in range(2)]
        with pytest.raises(UsageError, match="2 matches are being played"):
            await server("new_match", resume=begun[0]["log"])
        with pytest.raises(UsageError, match="2 matches are being played"):
            await coup(server)
        await play(server, begun[0]["handles"])
        await coup(server)


async def test_clients_see_no_seed_before_the_end(tmp_path: Path) -> None:
    seed = 918273645546372819
    async with hosted(tmp_path) as server:
        begun = await server("new_match", game="coup", seats=["mcp", "bot:steady"], seed=seed)
        handle, seen = begun["handles"]["P-0"], [json.dumps(begun)]
        rng = games.core.Rng.of("seed")
        while (turn := await server("wait_for_turn", handle=handle))["status"] == "your_turn":
            seen += [json.dumps(turn), (await server("table", handle=handle))["text"]]
            await server("act", handle=handle, decision=turn["decision"], answer=answer_of(turn, rng))
        assert turn["result"]["seed"] == seed
    assert not [text for text in seen if str(seed) in text]


async def test_a_match_is_resumed_with_the_prompts_and_the_limits_of_the_call(tmp_path: Path) -> None:
    pack = pack_of(tmp_path / "mine", "Vote.").folder
    policy = SeatPolicy(frozenset({f"+pack:{pack}"}))
    async with hosted(tmp_path / "logs", policy=policy) as server:
        begun = await coup(server, "mcp", "offline", prompts=str(pack))
        log = begun["log"]
    async with hosted(tmp_path / "logs", policy=policy) as server:
        with pytest.raises(UsageError, match="was played with the prompt pack mine"):
            await server("new_match", resume=log)
        begun = await server("new_match", resume=log, prompts=str(pack), hopeless=0, budget_tokens=5_000_000)
        await play(server, begun["handles"])
    (resumed,) = (record for _, record in read_log(Path(log)).of_kind("resumed"))
    assert (resumed["hopeless"], resumed["budget"]) == (0, {"tokens": 5_000_000})
    assert "seats" not in resumed
    assert "prompts" not in resumed


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("fly", {}, 'There is no tool "fly"'),
        ("rules", {"game": "chess"}, 'There is no game "chess"'),
        ("rules", {"game": "coup", "options": {"draft": "maybe"}}, "draft"),
        ("rules", {"games": "coup"}, "rules: games is not known; did you mean game?"),
        ("rules", {}, "rules: game is missing"),
        ("rules", {"game": "x" * 70_000}, "rules: the arguments have 70,0.. characters"),
        ("new_match", {}, "needs game and seats"),
        ("new_match", {"game": "coup", "seats": ["mcp"]}, "2 to 6 players"),
        ("new_match", {"game": "coup", "seats": ["mcp", "bot:clever"]}, "There is no bot"),
        ("new_match", {"game": "coup", "seats": ["mcp"] * 17}, "new_match: seats"),
        ("new_match", {"game": "coup", "seats": ["P-1=mcp", "mcp"]}, "stands for a seat"),
        ("new_match", {"game": "coup", "seats": ["bot:steady", "bot:steady"]}, "No seat is mcp"),
        ("new_match", {"resume": "../secret.jsonl"}, "There is no log"),
        ("new_match", {"resume": "/etc/passwd"}, "There is no log"),
        ("new_match", {"resume": "a.jsonl", "game": "coup"}, "resume takes everything from the log"),
        ("new_match", {"game": "coup", "seats": ["mcp", "offline"], "players": 3}, "There are 2 seats, and the match has 3"),
        (
            "new_match",
            {"game": "coup", "seats": ["mcp", "offline"], "budget": 0},
            "budget cannot be 0: it has to be more than 0",
        ),
        ("new_match", {"game": "coup", "seats": ["mcp", "offline"], "prompts": "x"}, "with --allow-seat \\+pack:x"),
        ("table", {"handle": "guessed"}, "no seat with that handle"),
        (
            "act",
            {"handle": "guessed", "decision": "one", "answer": {}},
            'act: decision cannot be "one": it has to be a whole number',
        ),
        ("act", {"handle": "guessed", "decision": 0, "answer": "Duke"}, 'act: answer cannot be "Duke": it has to be an object'),
    ],
)
async def test_a_wrong_call_gets_one_sentence(name: str, arguments: dict[str, Any], why: str, tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        with pytest.raises((UsageError, OptionError), match=why) as refusal:
            await call(server.host, name, arguments)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("answer", ODD_ANSWERS.values(), ids=ODD_ANSWERS)
async def test_an_odd_answer_is_refused_or_a_mistake_and_the_log_stays_sound(answer: Any, tmp_path: Path) -> None:
    async with hosted(tmp_path) as server:
        begun = await coup(server, talk=True)
        handle = begun["handles"]["P-0"]
        turn = await turn_of(server, handle)
        words = "\ud800 \x1b[0m\u202e"
        with suppress(UsageError):
            given = await server("act", handle=handle, decision=turn["decision"], answer=answer, say=words, reason=words)
            assert given["status"] == "mistake"
        json.dumps(await turn_of(server, handle), allow_nan=False).encode()
        await play(server, begun["handles"])
    verify(read_log(Path(begun["log"])))
