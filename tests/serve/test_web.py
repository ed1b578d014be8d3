"""The web server: whole matches from several browsers, what each gets to see, leaving and coming back, restarts."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from contextlib import aclosing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")

import games
from games.core import Rng, State
from runner.export import match_pictures
from runner.export.pages import rules_page
from runner.record.decisions import decisions
from runner.record.log_paths import journal_of
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.serve import web_match
from runner.serve.web_match import AWAY_PACE
from tests.cli.command import tabletop
from tests.patience import PATIENCE
from tests.serve.webs import Picture, Viewer, Web, chance, first_asked, web

SEED = 839_201_744
BRIEF = {"coup": {"max_turns": 5}, "dixiquote": {"max_rounds": 2}}
"""The options of a match of few decisions, for a game that has such ones."""


@pytest.fixture(autouse=True)
def ungraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no time to grade decisions, but where grades are what is tested."""
    monkeypatch.setattr(web_match, "_GRADING", 0.0)


def table_of(picture: Picture) -> str:
    return json.dumps(picture["elements"], ensure_ascii=False)


async def played(server: Web, begun: dict[str, Any]) -> tuple[list[Viewer], Viewer]:
    """People and a spectator see a match to its end."""
    people, watcher = [server.viewer(link) for link in begun["seats"].values()], server.viewer(begun["watch"])
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(person.play() for person in people), watcher.until(lambda seen: seen["over"]))
    return people, watcher


@pytest.mark.parametrize("game", games.names())
async def test_people_play_whole_matches_whose_logs_verify(game: str, tmp_path: Path) -> None:
    options = {name: str(value) for name, value in BRIEF.get(game, {}).items()}
    bots = () if game == "oriflamme" else ("bot:steady",)
    async with web(tmp_path) as server:
        begun = await server.begin(game, "ann=human", *bots, "human", "offline", options=options)
        await played(server, begun)
    log = read_log(tmp_path / begun["log"])
    verify(log)
    assert log.result is not None
    assert [seat["kind"] for seat in log.header["seats"]] == ["human", *("bot" for _ in bots), "human", "offline"]


@pytest.mark.parametrize("game", games.names())
async def test_nothing_reaches_a_browser_that_its_seat_may_not_know(game: str, tmp_path: Path) -> None:
    """No words of an event that others alone may know, and the same table in every world that is possible for the seat."""
    async with web(tmp_path) as server:
        begun = await server.begin(game, "human", "human", "bot:random", options=BRIEF.get(game, {}), seed=SEED)
        path, match = server.host.table(begun["log"])
        viewers = {seat: server.viewer(begun["seats"][str(seat)]) for seat in (0, 1)} | {None: server.viewer(begun["watch"])}
        rng, seen = Rng.of("leaks", game), {seat: set[State]() for seat in viewers}

        async def watched(seat: int | None) -> None:
            async with aclosing(viewers[seat].pictures()) as pictures:
                async for picture in pictures:
                    assert match.match is not None
                    if picture["over"] or match.has_ended:
                        viewers[seat].got.pop()
                        return
                    state = match.match.state
                    is_new = state not in seen[seat]
                    seen[seat].add(state)
                    if seat is not None and games.load(game).has_worlds and is_new and len(seen[seat]) % 2:
                        world = state.resample(seat, rng)
                        as_is = match.seen_by(seat)
                        match.match.state = world
                        other = match.seen_by(seat)
                        match.match.state = state
                        assert as_is["elements"] == other["elements"]
                    if picture["turn"] and seat is not None:
                        await viewers[seat].answer(picture, **chance(picture, rng))

        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*map(watched, viewers))
    log = read_log(path)
    events = [event for decision in decisions(log) for event in decision.events]
    secret = {seat: [e for e in events if e.audience is not None and seat not in e.audience] for seat in (0, 1, None)}
    told = {seat: "".join(viewer.got) for seat, viewer in viewers.items()}
    assert min(map(len, seen.values())) > 5
    for seat, hidden in secret.items():
        own = {e.text for e in events if e.audience is None or seat in e.audience}
        for event in hidden:
            words = max(event.text.replace("P-", "\0").split("\0"), key=len)[1:].strip()
            if len(words) > 12 and not any(words in text for text in own):
                assert words not in told[seat], (seat, event.text)
    assert all(str(SEED) not in text for text in told.values())


async def test_a_mistake_is_told_in_the_words_of_the_game_and_costs_nothing(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("dixiquote", "ann=human", "human", "bot:steady")
        ann = server.viewer(begun["seats"]["0"])
        picture = await ann.until(lambda seen: seen["turn"])
        assert "choices" in picture["turn"]
        wrong = await ann.answer(picture, choice=99)
        assert wrong == {"status": "mistake", "why": "There is no such choice."}
        wrong = await ann.answer(picture, answer={"card": "none"})
        assert wrong["status"] == "mistake"
        assert wrong["why"]
        assert (await ann.answer(picture, choice=0))["status"] == "ok"
        picture = await ann.until(lambda seen: seen["turn"] and "fields" in seen["turn"])
        wrong = await ann.answer(picture, answer={"quote": "x" * 3000})
        assert "3000 characters" in wrong["why"]
        assert (await ann.answer(picture, answer={"quote": "Once more."}))["status"] == "ok"
        assert (await ann.answer(picture, answer={"quote": "Twice."}))["status"] == "stale"
    records = read_log(tmp_path / begun["log"]).records
    attempts = [record for _, record in records if record["kind"] == "attempt" and record["seat"] == 0]
    assert [record["outcome"] for record in attempts] == ["answer"] * 2


async def test_a_restart_goes_on_with_open_tables_by_the_same_links(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin(
            "coup", "ann=human", "human", "bot:steady", rules={"away": "bot:random"}, options=BRIEF["coup"]
        )
        lobby, ann = server.lobby, server.viewer(begun["seats"]["0"])
        first = await ann.until(lambda seen: seen["turn"])
        await ann.answer(first, choice=0)
    async with web(tmp_path) as server:
        assert server.lobby == lobby
        people, _ = await played(server, begun)
        assert people[0].link == ann.link
    verify(log := read_log(tmp_path / begun["log"]))
    assert log.result is not None


async def test_a_match_of_a_browser_resumes_in_a_terminal_and_the_reverse(tmp_path: Path) -> None:
    words = ("--speed", "0", "--quiet")
    paused = tabletop(
        tmp_path, "play", "coup", "--seat", "human", "--seat", "bot:steady", "--seed", "3", "--log", "logs/a.jsonl", *words
    )
    assert paused.returncode == 3, paused.stderr
    async with web(tmp_path / "logs") as server:
        status, state = await server.get(f"{server.lobby}/state")
        assert status == 200
        assert [one["log"] for one in json.loads(state)["paused"]] == ["a.jsonl"]
        assert (await server.post(f"{server.lobby}/go-on", {"log": "a.jsonl"}))[0] == 200
        path, _ = server.host.table("a.jsonl")
        person = server.viewer(server.host.seat_links(path)[0])
        picture = await person.until(lambda seen: seen["turn"])
        await person.answer(picture, choice=0)
        await person.until(lambda seen: seen["turn"] and seen["turn"]["number"] > picture["turn"]["number"])
    resumed = tabletop(tmp_path, "resume", "logs/a.jsonl", "--seat", "P-0=bot:steady", *words)
    assert resumed.returncode == 0, resumed.stderr
    verify(read_log(tmp_path / "logs" / "a.jsonl"))


async def test_a_bot_plays_for_a_person_who_is_away_until_they_come_back(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin(
            "coup", "ann=human", "human", rules={"seconds": 5, "away": "bot:steady"}, options=BRIEF["coup"]
        )
        _, match = server.host.table(begun["log"])
        match._seconds = 0.05
        for seat in match.seats.values():
            seat.mailbox.seconds = 0.05
        ann, other = server.viewer(begun["seats"]["0"]), server.viewer(begun["seats"]["1"])
        await ann.until(lambda seen: 0 in seen["away"] or seen["over"])
        await other.until(lambda seen: seen["over"])
        assert (await server.post(f"/t/{ann.link}/back"))[0] == 200
        assert (await ann.until(lambda seen: True))["away"] == [1]
    log = read_log(tmp_path / begun["log"])
    verify(log)
    reasons = {record.get("reason") for _, record in log.records if record["kind"] == "attempt"}
    assert "bot:steady stands in for a person who is away." in reasons


async def test_a_bot_decides_for_a_person_who_is_away_at_a_pace_that_lets_them_come_back(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", rules={"seconds": 600, "away": "bot:steady"})
        _, match = server.host.table(begun["log"])
        ann, seat = server.viewer(begun["seats"]["0"]), match.seats[0]
        first = await ann.until(lambda seen: seen["turn"])
        assert 590 < dict(first["left"])[0] <= 600
        seat.mailbox._bound.reschedule(0)  # the time is over
        away = await ann.until(lambda seen: seen["away"] and seen["turn"] and seen["turn"]["number"] > first["turn"]["number"])
        assert 0 < dict(away["left"])[0] <= AWAY_PACE
        assert (await server.post(f"/t/{ann.link}/back"))[0] == 200
        here = await ann.until(lambda seen: not seen["away"])
        assert here["turn"] == away["turn"], "the bot has decided once"
        assert dict(here["left"])[0] > 590


async def test_the_table_waits_for_those_alone_who_have_not_answered(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("cat_in_the_box", "ann=human", "bob=human", "bot:steady")
        ann, bob = (server.viewer(begun["seats"][seat]) for seat in "01")
        picture = await ann.until(lambda seen: seen["turn"])
        await bob.until(lambda seen: seen["turn"])
        assert (await ann.until(lambda seen: 2 not in seen["waiting"]))["waiting"] == [0, 1]
        posting = asyncio.create_task(ann.answer(picture, choice=0))
        assert (await bob.until(lambda seen: 0 not in seen["waiting"]))["waiting"] == [1]
        assert (await posting)["status"] == "ok"
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])
        assert state["tables"][0]["waiting"] == [1]


async def test_who_sees_a_table_of_bots_gets_its_match_from_the_beginning(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "bot:steady", "bot:steady", "bot:steady")
        watcher = server.viewer(begun["watch"])
        await watcher.until(lambda seen: seen["over"])
        whole = await watcher.until(lambda seen: True)
        assert whole["first"] == 0
        assert len(whole["frames"]) > 24
        assert [number for number, *_ in whole["frames"]] == [*range(len(whole["frames"]))]
        assert any(is_moving for *_, is_moving in whole["frames"])


@pytest.mark.parametrize("game", games.names())
async def test_the_rules_of_a_table_are_a_page(game: str, tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin(game, "human", "human", "bot:steady")
        status, page = await server.get(f"/t/{begun['watch']}/rules")
    assert status == 200
    assert page == rules_page(games.load(game))


async def test_the_match_pauses_for_a_person_who_is_away_and_anybody_at_the_table_goes_on(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", rules={"seconds": 5}, options=BRIEF["coup"])
        _, match = server.host.table(begun["log"])
        ann = server.viewer(begun["seats"]["0"])
        picture = await ann.until(lambda seen: seen["turn"])
        await match.pause()
        match.tell()
        assert "paused" in (await ann.until(lambda seen: seen["paused"]))["paused"]
        watcher = server.viewer(begun["watch"])
        assert (await server.post(f"/t/{watcher.link}/go-on"))[0] == 400
        assert (await server.post(f"/t/{ann.link}/go-on"))[0] == 200
        again = await ann.until(lambda seen: seen["turn"])
        assert again["turn"]["question"] == picture["turn"]["question"]
        assert again["story"] == picture["story"]
        await ann.play()


async def test_a_match_that_the_host_paused_is_paused_after_a_restart_until_somebody_goes_on(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:random", "bot:random")
        assert (await server.post(f"{server.lobby}/pause", {"log": begun["log"]}))[0] == 200
        seen = await server.viewer(begun["seats"]["0"]).until(lambda seen: seen["paused"])
        assert seen["paused"] == "The host has paused the match."
    for _ in range(2):
        async with web(tmp_path) as server:
            ann = server.viewer(begun["seats"]["0"])
            assert (await ann.until(lambda seen: True))["paused"] == "The host has paused the match."
    async with web(tmp_path) as server:
        ann = server.viewer(begun["seats"]["0"])
        assert (await server.post(f"/t/{ann.link}/go-on"))[0] == 200
        await ann.until(lambda seen: seen["turn"])
    async with web(tmp_path) as server:
        await server.viewer(begun["seats"]["0"]).until(lambda seen: seen["turn"])


async def test_the_story_is_there_from_its_beginning_after_a_reload(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("dixiquote", "ann=human", "bot:random", "bot:random", options={"max_rounds": 5})
        ann = server.viewer(begun["seats"]["0"])
        await ann.play()
        seen = await ann.until(lambda seen: True)
        assert seen["first"] == 0
        assert len(seen["story"]) > 80
        assert seen["story"][0] == ["round", "Round 1"]


async def test_spectators_are_counted_while_they_look(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:random", "bot:random")
        ann, watcher = server.viewer(begun["seats"]["0"]), server.viewer(begun["watch"])
        assert (await ann.until(lambda seen: seen["turn"]))["watching"] == 0
        looking = [asyncio.create_task(watcher.until(lambda seen: seen["over"])) for _ in range(2)]
        await ann.until(lambda seen: seen["watching"] == 2)
        for one in looking:
            one.cancel()
        await asyncio.wait(looking)
        await ann.until(lambda seen: seen["watching"] == 0)


async def test_the_end_turns_cards_up_names_the_costliest_decision_and_goes_on_with_seats_rotated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_match, "_GRADING", PATIENCE)
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bob=human", "bot:steady", options=BRIEF["coup"])
        ann, bob, watcher = (server.viewer(link) for link in (*begun["seats"].values(), begun["watch"]))
        status, refused = await server.post(f"/t/{ann.link}/again")
        assert (status, refused["error"]) == (400, "The match has not ended.")
        status, text = await server.get(f"/t/{ann.link}/page")
        assert status == 400
        assert "shows every card" in text
        await asyncio.gather(ann.play(), bob.play())
        graded = await ann.until(lambda seen: seen.get("costliest"))
        assert graded["costliest"].startswith("Your ")
        both = [table_of(await one.until(lambda seen: seen["over"])) for one in (ann, watcher)]
        assert both[0] == both[1]
        status, page = await server.get(f"/t/{watcher.link}/page")
        assert status == 200
        assert "<title>Coup: ann, bob, bot:steady</title>" in page
        for name, end in (("url", "page"), ("image", "picture")):
            assert f'<meta property="og:{name}" content="{server.base}/t/{watcher.link}/{end}">' in page
        assert await server.post(f"/t/{ann.link}/again") == (200, {"next": None, "waits_for": [1]})
        assert (await bob.until(lambda seen: seen["wants_another"]))["wants_another"] == [0]
        assert (await server.post(f"/t/{ann.link}/again"))[1]["next"] is None
        assert (await server.post(f"/t/{watcher.link}/again"))[0] == 400
        answers = await asyncio.gather(*(server.post(f"/t/{bob.link}/again") for _ in range(3)))
        assert [status for status, _ in answers] == [200] * 3
        assert len([*tmp_path.glob("*.jsonl")]) == 2
        told = [await one.until(lambda seen: seen["next"]) for one in (ann, bob, watcher)]
        new = [await server.viewer(seen["next"]).until(lambda seen: True) for seen in told]
        assert [seen["own"] for seen in new] == [1, 2, None]
        assert [seat["name"] for seat in new[0]["seats"]] == ["steady", "ann", "bob"]


async def has_picture(server: Web, path: str) -> None:
    """Check that a page names its picture by a whole address, and that networks can draw it."""
    _, page = await server.get(path)
    assert f'<meta property="og:image" content="{server.base}{path}/picture">' in page
    async with server.http.get(f"{server.base}{path}/picture") as answer:
        assert (answer.status, answer.content_type) == (200, "image/png")
        assert (await answer.read()).startswith(b"\x89PNG")


async def test_networks_get_a_picture_in_pixels_of_what_everybody_may_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bob=human", seed=3)
        waits = await server.begin("coup", "human", "human", rules={"gathers": True})
        link = f"/t/{begun['seats']['0']}"
        ann = server.viewer(begun["seats"]["0"])
        seen = await ann.until(lambda seen: seen["turn"] or seen["waiting"])
        monkeypatch.setattr(match_pictures, "find_spec", lambda name: None)
        for path in (server.lobby, f"/t/{waits['seats']['0']}", link):
            await has_picture(server, path)
        monkeypatch.setattr(match_pictures, "find_spec", lambda name: name)
        monkeypatch.setattr(match_pictures, "to_png", lambda drawn, zoom: drawn.encode())
        status, picture = await server.get(f"{link}/picture")
        assert (status, picture[:5]) == (200, "<svg ")
        hidden = {"Duke", "Captain", "Assassin", "Contessa", "Ambassador"}
        assert not [name for name in hidden if name in picture]
        assert seen


async def test_a_link_to_a_match_that_has_ended_is_its_page_after_a_restart_and_leads_to_the_next(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", "bot:steady", options=BRIEF["coup"])
        await played(server, begun)
    ann, watcher = f"/t/{begun['seats']['0']}", f"/t/{begun['watch']}"
    async with web(tmp_path) as server:
        assert not [*server.host.tables], "it is over: nothing goes on"
        for link in (ann, watcher):
            status, page = await server.get(link)
            assert status == 200
            assert "/static/ended.js" in page
            await has_picture(server, link)
            status, app = await server.get(f"{link}/app.json")
            assert (status, json.loads(app)["start_url"]) == (200, ".")
            status, page = await server.get(f"{link}/page")
            assert status == 200
            assert "<title>Coup: ann, " in page
            assert (await server.get(f"{link}/events"))[0] == 404
        assert (await server.post(f"{watcher}/again"))[0] == 400
        status, answer = await server.post(f"{ann}/again")
        assert status == 200
        assert answer["waits_for"] == []
        assert (await server.viewer(answer["next"]).until(lambda seen: True))["own"] == 1
        assert (await server.post(f"{ann}/again"))[1] == answer, "pressed again, it leads to the same match"
        assert (await server.get("/t/" + "A" * 32))[0] == 404


async def test_the_host_withdraws_a_link_and_begins_the_next_match(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "human", options=BRIEF["coup"])
        old, watch = begun["seats"]["0"], begun["watch"]
        watcher = asyncio.create_task(server.viewer(old).until(lambda seen: "gone" in seen))
        await asyncio.sleep(0)
        for body, words in (({"log": "none.jsonl", "seat": 0}, "no table"), ({"log": begun["log"], "seat": 7}, "no link")):
            status, said = await server.post(f"{server.lobby}/withdraw", body)
            assert status == 400
            assert words in said["error"]
        assert (await server.post(f"/h/{old}/withdraw", {"log": begun["log"], "seat": 0}))[0] == 404
        assert (await server.post(f"{server.lobby}/withdraw", {"log": begun["log"], "seat": 0}))[0] == 200
        assert (await server.post(f"{server.lobby}/withdraw", {"log": begun["log"], "seat": None}))[0] == 200
        assert (await watcher)["gone"] == "This link leads to no table any more."
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])["tables"][0]
        new = state["seats"][0]["link"]
        assert new != old
        assert state["watch"] != watch
        for gone in (old, watch):
            assert (await server.get(f"/t/{gone}"))[0] == 404
            assert (await server.post(f"/t/{gone}/answer", {"number": 0, "choice": 0}))[0] == 404
    async with web(tmp_path) as server:
        assert (await server.get(f"/t/{old}"))[0] == 404
        people = [server.viewer(new), server.viewer(begun["seats"]["1"])]
        await asyncio.gather(*(person.play() for person in people))
        assert (await server.post(f"{server.lobby}/again", {"log": begun["log"]}))[0] == 200
        assert (await people[0].until(lambda seen: seen["next"]))["own"] == 0


async def test_what_a_folder_has_spent_counts_after_a_restart(tmp_path: Path) -> None:
    async with web(tmp_path, usd=2.0) as server:
        begun = await server.begin("coup", "ann=human", "human")
        (tmp_path / f".{begun['log']}.calls").write_text("+ 1 0.5 10\n- 1 0.25 10\n+ 2 0.5 10\n")
        assert journal_of(tmp_path / begun["log"]).exists()
    async with web(tmp_path, usd=2.0) as server:
        assert server.host._pool.spent_usd == pytest.approx(0.75)


async def test_talk_and_names_reach_the_table_as_text(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "human", talk=True)
        people = [server.viewer(link) for link in begun["seats"].values()]
        speaker, picture = await first_asked(*people)
        other = next(one for one in people if one is not speaker)
        said = "<script>alert(1)</script>\x1b[31m\u202e"
        place = next(n for n, steps in enumerate(picture["turn"]["choices"]) if steps[0][1] == "Income")
        await speaker.answer(picture, choice=place, say=said)
        seen = await other.until(lambda seen: any(line[0] == "talk" for line in seen["story"]))
        line = next(line for line in seen["story"] if line[0] == "talk")
        assert line == ["talk", picture["own"], "“<script>alert(1)</script> [31m”"]
        place = seen["story"].index(line)
        assert "takes 1 coin" in str(seen["story"][place + 1 :]), "it is told before what the answer led to"
        assert "takes 1 coin" not in str(seen["story"][:place])


async def test_a_reaction_is_one_of_a_few_shown_to_all_and_in_no_log(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady")
        ann, watcher = (server.viewer(link) for link in (begun["seats"]["0"], begun["watch"]))
        known = tomllib.loads(files("runner.serve.web").joinpath("answers.toml").read_text())["reactions"]
        script = files("runner.serve.web").joinpath("table.js").read_text()
        assert re.findall(r"(\w+): ", re.findall(r"const REACTIONS = {(.*)};", script)[0]) == known
        for name in ("<b>", "", None, 3, {"name": "wow"}, [known[0]]):
            status, refused = await server.post(f"/t/{ann.link}/react", {"name": name})
            assert status == 400
            assert refused["error"].startswith(f"A reaction is one of {', '.join(known)}, not ")
        for viewer, name in ((ann, known[0]), (watcher, known[1])):
            assert (await server.post(f"/t/{viewer.link}/react", {"name": name})) == (200, {})
        seen = await watcher.until(lambda seen: len(seen["reactions"]) == 2)
        assert [one[1:] for one in seen["reactions"]] == [[0, known[0]], [None, known[1]]]
        for wanted in (200, 200, 400):
            status, answer = await server.post(f"/t/{watcher.link}/react", {"name": known[1]})
            assert status == wanted
        assert answer == {"error": "Wait a little before the next reaction."}
        assert (await server.post(f"/t/{ann.link}/react", {"name": known[1]}))[0] == 200, "another link has its own rate"
    assert known[0] not in (tmp_path / begun["log"]).read_text()


async def test_the_lobby_shows_tables_estimates_and_the_gallery(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", options=BRIEF["coup"])
        body = {"match": {"game": "coup", "seats": ["human", "offline"]}}
        assert (await server.post(f"{server.lobby}/estimate", body))[1] == {"text": "Cost of the match: free."}
        body["match"]["seats"] = ["human", "bot:steady"]
        assert (await server.post(f"{server.lobby}/estimate", body))[1] == {"text": "No model plays: the match costs nothing."}
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])
        assert [game["name"] for game in state["games"]] == [*games.names()]
        assert state["tables"][0]["seats"][0] == {"seat": "P-0", "who": "ann (a person)", "link": begun["seats"]["0"]}
        assert state["tables"][0]["state"] == "playing"
        assert state["ended"] == 0
        assert state["over"] == []
        assert all(8 <= game["decisions"] <= 60 for game in state["games"])
        await server.viewer(begun["seats"]["0"]).play()
        status, index = await server.get(f"{server.lobby}/site/index.html")
        assert status == 200, index
        assert "Coup" in index
        assert (await server.get(f"{server.lobby}/site/standings.html"))[0] == 200
        assert (await server.get(f"{server.lobby}/site/../{begun['log']}"))[0] == 404
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])
        assert state["ended"] == 1
        assert state["tables"] == []
        assert_over(state, begun, read_log(tmp_path / begun["log"]))


def assert_over(state: dict[str, Any], begun: dict[str, Any], log: Log) -> None:
    """The lobby lists a match of ann against a bot as ended."""
    assert log.result is not None
    (over,) = state["over"]
    names = ["ann", "bot:steady"]
    assert over["winners"] == [[seat, names[seat]] for seat in log.result["winners"]]
    assert (over["title"], over["names"]) == ("Coup", "ann, bot:steady")
    assert over["when"] >= log.header["created"]
    assert over["page"] == f"/t/{begun['watch']}/page"


async def test_the_host_repeats_a_match_that_ended_before_a_restart_but_none_that_came_with_the_folder(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        begun = await server.begin("coup", "ann=human", "bot:steady", options=BRIEF["coup"])
        await server.viewer(begun["seats"]["0"]).play()
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_bytes((tmp_path / begun["log"]).read_bytes())
    async with web(tmp_path) as server:
        state = json.loads((await server.get(f"{server.lobby}/state"))[1])
        assert state["ended"] == 2
        assert_over(state, begun, read_log(tmp_path / begun["log"]))
        assert (await server.get(state["over"][0]["page"]))[0] == 200
        assert (await server.post(f"{server.lobby}/again", {"log": foreign.name}))[0] == 400
        assert (await server.post(f"{server.lobby}/again", {"log": begun["log"]}))[0] == 200
        assert len([*server.host.tables]) == 1


@pytest.mark.parametrize(
    ("match", "rules", "words"),
    [
        ({"game": "chess", "seats": ["human"]}, {}, "chess"),
        ({"game": "coup", "seats": ["human"]}, {}, "2 to 6"),
        ({"game": "coup", "seats": ["human", "bot:nobody"]}, {}, "bot:nobody"),
        ({"game": "coup", "seats": ["human", "openai/gpt-5-mini"]}, {}, "--budget USD"),
        ({"game": "coup", "seats": ["human", "cmd:rm -rf /"]}, {}, "--allow-seat"),
        ({"game": "coup", "seats": ["human", "py:os:system"]}, {}, "--allow-seat"),
        ({"game": "coup", "seats": ["<script>=human", "human"]}, {}, "called"),
        ({"game": "coup", "seats": ["human", "human"], "options": {"strikes": "many"}}, {}, "strikes cannot be"),
        ({"game": "coup", "seats": ["human", "human"], "prompts": "/etc"}, {}, "prompts cannot be"),
        ({"game": "coup", "seats": ["human", "human"], "nothing": 1}, {}, "nothing"),
        ({"game": "coup", "seats": ["human", "human"]}, {"seconds": 1}, "seconds"),
        ({"game": "coup", "seats": ["human", "human"]}, {"away": "cmd:true"}, "away"),
        ({"game": "coup", "seats": ["human", "human"]}, {"away": "bot:nobody"}, "bot:nobody"),
        ({"game": "coup", "seats": "human"}, {}, "seats"),
        ({"game": ["coup"], "seats": ["human"]}, {}, "game"),
    ],
)
async def test_a_match_that_cannot_be_played_is_refused_in_a_sentence(
    match: dict[str, Any], rules: dict[str, Any], words: str, tmp_path: Path
) -> None:
    async with web(tmp_path) as server:
        status, answer = await server.post(f"{server.lobby}/tables", {"match": match, "rules": rules})
        assert status == 400
        assert words in answer["error"]
        assert not [*tmp_path.glob("*.jsonl")]
        assert not [*server.host.tables]
