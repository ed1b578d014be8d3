"""Comparison: prompt packs with the same models on the same decisions, or on the same deals in the same seats.

By matches, the folder of a comparison has one of each player, named after a digest of what the player is and reads. A changed
pack is another player, so that a comparison that is repeated finds what the others have played and asks the changed one alone.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

import games
from games.core import Game, quoted
from runner.agents.environment import Environment
from runner.agents.settings import DEFAULT_SETTINGS, Reason, SeatSettings
from runner.agents.spec import MODELS, Seat, Spec, check_spec, is_model, parse_spec, resolved, with_pack
from runner.arena.experiment import EndsWhen, Experiment
from runner.arena.paired_differences import Differences, Group
from runner.arena.plan import GamePlan, Plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import TournamentDir
from runner.digest import canonical, digest_of
from runner.errors import UsageError
from runner.match.records import ResultRecord
from runner.prompting.pack import BUILT_IN, PromptPack, PromptsRecord
from runner.record.log_paths import COMPARISONS
from runner.session.match_spec import SeatSpec, ready
from runner.standings.luck import Adjust
from runner.workshop.pack_check import are_alike, check_faults

OPPONENT = "opponent"
_KIND = "comparison"
_KEY = 8
_OTHER_LETTERS = re.compile(r"[^A-Za-z0-9._]+")

_MOST, _MOST_PAID = 200, 2000
"""Deals of a plan of its own: without a budget, and with one that ends it before."""


class PackPlayer(NamedTuple):
    """A model with a prompt pack: the pack's place, the model, settings of its own, its name in tables and logs."""

    pack: int
    model: Spec
    settings: SeatSettings
    name: str
    agent: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A comparison as it is asked for. `packs` are folders, or `built-in`; `until`, `deals` and `decisions` None: as the budget
    allows. `margin` is a share of the win."""

    game: str
    packs: Sequence[str]
    models: Sequence[str] = ("offline",)
    players: int | None = None
    rules: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    opponents: str = "bot:steady"
    reason: str | None = None
    measure: str = "wins"
    deals: int | None = None
    decisions: int | None = None
    until: EndsWhen | None = None
    margin: float | None = None
    seed: int | None = None
    budget: float | None = None
    budget_tokens: int | None = None
    concurrency: int = 16
    out: Path = COMPARISONS
    is_reviewed: bool = False
    adjust: Adjust | None = None

    @property
    def command(self) -> str:
        """The command that compares the same packs by matches."""
        words = ["tabletop", "prompts", "compare", self.game, *self.packs, *(f"--seat={one}" for one in self.models)]
        return shlex.join([*words, *([] if self.players is None else [f"--players={self.players}"]), "--by=matches"])

    @property
    def folders(self) -> tuple[Path | None, ...]:
        return tuple(None if pack == BUILT_IN else Path(pack) for pack in self.packs)

    @property
    def own(self) -> list[SeatSettings]:
        """For each pack whether models are asked for reasons; the last word holds for the rest. UsageError for other words."""
        if self.reason is None:
            return [DEFAULT_SETTINGS] * len(self.packs)
        words = self.reason.split(",")
        if len(words) > len(self.packs) or not {*words} <= {*get_args(Reason)}:
            raise UsageError(
                f"--reason {self.reason}: expected auto, always or never, or one for each pack, such as always,never."
            )
        words += words[-1:] * (len(self.packs) - len(words))
        return [SeatSettings(reason=cast(Reason, word)) for word in words]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of packs, each with whether its models are asked for reasons, and a letter where two are the same."""
        found = [
            name if (why := settings.said.get("reason")) is None else f"{name}, reason {why}"
            for name, settings in zip((PromptPack(folder).name for folder in self.folders), self.own, strict=True)
        ]
        return tuple(f"{name} ({chr(ord('A') + place)})" if found.count(name) > 1 else name for place, name in enumerate(found))

    @property
    def fixed(self) -> int | None:
        """The number of deals that was chosen by whoever asks."""
        return self.until if isinstance(self.until, int) else self.deals

    @property
    def stops_when_sure(self) -> bool:
        """Whether it ends as soon as its answer is sure; only shares of the win have bounds that allow it."""
        if self.until == "sure" and self.measure != "wins":
            raise UsageError("--until sure: only --measure wins can be looked at after every deal; specify --deals N.")
        return self.measure == "wins" and (self.until == "sure" or self.fixed is None)

    def agents(self, environment: Environment) -> list[PackPlayer]:
        """Every model with every pack. UsageError for one that reads no prompts, cannot play, or is named twice."""
        models, names = [resolved(parse_spec(model), environment) for model in self.models], self.names
        if doubled := next((one for one, other in combinations(models, 2) if one.text == other.text), None):
            raise UsageError(f"--seat {doubled} is named twice.")
        for model in models:
            if not is_model(model):
                raise UsageError(f"--seat {model}: only models get prompts, so there is nothing to compare.")
            check_spec(model, games.load(self.game), environment)
        return [
            PackPlayer(pack, model, self.own[pack], name if len(models) == 1 else f"{name}, {model}")
            for model in models
            for pack, name in enumerate(names)
        ]

    def spec_of(self, player: PackPlayer) -> Spec:
        return with_pack(player.model, self.folders[player.pack])

    def comparison(self, environment: Environment) -> "Comparison":
        """The comparison by matches, with its players checked. UsageError for what cannot play."""
        game, agents = games.load(self.game), self.agents(environment)
        players = game.set_up(self.players, 0, self.rules, self.options).players
        opponent = resolved(parse_spec(self.opponents), environment)
        check_spec(opponent, game, environment)
        deals = self.fixed or (_MOST_PAID if self.budget or self.budget_tokens else _MOST)
        table = GamePlan(game.name, (players,), self.rules, self.options, deals)
        limits: dict[str, Any] = {"budget": self.budget, "budget_tokens": self.budget_tokens, "seed": self.seed}
        plan = Plan(
            games=(replace(table, deals=1),),
            agents=self._entrants(agents),
            opponents=(SeatSpec(opponent, OPPONENT),),
            is_paired=True,
            is_seed_drawn=self.seed is None,
            concurrency=self.concurrency,
            **{name: value for name, value in limits.items() if value is not None},
        )
        seats = [ready(fixture.spec, environment).config for fixture in schedule(plan)]
        setup = seats[0].setup.to_json() | {"seed": self.seed}
        key = digest_of(canonical({"opponent": _digest(seats[0].seats[-1], {}), "setup": setup}))
        path = self.out / f"{game.name}-{players}p-{key[:_KEY]}"
        named = [
            player._replace(agent=_folder(path, player, self.folders[player.pack], _digest(config.seats[0], config.prompts)))
            for player, config in zip(agents, seats, strict=True)
        ]
        plan = plan.model_copy(update={"games": (table,), "agents": self._entrants(named)})
        return Comparison(self, TournamentDir(path, _KIND).with_recorded_seeds(plan), tuple(named), path)

    def _entrants(self, players: Sequence[PackPlayer]) -> tuple[SeatSpec, ...]:
        """The players as agents, those that have no name yet by their numbers."""
        return tuple(
            SeatSpec(self.spec_of(one), one.agent or f"player {number}", one.settings) for number, one in enumerate(players)
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison by matches: its players, and their plan in a folder."""

    request: ComparisonRequest
    plan: Plan
    players: tuple[PackPlayer, ...]
    path: Path

    @property
    def names(self) -> tuple[str, ...]:
        return self.request.names

    @property
    def models(self) -> list[str]:
        return [player.model.text for player in self.players[:: len(self.names)]]

    @property
    def game(self) -> GamePlan:
        return self.plan.games[0]

    def group(self, pack: int) -> Group:
        """The agents of a pack, one for each model."""
        return tuple(player.agent for player in self.players if player.pack == pack)

    def differences(self, margin: float | None = None) -> Differences:
        """The first pack less each other one."""
        pairs = [(self.group(0), self.group(pack)) for pack in range(1, len(self.names))]
        return Differences.of(schedule(self.plan), pairs, margin)

    def of_deals(self, deals: int) -> "Comparison":
        return replace(self, plan=self.plan.model_copy(update={"games": (replace(self.game, deals=deals),)}))

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


def check_alike(game: Game, packs: Sequence[PromptPack], own: Sequence[SeatSettings]) -> None:
    """UsageError for fewer than two packs, and for two that put the same to a model: nothing would come of playing."""
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
    for pack in (packs := [PromptPack(folder) for folder in folders]):
        check_faults(pack, game)
    check_alike(game, packs, own)
