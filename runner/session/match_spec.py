"""Match spec: what is played, and the match that is ready to be played, with every check made. A match's own settings are
declared here, once, with their checks; settings.toml has the words. Every door begins and continues its matches by `ready`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Self, cast

from pydantic import BeforeValidator, Field, InstanceOf, ValidationError, WithJsonSchema

import games
from games.core import quoted
from runner.agents.bot_seats import in_playouts
from runner.agents.environment import Environment
from runner.agents.log_trust import check_logged
from runner.agents.model_seats import own_pack
from runner.agents.seat_kind import SeatIdentity
from runner.agents.settings import DEFAULT_SETTINGS, DEFAULTS, OF_MATCH, SeatSettings, merge, setting_of, told
from runner.agents.spec import (
    LONGEST_NAME,
    MODELS,
    PACK,
    Human,
    Seat,
    Spec,
    check_distinct,
    check_name,
    check_spec,
    describe_seat,
    forms,
    is_given,
    needs_client,
    parse_spec,
    resolved,
)
from runner.errors import LogDamagedError, UsageError, shortened
from runner.llm.skin import PLAIN, Skin
from runner.match.header import LARGEST_SEED, Asking, HeaderRecord, MatchConfig, SeatRecord, logged_skin, new_seed
from runner.match.tally import DEFAULT_HOPELESS
from runner.prompting.pack import BUILT_IN, PromptPack
from runner.prompting.vocabulary import check_words, named_skin
from runner.record.resume import Playback
from runner.validation import LARGEST, first_problem, problem_of

_FROM_GAME = ("game", "players", "rules", "ask", "ask_forced")
NO_SKIN = "none"
"""The skin that leaves the game's own words."""

SettingNamer = Callable[[str, object], str]
"""How a door writes a setting and its value: `--seed 7`, `seed=7`."""

_SEAT_CHANGE = re.compile(r"[Pp]-?(\d+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who plays a seat: the SPEC, the name that the player is given, empty for none, and settings that it has alone. In a
    tournament it is an agent that takes part, by its name in tables and logs."""

    spec: Spec
    name: str = ""
    settings: SeatSettings = DEFAULT_SETTINGS

    @classmethod
    def of(cls, text: str) -> SeatSpec:
        """The seat in `SPEC` or `NAME=SPEC`."""
        found = parse_spec(text)
        return cls(found, found.player)

    def merged(self, match: MatchSettings, environment: Environment) -> SeatSettings:
        return merge(self.spec.settings(environment), match.settings, self.settings)

    def resolved(self, environment: Environment) -> Spec:
        """The SPEC with its name, and with the names of this environment resolved."""
        return replace(resolved(self.spec, environment), player=self.name)


SeatText = Annotated[
    InstanceOf[SeatSpec],
    BeforeValidator(lambda given: SeatSpec.of(given) if isinstance(given, str) else given),
    WithJsonSchema({"type": "string"}),
]
"""A seat as doors take it: a text."""


def _skin(value: object) -> object:
    return None if value == NO_SKIN else str(value) if type(value) is int else value


_SkinName = Annotated[str, Field(max_length=LONGEST_NAME)]


class MatchSettings(SeatSettings):
    """What matches can share: the settings that all models of a match have, and its own, but not the game, its deal and its
    players. None: as the game says."""

    strikes: Annotated[int | None, told("strikes")] = None
    hopeless: Annotated[int, Field(ge=0, le=LARGEST), told("hopeless")] = DEFAULT_HOPELESS
    ask: Annotated[Asking, told("ask")] = "simultaneous"
    ask_forced: Annotated[bool, told("ask_forced")] = False
    budget: Annotated[float | None, Field(gt=0, allow_inf_nan=False), told("budget")] = None
    budget_tokens: Annotated[int | None, Field(ge=1, le=LARGEST), told("budget_tokens")] = None
    talk: Annotated[bool, told("talk")] = False
    skin: Annotated[_SkinName | None, BeforeValidator(_skin), told("skin")] = None

    @property
    def specified(self) -> dict[str, Any]:
        """Every field by name but the settings of seats that nobody has specified."""
        unsaid = SeatSettings.model_fields.keys() - self.model_fields_set
        return {name: getattr(self, name) for name in type(self).model_fields if name not in unsaid}


class MatchSpec(MatchSettings):
    """One match. `options` are the game's own. None: the game's own number of players and preset, a random seed."""

    is_scheduled: ClassVar[bool] = False

    game: str
    players: Annotated[int | None, told("players")] = None
    seats: Annotated[tuple[SeatText, ...], told("seats", forms=", ".join(forms()), pack=PACK)] = ()
    rules: Annotated[str | None, told("rules")] = None
    seed: Annotated[int | None, Field(ge=0, le=LARGEST_SEED), told("seed")] = None
    options: dict[str, Any] = Field(default_factory=dict)

    @property
    def game_options(self) -> dict[str, Any]:
        """The options of the game, the number of strikes among them."""
        return self.options if self.strikes is None else {**self.options, "strikes": self.strikes}

    @property
    def bounds(self) -> dict[str, float]:
        """The budget as the log has it: `usd`, `tokens`, both or neither."""
        bounds = {"usd": self.budget, "tokens": self.budget_tokens}
        return {name: most for name, most in bounds.items() if most is not None}

    @classmethod
    def of(cls, values: Mapping[str, object], named: SettingNamer) -> Self:
        """The match of values by name. UsageError for a wrong one, which begins with what `named` makes of it."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            name = str(wrong["loc"][0])
            if name not in cls.model_fields or name not in values:
                raise UsageError(f"The match: {first_problem(error, cls)}") from error
            expects = setting_of(cls, name).expects if name not in ("game", "options") else ""
            why = f"expected {expects}" if expects else problem_of(wrong)
            raise UsageError(f"{shortened(named(name, values[name]))}: {why}.") from error

    @classmethod
    def of_header(cls, header: HeaderRecord, changes: Mapping[str, object], named: SettingNamer) -> Self:
        """The match of a log's header, with changes by name; those of `seats` say which: `P-2=SPEC`, or a SPEC for the next.
        UsageError for a seat that there is not, LogDamagedError for a header that is not complete."""
        try:
            logged, bounds = header["seats"], header.get("budget", {})
            known = cast("Mapping[str, object]", header)
            values = {name: known[name] for name in _FROM_GAME}
            values |= {
                "hopeless": header.get("hopeless", DEFAULT_HOPELESS),
                "talk": header.get("talk", False),
                "budget": bounds.get("usd"),
                "budget_tokens": bounds.get("tokens"),
                **logged_shared(header).said,
            }
            changed = changed_seats(header, changes)
            seats = tuple(_continued(seat, changed.get(number), changes) for number, seat in enumerate(logged))
        except (KeyError, TypeError) as error:
            raise LogDamagedError(1, f"the header is incomplete ({error!r}).") from error
        options = {**header["options"], **cast("Mapping[str, object]", changes.get("options", {}))}
        found = cls.of({**values, **changes, "options": options, "seats": seats}, named)
        kept = {name: known.get(name) for name in ("seed", "skin") if name not in changes}  # older logs have no bounds
        return found.model_copy(update=kept)


class ScheduledMatch(MatchSpec):
    """A match among many, which nobody looks after. Its players are called what its schedule calls them, several seats may have
    one name, and a hopeless seat is asked once a decision instead of pausing the match."""

    is_scheduled = True


def logged_shared(header: HeaderRecord) -> SeatSettings:
    """The settings that all models of a log's match have: those of the header, or of an older log what they have in common."""
    if "shared" in header:
        return SeatSettings.of_record(header["shared"])
    models = [SeatSettings.of_record(seat).to_json() for seat in header["seats"] if seat["kind"] in MODELS]
    rates = [one.pop("mistakes") for one in models if "mistakes" in one]  # only of offline models
    common = {name: models[0][name] for name in OF_MATCH if models and all(name in one for one in models)}
    same = {name: value for name, value in common.items() if all(one[name] == value for one in models)}
    return SeatSettings.of_record({**same, **({"mistakes": max(rates)} if rates else {})})


def _continued(logged: SeatRecord, changed: str | None, changes: Mapping[str, object]) -> SeatSpec:
    """A seat of a match that continues. The same player keeps the settings that hold for a match, unless these change."""
    found = SeatSpec(parse_spec(str(logged["spec"]))) if changed is None else SeatSpec.of(changed)
    if found.spec.text != logged["spec"]:
        return found
    known = {**DEFAULTS, **logged}
    return replace(found, settings=SeatSettings.of_record({name: known[name] for name in OF_MATCH if name not in changes}))


SETTINGS = (
    *(name for name in MatchSpec.__annotations__ if name in MatchSpec.model_fields and name not in ("game", "options")),
    *(name for model in (SeatSettings, MatchSettings) for name in model.__annotations__ if name in model.model_fields),
)
"""The names of all settings but the game and its options, in the order in which people read them."""

CHANGES = tuple(name for name in SETTINGS if not setting_of(MatchSpec, name).is_fixed)
"""The names of the settings that can change where a match continues from a log."""


def changed_seats(header: HeaderRecord, changes: Mapping[str, object]) -> dict[int, str]:
    """The SPECs that changes give to seats: `P-2=SPEC` or `ada=SPEC` to one, others in turn. UsageError for no seat."""
    found, next_seat, seats = dict[int, str](), 0, len(header["seats"])
    names = [str(seat.get("name", "")).casefold() for seat in header["seats"]]
    for change in cast("Sequence[str]", changes.get("seats", ())):
        named = _SEAT_CHANGE.fullmatch(change)
        seat, spec = (int(named[1]), named[2]) if named else (next_seat, change)
        if named is None and names.count(name := change.partition("=")[0].strip().casefold()) == 1 and "=" in change:
            seat = names.index(name)
        else:
            next_seat += named is None
        if seat >= seats:
            raise UsageError(f"--seat {change}: the match has only the seats P-0 to P-{seats - 1}.")
        found[seat] = spec
    return found


Functions = Mapping[int, Callable[..., Any]]
"""Python functions and classes that were given as they are, by the seats that they play."""


@dataclass(frozen=True, slots=True)
class Before:
    """What a match continues from: a log's header, and the seats that this call names, which are trusted for that. `called` has
    what a tournament calls its agents, by their SPECs, for players without a name."""

    header: HeaderRecord
    named: Collection[int] = ()
    called: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """A match that can be played. `playback` is the recording that answers for everybody, if there is one."""

    spec: MatchSpec
    config: MatchConfig
    pack: PromptPack
    environment: Environment
    functions: Functions
    playback: Playback | None = None

    @property
    def specs(self) -> tuple[Spec, ...]:
        return tuple(seat.spec for seat in self.config.seats)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people who have to answer; none when answers come from a recording."""
        return () if self.playback else tuple(seat for seat, spec in enumerate(self.specs) if isinstance(spec, Human))


def ready(
    spec: MatchSpec,
    environment: Environment,
    *,
    asks: tuple[type[Spec], ...] = (),
    functions: Functions | None = None,
    before: Before | None = None,
    playback: Playback | None = None,
    pack: PromptPack | None = None,
) -> ReadyMatch:
    """The match of a spec. OptionError, UsageError or AccountError, before anything is written, for what cannot be played.
    `asks`: kinds of seat that this door alone can ask: a person, an MCP client. `pack`: the spec's pack, read before."""
    game, seed = games.load(spec.game), new_seed() if spec.seed is None else spec.seed
    state = game.begin(spec.players, seed, spec.rules, **spec.game_options)
    specs, functions = [seat.resolved(environment) for seat in spec.seats], functions or {}
    if spec.is_scheduled:  # what a schedule calls a player may be the SPEC itself
        specs = [one if is_given(one.player, one) else replace(one, player="") for one in specs]
    if len(specs) != state.setup.players:
        raise UsageError(f"There are {len(specs)} seats, and the match has {state.setup.players} players.")
    if before is not None:
        logged = {seat: spec for seat, spec in enumerate(specs) if seat not in before.named}
        check_logged(logged, [specs[seat] for seat in before.named], environment)
    for number, one in enumerate(specs):
        if before is None or number in before.named:
            specs[number] = one = in_playouts(one, game, state)
        if one.player and not spec.is_scheduled:
            check_name(one.player)
        if number not in functions:
            check_spec(one, game, environment, asks)
    pack = pack or _pack(spec, specs, before)
    seats = [_seated(number, one, spec, pack, environment, before) for number, one in enumerate(specs)]
    for number in functions:
        if not (seat := seats[number]).spec.player:  # it has its function's own name
            seats[number] = replace(seat, name=seat.spec.who.rpartition(":")[2].rpartition(".")[2])
    if not spec.is_scheduled:
        check_distinct(seats)
    config = MatchConfig(
        game,
        state.setup,
        tuple(seats),
        pack.to_json(game.name) if needs_client(specs) else {},
        ask=spec.ask,
        ask_forced=spec.ask_forced,
        budget=spec.bounds,
        hopeless=spec.hopeless,
        plays_on=spec.is_scheduled,
        talk=spec.talk,
        words=_words(spec, pack, before),
        shared=spec.settings,
    )
    if playback is not None:
        playback.check(config, state)
        config = replace(config, playback=playback.to_json())
    return ReadyMatch(spec, config, pack, environment, functions, playback)


def ready_to_continue(
    before: HeaderRecord,
    changes: Mapping[str, object],
    named: SettingNamer,
    environment: Environment,
    *,
    called: Mapping[str, str],
    asks: tuple[type[Spec], ...] = (),
    functions: Functions | None = None,
) -> ReadyMatch:
    """The match of a log's header with `changes`, the settings that differ by name."""
    known = Before(before, changed_seats(before, changes).keys(), called)
    return ready(MatchSpec.of_header(before, changes, named), environment, asks=asks, functions=functions, before=known)


def _seated(number: int, one: Spec, spec: MatchSpec, pack: PromptPack, environment: Environment, before: Before | None) -> Seat:
    """A seat as it plays in a match. One with its own prompt pack says which."""
    given = spec.seats[number]
    seat = describe_seat(one, environment, merge(one.settings(environment), spec.settings, given.settings))
    own = own_pack(seat.settings, pack)
    if own is not pack:
        name = one.given_name(environment) or f"{seat.name} ({own.name})"
        seat = replace(seat, name=name, identity={**seat.identity, "prompts": own.to_json(spec.game)})
    if spec.is_scheduled and given.name:
        return replace(seat, name=given.name)
    return seat if before is None else _called_before(seat, before.header["seats"][number], before)


def _called_before(seat: Seat, logged: SeatRecord, before: Before) -> Seat:
    """A seat that continues: the same player keeps its name; one without a name has that of its tournament."""
    if seat.spec.text == logged["spec"] and not seat.spec.player:
        said: SeatIdentity = {"consent": logged["consent"]} if "consent" in logged else {}
        seat = replace(seat, name=str(logged["name"]), identity={**seat.identity, **said})
    name = before.called.get(seat.spec.text)
    return seat if name is None or is_given(seat.name, seat.spec) else replace(seat, name=name)


def _pack(spec: MatchSpec, specs: Sequence[Spec], before: Before | None) -> PromptPack:
    """The prompt pack that is specified, else the one that the match was played with, which has to be there."""
    if spec.prompts is not None:
        return PromptPack(None if before and str(spec.prompts) == BUILT_IN else spec.prompts)
    name = (before.header["prompts"] or {}).get("pack", BUILT_IN) if before else BUILT_IN
    if name != BUILT_IN and needs_client(specs):
        raise UsageError(
            f"The match was played with the prompt pack {name}: specify its folder, or {BUILT_IN}, with --prompts."
        )
    return PromptPack()


def _words(spec: MatchSpec, pack: PromptPack, before: Before | None) -> Skin:
    """The words that models read. A match that continues has those of its log, whatever the pack has by now."""
    if spec.skin is None:
        return PLAIN
    if before is None:
        return named_skin(spec.skin, spec.game, pack)
    found = logged_skin(before.header)
    if found.name != spec.skin:
        return named_skin(spec.skin, spec.game, pack)
    check_words(found.words, f"The skin {quoted(found.name)} of the log")
    return found
