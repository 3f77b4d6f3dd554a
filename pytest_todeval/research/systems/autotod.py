"""AutoTOD (Xu et al. 2024), as clem:todd plays it (3.3.1, A.2.1): instructions, SQL, bookings.

Its public code has a task description, tools and task logic for each domain; a model writes SQL to
look things up. Here the SQL reads rows in memory and can do nothing else (`sql`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pytest_todeval.backends.multiwoz import shown
from pytest_todeval.backends.protocol import tool_schema
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.facts.calls.rows import identity
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.research.systems.sql import MOST_ROWS, conditions, select
from pytest_todeval.research.systems.system import BotSetup, PaperSystem
from pytest_todeval.research.systems.venue_tools import VenueTools, given_values
from pytest_todeval.simulation.systems.chat.bot import ChatBot, ChatSystem

EXAMPLES = 3
"""Rows of a table that its instructions show."""


class AutoTODSystem(PaperSystem):
    """One model with one instruction schema; its look-ups are SQL over the backend's rows.

        @pytest.fixture(scope="session")
        def tod_system():
            return AutoTODSystem("gpt-4o-mini")

    The backend must have `query`. The belief state is what the SQL's conditions and the bookings
    name.
    """

    _needs_rows = True

    def _bot(self, setup: BotSetup) -> "AutoTODBot":
        desk = SQLTools(setup.tools)
        told = self._prompts.get("autotod_system").render(tasks=_tasks(self._prompts, setup.tools))
        chat = ChatSystem(
            self._client, told[0]["content"], tuple(desk.all()), max_steps=self._max_steps
        )(None, setup.opening)
        return AutoTODBot(chat, desk)


class AutoTODBot:
    """One dialogue of an `AutoTODSystem`."""

    def __init__(self, chat: ChatBot, tools: "SQLTools") -> None:
        self._chat, self._tools = chat, tools

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        return replace(self._chat.respond(text), state=self._tools.belief)


class SQLTools:
    """A backend's look-ups as SQL, and its bookings."""

    def __init__(self, tools: VenueTools) -> None:
        self._tools = tools
        self._seen: dict[str, list[Mapping[str, Any]]] = {}
        self.belief: dict[str, dict[str, str]] = {}

    def all(self) -> list[tuple[Mapping[str, Any], Callable[..., Any]]]:
        """Returns each tool, declared and done."""
        found: list[tuple[Mapping[str, Any], Callable[..., Any]]] = []
        for domain, each in self._tools.domains.items():
            if each.find:
                found.append((_query_schema(domain), self._query(domain)))
            if each.book:
                found.append((self._tools.schemas[each.book], self._book(domain, each.book)))
        return found

    def _query(self, domain: str) -> Callable[..., Any]:
        def query(sql: str) -> Any:
            found = select(domain, self._tools.query(domain, {}), sql)
            self._seen.setdefault(domain, []).extend(found["results"])
            known = self._tools.slots(domain)
            spelled = {slot.lower(): slot for slot in known}
            told = {spelled.get(c.lower(), ""): value for c, value in conditions(sql).items()}
            self.belief.setdefault(domain, {}).update({s: v for s, v in told.items() if s})
            return found

        return query

    def _book(self, domain: str, tool: str) -> Callable[..., Any]:
        def book(**arguments: Any) -> Any:
            self._look_up_again(domain, arguments)
            self.belief.setdefault(domain, {}).update(given_values(arguments))
            return self._tools.call(tool, arguments, report=False)

        return book

    def _look_up_again(self, domain: str, arguments: Mapping[str, Any]) -> None:
        """Has the backend see which train is meant: several have the same id."""
        train = str(arguments.get("trainID", ""))
        rows = [row for row in self._seen.get(domain, ()) if train and identity(row) == train]
        if rows:
            self._tools.find(domain, {slot: str(value) for slot, value in rows[-1].items()})


def _query_schema(domain: str) -> Mapping[str, Any]:
    means = (
        f"Look up the table {domain} by one SQL SELECT. Returns `count` and at most {MOST_ROWS} "
        "rows."
    )
    return tool_schema(f"query_{domain}", means, {"sql": {"type": "string"}}, ["sql"])


def _tasks(prompts: Prompts, tools: VenueTools) -> str:
    """Returns the part of the instructions for each domain."""
    told = []
    for domain, each in tools.domains.items():
        rows = [shown(row) for row in tools.query(domain, {})[:EXAMPLES]] if each.find else []
        part = prompts.get("autotod_task").render(
            domain=domain,
            columns=", ".join(dict.fromkeys(column for row in rows for column in row)) or "none",
            examples="\n".join(map(str, rows)) or "none",
            lookup=f"query_{domain}(sql)" if each.find else "none",
            booking=f"{each.book}({', '.join(tools.takes(each.book))})" if each.book else "none",
        )
        told.append(part[0]["content"])
    return "\n\n".join(told)
