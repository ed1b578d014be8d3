"""Ready match: a spec with every check made. Every door of tabletop begins and continues its matches here."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import games
from games.core import quoted
from runner.agents.bot_seats import in_playouts
from runner.agents.environment import Environment
from runner.agents.log_trust import check_logged
from runner.agents.model_seats import own_pack
from runner.agents.settings import merge
from runner.agents.spec import Human, Seat, Spec, check_distinct, check_name, check_spec, describe_seat, is_given, needs_client
from runner.errors import UsageError
from runner.llm.skin import PLAIN, Skin
from runner.match.header import HeaderRecord, MatchConfig, SeatRecord, logged_skin, new_seed
from runner.prompting.pack import BUILT_IN, PromptPack
from runner.prompting.vocabulary import check_words, named_skin
from runner.record.resume import Playback
from runner.session.match_spec import MatchSpec, SettingNamer, changed_seats

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
    `asks` are the kinds of seat that this door alone can ask: a person, an MCP client. `pack` is the spec's prompt pack, if it
    was read before."""
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
        shared=spec.shared,
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
    seat = describe_seat(one, environment, merge(one.settings(environment), spec.shared, given.settings))
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
        seat = replace(seat, name=str(logged["name"]))
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
