"""What a game is, besides its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from games.core.claim import Claiming, Doubting, no_claim
from games.core.encoding import Encoding
from games.core.errors import OptionError
from games.core.event import Event
from games.core.measure import Count, Measure, no_counts
from games.core.option import Option, Options, Setup
from games.core.phase import Phases
from games.core.policy import Policy
from games.core.proposition import Proposing, no_propositions
from games.core.reading import LikelyWorlds, ReadingPlay
from games.core.recap import Recapping, latest_events
from games.core.remark import Remarking, no_remarks
from games.core.sentence import quoted
from games.core.state import State

Likelihood = Callable[[Any, int | None], Callable[[Any], float]]
Placing = Literal["winners", "scores"]
"""What a game's result says of the order of its seats: winners and all others, or a place for each by its score."""

Counting = Callable[[State | None, State, Sequence[Event]], Iterable[Count]]


def no_cautions(players: int, options: Any) -> tuple[str, ...]:
    """For a game in which every setting can be reached."""
    return ()


@dataclass(frozen=True, slots=True)
class Game:
    """The facts of a game: what the registry hands out and everything outside builds on.

    `roles` are the prompt templates it needs, with a word on each; `presets` name sets of options, the first being the
    default; `cautions` says what settings cannot be reached. `rules_version` changes when the same decisions would lead
    elsewhere than before. `measures` are what it counts of a seat's play, and `counts` counts them: from the state before a
    transition (None at the deal), the state after it and its events. `free_text` names the fields of answers in which
    players write what they like; views show their words under the same names. `encoding` makes the game's numbers for
    learners from a player count and options; None for a game that has none. `round_word` is what its rules call what
    `State.round` counts. `later_fields` are the fields of a view that logs of earlier releases lack. `undigested` are the
    fields of `State.to_json` that digests leave out: they follow from the deal and the answers, and digests of earlier
    releases do not count them. `likelihood` makes of a state and a seat (None: a spectator) a function that says how likely,
    from 0 to 1, the play of the others is with the hidden cards of a world; None: equally likely with all. `readings` say
    more, in its place: how styles of play explain what each seat did, and how a player of each style continues.
    `likely_worlds` makes of a state, a seat and, by seat, how likely each holding is in relation to the likeliest one, a
    source of such worlds, sooner than by refusing some; it may give None. `remarks` says what is true behind the events of a
    transition, called like `counts`, and only for people who watch: playing pays nothing for it. `highlight_kinds` names
    each kind of remark that is a highlight, in words for many of it: `bluffs told`. `placing` is what ratings may read from
    a result: `scores` where players play for every place, `winners` where they play for the win. `table` names the module
    with its `table(view, own, names)`, which `games.core.scene` loads when something is drawn. `has_worlds` False:
    `resample` gives no world to try moves out in, so that nothing searches or reviews the game. `recap` tells a seat in a
    few lines what matters of the match so far, for models with `memory = "summary"`. `value` is the share of the win, from 0
    to 1, that a seat can expect in a state: it counts where a playout stops before the end; None: equal shares. `horizon`
    says of a state after how many rounds playouts of search and reviews stop; None: at the end. `claim`
    and `doubt` read a decision of a log: what it claims, and the claim that it challenges or lets pass. `propositions` are
    what a seat cannot know when it decides, for models that state how likely they find each.
    """

    name: str
    title: str
    summary: str
    players: range
    default_players: int
    phases: Phases
    roles: Mapping[str, str]
    options_type: type[Options]
    presets: Mapping[str, Mapping[str, Any]]
    rules_version: str
    state_type: type[State]
    bots: Mapping[str, Policy]
    cautions: Callable[[int, Any], tuple[str, ...]] = no_cautions
    measures: tuple[Measure, ...] = ()
    counts: Counting = no_counts
    free_text: tuple[str, ...] = ()
    encoding: Callable[[int, Options], Encoding] | None = None
    round_word: str = "round"
    later_fields: frozenset[str] = frozenset()
    undigested: frozenset[str] = frozenset()
    likelihood: Likelihood | None = None
    readings: ReadingPlay | None = None
    likely_worlds: LikelyWorlds | None = None
    remarks: Remarking = no_remarks
    recap: Recapping = latest_events
    highlight_kinds: Mapping[str, str] = field(default_factory=dict)
    claim: Claiming = no_claim
    doubt: Doubting = no_claim
    propositions: Proposing = no_propositions
    placing: Placing = "winners"
    table: str = ""
    has_worlds: bool = True
    value: Callable[[Any, int], float] | None = None
    horizon: Callable[[Any], int | None] | None = None
    _plain: dict[str, Options] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.state_type.game = self

    @property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return self.options_type.known()

    def begin(self, players: int | None = None, seed: int = 0, rules: str | None = None, **options: Any) -> State:
        """A fresh match. OptionError for a player count, preset or option the game does not have."""
        return self.state_type.begin(players, seed, rules, **options)

    def from_json(self, data: dict[str, Any]) -> State:
        """The state that `State.to_json` wrote."""
        return self.state_type.from_json(data)

    def set_up(self, players: int | None, seed: int, rules: str | None, options: Mapping[str, Any]) -> Setup:
        """Check what a match is to be played with. OptionError names what is wrong."""
        count = self.default_players if players is None else players
        if type(count) is not int or count not in self.players:
            span = f"{self.players[0]} to {self.players[-1]}"
            raise OptionError(f"{self.title} is for {span} players, not {quoted(count)}.")
        if type(seed) is not int:
            raise OptionError(f"The seed has to be a whole number, not {quoted(seed)}.")
        preset = next(iter(self.presets)) if rules is None else rules
        return Setup(count, seed, preset, self._options(preset, options))

    def _options(self, preset: str, given: Mapping[str, Any]) -> Options:
        """The options of a preset with the given ones over it; with none they are one value for all matches."""
        if given:
            return self.options_type.of(self.presets, preset, given)
        if preset not in self._plain:
            self._plain[preset] = self.options_type.of(self.presets, preset, given)
        return self._plain[preset]

    def setup_from_json(self, data: Mapping[str, Any]) -> Setup:
        """The setup that `Setup.to_json` wrote. OptionError when this version does not know it."""
        return self.set_up(data["players"], data["seed"], data["rules"], data["options"])
