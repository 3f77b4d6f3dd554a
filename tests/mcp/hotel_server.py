"""A server of MCP with the official SDK: `hotel_server.py`, or with a port over HTTP."""

import os
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

app = MCPServer("hotel")


class Day(BaseModel):
    day: str


def note(what: str) -> None:
    """Every line is something that a replay must not do."""
    with Path(os.environ.get("HITS") or Path(__file__).with_name("hits")).open("a") as file:
        file.write(f"{what}\n")


@app.tool()
def find_hotel(area: str) -> str:
    """Hotels of an area."""
    note("find")
    return f"The Acorn is in the {area}."


@app.tool()
async def book(name: str, ctx: Context) -> str:
    """Book a hotel."""
    note("book")
    if name == "gone":
        os._exit(3)
    await ctx.report_progress(1, 2, "half")
    if name == "nowhere":
        raise ValueError("no such hotel")
    return f"booked {name}: AB12"


@app.tool()
async def ask_day(ctx: Context) -> str:
    """Ask the person in front of the client for a day, while the call is made."""
    note("ask")
    try:
        asked = await ctx.elicit("Which day?", Day)
    except Exception:  # a client without a session cannot be asked
        return "on friday"
    note("asked")
    return f"on {asked.data.day}" if asked.action == "accept" else "no day"


if __name__ == "__main__":
    note("start")
    if len(sys.argv) > 1:
        app.run("streamable-http", port=int(sys.argv[1]))
    else:
        app.run("stdio")
