"""Match spec: what is played. Every setting of a match is declared here, once, with its sentence, its flag and its check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from runner.agents.choice_order import Order
from runner.agents.seat import LONGEST_NAME, is_rated
from runner.agents.settings import Reason
from runner.errors import LogDamagedError, UsageError, shortened
from runner.match.config import Asking
from runner.match.header import HeaderRecord
from runner.match.seeds import LARGEST_SEED
from runner.match.tally import DEFAULT_HOPELESS
from runner.validation_messages import first_problem, problem_of

LARGEST = 2**53
"""The largest number that every reader of JSON keeps."""

_HOPELESS = "Strike-outs of one seat in a row after which the match pauses; 0: never."
_AS_BEFORE = "[default: as before]"
_REASON = "Whether models write a reason before each answer; auto: those that do not reason by themselves."

Named = Callable[[str, object], str]
"""How a door writes a setting and its value: `--seed 7`, `seed=7`."""

_SEAT_CHANGE = re.compile(r"[Pp]-?(\d+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Setting:
    """How people are told of a setting. `help` is its sentence, `changed` that where a match continues from a log, None for a
    setting that stays. A sentence says what holds where nothing is specified, unless the default value says it.

    `flags` are its names on a command line, by default its own; `expects` says what a value has to be.
    """

    help: str
    metavar: str | None = None
    changed: str | None = None
    flags: tuple[str, ...] = ()
    expects: str = ""

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """The JSON Schema of the setting, with its sentence."""
        return {**handler(core_schema), "description": self.help}


def _folder(value: object) -> object:
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value:
        raise ValueError("it has to be a word" if value == "" else "it has to be text")
    return Path(value)


class MatchSettings(BaseModel):
    """What matches can share: all settings but the game, its deal and its players. None: as the game or the agents say."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    strikes: Annotated[int | None, Setting("Invalid answers in a row before the penalty. [default: 3]", "N")] = None
    hopeless: Annotated[int, Field(ge=0, le=LARGEST), Setting(_HOPELESS, "N", f"{_HOPELESS} {_AS_BEFORE}")] = DEFAULT_HOPELESS
    ask: Annotated[
        Asking, Setting("Ask seats that decide at the same time all at once, or one by one. [default: simultaneous]")
    ] = "simultaneous"
    ask_forced: Annotated[bool, Setting("Ask even if only one answer is legal.")] = False
    prompts: Annotated[
        Path | None,
        BeforeValidator(_folder),
        Setting(
            "Prompt pack: a folder that overrides built-in templates.",
            changed="Prompt pack from this point: a folder, or built-in.",
        ),
    ] = None
    budget: Annotated[
        float | None,
        Field(gt=0, allow_inf_nan=False),
        Setting(
            "Maximum cost in USD.", "USD", f"Maximum cost of the whole match, in USD. {_AS_BEFORE}", expects="more than 0 USD"
        ),
    ] = None
    budget_tokens: Annotated[
        int | None,
        Field(ge=1, le=LARGEST),
        Setting(
            "Maximum number of tokens.", "N", f"Maximum tokens of the whole match. {_AS_BEFORE}", expects="more than 0 tokens"
        ),
    ] = None
    rated: Annotated[
        bool, Setting("Require exactly the models and providers named: no aliases, fallbacks or reply repair.")
    ] = False
    mistakes: Annotated[float, Field(ge=0, le=1), Setting("Error rate of the offline model, from 0 to 1.", "RATE")] = 0.0
    reason: Annotated[
        Reason | None, Setting(f"{_REASON} [default: as agents.toml says, else auto]", changed=f"{_REASON} {_AS_BEFORE}")
    ] = None
    choices: Annotated[
        Order | None,
        Setting("Order in which models read legal answers; shuffled: drawn. [default: as agents.toml says]"),
    ] = None
    talk: Annotated[bool, Setting("Let every player say a line to the whole table with each answer.")] = False
    belief: Annotated[bool, Setting("Models state how likely they find what they cannot know, before each answer.")] = False
    policy: Annotated[
        bool, Setting("Ask models for the probability of each legal answer, where their endpoint gives log-probabilities.")
    ] = False
    skin: Annotated[
        Annotated[str, Field(max_length=LONGEST_NAME)] | None,
        BeforeValidator(lambda value: str(value) if type(value) is int else value),
        Setting("The game in other words for models alone: a skin of its prompt pack, or a seed for drawn words.", "NAME|SEED"),
    ] = None


class MatchSpec(MatchSettings):
    """One match. `options` are the game's own; `seats` has the SPEC of every seat, with the player's name if it has one.

    None: the game's own number of players and preset, a random seed.
    """

    game: str
    players: Annotated[
        int | None,
        Setting(
            "Number of players. [default: as many as --seat names, else the game's own]",
            "N",
            flags=("--num-players", "--players"),
        ),
    ] = None
    seats: Annotated[
        tuple[str, ...],
        Setting(
            "A player, once per seat: bot:NAME, human, offline, a model such as openai/gpt-5-mini, MODEL@BASE_URL, or"
            " one of them with its own prompts, SPEC+pack:DIR. NAME=SPEC gives the player a name. Other seats are filled from"
            " .env.",
            "SPEC",
            changed="Another player from this point: P-2=SPEC, P-2=NAME=SPEC, or one SPEC per seat in order.",
            flags=("--seat",),
        ),
    ] = ()
    rules: Annotated[str | None, Setting("Rules preset; `tabletop games` lists them.", "NAME")] = None
    seed: Annotated[
        int | None, Field(ge=0, le=LARGEST_SEED), Setting("Random seed. [default: random]", "N", expects="0 to 2^63 - 1")
    ] = None
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
    def of(cls, values: Mapping[str, object], named: Named) -> Self:
        """The match of values by name. UsageError for a wrong one, which begins with what `named` makes of it."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            name = str(wrong["loc"][0])
            if name not in cls.model_fields or name not in values:
                raise UsageError(f"The match: {first_problem(error, cls)}") from error
            expects = setting_of(name).expects
            why = f"expected {expects}" if expects else problem_of(wrong)
            raise UsageError(f"{shortened(named(name, values[name]))}: {why}.") from error

    @classmethod
    def of_header(cls, header: HeaderRecord, changes: Mapping[str, object], named: Named) -> Self:
        """The match of a log's header, with changes by name; those of `seats` say which: `P-2=SPEC`, or a SPEC for the next.
        UsageError for a seat that there is not, LogDamagedError for a header that is not complete."""
        try:
            logged, bounds = header["seats"], header.get("budget", {})
            known = cast("Mapping[str, object]", header)
            values = {name: known[name] for name in ("game", "players", "rules", "ask", "ask_forced")}
            values |= {
                "hopeless": header.get("hopeless", DEFAULT_HOPELESS),
                "talk": header.get("talk", False),
                "rated": is_rated(logged),
                "mistakes": max((float(seat.get("mistakes", 0.0)) for seat in logged), default=0.0),
                "budget": bounds.get("usd"),
                "budget_tokens": bounds.get("tokens"),
            }
            changed = changed_seats(header, changes)
            seats = tuple(changed.get(number, str(seat["spec"])) for number, seat in enumerate(logged))
        except (KeyError, TypeError) as error:
            raise LogDamagedError(1, f"the header is incomplete ({error!r}).") from error
        options = {**header["options"], **cast("Mapping[str, object]", changes.get("options", {}))}
        found = cls.of({**values, **changes, "options": options}, named)
        kept = {"seed": header["seed"], "skin": header.get("skin"), **changes, "seats": seats}  # older logs have no bounds
        return found.model_copy(update={name: kept[name] for name in ("seed", "skin", "seats")})


def setting_of(name: str) -> Setting:
    """How people are told of a setting of a match."""
    return next(found for found in MatchSpec.model_fields[name].metadata if isinstance(found, Setting))


SETTINGS = tuple(
    name for name in (*MatchSpec.__annotations__, *MatchSettings.__annotations__) if name not in ("game", "options")
)
"""The names of all settings but the game and its options, in the order in which people read them."""

CHANGES = tuple(name for name in SETTINGS if setting_of(name).changed is not None)
"""The names of the settings that can change where a match continues from a log."""


def changed_seats(header: HeaderRecord, changes: Mapping[str, object]) -> dict[int, str]:
    """The SPECs that changes give to seats of a log: `P-2=SPEC` or `ada=SPEC` to that seat, another SPEC to the next one from
    the first.
    UsageError for a seat that there is not."""
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
