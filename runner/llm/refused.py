"""Refused: the parts of a request that an endpoint's error names, if it names any."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """The tokens that an endpoint has for a reply.

    `bound` is the number it takes. `context` and `prompt` are the tokens of its context and of the prompt, where the bound
    follows from them.
    """

    bound: int
    context: int | None = None
    prompt: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The parts of a request that an error names. Without any the refusal is unexplained.

    `form` is the field that carries the form of the answer; `parameters` are fields to leave out. `bound`: the bound on the
    reply is refused; `room` says what fits instead, `token_field` under which name. `system`: the system message is refused.
    """

    form: str | None = None
    parameters: frozenset[str] = frozenset()
    bound: bool = False
    room: Room | None = None
    token_field: str | None = None
    system: bool = False

    @property
    def kind(self) -> str:
        """The kind of refusal for the log."""
        named = (
            (self.system, "system_refused"),
            (self.room, "token_limit"),
            (self.token_field, "token_field_refused"),
            (self.form, "form_refused"),
            (self.parameters, "parameter_refused"),
            (self.bound, "token_limit"),
        )
        return next((kind for found, kind in named if found), "bad_request")

    def __bool__(self) -> bool:
        return self != UNEXPLAINED


UNEXPLAINED = Refused()
