"""People with names: each is asked once whether results show the name, and standings name those alone who agreed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import runner.cli.named_people as module
from runner import files
from runner.agents.environment import Environment
from runner.agents.protocol import Decided, DecisionRequest
from runner.agents.spec import Human
from runner.cli.named_people import with_consent
from runner.files import state_folder
from runner.record.reader import read_log
from runner.record.replay import fold
from runner.session.match_spec import MatchSpec, ReadyMatch, SeatSpec, ready, ready_to_continue
from runner.session.session import Session, Source
from runner.standings.document import folder_matches, standings
from runner.standings.tables import tables


class Asked:
    """A terminal where everybody gives one answer; None where nobody can be asked."""

    def __init__(self, answer: bool | None, monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
        self.answer, self.questions = answer, list[str]()
        monkeypatch.setattr(module, "is_agreed", self.ask)
        monkeypatch.setenv("XDG_STATE_HOME", str(state))

    def ask(self, question: str) -> bool | None:
        self.questions.append(question)
        return self.answer


def match_of(*seats: str, seed: int = 1) -> ReadyMatch:
    spec = MatchSpec(game="coup", players=len(seats), seats=tuple(map(SeatSpec.of, seats)), seed=seed)
    return ready(spec, Environment(), asks=(Human,))


def consents(match: ReadyMatch) -> list[object]:
    return [seat.to_json().get("consent") for seat in match.config.seats]


@pytest.mark.parametrize("answer", [True, False])
def test_each_named_person_is_asked_once(answer: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(answer, monkeypatch, tmp_path)
    assert consents(with_consent(match_of("Ann=human", "human", "bob=bot:steady"))) == [answer, None, None]
    assert [question.split("?")[0] for question in asked.questions] == ["May standings show the name Ann"]
    asked.answer = not answer
    assert consents(with_consent(match_of("ann=human", "Zoe=human"))) == [answer, not answer]
    assert len(asked.questions) == 2
    assert (state_folder() / "named-people").stat().st_mode & 0o077 == 0


def test_nobody_has_agreed_where_nobody_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(None, monkeypatch, tmp_path)
    assert consents(match_of("ann=human", "human")) == [False, None], "a browser's seat, too"
    assert consents(with_consent(match_of("ann=human", "human"))) == [False, None]
    asked.answer = True
    assert consents(with_consent(match_of("ann=human", "human"))) == [True, None], "no answer is no answer to remember"


def test_an_answer_that_cannot_be_kept_holds_for_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_unkept", {})
    (tmp_path / "tabletop").write_text("no folder")
    asked = Asked(True, monkeypatch, tmp_path)
    for _ in range(2):
        assert consents(with_consent(match_of("ann=human", "human"))) == [True, None]
    assert len(asked.questions) == 1


class First:
    """A person who takes the first legal answer."""

    async def decide(self, ask: DecisionRequest) -> Decided:
        return Decided(ask.answers()[0])


async def _play(match: ReadyMatch, log: Path) -> None:
    async with Session(match, Source(log), people=First()) as session:
        await session.run()


def played(log: Path, *seats: str, seed: int = 1) -> dict[str, Any]:
    asyncio.run(_play(with_consent(match_of(*seats, seed=seed)), log))
    return dict(read_log(log).header)


def test_standings_name_people_who_agreed_and_count_the_others_as_human(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(True, monkeypatch, tmp_path / "state")
    logs = tmp_path / "logs"
    logs.mkdir()
    played(logs / "1.jsonl", "Ann=human", "bot:random")
    asked.answer = False
    header = played(logs / "2.jsonl", "bob=human", "bot:random", seed=2)
    played(logs / "3.jsonl", "human", "bot:random", seed=3)
    assert (header["seats"][0]["name"], header["seats"][0]["consent"]) == ("bob", False)
    found = standings(folder_matches(logs))
    (game,) = found["games"]
    assert {one["agent"]: one["matches"] for one in game["agents"]} == {"Ann": 1, "human": 2, "bot:random": 3}
    assert found["notes"] == ["People who agreed to be named: Ann. Others count together as human."]
    ratings, people = [table for table in tables(game) if table.title.startswith(("Ratings,", "People"))]
    assert {row[0] for row in ratings.rows} == {"bot:random"}
    assert (people.title, {row[0] for row in people.rows}) == ("People, for reference", {"Ann", "human"})


def test_a_match_that_continues_keeps_the_answer_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(True, monkeypatch, tmp_path / "state")
    header: Any = played(tmp_path / "1.jsonl", "ann=human", "bot:random")
    asked.answer = False
    known: Any = {"called": {}, "asks": (Human,)}

    def name(setting: str, value: object) -> str:
        return setting

    same = with_consent(ready_to_continue(header, {}, name, Environment(), **known))
    other = with_consent(ready_to_continue(header, {"seats": ["P-0=zoe=human"]}, name, Environment(), **known))
    assert (consents(same), consents(other)) == ([True, None], [False, None])
    header["seats"][0].pop("consent")
    assert consents(with_consent(ready_to_continue(header, {}, name, Environment(), **known))) == [None, None], "an older log"


def test_a_log_with_an_answer_replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Asked(True, monkeypatch, tmp_path / "state")
    played(tmp_path / "1.jsonl", "ann=human", "bot:random")
    *_, (_, _, match, _) = fold(read_log(tmp_path / "1.jsonl"))
    assert match.measures.own(0)
