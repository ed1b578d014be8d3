"""The people of a table of the web server: their names, and what each link grants until the host takes it back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

from runner.record.reader import read_log
from tests.serve.test_web import played
from tests.serve.webs import web

SHORT = {"max_turns": "1"}


async def test_people_name_themselves_at_their_links_and_say_whether_results_may_show_it(tmp_path: Path) -> None:
    """The match begins when all sit there, also after a restart; a name that another has is refused."""
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "human", "bob=human", "bot:steady", rules={"gathers": True}, options=SHORT)
        ann, bob, watcher = (f"/t/{link}" for link in (*begun["seats"].values(), begun["watch"]))
        assert not [*tmp_path.glob("*.jsonl")]
        seen = await server.viewer(begun["watch"]).until(lambda seen: seen)
        assert seen["missing"] == [0, 1]
        assert "table" not in seen
        for link, body, words in (
            (watcher, {"name": "Cy"}, "for spectators"),
            (ann, {"name": "<b>"}, "cannot be called"),
            (ann, {"name": "bob"}, "Two players are called"),
            (ann, {"name": 7}, "name"),
            (ann, {"name": "Ann", "consent": "yes"}, "consent"),
            (ann, {"name": "Ann", "more": 1}, "more"),
        ):
            status, answer = await server.post(f"{link}/sit", body)
            assert status == 400
            assert words in answer["error"]
        assert (await server.post(f"{ann}/sit", {"name": "Ann", "consent": True}))[0] == 200
        assert (await server.post(f"{ann}/sit", {"name": "Anna", "consent": True}))[0] == 200
    async with web(tmp_path) as server:
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])["tables"][0]
        assert (state["gathers"], state["waiting"], state["seats"][0]["who"]) == (True, [1], "Anna (a person)")
        assert (await server.post(f"{bob}/sit", {"name": ""}))[0] == 200
        seen = await server.viewer(begun["watch"]).until(lambda seen: "table" in seen)
        assert [seat["name"] for seat in seen["seats"]] == ["Anna", "human", "steady"]
        status, answer = await server.post(f"{bob}/sit", {"name": "Late"})
        assert (status, answer["error"]) == (400, "The match has begun: names stay as they are.")
        await played(server, begun)
        for link in (ann, bob):
            assert (await server.post(f"{link}/again"))[0] == 200
    first, second = (read_log(path) for path in sorted(tmp_path.glob("*.jsonl"), key=lambda path: path.stat().st_ctime))
    assert [(seat["name"], seat.get("consent")) for seat in first.header["seats"][:2]] == [("Anna", True), ("human", None)]
    names = [(seat["name"], seat.get("consent")) for seat in second.header["seats"]]
    assert names == [("bot:steady", None), ("Anna", True), ("human", None)]


async def test_the_host_begins_or_removes_a_table_that_waits_for_its_people(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "human", rules={"gathers": True})
        gone = await server.begin("coup", "human", "human", rules={"gathers": True})
        assert (await server.post(f"/t/{begun['seats']['0']}/go-on"))[0] == 400
        assert (await server.post(f"{server.lobby}/go-on", {"log": begun["log"]}))[0] == 200
        await server.viewer(begun["seats"]["0"]).until(lambda seen: "table" in seen)
        assert (await server.post(f"{server.lobby}/pause", {"log": gone["log"]}))[0] == 200
        assert (await server.get(f"/t/{gone['seats']['0']}"))[0] == 404
    assert [path.name for path in tmp_path.glob("*.jsonl")] == [begun["log"]]
    assert [seat.get("consent") for seat in read_log(tmp_path / begun["log"]).header["seats"]] == [False, None]


async def test_the_host_revokes_one_by_one_what_links_grant(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:random", options=SHORT)
        ann, change = server.viewer(begun["seats"]["0"]), f"{server.lobby}/withdraw"

        async def links() -> dict[str, Any]:
            table = json.loads((await server.get(f"{server.lobby}/state"))[1])["tables"][0]
            return {**table["seats"][0], **table["grants"]["0"], "watch": table["watch"]}

        old = await links()
        assert len({old[name] for name in ("link", "again", "go_on", "watch")}) == 4
        seen = await server.viewer(old["go_on"]).until(lambda seen: True)
        assert (seen["own"], seen["turn"], seen["may"]) == (None, None, ["go-on"])
        assert (await server.post(f"/t/{old['go_on']}/answer", {"number": 0, "choice": 0}))[0] == 400
        await server.post(f"{server.lobby}/pause", {"log": begun["log"]})
        assert (await server.post(f"/t/{old['again']}/go-on"))[0] == 400
        assert (await server.post(f"/t/{old['go_on']}/go-on"))[0] == 200
        for what in ("again", "go-on"):
            body = {"log": begun["log"], "seat": 0, "what": what, "renew": False}
            assert (await server.post(change, body))[0] == 200
        assert (await links())["go_on"] is None
        assert (await ann.until(lambda seen: True))["may"] == []
        await server.post(f"{server.lobby}/pause", {"log": begun["log"]})
        status, said = await server.post(f"/t/{ann.link}/go-on")
        assert (status, said["error"]) == (400, "The host has not allowed this link to go-on.")
        assert (await server.get(f"/t/{old['go_on']}"))[0] == 404
        assert (await server.post(change, {"log": begun["log"], "seat": 0, "what": "go-on"}))[0] == 200
        assert (new := (await links())["go_on"]) not in (None, old["go_on"])
        assert (await server.post(f"/t/{new}/go-on"))[0] == 200
        assert (await server.post(change, {"log": begun["log"], "seat": None, "renew": False}))[0] == 200
        assert not (await links())["watch"]
        for body in ({"seat": 0, "what": "host"}, {"seat": 0, "renew": 1}, {"seat": 1}, {"seat": 0, "what": [1]}):
            assert (await server.post(change, {"log": begun["log"], **body}))[0] == 400
        status, found = await server.post(change, {})
        assert (await server.get(server.lobby))[0] == 404
        assert (await server.get(found["lobby"]))[0] == 200
    async with web(tmp_path) as server:
        assert server.lobby == found["lobby"]
        assert (await server.get(f"/t/{begun['watch']}"))[0] == 404
        await server.viewer(ann.link).play()
        assert (await server.post(f"/t/{ann.link}/again"))[0] == 400
