"""Wording: what decides the prompts of a model's seat, and an agent that renders them without a call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from games.core import Setup
from runner.agents.environment import Settings
from runner.agents.settings import DEFAULT_SETTINGS, AgentSettings, Reason
from runner.agents.spec import ModelSpec, Named, Spec
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent


def wording_agent(spec: ModelSpec, pack: PromptPack, setup: Setup, settings: Settings) -> LlmAgent:
    """The model of a SPEC for rendering prompts as in a match, without a call; it needs no key."""
    from runner.agents.model_agent import LlmAgent
    from runner.agents.resolve import model_without_key
    from runner.llm.client import Client
    from runner.llm.request import AnswerForm

    model, own = model_without_key(spec, settings), pack_of(spec, settings, pack)
    form = model.form or AnswerForm.STRICT_SCHEMA
    return LlmAgent(Client(), model, form, own, prompt_options(setup), agent_settings(spec, settings))


def agent_settings(spec: ModelSpec, settings: Settings, reason: Reason | None = None) -> AgentSettings:
    """The settings of a model's prompts. `reason`: whether it is asked for a reason; None: as agents.toml says."""
    found = settings.agents[spec.name].settings if isinstance(spec, Named) else DEFAULT_SETTINGS
    return found if reason is None else replace(found, reason=reason)


def pack_of(spec: Spec, settings: Settings, pack: PromptPack) -> PromptPack:
    """The prompt pack of a seat: the SPEC's own, else that of its agent in agents.toml, else the match's."""
    entry = settings.agents.get(spec.name) if isinstance(spec, Named) else None
    folder = spec.pack if spec.pack is not None or entry is None else entry.prompts
    return pack if folder is None else pack.other(folder)


def prompt_options(setup: Setup) -> dict[str, object]:
    """The options a prompt may state: all that are plain numbers and text."""
    return {name: value for name, value in setup.options.to_json().items() if not isinstance(value, (list, dict))}
