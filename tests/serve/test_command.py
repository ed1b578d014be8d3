"""`tabletop mcp` and seats of MCP clients on the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.cli.command import tabletop
from tests.serve.hosting import hosted, play


def test_without_its_extra_the_command_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.cli.serving.find_spec", lambda name: None)
    done = tabletop(tmp_path, "mcp")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tabletop: `tabletop mcp` needs the extra mcp: pip install 'tabletop-runner[mcp]'.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("mcp", "--budget", "0"), "--budget 0.0: expected more than 0 USD."),
        (("mcp", "--allow-seat", "openai/gpt-5-mini"), "--allow-seat openai/gpt-5-mini costs money: add --budget USD"),
        (("mcp", "--allow-seat", "bot:nosuch"), '--allow-seat "bot:nosuch": There is no bot "bot:nosuch"'),
        (("serve", "--allow-seat", "+pack:x", "--allow-seat", "!!"), '--allow-seat "!!": There is no seat "!!"'),
        (("mcp", "--http", "65536"), '--http "65536"'),
        (("mcp", "--concurrency", "0"), '--concurrency "0"'),
        (("mcp", "--turn-seconds", "soon"), '--turn-seconds "soon"'),
        (("play", "coup", "--seat", "mcp"), 'The seat "mcp" is for an MCP client, which only `tabletop mcp` can ask'),
        (("play", "coup", "--seat", "mcp=offline"), 'A player cannot be called "mcp"'),
    ],
)
def test_a_wrong_command_line_gets_one_sentence(
    words: tuple[str, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.cli.serving.find_spec", lambda name: object())
    done = tabletop(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tabletop: {why}"), done.stderr
    assert done.stderr.count("\n") == 1


async def _paused_and_played(folder: Path) -> tuple[Path, Path]:
    """The logs of a paused match and of one that has ended."""
    async with hosted(folder) as server:
        paused = await server("new_match", game="coup", seats=["mcp", "bot:steady"], seed=3)
        ended = await server("new_match", game="coup", seats=["mcp", "bot:steady"], seed=3)
        await play(server, ended["handles"])
    return Path(paused["log"]), Path(ended["log"])


def test_other_verbs_take_logs_of_clients(tmp_path: Path) -> None:
    paused, ended = asyncio.run(_paused_and_played(tmp_path / "logs"))
    refused = tabletop(tmp_path, "resume", str(paused))
    assert refused.returncode == 2
    assert "resume the match there, with the tool new_match" in refused.stderr
    resumed = tabletop(tmp_path, "resume", str(paused), "--seat", "P-0=bot:steady", "--quiet")
    assert resumed.returncode == 0, resumed.stderr
    for log in (paused, ended):
        assert tabletop(tmp_path, "replay", str(log), "--verify").returncode == 0
    again = tabletop(tmp_path, "play", "coup", "--playback", str(ended), "--quiet", "--log", "again.jsonl")
    assert again.returncode == 0, again.stderr
    assert tabletop(tmp_path, "logs", "logs").returncode == 0
