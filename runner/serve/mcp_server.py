"""MCP server: the tools of a host of matches, by the official SDK."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server import Server

from games.core import OptionError
from runner.errors import TabletopError
from runner.match.header import package_version
from runner.serve.match_tools import INSTRUCTIONS, MatchTool, MatchTools

_BUG = "The server failed; its standard error has the traceback."


def mcp_server(tools: MatchTools) -> Server[Any]:
    """The server of these tools, without a transport."""

    async def list_tools(context: object, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(map(_described, tools.tools.values())))

    async def call_tool(context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _result(tools, params.name, params.arguments or {})

    return Server(
        "tabletop",
        version=package_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: MatchTool) -> types.Tool:
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=tool.input_schema, output_schema=tool.output_schema
    )


async def _result(tools: MatchTools, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    try:
        found = await tools.call(name, arguments)
    except TabletopError as refusal:
        return _error(refusal.sentence)
    except OptionError as refusal:
        return _error(str(refusal))
    except Exception as bug:
        traceback.print_exception(bug, file=sys.stderr)
        return _error(_BUG)
    text = found["text"] if found.keys() == {"text"} else json.dumps(found, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=str(text))], structured_content=found)


def _error(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=sentence)], is_error=True)
