"""What can be wrong with what a player or a user asks of the rules."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An answer the rules refuse. The message is meant for the player who gave it: what is wrong, what is legal, no secret.

    `reason` is the message without the list of what is legal, for players who get no such help.
    """

    def __init__(self, reason: str, legal: str = "") -> None:
        super().__init__(f"{reason} {legal}" if legal else reason)
        self.reason = reason


class OptionError(ValueError):
    """A player count, preset, option or deck the game does not know. The message names the thing, the value and the remedy."""
