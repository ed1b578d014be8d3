"""Every setting by every door, in a match that is new, resumed or forked, and for a player who takes a seat over.

The settings are the fields of the models, so that none can be forgotten: a new one is tested here by being declared. No match
of these tests asks anybody: each pauses where its first decision would be.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin
from unittest.mock import patch

import pytest

import runner.api
from games.core import State
from runner.agents.environment import Environment
from runner.agents.settings import DEFAULTS, RECORDED, SeatSettings, merge
from runner.agents.spec import MODELS, Human
from runner.arena.executor import MatchPlayer, Shared
from runner.arena.plan import plan_of
from runner.arena.schedule import schedule
from runner.cli.setting_options import as_flag
from runner.errors import PausedError, UsageError
from runner.llm.budget import Budget
from runner.match.header import HeaderRecord, MatchConfig
from runner.match.loop import Match
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.serve.match_host import HostLimits, MatchHost, SeatPolicy
from runner.serve.match_tools import call
from runner.serve.web_host import NewTable, WebHost
from runner.session.match_spec import CHANGES, MatchSettings
from runner.session.session import new_client
from runner.worker_processes import ProcessPool
from tests.cli.command import complaint, tabletop

PACKS = ("one", "two")
ODD = {"strikes": (7, 7), "skin": ("neutral", "7"), "persona": ("bold", "shy"), "advice": ("Bluff.", "none"), "prompts": PACKS}
"""Values of settings that follow from no type: in a new match, and where it continues."""

DOORS = ("command", "python", "plan", "mcp", "browser")
OF_TABLE = ("talk", "skin", "hopeless", "ask", "ask_forced")
OTHER = {"P-1": "offline/illegal"}
"""A player who takes a seat over."""


def two_values(name: str) -> tuple[Any, Any]:
    """Two values of a setting that differ; the first one is not its default."""
    declared = MatchSettings.model_fields[name]
    parts = (declared.annotation, *get_args(declared.annotation))
    words = [word for part in parts if get_origin(part) is Literal for word in get_args(part) if word != declared.default]
    if name in ODD:
        return ODD[name]
    if bool in parts:
        return True, words[0] if words else False
    if words:
        return words[0], words[-1] if len(words) > 1 else declared.default
    return (0.25, 0.5) if float in parts else ((declared.default or 1) + 500, (declared.default or 1) + 501)


NEW = {name: two_values(name)[0] for name in MatchSettings.model_fields if name != "rated"}
CHANGED = {name: two_values(name)[1] for name in NEW if name in CHANGES}


@dataclass(frozen=True)
class Case:
    """A match that a door begins with settings, and continues with changes and other players; `how` names the verb."""

    door: str
    how: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)
    new: Mapping[str, Any] = field(default_factory=lambda: NEW)

    @property
    def expected(self) -> dict[str, Any]:
        return {**self.new, **self.changes}

    def __str__(self) -> str:
        return " ".join(filter(None, (self.door, self.how, "changes" * bool(self.changes), "replaced" * bool(self.seats))))


WITHOUT_PACK = {name: value for name, value in NEW.items() if name != "prompts"}
"""A browser cannot name the folder again that a match is resumed with."""

CONTINUED = [
    *(Case(door, "resume") for door in DOORS if door != "browser"),
    Case("browser", "resume", new=WITHOUT_PACK),
    *(Case(door, "resume", CHANGED) for door in ("command", "python", "mcp")),
    *(Case(door, "fork", changes) for door in ("command", "python") for changes in ({}, CHANGED)),
    *(
        Case(door, how, changes, OTHER)
        for door in ("command", "python")
        for how in ("resume", "fork")
        for changes in ({}, CHANGED)
    ),
]
CASES = [*map(Case, DOORS), *CONTINUED]


class Doors:
    """The doors, in a folder with two prompt packs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for pack in PACKS:
            (folder / pack).mkdir(exist_ok=True)

    def log(self, case: Case) -> Path:
        """The log of a case."""
        path = getattr(self, f"{case.door}_play")(self._whole(case.new))
        if case.how == "":
            return Path(path)
        if case.how == "resume" and case.door in ("plan", "browser"):
            return Path(getattr(self, f"{case.door}_resume")(path, self._whole(case.new)))
        named = {name: case.expected[name] for name in ("prompts",) if name in case.expected}  # a log has no folder
        return Path(getattr(self, f"{case.door}_{case.how}")(path, self._whole({**named, **case.changes}), case.seats))

    def _whole(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: str(self.folder / value) if name == "prompts" else value for name, value in values.items()}

    # -- the command --------------------------------------------------------------------------------------------------

    def _command(self, log: str, *words: str, **settings: Any) -> Path:
        done = tabletop(self.folder, *words, *flags(settings), "-q")
        assert done.returncode == 3, done.stderr
        return self.folder / log

    def command_play(self, settings: Mapping[str, Any]) -> Path:
        seats = [word for spec in ("offline", "offline", "bot:steady") for word in ("--seat", spec)]
        return self._command("log.jsonl", "play", "coup", *seats, "--log", "log.jsonl", **settings)

    def command_resume(self, path: Path, changes: Mapping[str, Any], seats: Mapping[str, str]) -> Path:
        return self._command(path.name, "resume", path.name, *seat_flags(seats), **changes)

    def command_fork(self, path: Path, changes: Mapping[str, Any], seats: Mapping[str, str]) -> Path:
        words = ("fork", path.name, "--at", "1", "--log", "fork.jsonl")
        return self._command("fork.jsonl", *words, *seat_flags(seats), **changes)

    # -- Python -------------------------------------------------------------------------------------------------------

    def python_play(self, settings: Mapping[str, Any]) -> Path:
        with pytest.raises(PausedError):
            runner.api.play("coup", ["offline", "offline", "bot:steady"], log=self.folder / "log.jsonl", **settings)
        return self.folder / "log.jsonl"

    def python_resume(self, path: Path, changes: Mapping[str, Any], seats: Mapping[str, str]) -> Path:
        with pytest.raises(PausedError):
            runner.api.resume(path, **changes, seats=seats)
        return path

    def python_fork(self, path: Path, changes: Mapping[str, Any], seats: Mapping[str, str]) -> Path:
        with pytest.raises(PausedError):
            runner.api.fork(path, 1, to=self.folder / "fork.jsonl", **changes, seats=seats)
        return self.folder / "fork.jsonl"

    # -- a plan, whose tournament continues by the same command -----------------------------------------------------------

    def plan_play(self, settings: Mapping[str, Any]) -> Path:
        plan = plan_of({"games": ["coup"], "agents": ["offline", "bot:steady"], "deals": 1, "seed": 1, **settings})
        fixture = next(schedule(plan))

        async def play() -> None:
            player = MatchPlayer(self.folder, Shared(Environment(), 0), lambda *offline: new_client(Budget(), *offline))
            await player.play(fixture, Unheard())
            await player.close()

        asyncio.run(play())
        return self.folder / fixture.name

    def plan_resume(self, path: Path, settings: Mapping[str, Any]) -> Path:
        return self.plan_play(settings)

    # -- servers ------------------------------------------------------------------------------------------------------

    def mcp_play(self, settings: Mapping[str, Any]) -> Path:
        return self._mcp({"game": "coup", "seats": ["offline", "offline", "mcp"], **settings})

    def mcp_resume(self, path: Path, changes: Mapping[str, Any], seats: Mapping[str, str]) -> Path:
        return self._mcp({"resume": path.name, **changes})

    def _mcp(self, arguments: Mapping[str, Any]) -> Path:
        async def begun() -> str:
            host = MatchHost(Environment(), HostLimits(self.folder, policy=SeatPolicy(self._packs)))
            found = await call(host, "new_match", arguments)
            await host.close()
            return str(found["log"])

        return Path(asyncio.run(begun()))

    def browser_play(self, settings: Mapping[str, Any]) -> Path:
        match = {"game": "coup", "seats": ["offline", "offline", "human"], **settings}
        return self._browser(lambda host: host.open(NewTable.of({"match": match})))

    def browser_resume(self, path: Path, settings: Mapping[str, Any]) -> Path:
        return self._browser(lambda host: host.go_on(path.name))

    def _browser(self, do: Callable[[WebHost], Any]) -> Path:
        async def begun() -> Path:
            policy = SeatPolicy(self._packs, has_budget=True, asked=Human, needs_client=False)
            host = WebHost(Environment(), HostLimits(self.folder, policy=policy, usd=1000.0), ProcessPool(1))
            found = await do(host)
            await host.close()
            return Path(found)

        return asyncio.run(begun())

    @property
    def _packs(self) -> frozenset[str]:
        return frozenset(f"+pack:{self.folder / pack}" for pack in PACKS)


class Unheard:
    """A screen that shows nothing."""

    async def emit(self, event: object) -> None: ...


def flags(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, value in settings.items():
        flag = as_flag(name, "").strip()
        if isinstance(value, bool):
            yield flag if value else flag.replace("--", "--no-", 1)
        elif bool in get_args(MatchSettings.model_fields[name].annotation):
            yield f"{flag}-{value}"
        else:
            yield from (flag, str(value))


def seat_flags(seats: Mapping[str, str]) -> list[str]:
    return [word for seat, spec in seats.items() for word in ("--seat", f"{seat}={spec}")]


@pytest.fixture(scope="module", autouse=True)
def _paused_at_once() -> Iterator[None]:
    async def paused(match: Match) -> None:
        raise PausedError("enough.")

    with patch.object(Match, "_step", paused):
        yield


Played = Callable[[Case], Log]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The log of a case, which is played once."""
    found: dict[str, Log] = {}

    def log(case: Case) -> Log:
        if str(case) not in found:
            found[str(case)] = read_log(Doors(tmp_path_factory.mktemp("doors")).log(case))
            verify(found[str(case)])
        return found[str(case)]

    return log


def held(header: HeaderRecord, name: str) -> set[Any]:
    """What a header says of a setting: for all models, and for each of them."""
    facts, bounds = cast("dict[str, Any]", header), cast("dict[str, Any]", header.get("budget", {}))
    if name in RECORDED:
        models = [seat for seat in header["seats"] if seat["kind"] in MODELS]
        return {cast(Any, header["shared"])[name], *({**DEFAULTS, **seat}[name] for seat in models)}
    if name == "prompts":
        return {header["prompts"]["pack"]}
    if name == "strikes":
        return {header["options"]["strikes"]}
    return (
        {bounds["usd" if name == "budget" else "tokens"]} if name in ("budget", "budget_tokens") else {facts.get(name, False)}
    )


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("name", NEW)
def test_a_setting_holds_for_all_models(name: str, case: Case, played: Played) -> None:
    if name not in case.expected or (case.door == "plan" and name in ("budget", "budget_tokens")):
        pytest.skip("the budget of a plan is that of all its matches together")
    assert held(played(case).latest_header, name) == {case.expected[name]}


@pytest.mark.parametrize("name", CHANGED)
@pytest.mark.parametrize("case", [case for case in CONTINUED if case.how == "resume" and case.changes], ids=str)
def test_what_changes_is_in_the_record_that_the_match_was_resumed(case: Case, name: str, played: Played) -> None:
    (record,) = [record for _, record in played(case).of_kind("resumed")]
    assert held(cast(HeaderRecord, record), name) == {CHANGED[name]}


@pytest.mark.parametrize("case", [case for case in CONTINUED if case.how == "resume" and not case.changes], ids=str)
def test_nothing_else_is_in_that_record(case: Case, played: Played) -> None:
    (record,) = [record for _, record in played(case).of_kind("resumed")]
    assert record.keys() - {"kind", "at", "package", "prev", "hash"} == ({"seats"} if case.seats else set())


def test_the_first_part_of_a_fork_keeps_talk_and_words_of_its_parent(played: Played) -> None:
    log = played(Case("command", "fork", CHANGED))
    assert (log.header["talk"], log.header["skin"]) == (True, "neutral")
    assert (log.latest_header["talk"], log.latest_header["skin"]) == (False, "7")


RATED = {"rated": True}


@pytest.mark.parametrize("door", DOORS)
def test_rated_play_is_a_setting_of_new_matches(door: str, tmp_path: Path) -> None:
    log = read_log(Doors(tmp_path).log(Case(door, "resume", new=RATED)))
    assert held(log.latest_header, "rated") == {True}
    assert [record.keys() & {"seats", "shared"} for _, record in log.of_kind("resumed")] == [set()]


@pytest.mark.parametrize("changes", [{}, RATED], ids=str)
def test_a_fork_is_rated_if_it_says_so(changes: dict[str, Any], tmp_path: Path) -> None:
    log = read_log(Doors(tmp_path).log(Case("command", "fork", changes, new=RATED)))
    assert held(log.header, "rated") == {bool(changes)}


def test_a_rated_match_is_not_resumed_with_others(tmp_path: Path) -> None:
    doors = Doors(tmp_path)
    path = doors.command_play(RATED)
    for words in (("--seat", "P-1=offline/illegal"), ("--belief",), ("--talk",)):
        refused = tabletop(tmp_path, "resume", path.name, *words)
        assert "is rated, so its " in complaint(refused)
    with pytest.raises(UsageError, match="resume cannot change rated"):
        runner.api.resume(path, rated=False)


HEADER = MatchConfig.header


def older_header(config: MatchConfig, state: State) -> dict[str, Any]:
    """As versions wrote it in which seats alone had settings."""
    return {name: value for name, value in HEADER(config, state).items() if name != "shared"}


OLDER = {"belief": True, "choices": "shuffled", "policy": True, "reason": "never"}


@pytest.mark.parametrize("how", ["resume", "fork"])
def test_a_log_without_shared_settings_has_those_of_all_its_models(how: str, tmp_path: Path) -> None:
    doors, case = Doors(tmp_path), Case("command", how, seats=OTHER)
    with patch("runner.match.header.MatchConfig.header", older_header):
        path = doors.command_play({**OLDER, "mistakes": 0.5})
    assert "shared" not in read_log(path).header
    found = getattr(doors, f"command_{how}")(path, {}, case.seats)
    seats = read_log(found).latest_header["seats"]
    assert [{**DEFAULTS, **seat}[name] for seat in seats[:2] for name in OLDER] == [*OLDER.values()] * 2
    assert [seat.get("mistakes") for seat in seats] == [0.5, 0.5, None]


@pytest.mark.parametrize(
    ("agent", "match", "seat", "expected"),
    [
        ({"reason": "always", "belief": True}, {}, {}, {"reason": "always", "belief": True}),
        ({"reason": "always"}, {"reason": "auto", "memory": "notes"}, {}, {"memory": "notes"}),
        ({}, {"belief": True}, {"belief": False}, {}),
        ({"policy": "play"}, {"policy": True}, {}, {"policy": "play"}),
        ({"policy": "play"}, {"policy": False}, {}, {}),
        ({"policy": "play"}, {"policy": True}, {"policy": True}, {"policy": True}),
    ],
)
def test_what_holds_for_a_seat_comes_before_its_match_and_that_before_its_agent(
    agent: dict[str, Any], match: dict[str, Any], seat: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert merge(*map(SeatSettings.model_validate, (agent, match, seat))).to_json() == expected


def test_a_prompt_pack_of_its_own_comes_before_that_of_the_match() -> None:
    own, other = SeatSettings(prompts=Path("own")), SeatSettings(prompts=Path("other"))
    assert merge(own, other, SeatSettings()).prompts == Path("own")
    assert merge(SeatSettings(), other, SeatSettings()).prompts is None
