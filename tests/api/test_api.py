"""The Python interface: matches with functions, logs as data, what notebooks show."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import games
import runner.api
from games.core import OptionError
from runner.api import aplay, fork, play, read_log, read_logs, resume, review, standings
from runner.errors import LogDamagedError, PausedError, TabletopError, UsageError
from runner.export.table_columns import TABLES
from runner.record.log_folder import summaries
from tests.cli.command import tabletop
from tests.record.hostile import hostile_log
from tests.record.matches import erring, played

SMALL = {"max_turns": 2, "seed": 3}
BOTS = ("bot:steady", "bot:random")


def first(ask: Any) -> Any:
    return ask.legal[0]


async def last(ask: Any) -> Any:
    await asyncio.sleep(0)
    return ask.legal[-1]


def test_functions_bots_and_models_play_one_match(tmp_path: Path) -> None:
    log = play("coup", [first, last, "bot:steady", "ada=offline"], log=tmp_path / "match.jsonl", **SMALL)
    assert log.result is not None
    assert [seat["name"] for seat in log.header["seats"]] == ["first", "last", "bot:steady", "ada"]
    assert [seat["spec"] for seat in log.header["seats"]][:2] == [f"py:{__name__}:first", f"py:{__name__}:last"]
    assert {attempt["seat"] for attempt in log.attempts} == {0, 1, 2, 3}
    assert len(log.decisions) == sum(seat["decisions"] for seat in log.result["seats"])
    assert all("at" in record for record in (*log.decisions, *log.attempts))
    asked = next(attempt for attempt in log.attempts if attempt["seat"] == 3)
    assert asked["request"] is not None
    assert "You are P-3." in str(asked["request"]["messages"][-1]["content"])
    assert log.questions[0]["view"]["game"] == "coup"
    assert log.events[-1] == log.result
    log.verify()
    assert read_log(tmp_path / "match.jsonl").events == log.events


def test_a_mapping_names_the_players_and_the_offline_model_has_the_rest() -> None:
    log = play("coup", {"ada": "bot:random", "bob": first}, players=3, **SMALL)
    assert [seat["name"] for seat in log.header["seats"]] == ["ada", "bob", "offline model"]
    assert [seat["kind"] for seat in log.header["seats"]] == ["bot", "function", "offline"]


def test_a_log_without_a_place_is_kept_as_long_as_it_is_used() -> None:
    log = play("coup", BOTS, **SMALL)
    path = log.path
    assert path.exists()
    del log
    gc.collect()
    assert not path.parent.exists()


async def test_it_works_in_a_running_loop() -> None:
    inside, awaited = play("coup", [first, last], **SMALL), await aplay("coup", [first, last], **SMALL)
    assert inside.result == awaited.result


def test_the_arguments_of_both_are_the_same() -> None:
    assert inspect.signature(play).parameters == inspect.signature(aplay).parameters
    assert all(inspect.getdoc(getattr(runner.api, name)) for name in runner.api.__all__[4:])


@pytest.mark.parametrize(
    ("seats", "options", "says"),
    [
        ("bot:steady", {}, "`seats` is a list"),
        (first, {}, "`seats` is a list"),
        ([3, "offline"], {}, "3 is no player"),
        (["human", "offline"], {}, "a person at the terminal"),
        (["bot:best", "offline"], {}, "no bot"),
        (["offline"] * 3, {"players": 2}, "There are 3 seats, and the match has 2 players."),
        (["offline"] * 2, {"colour": "red"}, "colour"),
        (["offline"] * 9, {}, "2 to 6 players"),
        ({"a": "offline", "A": "offline"}, {}, "Two players are called"),
        ({0: "offline", 1: "offline"}, {}, "The name 0 of a player is no text"),
        (["offline"] * 2, {"budget": -1}, "budget=-1: expected more than 0 USD."),
        (["offline"] * 2, {"budget": "1"}, "budget='1'"),
        (["offline"] * 2, {"ask": "nope"}, "ask='nope': it has to be 'simultaneous' or 'sequential'."),
        (["offline"] * 2, {"talk": "yes"}, "talk='yes': it has to be true or false."),
        (["offline"] * 2, {"mistakes": 7}, "mistakes=7: it has to be 1 or less."),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(seats: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises((OptionError, UsageError), match=re.escape(says)):
        play("coup", seats, **options)


def test_a_match_that_stops_names_its_log(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(PausedError, match=re.escape(f"Its log is {path}: `tabletop resume` continues it.")):
        play("coup", ["offline/illegal", "bot:steady"], seed=1, budget=1.0, log=path, strikes=1)
    assert read_log(path).result is None
    assert read_log(path).table("matches")[0]["state"] == "resumable"
    with pytest.raises(UsageError, match="exists already"):
        play("coup", BOTS, log=path)


def test_a_match_that_stopped_goes_on_with_another_player(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(PausedError):
        play("coup", ["offline/illegal", first], seed=1, log=path, strikes=1, hopeless=1, budget_tokens=100_000, max_turns=9)
    assert read_log(path).header["hopeless"] == 1
    log = resume(path, seats={"P-0": "ada=bot:steady", "P-1": first}, hopeless=0)
    assert log.result is not None
    assert [seat["name"] for seat in log.result["seats"]] == ["ada", "first"]
    assert [(record["hopeless"], len(record["seats"])) for record in log.events if record["kind"] == "resumed"] == [(0, 2)]
    log.verify()
    assert resume(path).events == log.events


def test_a_fork_plays_on_from_a_decision_with_an_answer_of_its_own(tmp_path: Path) -> None:
    log = play("coup", ["bot:steady", first], log=tmp_path / "match.jsonl", talk=True, **SMALL)
    found = fork(log.path, 2, action={"action": "income"}, seats=["bot:random", last], rated=True)
    assert found.path == tmp_path / "match-fork2-1.jsonl"
    assert (found.header["fork"]["at"], found.header["talk"]) == (2, True)
    assert [seat["spec"] for seat in found.header["seats"]] == ["bot:random", f"py:{__name__}:last"]
    assert found.decisions[0] == log.decisions[0]
    assert found.result is not None
    found.verify()
    assert fork(log.path, 2, to=tmp_path / "named.jsonl", seats={"P-1": first}).path.name == "named.jsonl"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"seed": 4}, "resume cannot change seed: it takes"),
        ({"rated": True}, "resume cannot change rated: it takes"),
        ({"seats": {"ada": "bot:steady"}}, "seats has 'ada', which is no seat"),
        ({"seats": ["bot:steady"] * 3}, "the match has only the seats P-0 to P-1"),
        ({"budget": 0}, "budget=0: expected more than 0 USD."),
        ({}, "P-1 of the log is"),
    ],
)
def test_what_cannot_change_is_refused_in_one_sentence(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    path = tmp_path / "match.jsonl"
    with pytest.raises(PausedError):
        play("coup", ["offline/illegal", first], seed=1, log=path, strikes=1, hopeless=1, max_turns=9)
    with pytest.raises(TabletopError, match=re.escape(says)):
        resume(path, **changes)


def test_an_error_of_a_function_is_raised_as_it_is() -> None:
    def broken(ask: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        play("coup", [broken, "bot:random"], **SMALL)


def test_tables_have_every_column_and_one_table_has_no_other_name() -> None:
    log = play("coup", BOTS, **SMALL)
    for name, table in TABLES.items():
        assert all(list(row) == [column.name for column in table.columns] for row in log.table(name))
    with pytest.raises(UsageError, match='There is no table "moves"'):
        log.table("moves")


def test_a_game_is_named_and_a_folder_has_to_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the name of a game"):
        play(games.load("coup"), ["offline"] * 2)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(UsageError, match="There is no log, folder or pack"):
        list(read_logs(tmp_path / "nope"))


async def test_a_bad_file_does_not_stop_a_folder(tmp_path: Path) -> None:
    await played(tmp_path / "a.jsonl", "coup", erring("coup", 2), 1, max_turns=2)
    (tmp_path / "b.jsonl").write_text("{}\n")
    (tmp_path / "c.jsonl").write_bytes((tmp_path / "a.jsonl").read_bytes()[:-10])
    logs = read_logs(tmp_path)
    assert next(logs).path.name == "a.jsonl"
    with pytest.warns(UserWarning, match=r"b\.jsonl, line 1"):
        rest = list(logs)
    assert [(log.path.name, log.result) for log in rest] == [("c.jsonl", None)]
    with pytest.raises(LogDamagedError):
        read_log(tmp_path / "b.jsonl")


async def test_notebooks_show_hostile_text_as_text(tmp_path: Path) -> None:
    log = read_log(await hostile_log(tmp_path / "hostile.jsonl"))
    log.header["seats"][0]["name"] = "<script>x</script>"
    assert "&lt;script&gt;x&lt;/script&gt;" in log._repr_html_()
    tags = set(re.findall(r"<(\w+)", log._repr_html_()))
    assert tags == {"p", "b", "table", "thead", "tbody", "tr", "th", "td"}
    assert "★" in log._repr_html_()


async def test_standings_are_data_and_a_page(tmp_path: Path) -> None:
    for seed in range(3):
        await played(tmp_path / f"{seed}.jsonl", "coup", erring("coup", 2), seed, max_turns=2)
    assert len(summaries(tmp_path)) == 3
    found = standings(tmp_path)
    assert [row["game"] for row in found.table()] == ["coup"] * len(found.data["games"][0]["agents"])
    assert {"rating", "rating_low", "win_share", "matches"} <= set(found.table()[0])
    assert "<table>" in found._repr_html_()
    assert "coup: 3 matches" in repr(found)
    with pytest.raises(UsageError, match="--pool"):
        standings(tmp_path, pool=["colour"])


def test_a_review_is_the_document_of_the_command(tmp_path: Path) -> None:
    log = play("coup", BOTS, log=tmp_path / "match.jsonl", **SMALL)
    document = review(log, playouts=8, seed=2)
    printed = tabletop(tmp_path, "review", "match.jsonl", "--playouts", "8", "--seed", "2", "--json")
    assert json.loads(printed.stdout) == document
    own = review(tmp_path / "match.jsonl", playouts=8, seed=2, view="P-1")
    assert {one["seat"] for one in own["decisions"]} == {1}
    for wrong, says in (({"playouts": 7}, "at least 8 playouts"), ({"view": "P-9"}, 'Unknown view "P-9"')):
        with pytest.raises(UsageError, match=says):
            review(log, **wrong)  # type: ignore[arg-type]  # wrong on purpose
