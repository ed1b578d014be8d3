"""Window: the context that bounds prompt and reply together."""

from __future__ import annotations

from typing import NamedTuple

_PROMPT_MARGIN = 1.02
"""The size of a prompt is known from an earlier one only."""

_SMALLEST_REPLY = 64
"""The smallest bound on a reply, in tokens. A prompt that leaves less is too long."""


class Window(NamedTuple):
    """The context of a model in tokens, and the tokens of a letter of its prompts, both as its endpoint counted them."""

    context: int
    tokens_a_letter: float

    def left(self, letters: int) -> int:
        """The tokens left for a reply to a prompt of this many letters."""
        return max(self.context - int(letters * self.tokens_a_letter * _PROMPT_MARGIN) - 1, _SMALLEST_REPLY)
