"""Runs the client against each stand-in server that is installed, and says which are not.

Exit status 1 when one that ran was not content. Words of the command line are the servers to run, all of them without any. The
variables AIMOCK, LLMOCK, LITELLM, FAKELLM and MOCK_LLM name other programs; LLAMA names a Python that has xllamacpp.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable

from tools.conformance import aimock, fakellm, litellm, llama, llmock, mock_llm
from tools.conformance.verdict import Verdict

ADAPTERS = {
    "aimock": aimock.run,
    "llmock": llmock.run,
    "litellm": litellm.run,
    "fakellm": fakellm.run,
    "mock-llm": mock_llm.run,
    "llama": llama.run,
}


async def verdicts(names: Iterable[str]) -> list[Verdict]:
    return [await _verdict(name, ADAPTERS[name]) for name in names]


async def _verdict(name: str, adapter: Callable[[], Awaitable[Verdict]]) -> Verdict:
    """What an adapter found, or why its server did not run."""
    try:
        return await adapter()
    except OSError as failed:
        return Verdict(name, False, f"did not start: {failed or 'it does not listen'}")


def main(names: Iterable[str]) -> int:
    found = asyncio.run(verdicts(names))
    for verdict in found:
        sys.stdout.write(f"{verdict.server}: {verdict.words}\n")
    return 1 if any(verdict.is_content is False for verdict in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ADAPTERS))
