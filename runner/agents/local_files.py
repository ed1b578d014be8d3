"""Local files: model files in seats, as SPECs and agents.toml name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.spec import LOCAL
from runner.errors import AccountError, TabletopError, UsageError
from runner.llm.gguf_header import GgufError
from runner.llm.local_model import LOCAL_REPLY, LOCAL_SECONDS, MOST_SLOTS, LocalModel
from runner.llm.model_file import ModelFile, model_file
from runner.llm.plain_template import PLAIN_STOP
from runner.llm.prices import Prices
from runner.llm.request import Model

if TYPE_CHECKING:
    from runner.agents.agents_file import AgentEntry

FREE = Prices(0.0, 0.0)


def local_model(path: Path, entry: AgentEntry | None = None) -> Model:
    """The model in a file, with what an agent of agents.toml sets for its server. UsageError for a file that holds none, for
    one of agents.toml AccountError."""
    file = _file(path, UsageError if entry is None else AccountError)
    own = (None,) * 4 if entry is None else (entry.context, entry.threads, entry.gpu_layers, entry.parallel)
    local = LocalModel(file, *own)
    return Model(
        file.name,
        local.base_url,
        "",
        "none",
        {} if file.header.has_template else {"stop": [PLAIN_STOP]},
        time_limit=LOCAL_SECONDS,
        max_tokens=LOCAL_REPLY,
        prices=FREE,
        max_in_flight=local.parallel or MOST_SLOTS,
        local=local,
        is_base=not file.header.has_template,
    )


def local_facts(path: Path) -> dict[str, object]:
    """A model file as a log's header has it."""
    file = _file(path, UsageError)
    template: dict[str, object] = {} if file.header.has_template else {"chat_template": "tabletop"}
    return {"model": file.name, "sha256": file.sha256, **template}


def _file(path: Path, kind: type[TabletopError]) -> ModelFile:
    try:
        return model_file(path.expanduser())
    except GgufError as fault:
        raise kind(f"The model file {LOCAL}{path} {fault}.") from None
    except OSError as error:
        raise kind(f"The model file {LOCAL}{path} cannot be read: {error.strerror}.") from error
