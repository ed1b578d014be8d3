"""Runs the client against each stand-in server that is installed, and says which are not.

Exit status 1 when one that ran was not content. Servers: llmock (PyPI; named by LLMOCK or found on the path) and aimock
(npm @copilotkit/aimock; AIMOCK names its `llmock` program), llama-cpp-python[server] (PyPI; LLAMA names a Python that has it).
"""

from __future__ import annotations

import asyncio
import sys

from tests.conformance import aimock, llama, llmock
from tests.conformance.verdict import Verdict


async def verdicts() -> list[Verdict]:
    return [await aimock.run(), await llmock.run(), await llama.run()]


def main() -> int:
    found = asyncio.run(verdicts())
    for verdict in found:
        sys.stdout.write(f"{verdict.server}: {verdict.words}\n")
    return 1 if any(verdict.is_content is False for verdict in found) else 0


if __name__ == "__main__":
    sys.exit(main())
