"""Bots with clients of MCP: the same talk with a hotel's server, over stdio or HTTP."""

import os
import sys
from pathlib import Path
from typing import Any

TODEVAL = str(Path(sys.executable).with_name("todeval"))
SERVER = [sys.executable, str(Path(__file__).with_name("hotel_server.py"))]
STDIO = ["mcp", "hotel", *SERVER]
URL = os.environ.get("HOTEL_BASE_URL", "")
AREA, NAME = os.environ.get("AREA", "north"), os.environ.get("NAME", "acorn")


class SdkBot:
    """The official SDK of Python, of a session or without."""

    mode = "auto"

    async def respond(self, text: str) -> str:
        from mcp.client import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client
        from mcp_types import ElicitResult

        told = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append(message)

        async def asked(context: Any, params: Any) -> ElicitResult:
            return ElicitResult(action="accept", content={"day": "friday"})

        target = URL or stdio_client(StdioServerParameters(command=TODEVAL, args=STDIO))
        made: Any = Client(target, mode=self.mode, elicitation_callback=asked)
        async with made as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            found = await client.call_tool("find_hotel", {"area": AREA})
            booked = await client.call_tool("book", {"name": NAME}, progress_callback=progress)
            bad = await client.call_tool("book", {"name": "nowhere"})
            day = await client.call_tool("ask_day", {})
        texts = [each.content[0].text for each in (found, booked, day)]
        return f"{', '.join(names)}; {'; '.join(texts)}; {told}; {bool(bad.is_error)}"


class SdkSessionBot(SdkBot):
    mode = "legacy"


class FastBot:
    """FastMCP's client."""

    async def respond(self, text: str) -> str:
        from fastmcp.client import Client  # type: ignore[import-not-found,unused-ignore]
        from fastmcp.client.transports import (  # type: ignore[import-not-found,unused-ignore]
            StdioTransport,
        )

        told = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append(message)

        async def asked(message: str, kind: Any, *rest: Any) -> Any:
            return {"day": "friday"}

        target = URL or StdioTransport(TODEVAL, STDIO, keep_alive=False)
        made: Any = Client(target, elicitation_handler=asked)
        async with made as client:
            names = [tool.name for tool in await client.list_tools()]
            found = await client.call_tool("find_hotel", {"area": AREA})
            booked = await client.call_tool("book", {"name": NAME}, progress_handler=progress)
            bad = await client.call_tool("book", {"name": "nowhere"}, raise_on_error=False)
            day = await client.call_tool("ask_day", {})
        texts = [each.content[0].text for each in (found, booked, day)]
        return f"{', '.join(names)}; {'; '.join(texts)}; {told}; {bool(bad.is_error)}"
