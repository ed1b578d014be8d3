"""Options that several verbs have, each declared once, the log that they use when none is named, or only a folder, and shell
completion, which looks values up on Tab alone."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from runner.errors import TabletopError, UsageError
from runner.match.header import LARGEST_SEED
from runner.record.log_paths import LOGS, has_logs, logs_in, modified_of, refuse_missing

_MOST_LOGS = 50
_MOST_SEATS = 8


def complete_games(incomplete: str) -> list[str]:
    import games

    return _with_prefix(games.names(), incomplete)


def complete_seats(ctx: typer.Context, incomplete: str) -> list[str]:
    """SPECs: bots of the game, or of all games; agents of agents.toml. A prefix such as `P-2=` is kept."""
    place, sign, spec = incomplete.rpartition("=")
    return [f"{place}{sign}{name}" for name in _with_prefix(_specs(ctx.info_name or ""), spec)]


def complete_choices(choices: Sequence[str]) -> Callable[[str], list[str]]:
    return lambda incomplete: _with_prefix(choices, incomplete)


complete_views = complete_choices(("all", "public", *(f"P-{seat}" for seat in range(_MOST_SEATS))))


def complete_logs(incomplete: str) -> list[str]:
    """Logs, newest first: files that begin with the text, and files in folders that do."""
    folder, _, name = incomplete.rpartition("/")
    start = Path(f"{folder}/" if folder or incomplete.startswith("/") else ".")
    try:
        found = [path for end in ("*.jsonl", "*/*.jsonl") for path in start.glob(escape(name) + end) if path.is_file()]
        found.sort(key=lambda path: -path.stat().st_mtime)
    except OSError:
        return []
    return [str(path) for path in found[:_MOST_LOGS]]


def _specs(game: str) -> Iterator[str]:
    import games
    from runner.agents.config_files import read_environment
    from runner.agents.spec import KINDS, known_names

    known = games.registered().games
    chosen = [found for found in known if found.name == game] or known
    for kind in KINDS:
        yield from kind.completions(chosen)
    try:
        yield from known_names(read_environment())
    except TabletopError:
        return


def _with_prefix(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def option(text: str, metavar: str | None = None, *flags: str, **more: Any) -> Any:
    """An option: its sentence in `--help` and the name of its value there. Without `flags` it has the name of the parameter."""
    return typer.Option(*flags, help=text, metavar=metavar, readable=False, **more)  # a file says itself why it is not


def switch(flag: str, text: str) -> Any:
    return typer.Option(flag, help=text)


def argument(text: str, metavar: str, **more: Any) -> Any:
    """An argument with its sentence in `--help` and its name there."""
    return typer.Argument(help=text, metavar=metavar, readable=False, **more)


def log_argument(text: str, metavar: str = "LOG") -> Any:
    """An argument that names logs; none, if it is left out."""
    return argument(text, metavar, show_default=False, autocompletion=complete_logs)


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print what would be played, and its cost and time; play nothing.")]
Adjusted = Annotated[
    Literal["deal", "bots"] | None,
    option(
        "Adjust win shares for luck: bots (decisions of known bots, and deals), or deal, which mostly adds variance.",
        rich_help_panel="Rare",
    ),
]
UntilWhen = Annotated[
    str | None,
    option(
        "When to stop: once every pair is surely told apart, looking each time, or after N deals or decisions.",
        "sure|N",
        "--until",
    ),
]
View = Annotated[
    str,
    option(
        "Point of view: all, public, a seat such as P-2, or a player's name.", "VIEW", "--view", autocompletion=complete_views
    ),
]
Thoughts = Annotated[
    bool, switch("--thoughts", "Show each model's reasoning; a seat's view shows only its own, the public view none.")
]
IsStill = Annotated[bool, typer.Option("--still", help="Show no motion, such as cards that turn.", rich_help_panel="Rare")]
LogOrNewest = Annotated[Path | None, log_argument("A log; the newest of a folder, or of logs by default.")]
LogFolder = Annotated[Path, argument("Folder with logs; sub-folders are included.", "DIR")]
GameName = Annotated[str, argument("Name of a game; `tabletop games` lists them.", "GAME", autocompletion=complete_games)]
RulesName = Annotated[str | None, option("Rules preset.", "NAME", "--rules")]
RulesOptions = Annotated[list[str] | None, option("Rules option, such as target_score=10.", "NAME=VALUE", "--option")]
DealSeed = Annotated[int | None, option("Seed of the deals. [default: random]", "N", "--seed", min=0, max=LARGEST_SEED)]


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """When an experiment stops, and what is worked out of its matches."""

    is_dry_run: DryRun = False
    until: UntilWhen = None
    margin: Annotated[
        float | None,
        option("Stop as well once all differences are surely smaller, in points of win share.", "POINTS", min=0.1, max=100),
    ] = None
    is_reviewed: Annotated[
        bool, switch("--review", "Grade every decision of each match that ends, as `tabletop review` does.")
    ] = False
    adjust: Adjusted = None

    @property
    def share(self) -> float | None:
        """The margin as a share of the win."""
        return self.margin and self.margin / 100


def pack_folder(named: Path | None) -> Path | None:
    """The folder of a prompt pack that a user names; None for the built-in one."""
    from runner.prompting.pack import BUILT_IN

    return None if named is None or str(named) == BUILT_IN else named


PackFolder = Annotated[
    Path | None, option("Folder of a prompt pack. [default: built-in]", "DIR", "--pack", "--prompts", callback=pack_folder)
]


def output(text: str, metavar: str = "FILE", names: Sequence[str] = ("--output", "-o")) -> Any:
    """The option that says where a file or a folder goes."""
    return option(text, metavar, *names)


def games_option(text: str) -> Any:
    """The option that chooses among games."""
    return option(text, "GAME", "--game", autocompletion=complete_games)


def budget_option(text: str) -> Any:
    """The option that limits the cost. UsageError for a budget that allows nothing, or everything."""
    return option(text, "USD", "--budget", callback=_checked_budget)


def _checked_budget(budget: float | None) -> float | None:
    if budget is not None and not 0 < budget < math.inf:
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    return budget


def named_or_newest(given: Path | None) -> Path:
    """The named log; else, and said on standard error, the newest of a folder or of `logs`. UsageError without any."""
    if given is not None and not has_logs(given):
        refuse_missing(given)
        return given
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    files = newest_files(given or LOGS)
    path = next(filter(_begins_as_log, files), files[0])
    print_note(f"Newest log: {clean(path, 5000)}")
    return path


def newest_files(folder: Path) -> list[Path]:
    """The files named like logs below a folder, or those of a pack, newest first. UsageError without any."""
    if not has_logs(folder):
        raise UsageError(f"No log is named, and there is no folder {folder}: name a log or a folder of logs.")
    return sorted(logs_in(folder), key=lambda path: (modified_of(path), path), reverse=True)


def _begins_as_log(path: Path) -> bool:
    """Whether a file is a log: recordings and live events can have the same suffix."""
    from runner.record.reader import open_log, read_start

    try:
        with open_log(path) as file:
            read_start(path, file)
    except TabletopError:
        return False
    return True
