"""What can be wrong with what a player or a user asks of the rules."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An answer the rules refuse. The message is meant for the player who gave it: what is wrong, what is legal, no secret."""


class OptionError(ValueError):
    """A player count, preset, option or deck the game does not know. The message names the thing, the value and the remedy."""
