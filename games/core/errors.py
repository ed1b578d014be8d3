"""What can be wrong with what a player or a user asks of the rules."""

from __future__ import annotations

_LONGEST_WHY = 400
"""Characters of an error of a game that are shown."""


class IllegalAction(ValueError):
    """An answer the rules refuse. The message is meant for the player who gave it: what is wrong, what is legal, no secret.

    `reason` is the message without the list of what is legal, for players who get no such help.
    """

    def __init__(self, reason: str, legal: str = "") -> None:
        super().__init__(f"{reason} {legal}" if legal else reason)
        self.reason = reason


class OptionError(ValueError):
    """A player count, preset, option or deck the game does not know. The message names the thing, the value and the remedy."""


class GameFault(Exception):
    """A game has a bug: one of its hooks raised something, or gave a value of a wrong type. The message names game and hook."""

    def __init__(self, game: str, hook: str, why: str) -> None:
        super().__init__(game, hook, why)
        self.game, self.hook, self.why = game, hook, why

    @classmethod
    def of(cls, game: str, hook: str, error: BaseException) -> GameFault:
        """The fault that an error of a hook is; a fault of a hook within stays what it is."""
        if isinstance(error, GameFault):
            return error
        try:
            text = f"{type(error).__name__}: {error}".rstrip(": .")
        except Exception:  # of its own text
            text = type(error).__name__
        return cls(game, hook, text if len(text) <= _LONGEST_WHY else f"{text[:_LONGEST_WHY]}…")

    def __str__(self) -> str:
        return f"a fault in game {self.game}, in {self.hook}: {self.why}"
