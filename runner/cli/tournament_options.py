"""Tournament options: what is played, where it runs, and what is only estimated."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_games
from runner.cli.reason_option import REASON_OPTION, ReasonChoice, reason_of
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.arena.match_runner import ExecutorOptions
    from runner.arena.plan import Entrant, Plan

Values = dict[str, object]
"""Settings of a plan by name."""


class EngineName(StrEnum):
    """Where matches run."""

    local = "local"
    ray = "ray"


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """A plan on the command line, or what differs from the plan in a file. None: not specified."""

    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="Game to play, instead of a plan.", metavar="NAME", autocompletion=complete_games),
    ] = None
    agents: Annotated[str | None, typer.Option("--agents", help="Players: SPEC,SPEC or NAME=SPEC,...", metavar="SPECS")] = None
    opponents: Annotated[
        str | None,
        typer.Option("--opponents", help="Play a gauntlet: each agent alone against these.", metavar="SPECS"),
    ] = None
    players: Annotated[
        str | None, typer.Option("--players", "--num-players", help="Seats per match: 4, or 3,4,5.", metavar="N,...")
    ] = None
    rules: Annotated[str | None, typer.Option("--rules", help="Rules preset.", metavar="NAME")] = None
    option: Annotated[
        list[str] | None, typer.Option("--option", help="Rules option, such as target_score=10.", metavar="NAME=VALUE")
    ] = None
    deals: Annotated[int | None, typer.Option("--deals", help="Number of deals. [default: 10]", metavar="N")] = None
    rotation: Annotated[
        str | None,
        typer.Option("--rotation", help="Seat orders played per deal.", metavar="full|balanced|random"),
    ] = None
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed that the seeds of the deals follow from. [default: random]", metavar="N")
    ] = None
    prompts: Annotated[Path | None, typer.Option("--prompts", help="Folder of a prompt pack.", metavar="DIR")] = None
    on_error: Annotated[
        str | None,
        typer.Option("--on-error", help="After a match that a bug stopped. [default: continue]", metavar="continue|stop"),
    ] = None
    mistakes: Annotated[
        float | None,
        typer.Option("--mistakes", help="Error rate of the offline model, from 0 to 1.", metavar="RATE"),
    ] = None
    budget: Annotated[
        float | None, typer.Option("--budget", help="Maximum cost of the whole tournament in USD.", metavar="USD")
    ] = None
    budget_tokens: Annotated[
        int | None,
        typer.Option("--budget-tokens", help="Maximum number of tokens of the whole tournament.", metavar="N"),
    ] = None
    reason: Annotated[ReasonChoice | None, REASON_OPTION] = None
    talk: Annotated[bool, typer.Option("--talk", help="Let every player say a line to the whole table with each answer.")] = (
        False
    )
    rated: Annotated[
        bool,
        typer.Option("--rated", help="Require exactly the models and providers named: no aliases, fallbacks or reply repair."),
    ] = False
    hopeless: Annotated[
        int | None,
        typer.Option(
            "--hopeless",
            help="Strike-outs in a row after which a seat is asked once per decision, until it answers; 0: never. [default: 5]",
            metavar="N",
        ),
    ] = None
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", help="Concurrent matches of models. [default: 200]", metavar="N")
    ] = None

    def plan(self, path: Path | None) -> Plan:
        """The plan of a file or of a tournament's folder, with these options over it; or of these options alone."""
        import games
        from runner.arena.plan_file import plan_of, read_plan
        from runner.arena.tournament_dir import MANIFEST

        if path is not None and self.game is not None:
            raise UsageError(f"Use either a plan or --game: {path} already names its games.")
        if path is None and not (self.game and self.agents):
            raise UsageError("Specify a plan, or both --game and --agents: tabletop tournament --game NAME --agents SPEC,SPEC.")
        data = {} if path is None else read_plan(path / MANIFEST if path.is_dir() else path)
        data |= self._settings()
        if of_games := self._game_settings():
            found = data.get("games")
            tables: list[Values] = [
                {"name": game} if isinstance(game, str) else dict(game) for game in (found if isinstance(found, list) else ())
            ]
            for table in tables:
                table |= of_games
                if self.option is not None:
                    known = games.load(str(table["name"])).options
                    words = _pairs(self.option)
                    table["options"] = {name: known[name].parse(word) if name in known else word for name, word in words}
            data["games"] = tables
        return plan_of(data)

    def of_file(self, plan: Plan) -> list[Entrant]:
        """The agents and opponents that come from the plan's file, not from these options."""
        return [*(plan.agents if self.agents is None else ()), *(plan.opponents if self.opponents is None else ())]

    def _settings(self) -> Values:
        """The settings of the whole plan that are specified."""
        return _specified(
            games=self.game,
            agents=self.agents and self.agents.split(","),
            opponents=self.opponents and self.opponents.split(","),
            schedule="gauntlet" if self.opponents else None,
            rotation=self.rotation,
            seed=self.seed,
            prompts=self.prompts and str(self.prompts),
            mistakes=self.mistakes,
            on_error=self.on_error,
            budget=self.budget,
            budget_tokens=self.budget_tokens,
            rated=self.rated or None,
            hopeless=self.hopeless,
            reason=reason_of(self.reason),
            talk=self.talk or None,
            concurrency=self.concurrency,
        )

    def _game_settings(self) -> Values:
        """The settings of each game that are specified."""
        options = self.option and dict(_pairs(self.option))
        return _specified(players=self.players and _counts(self.players), rules=self.rules, options=options, deals=self.deals)


def _specified(**given: object) -> Values:
    return {name: value for name, value in given.items() if value is not None}


def _counts(word: str) -> list[int]:
    try:
        return [int(part) for part in word.split(",")]
    except ValueError:
        raise UsageError(f"--players {word}: expected numbers, such as 4 or 3,4,5.") from None


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    pairs = [word.partition("=") for word in words]
    if bad := next((name for name, mark, value in pairs if not mark), None):
        raise UsageError(f"--option {bad}: expected NAME=VALUE, such as target_score=10.")
    return [(name.strip().replace("-", "_"), value.strip()) for name, _, value in pairs]


_MOST_WORKERS = 1024


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Where matches run. UsageError for a cluster address without the engine that needs it."""

    engine: Annotated[EngineName, typer.Option("--engine", help="Where matches run.")] = EngineName.local
    address: Annotated[str | None, typer.Option("--address", help="Address of a Ray cluster.", metavar="ADDRESS")] = None
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", help="Worker processes. [default: one per core, if worthwhile]", metavar="N", min=1, max=_MOST_WORKERS
        ),
    ] = None
    retries_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Continue matches that a bug stopped in an earlier run.")
    ] = False
    programs: Annotated[
        int | None,
        typer.Option(
            "--programs", help="Programs in seats (cmd:) that run at once. [default: two per core]", metavar="N", min=1
        ),
    ] = None
    allows_programs: Annotated[
        bool, typer.Option("--allow-programs", help="Start the programs and functions that only the plan names.")
    ] = False
    patience: Annotated[
        float,
        typer.Option("--patience", help="Seconds to retry matches that an outage stopped.", metavar="SECONDS", min=0),
    ] = 60.0

    def __post_init__(self) -> None:
        if self.address is not None and self.engine is not EngineName.ray:
            raise UsageError(f"--address {self.address} is the address of a Ray cluster: add --engine ray.")

    def executor(self) -> ExecutorOptions:
        """Where the arena runs the matches."""
        from runner.arena.match_runner import ExecutorOptions

        return ExecutorOptions(self.engine.value, self.address, self.workers, self.patience, self.retries_failed, self.programs)


@dataclass(frozen=True, slots=True)
class ForecastOptions:
    """What is estimated instead of playing."""

    is_dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the schedule and the estimated cost and time; play nothing.")
    ] = False
    past: Annotated[
        Path | None,
        typer.Option("--past", help="With --dry-run: folder of logs to estimate cost and time from.", metavar="DIR"),
    ] = None
    power: Annotated[
        float | None,
        typer.Option("--power", help="Print how many deals show a rating difference of POINTS.", metavar="POINTS"),
    ] = None
