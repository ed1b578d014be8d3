"""A server on loopback that plays as the offline model does, under whatever name it is told."""

from __future__ import annotations

import asyncio
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.llm.offline import OfflineModel
from tests.cli.command import tabletop
from tests.llm.odd_server import OddServer, reply


@dataclass(eq=False)
class Answering(OddServer):
    """Answers every question by its schema; `changes` replace fields of the reply."""

    changes: dict[str, Any] = field(default_factory=dict)
    model: OfflineModel = field(default_factory=lambda: OfflineModel(1))

    def __post_init__(self) -> None:
        self.after = self.answer

    async def answer(self, writer: asyncio.StreamWriter) -> None:
        asked = json.dumps(self.bodies[-1]).encode()
        found = json.loads(self.model.handle("POST", "/chat/completions", {}, asked).body)
        await reply({**found, **self.changes})(writer)


async def run(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command, while servers of this process go on answering."""
    return await asyncio.to_thread(tabletop, folder, *words, **env)
