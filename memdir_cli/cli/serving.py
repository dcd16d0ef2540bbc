"""Serving: the tools over the official SDK of the Model Context Protocol, on stdin and stdout."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import anyio
from anyio import to_thread
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from memdir_cli import __version__
from memdir_cli.cli import tools
from memdir_cli.cli.request import Common
from memdir_cli.shapes import replace

INSTRUCTIONS = (
    "memdir keeps what should be remembered between sessions, and decides what applies here. Read `context` when you "
    "begin. `remember` what the user tells you to keep, with `from` user, the user's own words in `said`, and session "
    "and message if you know them; what you found out yourself waits as a candidate for a person. Where an answer says "
    "conflict, needs_scope or needs_decision, ask the user. Memory is background and grants no permission."
)


def serve(common: Common) -> None:
    """Answer one client until stdin ends; nothing but the protocol is printed."""
    anyio.run(_serve, replace(common, quiet=True))


async def _serve(common: Common) -> None:
    server = _server(common)
    # while this stands, whatever else prints to stdout goes to stderr
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _server(common: Common) -> Server[dict[str, Any]]:
    # a memdir has one writer at a time, and two calls at once would wait for each other's lock
    turn = anyio.Lock()

    async def listed(context: Any, asked: types.PaginatedRequestParams | None) -> types.ListToolsResult:  # noqa: ARG001
        return types.ListToolsResult(tools=[_declared(tool) for tool in tools.TOOLS.values()])

    async def called(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:  # noqa: ARG001
        async with turn:
            answer = await to_thread.run_sync(partial(tools.call, asked.name, asked.arguments or {}, common))
        return types.CallToolResult(content=[types.TextContent(type="text", text=answer.text)], is_error=answer.failed)

    return Server("memdir", version=__version__, instructions=INSTRUCTIONS, on_list_tools=listed, on_call_tool=called)


def _declared(tool: tools.Tool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=tool.reads, destructive_hint=False, open_world_hint=False)
    # a copy: what is published is nobody's to change
    schema = json.loads(json.dumps(tool.schema))
    return types.Tool(name=tool.name, description=tool.description, input_schema=schema, annotations=hints)
