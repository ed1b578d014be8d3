"""Program entry: a table of agents.toml that names a program or a Python function instead of a model."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field, field_validator

from games.core import quoted
from runner.agents.player_name import name_fault
from runner.agents.program_command import command_fault
from runner.agents.spec import TIME_LIMIT, Function, Named, Program

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class OwnEntry(BaseModel):
    """What both kinds have: the player's name, and the seconds for an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str | None = None
    time_limit: float = Field(default=TIME_LIMIT, gt=0, le=86_400, allow_inf_nan=False)

    @field_validator("name")
    @classmethod
    def _is_name(cls, name: str) -> str:
        if (fault := name_fault(name)) is not None:
            raise ValueError(f"{quoted(name)} is no name: {fault}")
        return name

    @property
    def shown(self) -> dict[str, object]:
        """Its settings that are not the default."""
        return self.model_dump(mode="json", exclude_defaults=True)


class ProgramEntry(OwnEntry):
    """A program: its command line, and the variables of .env or the environment that it gets although they hold a secret."""

    program: str = Field(min_length=1)
    environment: tuple[str, ...] = ()

    @field_validator("program")
    @classmethod
    def _is_command(cls, program: str) -> str:
        if (fault := command_fault(program)) is not None:
            raise ValueError(fault)
        return program

    @field_validator("environment")
    @classmethod
    def _are_variables(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [name for name in names if not _VARIABLE.fullmatch(name)]:
            raise ValueError(f"{quoted(wrong[0])} is no name of a variable")
        return names

    def spec(self, named: Named) -> Program:
        """The program under the name that stands for it."""
        limit, environment = self.time_limit, self.environment
        return Program(named.text, named.pack, self.program, player=named.player, time_limit=limit, environment=environment)


class FunctionEntry(OwnEntry):
    """A Python function: `MODULE:NAME`."""

    function: str = Field(pattern=r"^[^:\s]+:[^:\s]+$")

    def spec(self, named: Named) -> Function:
        """The function under the name that stands for it."""
        module, _, name = self.function.partition(":")
        return Function(named.text, named.pack, module, name, player=named.player, time_limit=self.time_limit)
