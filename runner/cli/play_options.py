"""Play options: what the command line says about a new match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_seats
from runner.cli.reason_option import REASON_OPTION, ReasonChoice, reason_of
from runner.errors import UsageError
from runner.match.hopeless import DEFAULT_HOPELESS

if TYPE_CHECKING:
    from games.core import Game
    from runner.cli.model_options import ModelOptions
    from runner.prompting.pack import PromptPack
    from runner.record.recorded_answers import Playback


class AskOrder(StrEnum):
    """Whether seats that owe a decision at the same time are asked at once or one by one."""

    simultaneous = "simultaneous"
    sequential = "sequential"


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Options of `play` that every game has. None, or empty: not specified."""

    num_players: Annotated[
        int | None,
        typer.Option(
            "--num-players",
            "--players",
            help="Number of players. [default: as many as --seat names, else the game's own]",
            metavar="N",
        ),
    ] = None
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="A player, once per seat: bot:NAME, human, offline, a model such as openai/gpt-5-mini, MODEL@BASE_URL, or"
            " one of them with its own prompts, SPEC+pack:DIR. NAME=SPEC gives the player a name. Other seats are filled from"
            " .env.",
            metavar="SPEC",
            autocompletion=complete_seats,
        ),
    ] = None
    rules: Annotated[str | None, typer.Option("--rules", help="Rules preset; `tabletop games` lists them.", metavar="NAME")] = (
        None
    )
    seed: Annotated[int | None, typer.Option("--seed", help="Random seed. [default: random]", metavar="N")] = None
    strikes: Annotated[
        int | None, typer.Option("--strikes", help="Invalid answers in a row before the penalty. [default: 3]", metavar="N")
    ] = None
    hopeless: Annotated[
        int,
        typer.Option(
            "--hopeless", help="Strike-outs of one seat in a row after which the match pauses; 0: never.", metavar="N", min=0
        ),
    ] = DEFAULT_HOPELESS
    ask: Annotated[
        AskOrder | None,
        typer.Option(
            "--ask", help="Ask seats that decide at the same time all at once, or one by one. [default: simultaneous]"
        ),
    ] = None
    ask_forced: Annotated[bool, typer.Option("--ask-forced", help="Ask even if only one answer is legal.")] = False
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Prompt pack: a folder that overrides built-in templates.")
    ] = None
    log: Annotated[Path | None, typer.Option("--log", help="Log file. [default: a new file in logs/]")] = None
    budget: Annotated[float | None, typer.Option("--budget", help="Maximum cost in USD.", metavar="USD")] = None
    budget_tokens: Annotated[int | None, typer.Option("--budget-tokens", help="Maximum number of tokens.", metavar="N")] = None
    record: Annotated[
        Path | None, typer.Option("--record", help="Record every answer in a file, for --playback.", metavar="FILE")
    ] = None
    playback: Annotated[
        Path | None,
        typer.Option(
            "--playback",
            help="Play the match of a recording or a log again without asking anyone. Unspecified options come from the"
            " recording; conflicting ones are rejected.",
            metavar="FILE",
        ),
    ] = None
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Estimate cost and time from prices and past logs; play nothing.")
    ] = False
    rated: Annotated[
        bool,
        typer.Option("--rated", help="Require exactly the models and providers named: no aliases, fallbacks or reply repair."),
    ] = False
    mistakes: Annotated[
        float,
        typer.Option("--mistakes", help="Error rate of the offline model, from 0 to 1.", metavar="RATE", min=0, max=1),
    ] = 0.0
    reason: Annotated[ReasonChoice | None, REASON_OPTION] = None
    talk: Annotated[bool, typer.Option("--talk", help="Let every player say a line to the whole table with each answer.")] = (
        False
    )
    has_consent: Annotated[bool, typer.Option("--yes", "-y", help="Play without a question if free seats cost money.")] = False

    def players(self, game: Game) -> int | None:
        """The number of players: the one specified, else that of the seats if the game allows it; None: the game's own."""
        named = len(self.seat or ())
        return named if self.num_players is None and named in game.players else self.num_players

    def recorded(self, game: str) -> Playback | None:
        """The recording to play back. UsageError when it is of another game."""
        from runner.record.recorded_answers import read_playback

        if self.playback is None:
            return None
        found = read_playback(self.playback)
        if found.header.get("game") != game:
            raise UsageError(
                f"The recording {found.path} is of another match: its game is {found.header.get('game')}, not {game}."
            )
        return found

    def completed(self, playback: Playback) -> PlayOptions:
        """The options, with those that are not specified taken from a recording."""
        from runner.agents.seat import is_rated
        from runner.cli.match_setup import replace_seats

        header = playback.header
        seats = header["seats"]
        return replace(
            self,
            num_players=self.num_players or header["players"],
            seat=list(replace_seats([seat["spec"] for seat in seats], self.seat or ())),
            seed=header["seed"] if self.seed is None else self.seed,
            rules=self.rules or header["rules"],
            ask=self.ask or AskOrder(header["ask"]),
            ask_forced=self.ask_forced or header["ask_forced"],
            mistakes=self.mistakes or max(float(seat.get("mistakes", 0.0)) for seat in seats),
            rated=self.rated or is_rated(seats),
            talk=self.talk or header.get("talk", False),
        )

    def models(self, playback: Playback | None) -> ModelOptions:
        """The options of the match's models; a recording's budget holds where none is specified."""
        from runner.cli.model_options import ModelOptions

        reason = reason_of(self.reason)
        models = ModelOptions(self.budget, self.budget_tokens, self.mistakes, self.rated, self.record, playback, reason)
        return models if playback is None else models.within_budget_of(playback.header)

    def pack(self, playback: Playback | None) -> PromptPack:
        """The prompt pack of the match. UsageError when the pack of a recording is not available."""
        from runner.agents.spec import parse_spec
        from runner.cli.match_setup import pack_of_match
        from runner.prompting.pack import PromptPack

        if playback is None:
            return PromptPack(self.prompts)
        return pack_of_match(playback.header, [parse_spec(text) for text in self.seat or ()], self.prompts)
