"""Resume command: the exact command line that continues a match from its log."""

from __future__ import annotations

import shlex
from pathlib import Path

from runner.agents.log_trust import unnamed
from runner.agents.spec import needs_client
from runner.cli.match_setup import MatchSetup


def resume_command(setup: MatchSetup, log: Path, *more: str) -> str:
    """The command with `more` options. It names each address and prompt pack that a log alone may not bring in."""
    words = ["tabletop", "resume", str(log)]
    specs = setup.filled.specs
    for seat in unnamed(dict(enumerate(specs)), (), setup.settings):
        if not any(word.startswith(f"P-{seat}=") for word in more):
            words += ["--seat", f"P-{seat}={specs[seat].text}"]
    if setup.pack.folder is not None and needs_client(specs):
        words += ["--prompts", str(setup.pack.folder)]
    return f"`{shlex.join([*words, *more])}`"
