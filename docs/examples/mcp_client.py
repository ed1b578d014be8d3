"""An MCP client without a model: it begins a match of Coup and takes the first legal answer to each question.

    python mcp_client.py                                      # starts its own server: `tabletop mcp`
    TOKEN=... python mcp_client.py http://127.0.0.1:8765/mcp  # uses a server that `tabletop mcp --http 8765` started

It needs the extra `mcp`.
"""

import asyncio
import os
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def main(url=None):
    if url is None:
        async with Client(StdioServerParameters(command="tabletop", args=["mcp"])) as client:
            await play(client)
    else:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            await play(client)


async def play(client):
    begun = await call(client, "new_match", game="coup", seats=["mcp", "bot:steady", "bot:steady"])
    handle = begun["handles"]["P-0"]
    while True:
        turn = await call(client, "wait_for_turn", handle=handle, seconds=20)
        if turn["status"] == "over":
            break
        if turn["status"] == "your_turn":
            await call(client, "act", handle=handle, decision=turn["decision"], answer=turn["legal"][0])
    print("won" if 0 in turn["result"]["winners"] else "lost", begun["log"])


async def call(client, tool, **arguments):
    """The structured content of a tool's result; the program ends with the tool's error."""
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        sys.exit(result.content[0].text)
    return result.structured_content


asyncio.run(main(*sys.argv[1:]))
