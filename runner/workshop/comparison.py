"""Comparison: prompt packs with the same models on the same deals, in the same seats, against the same opponent.

The folder of a comparison has one of each player, named after a digest of what the player is and reads. A changed pack is
another player, so that a comparison that is repeated finds what the others have played and asks the changed one alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import games
from games.core import Game, quoted
from runner.agents.environment import Environment
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.agents.spec import MODELS, Seat, Spec, check_spec, is_model, with_pack
from runner.arena.experiment import Experiment
from runner.arena.paired_differences import Differences, Group, Measure, win_share
from runner.arena.plan import GamePlan, Plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import TournamentDir
from runner.digest import canonical, digest_of
from runner.errors import UsageError
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack, PromptsRecord
from runner.session.match_spec import SeatSpec, ready
from runner.workshop.pack_check import are_alike, check_faults

OPPONENT = "opponent"
_KIND = "comparison"
_KEY = 8
_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9._]+")


class PackPlayer(NamedTuple):
    """A model with a prompt pack: the pack's place among the packs, the model, settings of its own, and what it is called in
    tables and in logs."""

    pack: int
    model: Spec
    settings: SeatSettings
    name: str
    agent: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Packs (`folders`; None: the built-in one) by their names, the players, and their plan in a folder."""

    plan: Plan
    folders: tuple[Path | None, ...]
    names: tuple[str, ...]
    models: tuple[Spec, ...]
    players: tuple[PackPlayer, ...]
    path: Path

    @property
    def game(self) -> GamePlan:
        return self.plan.games[0]

    def group(self, pack: int) -> Group:
        """The agents of a pack, one for each model."""
        return tuple(player.agent for player in self.players if player.pack == pack)

    def differences(self, margin: float | None = None, measure: Measure = win_share) -> Differences:
        """The first pack less each other one."""
        pairs = [(self.group(0), self.group(pack)) for pack in range(1, len(self.folders))]
        return Differences.of(schedule(self.plan), pairs, margin, measure)

    def experiment(self, differences: Differences | None = None, is_reviewed: bool = False) -> Experiment:
        """What plays it. What these players cost is counted for them alone."""
        ledger = digest_of(canonical(sorted(player.agent for player in self.players)))[:_KEY]
        folder, plan = TournamentDir(self.path, _KIND, ledger), self.plan
        facts = {"game": self.game.game, "players": self.game.players[0], "seed": plan.seed, "deal_seeds": plan.deal_seeds}
        facts |= {"secret": plan.secret} if plan.secret else {}
        return Experiment(plan, folder, "The comparison", facts, differences, is_reviewed)

    def results(self) -> Mapping[str, ResultRecord]:
        """The results so far by the names of their matches."""
        folder = TournamentDir(self.path, _KIND)
        found = {fixture.name: folder.result(fixture.name) for fixture in schedule(self.plan)}
        return {name: result for name, result in found.items() if result is not None}


def comparison_of(
    game: GamePlan,
    folders: Sequence[Path | None],
    models: Sequence[Spec],
    opponent: Spec,
    out: Path,
    environment: Environment,
    own: Sequence[SeatSettings] = (),
    **settings: Any,
) -> Comparison:
    """The comparison of packs with each model, below the folder `out`. `own` are the settings of each pack's players,
    `settings` those of a plan. UsageError for players that cannot be compared."""
    own = own or [DEFAULT_SETTINGS] * len(folders)
    check_models(games.load(game.game), models, environment)
    check_spec(opponent, games.load(game.game), environment)
    names = pack_names(folders, own)
    players = [
        PackPlayer(pack, model, own[pack], name if len(models) == 1 else f"{name}, {model}", "")
        for model in models
        for pack, name in enumerate(names)
    ]
    if settings.get("seed") is None:
        settings = {**settings, "is_seed_drawn": True}
    given = {name: value for name, value in settings.items() if value is not None}
    plan = Plan(
        games=(replace(game, deals=1),), agents=_agents(players, folders), opponents=_others(opponent), is_paired=True, **given
    )
    seats = [ready(fixture.spec, environment).config for fixture in schedule(plan)]
    table = digest_of(
        canonical(
            {"opponent": _digest(seats[0].seats[-1], {}), "setup": seats[0].setup.to_json() | {"seed": settings.get("seed")}}
        )
    )
    path = out / f"{game.game}-{game.players[0]}p-{table[:_KEY]}"
    named = [
        player._replace(agent=_folder(path, player, folders[player.pack], _digest(config.seats[0], config.prompts)))
        for player, config in zip(players, seats, strict=True)
    ]
    plan = plan.model_copy(update={"games": (game,), "agents": _agents(named, folders)})
    plan = TournamentDir(path, _KIND).with_recorded_seeds(plan)
    return Comparison(plan, tuple(folders), names, tuple(models), tuple(named), path)


def _agents(players: Sequence[PackPlayer], folders: Sequence[Path | None]) -> tuple[SeatSpec, ...]:
    """The players as agents, those that have no name yet by their numbers."""
    return tuple(
        SeatSpec(with_pack(one.model, folders[one.pack]), one.agent or f"player {number}", one.settings)
        for number, one in enumerate(players)
    )


def _others(opponent: Spec) -> tuple[SeatSpec, ...]:
    return (SeatSpec(opponent, OPPONENT),)


def _digest(seat: Seat, prompts: PromptsRecord | Mapping[str, object]) -> str:
    """The digest of what a player is and reads, whatever it is called and wherever its pack is."""
    of_place = ("name", "prompts", *(["spec"] if seat.kind in MODELS else []))
    found = {name: value for name, value in seat.to_json().items() if name not in of_place}
    read = dict(seat.identity.get("prompts", prompts))
    return digest_of(
        canonical({**found, "reads": {name: read[name] for name in ("templates", "offline_mistakes") if name in read}})
    )


def _folder(path: Path, player: PackPlayer, folder: Path | None, digest: str) -> str:
    """The name of a player's folder: that of before, whatever its pack was called then."""
    end = f"-{digest[:_KEY]}"
    before = next((one.name for one in sorted(path.glob(f"*{end}")) if one.is_dir()), None)
    pack, model = (_OTHER_LETTERS.sub("-", text).strip("-.") for text in (PromptPack(folder).name, player.model.text))
    return before or f"{pack[:16] or 'pack'}-{model[-14:].strip('-.') or 'model'}{end}"


def pack_names(folders: Sequence[Path | None], own: Sequence[SeatSettings]) -> tuple[str, ...]:
    """The names of packs, each with whether its models are asked for reasons if that is said, and a letter if several are
    called the same."""
    found = [
        name if (why := settings.said.get("reason")) is None else f"{name}, reason {why}"
        for name, settings in zip((PromptPack(folder).name for folder in folders), own, strict=True)
    ]
    return tuple(f"{name} ({chr(ord('A') + place)})" if found.count(name) > 1 else name for place, name in enumerate(found))


def check_models(game: Game, models: Sequence[Spec], environment: Environment) -> None:
    """UsageError for players that read no prompts or cannot play, and for one that is named twice."""
    if doubled := next((one for one, other in combinations(models, 2) if one.text == other.text), None):
        raise UsageError(f"--seat {doubled} is named twice.")
    for model in models:
        if not is_model(model):
            raise UsageError(f"--seat {model}: only models get prompts, so there is nothing to compare.")
        check_spec(model, game, environment)


def check_alike(game: Game, folders: Sequence[Path | None], own: Sequence[SeatSettings]) -> None:
    """UsageError for fewer than two packs, and for two that put the same to a model: nothing would come of playing."""
    packs = [PromptPack(folder) for folder in folders]
    if len(packs) < 2:
        raise UsageError("A comparison needs at least two packs; `built-in` is one.")
    for one, other in combinations(range(len(packs)), 2):
        if own[one] == own[other] and are_alike(packs[one], packs[other], game):
            names = f"{quoted(packs[one].name)} and {quoted(packs[other].name)}"
            raise UsageError(
                f"The packs {names} render the same prompts in {game.name}, so there is nothing to compare: nothing was played."
            )


def check_packs(game: Game, folders: Sequence[Path | None], own: Sequence[SeatSettings]) -> None:
    """UsageError for a pack with a fault, and for packs that cannot be told apart."""
    for folder in folders:
        check_faults(PromptPack(folder), game)
    check_alike(game, folders, own)
