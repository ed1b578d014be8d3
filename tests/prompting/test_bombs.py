"""Packs of strangers stay within the memory and the time that they are promised."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path
from typing import Any

import pytest

import games
from runner.agents.own_fields import prompt_options
from runner.errors import UsageError
from runner.prompting.isolated_renderer import IsolatedRenderer
from runner.prompting.pack import prompt_context
from runner.prompting.renderer import LONGEST_PROMPT
from runner.prompting.template_errors import MEMORY, SECONDS
from tests.prompting.bombs import NAMED, generated
from tests.prompting.packs import VOTER, pack_of

pytestmark = pytest.mark.usefixtures("cold_modules")

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
NAMES = tuple(NAMED) if IS_CAMPAIGN else ("tilde", "to_bytes", "sum of lists", "compile filters")
SEEDS = range(6) if IS_CAMPAIGN else ()
_START = 2.0
"""Seconds of processor time to start the process."""


def context() -> dict[str, Any]:
    state = games.load("dixiquote").begin(seed=1)
    seat = state.pending[0]
    return prompt_context(state.view(seat), state.question(seat), prompt_options(state.setup), False)


def in_message(bomb: str) -> str:
    return bomb if bomb.startswith("{% extends") else '{% call message("user") %}' + bomb + "{% endcall %}"


def check(folder: Path, bomb: str) -> None:
    """The bomb renders within its bounds, or is refused in one sentence that names its template."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pack = pack_of(folder, in_message(bomb))
    try:
        messages = pack.render("dixiquote", "voter", context())
        assert sum(len(message["content"]) for message in messages) <= LONGEST_PROMPT
    except UsageError as refusal:
        said = str(refusal)
        assert VOTER in said or "dixiquote/rules.j2" in said, said
        assert "\n" not in said
        assert len(said) < 1000
    del pack
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS + 3 + _START
    largest = after.ru_maxrss  # of all children so far
    assert largest == before.ru_maxrss or largest * 1024 < MEMORY + (128 << 20)


@pytest.mark.parametrize("name", NAMES)
def test_a_bomb_stays_within_its_bounds(name: str, tmp_path: Path) -> None:
    check(tmp_path, NAMED[name])


@pytest.mark.parametrize("seed", SEEDS)
def test_generated_bombs_stay_within_their_bounds(seed: int, tmp_path: Path) -> None:
    for bomb in generated(15, seed):
        check(tmp_path, bomb)


def test_a_pack_goes_on_after_a_bomb_and_leaves_no_process(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, in_message("{% if me == 9 %}" + NAMED["tilde"] + "{% endif %}Hello"))
    with pytest.raises(UsageError, match=f"{VOTER}.*{MEMORY >> 20} MiB|characters"):
        pack.render("dixiquote", "voter", {**context(), "me": 9})
    assert pack.render("dixiquote", "voter", context())[0]["content"] == "Hello"
    process = pack.__dict__["_renderer"]._process
    assert process.poll() is None
    del pack
    assert process.returncode == -signal.SIGKILL


def test_a_process_that_was_killed_is_named_and_replaced(tmp_path: Path) -> None:
    pack_of(tmp_path, in_message("Hello"))
    renderer = IsolatedRenderer(tmp_path)
    renderer.messages(VOTER, context())
    assert renderer._process is not None
    renderer._process.kill()
    renderer._process.wait()
    with pytest.raises(UsageError, match=VOTER):
        renderer.messages(VOTER, context())
    assert renderer.messages(VOTER, context())[0]["content"] == "Hello"
