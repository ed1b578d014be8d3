"""Model seats: the SPECs that a language model plays, or the offline model in its place."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from games.core import Game, listed, quoted
from runner.agents.environment import KEY_HOSTS_VARIABLE, KEY_VARIABLE, Environment, is_openrouter, key_variable, may_have_key
from runner.agents.seat_kind import AgentContext, Reach, SeatIdentity, Spec
from runner.agents.settings import HIGH, HIGH_TOKENS, SeatSettings
from runner.errors import AccountError, TabletopError, UsageError, at_seat, refused
from runner.llm.address import Address, AddressError, parse_address, without_named_secrets, without_password
from runner.llm.budget import FREE
from runner.llm.offline import OFFLINE_NAME, OFFLINE_URL
from runner.llm.request import OPENROUTER, AnswerForm, Model
from runner.llm.wire.exchange import objections
from runner.local import LOCAL
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.agent_entries import AgentEntry
    from runner.agents.model_agent import LlmAgent
    from runner.local.local_model import ModelFile


_NO_LANGUAGE_MODEL = "no language model: answers at random"


@dataclass(frozen=True, slots=True)
class ModelSpec(Spec):
    """The SPEC of a model: an agent of agents.toml, or one that says no more than which model it is."""

    kind = "model"
    is_agent: ClassVar[bool] = False
    _fault: ClassVar[type[TabletopError]] = UsageError

    @abstractmethod
    def entry(self, environment: Environment) -> AgentEntry:
        """The agent that plays; with `is_agent` a table of agents.toml."""

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        if self.pack is not None:
            PromptPack(self.pack)
        entry = self.entry(environment)
        if entry.local_path is not None:
            local_model(entry.local_path, entry, self._fault)
        elif entry.is_offline:
            _check_offline(entry.model)
        else:
            checked_address(entry.base_url, self.who)

    def kind_in(self, environment: Environment) -> str:
        return Offline.kind if self.entry(environment).is_offline else self.kind

    def settings(self, environment: Environment) -> SeatSettings:
        """Those of the agent; the pack of the SPEC comes before its own."""
        found = self.entry(environment).settings
        return found if self.pack is None else found.model_copy(update={"prompts": self.pack})

    def describe(self, environment: Environment) -> SeatIdentity:
        entry = self.entry(environment)
        found: SeatIdentity = {"model": entry.model}
        if self.is_agent:
            found["parameters"] = without_named_secrets(entry.parameters)
            found |= {"time_limit": entry.time_limit, "max_tokens": entry.max_tokens}
        if entry.local_path is not None:
            file = checked_file(entry.local_path)
            found |= {"model": file.name, "sha256": file.sha256}
            return found if file.header.has_template else {**found, "chat_template": "tabletop"}
        if self.is_agent or not entry.is_offline:
            found["base_url"] = entry.base_url
        return {**found, "note": _NO_LANGUAGE_MODEL} if entry.is_offline else found

    def reach(self, environment: Environment) -> Reach | None:
        """Its file or its address; OpenRouter's may be called by any log."""
        entry = self.entry(environment)
        if entry.is_offline:
            return None
        if entry.local_path is not None:
            whole = entry.local_path.expanduser().absolute()
            return Reach("path", f"{LOCAL}{whole}", f"the file {whole}: nothing was loaded")
        try:
            address = parse_address(entry.base_url)
        except AddressError:
            return Reach("host", entry.base_url, f"{without_password(entry.base_url)}: nothing was sent there")
        where = Reach("host", address.full, f"the host {address.netloc}: nothing was sent there")
        return None if is_openrouter(address) else where

    def as_model(self, environment: Environment) -> Model:
        """The model with its address, key and parameters. AccountError for a missing key, UsageError for what is no address."""
        entry = self.entry(environment)
        if entry.local_path is not None:
            found = local_model(entry.local_path, entry, self._fault)
        elif entry.is_offline:
            found = Model("", entry.base_url, "", "none")
        else:
            found = model_at(checked_address(entry.base_url, self.who), self.who, environment, entry.key)
        return entry.applied(found)

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> LlmAgent:
        """The model, asked with the pack of the context unless it has its own."""
        from runner.agents.model_agent import LlmAgent
        from runner.llm.offline import RATE

        assert context.client is not None
        with at_seat(seat):
            model, pack = model_of(self, context.environment, settings), own_pack(settings, context.pack)
            if self.entry(context.environment).is_offline:
                manifest, is_plain = pack.manifest, model.name == OFFLINE_NAME
                rate = settings.mistakes if is_plain and settings.mistakes != context.mistakes else None
                rate = manifest.offline.mistakes if manifest and manifest.offline else rate
                model = model if rate is None else replace(model, name=f"{OFFLINE_NAME}/{RATE}{rate}")
            return LlmAgent(context.client, model, await context.client.choose_form(model), pack, settings, context.skin)


@cache
def _plain(model: str, **own: Any) -> AgentEntry:
    """An agent of whom nothing but the model is known, and what a SPEC says of that."""
    from runner.agents.agent_entries import AgentEntry

    return AgentEntry.model_construct(model=model, **own)


@dataclass(frozen=True, slots=True)
class Offline(ModelSpec):
    """The offline model, also with a fixed behaviour: `offline`, `offline/illegal`."""

    kind = OFFLINE_NAME
    forms = (OFFLINE_NAME,)

    model: str

    @property
    def default_name(self) -> str:
        return self.model.replace(OFFLINE_NAME, "offline model", 1)

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack, who) if "@" not in who and who.partition("/")[0] == OFFLINE_NAME else None

    def entry(self, environment: Environment) -> AgentEntry:

        return _plain(self.model, base_url=OFFLINE_URL)


def _check_offline(name: str) -> None:
    """UsageError for a behaviour that the offline model does not have."""
    from runner.llm.offline import BEHAVIOURS, RATE, rate_of

    behaviour = name.removeprefix(f"{OFFLINE_NAME}/")
    if name != OFFLINE_NAME and behaviour not in BEHAVIOURS and rate_of(behaviour) is None:
        names = [OFFLINE_NAME, *(f"{OFFLINE_NAME}/{name}" for name in BEHAVIOURS), f"{OFFLINE_NAME}/{RATE}0.1"]
        raise UsageError(f"There is no offline model {quoted(name)}: there is {listed(names)}.")


@dataclass(frozen=True, slots=True)
class Endpoint(ModelSpec):
    """A model at OpenRouter, or at an address: `vendor/model`, `model@http://HOST:PORT/v1`. `url` is None for OpenRouter."""

    forms = ("a model such as openai/gpt-5-mini", "MODEL@BASE_URL")

    model: str
    url: str | None

    @property
    def default_name(self) -> str:
        return self.model or self.url or ""

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        model, at, url = who.partition("@")
        return cls(text, pack, model, url if at else None) if at or "/" in who else None

    @classmethod
    def completions(cls, games: Sequence[Game]) -> Sequence[str]:
        return ()

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        if not self.model or self.url == "":
            missing = "address" if self.model else "model"
            raise UsageError(
                f"The seat {quoted(self.who)} has no {missing}: write MODEL@BASE_URL, as in small@http://HOST:PORT/v1."
            )
        ModelSpec.check(self, game, environment, asks)

    def entry(self, environment: Environment) -> AgentEntry:
        return _plain(self.model, base_url=OPENROUTER if self.url is None else self.url)


@dataclass(frozen=True, slots=True)
class Local(ModelSpec):
    """A model file of this machine, which llama.cpp runs: `gguf:PATH`."""

    forms = ("gguf:PATH",)

    path: Path

    @property
    def default_name(self) -> str:
        return self.path.stem

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack, Path(who.removeprefix(LOCAL))) if who.startswith(LOCAL) else None

    def entry(self, environment: Environment) -> AgentEntry:
        from runner.agents.agent_entries import OF_FILE

        return _plain(f"{LOCAL}{self.path}", **OF_FILE)


@dataclass(frozen=True, slots=True)
class Named(ModelSpec):
    """An agent of agents.toml, by its name."""

    is_agent = True
    _fault = AccountError

    name: str

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self:
        """Whatever no other kind takes for its own."""
        return cls(text, pack, who)

    def entry(self, environment: Environment) -> AgentEntry:
        return environment.agents[self.name]

    def reach(self, environment: Environment) -> Reach | None:
        return ModelSpec.reach(self, environment) if self.name in environment.agents else None


def thinking(found: SeatIdentity, settings: SeatSettings) -> SeatIdentity:
    """What a seat is, with the reasoning effort of its settings."""
    parameters = found.get("parameters", {})
    if settings.help != "kaggle" or parameters.get("reasoning") == HIGH:
        return found
    most = max(HIGH_TOKENS, found.get("max_tokens", 0))
    return {**found, "parameters": {**parameters, "reasoning": HIGH}, "max_tokens": most}


def model_of(spec: ModelSpec, environment: Environment, settings: SeatSettings | None = None) -> Model:
    """The model of a SPEC, with the settings of its agent unless others are given. AccountError for a missing key or a setting
    that rated play refuses, UsageError for an address that is none."""
    model, found = spec.as_model(environment), spec.settings(environment) if settings is None else settings
    known = thinking({"parameters": {**model.parameters}, "max_tokens": model.max_tokens}, found)
    for objection in objections(model) if found.rated else ():
        raise AccountError(f"The seat {spec.who} cannot play rated: {objection}.")
    return replace(model, parameters=known["parameters"], max_tokens=known["max_tokens"], rated=found.rated)


def own_pack(settings: SeatSettings, pack: PromptPack) -> PromptPack:
    """The prompt pack of a seat with these settings, that of its match unless it has its own."""
    return pack if settings.prompts is None else pack.other(settings.prompts)


def model_without_key(spec: ModelSpec, environment: Environment) -> Model:
    """The model of a SPEC, with its key if it is set: enough for prices and for rendering prompts."""
    keys = {KEY_VARIABLE, *(entry.key for entry in environment.agents.values() if entry.key)}
    return model_of(spec, with_empty(keys, environment))


def wording_agent(
    spec: ModelSpec, pack: PromptPack, environment: Environment, settings: SeatSettings | None = None
) -> LlmAgent:
    """The model of a SPEC for rendering prompts as in a match, without a call, with the settings of its agent unless others are
    given; it needs no key."""
    from runner.agents.model_agent import LlmAgent
    from runner.llm.client import Client

    model, own = model_without_key(spec, environment), settings or spec.settings(environment)
    return LlmAgent(Client(), model, model.form or AnswerForm.STRICT_SCHEMA, own_pack(own, pack), own)


def has_key(name: str, environment: Environment) -> bool:
    """Whether the key of an agent of agents.toml is set, or it needs none."""
    try:
        Named(name, None, name).as_model(environment)
    except AccountError:
        return environment.agents[name].local_path is not None
    return True


def endpoint_of(url: str, environment: Environment) -> Model:
    """A model without a name at an address, for questions about the endpoint; its key is used if it is set."""
    if url == OFFLINE_NAME:
        return Model("", OFFLINE_URL, "", "none")
    return model_at(checked_address(url, url), url, with_empty({KEY_VARIABLE}, environment))


def with_empty(keys: Collection[str], environment: Environment) -> Environment:
    """The environment with an empty value for each of these variables that is not set."""
    return replace(environment, variables={**dict.fromkeys(keys, ""), **environment.variables})


def checked_address(url: str, given: str) -> Address:
    """The address in a URL that was given as part of `given`. UsageError where there is none, AccountError for a faulty one."""
    try:
        return parse_address(url)
    except AddressError as fault:
        why = f"{quoted(without_password(given))} {fault}."
        if url.lower().startswith(("http://", "https://")):
            raise AccountError(why) from None
        raise UsageError(why) from None


def model_at(address: Address, given: str, environment: Environment, named: str | None = None) -> Model:
    """A model without a name at an address, with the key that may be sent there: that in the variable `named` by an agent,
    else the one that goes there by itself."""
    variable = key_variable(address)
    if named is not None and not named == variable == KEY_VARIABLE:
        return Model("", address.full, _key(given, named, environment, is_named=True), named)
    if may_have_key(address, environment):
        return Model("", address.full, _key(given, variable, environment), variable)
    if variable == KEY_VARIABLE:
        raise AccountError(
            f"No key is sent over an unencrypted connection: write https://{address.netloc}{address.path} for it."
        )
    return Model("", address.full, "", variable, withheld=_withheld(address, variable, environment))


def _withheld(address: Address, variable: str, environment: Environment) -> str:
    """How to have a key sent to a host that gets none by itself; empty without a key."""
    if variable not in environment:
        return ""
    place = ".env" if variable in environment.own else "the environment"
    named = f"{KEY_HOSTS_VARIABLE}={address.netloc}"
    return (
        f"{variable} is not sent to {address.netloc} unless it is named: put {named} into {place},"
        f' or key = "{variable}" beside this base_url into agents.toml'
    )


def _key(seat: str, variable: str, environment: Environment, is_named: bool = False) -> str:
    """The key of a seat; a server other than OpenRouter may need none. AccountError when one is needed and not set."""
    if variable in environment:
        return environment[variable]
    if variable != KEY_VARIABLE and not is_named:
        return ""
    raise AccountError(
        f"{seat} needs a key: put {variable}=... into .env or the environment.",
        remedy=f"Without one, name {OFFLINE_NAME} in its place, or bot:steady for a seat.",
    )


def local_model(path: Path, entry: AgentEntry, kind: type[TabletopError]) -> Model:
    """The model in a file, with what its agent sets for its server. An error of this kind for a file that holds none."""
    from runner.local.local_model import MOST_SLOTS, LocalModel
    from runner.local.servers import PLAIN_STOP, FileConnector

    file = checked_file(path, kind)
    local = LocalModel(file, entry.context, entry.threads, entry.gpu_layers, entry.parallel)
    return Model(
        file.name,
        local.base_url,
        "",
        "none",
        {} if file.header.has_template else {"stop": [PLAIN_STOP]},
        prices=FREE,
        max_in_flight=local.parallel or MOST_SLOTS,
        connector=FileConnector(local),
        is_base=not file.header.has_template,
    )


def checked_file(path: Path, kind: type[TabletopError] = UsageError) -> ModelFile:
    """The model file at a path. An error of this kind for one that holds no model or cannot be read."""
    from runner.local.local_model import GgufError, model_file

    try:
        return model_file(path.expanduser())
    except GgufError as fault:
        raise kind(f"The model file {LOCAL}{path} {fault}.") from None
    except OSError as error:
        raise refused(f"The model file {LOCAL}{path} cannot be read: {error.strerror}.", error, kind) from error
