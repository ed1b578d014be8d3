"""Bot check: plays quick matches between bots and one program or function, and collects what that does wrong."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import games
from games.core import Event, Game, IllegalAction
from runner.agents.environment import Environment
from runner.agents.program_agent import ProgramAgent
from runner.agents.program_messages import asked
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, JsonRecord, Report
from runner.agents.spec import BOT
from runner.child_processes import available_cpus
from runner.errors import PausedError
from runner.session.match_spec import MatchSpec, SeatSpec, ready
from runner.session.session import Session

SLOW_START = 5.0
"""Seconds until the first answer that are worth a remark."""

_MOST_STOPPED = 3
"""Matches that stop before their end until the check gives up."""

_AT_ONCE = 2
"""Matches at once for each CPU: a program that starts mostly waits."""


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """One match of a check: its game, seats and seed, and the seat of the program."""

    game: str
    players: int
    seed: int
    seat: int

    def __str__(self) -> str:
        return f"{self.game}, {self.players} players, seed {self.seed}, seat P-{self.seat}"


@dataclass(slots=True)
class Problem:
    """One kind of problem: how often it occurred, and the first occurrence, with the question and the line at fault."""

    kind: str
    why: str
    match: CheckedMatch
    question: int | None = None
    ask: object = None
    wrote: str = ""
    count: int = 0


@dataclass(slots=True)
class CheckReport:
    """What a check found: the matches that ended and that stopped, the seconds of first and later answers, the problems by
    kind. `time_limit` is the seconds for an answer."""

    time_limit: float
    matches: int = 0
    stopped: int = 0
    starts: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    problems: dict[str, Problem] = field(default_factory=dict)

    def add(self, kind: str, why: str, match: CheckedMatch, ask: DecisionRequest | None = None, wrote: str = "") -> None:
        """Count a problem; the first of its kind is kept."""
        if kind not in self.problems:
            self.problems[kind] = Problem(kind, why, match, wrote=wrote)
            if ask is not None:
                self.problems[kind].question, self.problems[kind].ask = ask.number, asked(ask, self.time_limit)
        self.problems[kind].count += 1


class _Observed(Agent):
    """An agent whose answers and failures are reported."""

    def __init__(self, agent: Agent, match: CheckedMatch, report: CheckReport) -> None:
        self._agent, self._match, self._report = agent, match, report
        self._has_answered = False
        if isinstance(agent, ProgramAgent):
            agent.ignore = self._ignored

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        async def failed(record: JsonRecord) -> None:
            self._report.add(str(record["what"]), str(record["why"]), self._match, ask)
            self._has_answered = False
            await report(record)

        begun = asyncio.get_running_loop().time()
        given = await self._agent.answer(ask, failed)
        seconds = asyncio.get_running_loop().time() - begun
        (self._report.seconds if self._has_answered else self._report.starts).append(seconds)
        if not self._has_answered and seconds > SLOW_START:
            self._report.add("slow_start", f"the first answer took {seconds:.1f} s", self._match, ask)
        self._has_answered = True
        try:
            if given.mistake is None:
                ask.check(given.data)
            else:
                self._report.add(given.mistake.kind, given.mistake.why, self._match, ask, given.text)
        except IllegalAction as refusal:
            self._report.add("illegal", str(refusal), self._match, ask, given.text or repr(given.data))
        return given

    def _ignored(self, ask: DecisionRequest, line: bytes) -> None:
        if line.strip():
            why = "a second reply to an older question, which is ignored: write one line for each ask"
            self._report.add("extra", why, self._match, ask, line.decode("utf-8", "replace")[:4000])

    async def end(self, told: Sequence[Event], result: JsonRecord | None) -> None:
        await self._agent.end(told, result)
        if isinstance(self._agent, ProgramAgent) and self._agent.had_to_be_killed:
            why = "the program still ran one second after the message end and the end of its standard input"
            self._report.add("no_exit", why, self._match)


def matches_of(names: Sequence[str], count: int) -> list[CheckedMatch]:
    """A number of matches: the games in turn, all numbers of players, every seat."""
    found = []
    for number in range(count):
        game, round_number = games.load(names[number % len(names)]), number // len(names)
        players = game.players[round_number % len(game.players)]
        found.append(CheckedMatch(game.name, players, number + 1, round_number % players))
    return found


async def check(
    new_agent: Callable[[Game], Agent], time_limit: float, matches: Sequence[CheckedMatch], on_match: Callable[[], None]
) -> CheckReport:
    """Play the matches. It gives up after some that stop before their end."""
    report, slots = CheckReport(time_limit), asyncio.Semaphore(_AT_ONCE * available_cpus())

    async def play(match: CheckedMatch) -> None:
        async with slots:
            if report.stopped < _MOST_STOPPED:
                await _play(new_agent, match, report)
                on_match()

    await asyncio.gather(*map(play, matches))
    return report


async def _play(new_agent: Callable[[Game], Agent], checked: CheckedMatch, report: CheckReport) -> None:
    game, count = games.load(checked.game), checked.players
    bots = [name for name in ("steady", "random") if name in game.bots] or list(game.bots)
    seats = tuple(SeatSpec.of(f"{BOT}{bots[seat % len(bots)]}") for seat in range(count))
    match = ready(MatchSpec(game=checked.game, players=count, seed=checked.seed, seats=seats), Environment())
    seated = {checked.seat: _Observed(new_agent(game), checked, report)}
    try:
        async with Session(match, seated=seated) as session:
            await session.run()
        report.matches += 1
    except PausedError:
        report.stopped += 1
    except Exception as error:
        report.stopped += 1
        where = traceback.format_exception(error)[-3:]
        report.add("raised", f"{type(error).__name__}: {error}", checked, wrote="".join(where))
