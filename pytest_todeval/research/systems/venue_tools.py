"""What a backend can do, by domain: its tool that looks up, and its tool that books."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval import log
from pytest_todeval.backends.protocol import Row, ToolRefused
from pytest_todeval.errors import UsageError
from pytest_todeval.facts.calls.rows import data_of
from pytest_todeval.nlu.tool_names import Purpose, purpose_of
from pytest_todeval.nlu.values.normalise import DONTCARE
from pytest_todeval.simulation.systems.chat.observation import attempted


@dataclass(frozen=True, slots=True)
class DomainTools:
    """The tools of one domain; one of the names may be empty."""

    domain: str
    find: str = ""
    """The tool that looks it up: `find_hotel`."""
    book: str = ""
    """The tool that books in it: `book_hotel`."""


@dataclass(frozen=True, slots=True)
class FoundRows:
    """What a look-up found."""

    count: int
    """How many there are; `rows` may be fewer."""
    rows: tuple[Row, ...]

    @staticmethod
    def of(result: Any) -> "FoundRows":
        """Returns the rows in a tool's result: a list, or one in a mapping beside its `count`."""
        data = data_of(result)
        count = None
        if isinstance(data, Mapping):
            count = data.get("count")
            data = next((each for each in data.values() if isinstance(each, list | tuple)), [data])
        listed = data if isinstance(data, list | tuple) else ()
        rows = tuple(row for row in listed if isinstance(row, Mapping))
        return FoundRows(count if type(count) is int else len(rows), rows)


class VenueTools:
    """A backend's tools by domain, by their names: `find_hotel` looks up, `book_hotel` books.

    A domain is what follows the verb. Other tools belong to none. If the backend has one of the
    domains in `only`, tools of others are left out.
    """

    def __init__(self, backend: Any, only: Sequence[str] = ()) -> None:
        self._backend = backend
        self.schemas = {_name(schema): schema for schema in getattr(backend, "tools", ())}
        # A task's tools are no look-ups by slots, whatever their names: `find_user_id_by_email`.
        is_task = getattr(backend, "keeps_bookings", True) is False
        self.domains = {} if is_task else _by_domain(self.schemas)
        left = [each for each in self.domains if each not in only]
        if only and len(left) < len(self.domains):
            gone = [self.domains.pop(each) for each in left]
            names = {name for each in gone for name in (each.find, each.book)}
            self.schemas = {name: each for name, each in self.schemas.items() if name not in names}

    def require(self, bot: str, *, rows: bool = False) -> None:
        """Raises UsageError, naming the bot, unless there is a domain to look up.

        With `rows` there must be `query`, too.
        """
        lacking = "" if any(each.find for each in self.domains.values()) else "has no tool find_..."
        if rows and not self.can_query:
            lacking = "has no `query(domain, constraints)`"
        if lacking:
            raise UsageError(
                f"{bot} needs a backend with a look-up in each domain (`find_hotel`), and "
                f"{type(self._backend).__name__} {lacking}. MonolithicSystem and ModularLLMSystem "
                "take any tools"
            )

    @property
    def can_query(self) -> bool:
        """Says whether the backend can be asked for all rows that meet constraints."""
        return callable(getattr(self._backend, "query", None))

    def takes(self, tool: str) -> Mapping[str, Mapping[str, Any]]:
        """Returns the arguments of a tool, each with its schema; none of an empty name."""
        parameters = _function(self.schemas.get(tool, {})).get("parameters") or {}
        return dict(parameters.get("properties") or {})

    def needs(self, tool: str) -> tuple[str, ...]:
        """Returns the arguments that a tool cannot do without."""
        parameters = _function(self.schemas.get(tool, {})).get("parameters") or {}
        return tuple(parameters.get("required") or ())

    def slots(self, domain: str) -> dict[str, Mapping[str, Any]]:
        """All slots of a domain, each with its schema: those of its look-up, then its booking's."""
        tools = self.domains[domain]
        return {**self.takes(tools.find), **self.takes(tools.book)}

    def texts(self, domain: str) -> dict[str, Any]:
        """Returns the slots as a model is to tell them: each a text, with what it means."""
        slots = self.slots(domain).items()
        return {
            slot: {"type": "string", "description": str(each.get("description", slot))}
            for slot, each in slots
        }

    def call(self, tool: str, arguments: Mapping[str, Any], *, report: bool = True) -> Any:
        """Returns what a tool returns, as plain JSON. Raises ToolRefused if it says no, or breaks.

        Digits become a number if the tool takes one. The call is reported, for a backend that keeps
        no trace, unless `report` says that somebody else does so.
        """
        known = self.takes(tool)
        given = {name: _typed(known.get(name, {}), value) for name, value in arguments.items()}
        result, _, error = attempted(lambda: self._backend.call(tool, **given))
        if report:
            log.tool_call(tool, given, result=result, error=error)
        if error is not None:
            raise ToolRefused(error)
        return result

    def find(self, domain: str, slots: Mapping[str, str]) -> FoundRows:
        """Looks a domain up by those slots that its tool takes. Raises ToolRefused."""
        tool = self.domains[domain].find
        known = self.takes(tool)
        wanted = {slot: value for slot, value in given_values(slots).items() if slot in known}
        return FoundRows.of(self.call(tool, wanted))

    def query(self, domain: str, constraints: Mapping[str, str]) -> Sequence[Row]:
        """Returns all rows that meet the constraints; not traced."""
        rows: Sequence[Row] = self._backend.query(domain, dict(constraints))
        return rows


def given_values(slots: Mapping[str, Any]) -> dict[str, str]:
    """Returns the slots that exclude something, their values as text."""
    told = {slot: str(value).strip() for slot, value in slots.items() if value is not None}
    free = ("", DONTCARE, "dont care", "don't care", "any")
    return {slot: value for slot, value in told.items() if value.lower() not in free}


def _typed(schema: Mapping[str, Any], value: Any) -> Any:
    is_number = schema.get("type") == "integer" and isinstance(value, str)
    return int(value) if is_number and re.fullmatch("[0-9]{1,9}", value) else value


def _by_domain(schemas: Mapping[str, Any]) -> dict[str, DomainTools]:
    found: dict[str, dict[str, str]] = {}
    for name in schemas:
        verb, _, domain = name.partition("_")
        purpose = purpose_of(verb, {})
        kind = {Purpose.LOOKS: "find", Purpose.BOOKS: "book"}.get(purpose) if purpose else None
        if domain and kind:
            found.setdefault(domain, {}).setdefault(kind, name)
    return {
        domain: DomainTools(domain, tools.get("find", ""), tools.get("book", ""))
        for domain, tools in found.items()
    }


def _name(schema: Mapping[str, Any]) -> str:
    return str(_function(schema).get("name", ""))


def _function(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    function = schema.get("function")
    return function if isinstance(function, Mapping) else {}
