"""Those who look on while a match is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from games.core import Action, Event, State
    from runner.match.config import MatchConfig
    from runner.match.tally import Tally


class Watched(Protocol):
    """A match as those see it who look on, whether it is played here or by another process."""

    config: MatchConfig
    state: State
    tallies: list[Tally]


class Watcher:
    """Is told what happens, in order; does nothing with it. Screens derive from this."""

    async def begun(self, match: Watched) -> None:
        """The match is about to be played, or to go on, from `match.state`."""

    async def asked(self, seat: int, number: int) -> None:
        """A seat has been asked question `number`."""

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """An attempt, as it stands in the log: an answer, a mistake or a failure of transport."""

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """A seat has decided (`answer`, `forced`, `moot`) or was struck out (None, `strike_out`)."""

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """The match is in a new state; the events led there."""

    async def lent(self) -> None:
        """The terminal is lent to a person who decides, until `returned`: nothing is to be drawn."""

    async def returned(self) -> None:
        """The terminal is free again."""

    async def paused(self, why: str) -> None:
        """The match has stopped and can be resumed."""

    async def ended(self, result: dict[str, Any]) -> None:
        """The match is over."""

    def close(self) -> None:
        """Nobody looks on any longer, whatever the reason: leave everything as it was."""
