"""`tabletop tournament PLAN`: many matches, seats rotated over the same deals, one budget."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from games.core import counted
from runner.cli.completion import games_named
from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say, say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.arena.plan import Plan
    from runner.arena.progress import Progress

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


class EngineName(StrEnum):
    """Where matches are played."""

    local = "local"
    ray = "ray"


@app.command()
def tournament(
    plan: Annotated[
        Path | None, typer.Argument(help="A plan in TOML, or the folder of a tournament to go on with.", metavar="PLAN")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="A game, in place of a plan's.", metavar="NAME", autocompletion=games_named),
    ] = None,
    agents: Annotated[
        str | None, typer.Option("--agents", help="Who takes part: SPEC,SPEC or NAME=SPEC,...", metavar="SPECS")
    ] = None,
    opponents: Annotated[
        str | None, typer.Option("--opponents", help="A gauntlet: whom each agent meets by itself.", metavar="SPECS")
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "--num-players", help="Seats at a table: 4, or 3,4,5.", metavar="N,...")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="A preset of rules.", metavar="NAME")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the rules: target_score=10.", metavar="NAME=VALUE")
    ] = None,
    deals: Annotated[int | None, typer.Option("--deals", help="How many deals. [default: 10]", metavar="N")] = None,
    rotation: Annotated[
        str | None,
        typer.Option("--rotation", help="How many orders of seats a deal is played in.", metavar="full|balanced|random"),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of the first deal. [default: 1]", metavar="N")] = None,
    prompts: Annotated[Path | None, typer.Option("--prompts", help="The folder of a prompt pack.", metavar="DIR")] = None,
    mistakes: Annotated[
        float | None, typer.Option("--mistakes", help="How often the offline model errs, from 0 to 1.", metavar="RATE")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="The most that all of it may cost, in USD.", metavar="USD")
    ] = None,
    budget_tokens: Annotated[
        int | None, typer.Option("--budget-tokens", help="The most that all of it may take, in tokens.", metavar="N")
    ] = None,
    rated: Annotated[
        bool, typer.Option("--rated", help="Take answers of exactly the models and pinned providers named, of nobody else.")
    ] = False,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", help="Matches of models at once. [default: 200]", metavar="N")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder for the logs. [default: tournaments/<plan>]", metavar="DIR")
    ] = None,
    engine: Annotated[EngineName, typer.Option("--engine", help="Where matches are played.")] = EngineName.local,
    address: Annotated[str | None, typer.Option("--address", help="A Ray cluster to use.", metavar="ADDRESS")] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Processes that play. [default: every core, if it is worth it]", metavar="N", min=1),
    ] = None,
    patience: Annotated[
        float, typer.Option("--patience", help="Seconds to go on trying what an outage stopped.", metavar="SECONDS", min=0)
    ] = 60.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be played, and what it would take.")] = False,
    past: Annotated[
        Path | None, typer.Option("--past", help="With --dry-run: logs to learn cost and time from.", metavar="DIR")
    ] = None,
    power: Annotated[
        float | None,
        typer.Option("--power", help="How many deals tell agents apart that differ by so many points.", metavar="POINTS"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No narration, only the result.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Play many matches: every deal with all in all seats, hundreds at once, resumed by the same command.

    Examples: tabletop tournament plan.toml · tabletop tournament --game dixiquote --agents bot:steady,bot:random --deals 20
    """
    given = {
        "games": game,
        "agents": agents and agents.split(","),
        "opponents": opponents and opponents.split(","),
        "schedule": "gauntlet" if opponents else None,
        "rotation": rotation,
        "seed": seed,
        "prompts": prompts and str(prompts),
        "mistakes": mistakes,
        "budget": budget,
        "budget_tokens": budget_tokens,
        "rated": rated or None,
        "concurrency": concurrency,
    }
    if address is not None and engine is not EngineName.ray:
        raise UsageError(f"--address {address} names a Ray cluster: it takes --engine ray.")
    of_games = {"players": players and _counts(players), "rules": rules, "options": option and _options(option), "deals": deals}
    found = _plan(plan, _present(given), _present(of_games))
    folder = out or _folder(plan, found)
    if power is not None:
        from runner.cli.power import print_power

        print_power(folder, power, as_json)
    elif dry_run:
        from runner.cli.tournament_estimate import print_estimate

        print_estimate(found, past or folder, as_json)
    else:
        from runner.arena.tournament import Manner

        _run(found, folder, Manner(engine.value, address, workers, patience), quiet, as_json)


def _present(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _counts(word: str) -> list[int]:
    try:
        return [int(part) for part in word.split(",")]
    except ValueError:
        raise UsageError(f"--players {word}: it takes numbers, such as 4 or 3,4,5.") from None


def _options(words: list[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    if bad := next((name for name, mark, value in pairs if not mark), None):
        raise UsageError(f"--option {bad}: it takes NAME=VALUE, such as target_score=10.")
    return {name.strip().replace("-", "_"): value.strip() for name, _, value in pairs}


def _plan(path: Path | None, given: dict[str, Any], of_games: dict[str, Any]) -> Plan:
    """The plan of a file or a folder with flags over it, or of flags alone."""
    import games
    from runner.arena.plan_file import plan_of, read_plan
    from runner.arena.tournament_dir import MANIFEST
    from runner.cli.environment import load_settings

    if path is not None and "games" in given:
        raise UsageError(f"A plan and --game exclude each other: {path} names its games already.")
    if path is None and not ("games" in given and "agents" in given):
        raise UsageError("Name a plan, or both --game and --agents: tabletop tournament --game NAME --agents SPEC,SPEC.")
    data = {} if path is None else read_plan(path / MANIFEST if path.is_dir() else path)
    data |= given
    if of_games:
        events = data.get("games")
        tables: list[dict[str, Any]] = [{"name": event} if isinstance(event, str) else dict(event) for event in events or ()]
        for table in tables:
            table |= of_games
            if "options" in of_games:
                known = games.load(table["name"]).options
                words = of_games["options"]
                table["options"] = {n: known[n].parse(w) if n in known else w for n, w in words.items()}
        data["games"] = tables
    return plan_of(data, load_settings())


def _folder(path: Path | None, plan: Plan) -> Path:
    """Where a tournament is kept when nobody says where."""
    if path is not None:
        return path if path.is_dir() else Path("tournaments") / path.stem
    names = "-".join(event.game for event in plan.events)
    return Path("tournaments") / f"{names}-seed{plan.seed}"


def _run(plan: Plan, path: Path, manner: Any, quiet: bool, as_json: bool) -> None:

    from runner.arena.tournament import Tournament
    from runner.arena.tournament_dir import Folder
    from runner.cli.environment import load_settings
    from runner.screen.consoles import narration
    from runner.screen.dashboard import Dashboard, status_line

    going = Tournament(plan, Folder(path), load_settings(), manner)
    with Dashboard(narration(), quiet) as dashboard:
        has_run = going.run(dashboard.show, dashboard.interval)
        dashboard.tell_trouble(going.progress)
    progress = going.progress
    if as_json:
        facts = {"folder": str(path), "matches": progress.total, "ended": progress.ended, "spent": progress.spent}
        stopped = {name: {"stop": o.stop, "why": o.why, "agent": o.culprit} for name, o in sorted(progress.failed.items())}
        say_json({**facts, "stopped": stopped})
    else:
        say(f"{status_line(progress)}. Logs: {path}")
        if progress.ended == progress.total:
            say(f"`tabletop standings {path}` tells what came of it.")
    if progress.ended < progress.total:
        raise _stop(progress, path, has_run, plan)


def _stop(progress: Progress, path: Path, has_run: bool, plan: Plan) -> Exception:
    """What to say, and with which exit status, when matches are left."""
    from runner.arena.match_outcome import Stop
    from runner.errors import AccountError, LogDamagedError, PausedError, UsageError

    left = progress.total - progress.ended
    rest = f"goes on with what is left, {counted(left, 'match')}."
    again = f"`tabletop tournament {path}` {rest}"
    stops = {outcome.stop: outcome for outcome in progress.failed.values()}
    if not has_run:
        return PausedError(f"The tournament was interrupted. {again}")
    if Stop.BUG in stops:
        return RuntimeError(f"{stops[Stop.BUG].fixture.name}: {stops[Stop.BUG].why}")
    if Stop.DAMAGED in stops:
        return LogDamagedError(1, f"{stops[Stop.DAMAGED].fixture.name}: {stops[Stop.DAMAGED].why}")
    if Stop.USAGE in stops:
        return UsageError(f"{stops[Stop.USAGE].why} {again}")
    if Stop.ACCOUNT in stops:
        return AccountError(f"{stops[Stop.ACCOUNT].why} {again}")
    if Stop.BUDGET in stops:
        flag = "--budget-tokens" if plan.budget is None else "--budget"
        raised = f"It has to be raised: `tabletop tournament {path} {flag} MORE` {rest}"
        return PausedError(f"The budget is spent: {stops[Stop.BUDGET].why} {raised}")
    return PausedError(f"The tournament is paused: {next(iter(stops.values())).why} {again}")
