"""The tools of the chat bot: what may be one, and what comes of calls, right and wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.errors import (
    BackendError,
    ModelUnavailable,
    UsageError,
)
from pytest_todeval.simulation.systems.chat import EndlessCalls
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import StandInServer, Status
from tests.support.chat_world import (
    DATABASE,
    NORTH,
    Tools,
    bot_of,
    find_hotel,
    observations,
    one_turn,
    wants,
)

# Tools


def test_the_schema_of_a_function_comes_from_signature_and_docstring() -> None:
    def book(
        name: Annotated[str, Field(description="of the hotel")],
        nights: int,
        copy: bool = False,
        board: Literal["full", "half"] | None = None,
    ) -> None:
        """Book a room.

        Ask before you do.
        """

    _, (request,) = one_turn("Hello.", tools=[book])
    (tool,) = request.tools
    assert tool["type"] == "function"
    assert tool["function"]["name"] == "book"
    assert tool["function"]["description"] == "Book a room.\n\nAsk before you do."
    assert tool["function"]["parameters"] == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "of the hotel"},
            "nights": {"type": "integer"},
            "copy": {"type": "boolean"},
            "board": {"anyOf": [{"enum": ["full", "half"], "type": "string"}, {"type": "null"}]},
        },
        "required": ["name", "nights"],
        "additionalProperties": False,
    }


def test_a_pair_keeps_its_schema() -> None:
    schema = {"type": "function", "function": {"name": "shout", "parameters": {"type": "object"}}}
    reply, requests = one_turn(
        wants(("shout", {"a": 1, "b": "x"})), "Done.", tools=[(schema, lambda **given: given)]
    )
    assert requests[0].tools == (schema,)
    assert reply.tool_calls == (ToolCall("shout", {"a": 1, "b": "x"}, {"a": 1, "b": "x"}),)


def test_values_are_read_as_the_annotations_say() -> None:
    got: list[Any] = []

    def book(day: date, people: int) -> None:
        got.append((day, people))

    one_turn(wants(("book", {"day": "2026-03-01", "people": "3"})), "Booked.", tools=[book])
    assert got == [(date(2026, 3, 1), 3)]


def test_a_parameter_backend_is_given_the_backend_and_is_not_shown() -> None:
    def count(backend: Any, of: str) -> int:
        return len(backend[of])

    reply, requests = one_turn(
        wants(("count", {"of": "rooms"}), ("count", {"of": "rooms", "backend": {"rooms": ""}})),
        "Two.",
        tools=[count],
        backend={"rooms": [1, 2]},
    )
    assert list(requests[0].tools[0]["function"]["parameters"]["properties"]) == ["of"]
    assert observations(requests[1])[0] == "2"
    assert "backend" in str(reply.tool_calls[1].error)


async def asynchronous(area: str) -> None: ...


def by_position(area: str, /) -> None: ...


def by_any_position(*areas: str) -> None: ...


def unknown_type(area: "Area") -> None: ...  # type: ignore[name-defined]  # noqa: F821


def not_in_json(area: Callable[[], int]) -> None: ...


def no_type_of_pydantic(area: Status, server: StandInServer) -> None: ...


@pytest.mark.parametrize(
    ("tools", "what"),
    [
        ([asynchronous], "asynchronous"),
        ([by_position], "by position"),
        ([by_any_position], "by position"),
        ([unknown_type], "signature of .* is unknown: name 'Area'"),
        ([not_in_json], "not_in_json: .*JsonSchema"),
        ([no_type_of_pydantic], "no_type_of_pydantic"),
        ([lambda area: area], "'<lambda>' is not a tool name"),
        ([partial(find_hotel, "north")], "'' is not a tool name"),
        ([find_hotel, find_hotel], "are called 'find_hotel'"),
        ([({"name": "find"}, find_hotel)], "names no function"),
        ([({"function": {"name": "a b"}}, find_hotel)], "'a b' is not a tool name"),
        (["find_hotel"], "got 'find_hotel', expected a function"),
        ({"find_hotel": find_hotel}, "expected a list of functions"),
        (find_hotel, "expected a list of functions"),
    ],
)
def test_what_cannot_be_a_tool(tools: Any, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        ChatSystem("m", tools=tools)


def test_the_tools_of_the_backend_are_the_default() -> None:
    backend = MultiwozBackend(DATABASE)
    call = ("find_hotel", {"area": "north"})
    reply, requests = one_turn(wants(call), "Here.", tools=None, backend=backend)
    assert requests[0].tools == tuple(backend.tools)
    assert backend.trace == [ToolCall(*call, reply.tool_calls[0].result)]
    assert json.loads(observations(requests[1])[0]) == backend.trace[0].result


@pytest.mark.parametrize("tools", [[], [find_hotel]])
def test_tools_given_replace_those_of_the_backend(tools: Tools) -> None:
    _, (request,) = one_turn("Hello.", tools=tools, backend=MultiwozBackend(DATABASE))
    assert len(request.tools) == len(tools)


class Own:
    def __init__(self, tools: Any) -> None:
        self.tools = tools

    def bookings(self) -> list[Any]:
        return []

    def call(self, tool: str, **arguments: Any) -> str:
        return f"{tool} {arguments}"


def test_a_backend_of_ones_own_may_have_tools_or_none() -> None:
    schema = {"type": "function", "function": {"name": "ping"}}
    reply, requests = one_turn(wants(("ping", {"n": 1})), "Yes.", tools=None, backend=Own([schema]))
    assert requests[0].tools == (schema,)
    assert reply.tool_calls == (ToolCall("ping", {"n": 1}, "ping {'n': 1}"),)
    for backend in (None, object(), Own(())):
        assert one_turn("Hello.", tools=None, backend=backend)[1][0].tools == ()


@pytest.mark.parametrize("tools", [{"ping": 1}, "ping", 7, [{"name": "ping"}], [None]])
def test_a_backend_whose_tools_are_something_else(tools: Any) -> None:
    with pytest.raises(UsageError, match=r"backend\.tools|`tools` of the backend"):
        ChatSystem("m")(Own(tools))


# Calls


def test_parallel_calls_are_all_run_in_order_and_answered() -> None:
    calls = [("find_hotel", {"area": area}) for area in ("north", "east", "west")]
    reply, requests = one_turn(wants(*calls), "Three.")
    assert [call.arguments["area"] for call in reply.tool_calls] == ["north", "east", "west"]
    assert observations(requests[1]) == ['["north 0"]', '["east 0"]', '["west 0"]']


def test_equal_calls_are_run_each_time_and_from_the_third_on_the_model_is_told() -> None:
    reply, requests = one_turn(
        *[wants(NORTH)] * 2, wants(NORTH, NORTH), wants(("find_hotel", {"area": "e"})), "There."
    )
    assert [call.result for call in reply.tool_calls] == [["north 0"]] * 4 + [["e 0"]]
    told = observations(requests[-1])
    assert [text.startswith('["north 0"]') for text in told] == [True] * 4 + [False]
    assert ["times in a row" in text for text in told] == [False, False, True, True, False]
    assert "3 times" in told[2]
    assert "4 times" in told[3]


def test_a_model_that_never_stops_calling_tools() -> None:
    ran = []

    def look() -> None:
        ran.append("look")

    with bot_of(*[wants(("look", {}))] * 4, tools=[look], max_steps=3) as (bot, server):
        with pytest.raises(EndlessCalls, match=r"after 3 rounds .* \(look\)"):
            bot.respond("A hotel.")
        assert (server.hits, len(ran)) == (4, 3)


def test_the_last_step_may_be_a_round_of_calls_and_an_answer() -> None:
    assert one_turn(*[wants(NORTH)] * 3, "Done.", max_steps=3)[0].text == "Done."


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ('{"area": "nor', "must be a JSON object"),
        ("north", "must be a JSON object"),
        ('["north"]', "it is list"),
        ("null", "it is NoneType"),
        ('"north"', "it is str"),
        ('{"area": "a", "stars": NaN}', "NaN is not JSON"),
        ('{"area": "a", "stars": -Infinity}', "-Infinity is not JSON"),
        ('{"area": "a", "stars": 1e999}', "not JSON compliant"),
        ('{"area": "\\ud83d"}', "surrogates not allowed"),
        ('{"area": "' + "x" * 30_000 + '"}', "longer than 20000 characters"),
        ('{"area": ' + "[" * 9_000, "must be a JSON object"),
        ('{"stars": ' + "9" * 5_000 + "}", "must be a JSON object"),
        ("", "`area`: Field required; it takes area, stars"),
        ("{}", "`area`: Field required"),
        ('{"area": "a", "star": 4}', "`star`: Extra inputs are not permitted; it takes area"),
        ('{"area": {"a": 1}}', "`area`: Input should be a valid string"),
        ('{"area": "a", "stars": "many"}', "`stars`: Input should be a valid integer"),
        ('{"area": "a", "stars": null}', "`stars`: Input should be a valid integer"),
    ],
)
def test_malformed_arguments_are_told_and_not_run(arguments: str, wrong: str) -> None:
    ran = []

    def find_hotel(area: str, stars: int = 0) -> None:
        ran.append(area)

    reply, requests = one_turn(wants(("find_hotel", arguments)), "Sorry.", tools=[find_hotel])
    (told,) = observations(requests[1])
    assert told.startswith("Error: ")
    assert wrong in told
    assert len(told) < 700
    assert reply.tool_calls[0].error == told.removeprefix("Error: ")
    assert ran == []
    (sent,) = requests[1].messages[2]["tool_calls"]
    assert isinstance(json.loads(sent["function"]["arguments"]), dict)


def test_arguments_that_a_backend_does_not_take_are_told() -> None:
    backend = MultiwozBackend(DATABASE)
    call = wants(("find_hotel", {"colour": "red", "self": 1}))
    reply, requests = one_turn(call, "Sorry.", tools=None, backend=backend)
    assert "takes no argument 'colour'" in observations(requests[1])[0]
    assert reply.tool_calls == tuple(backend.trace)


@pytest.mark.parametrize("name", ["find_hotels", "functions.find hotel", "", "x" * 500])
def test_an_unknown_tool_is_told(name: str) -> None:
    reply, requests = one_turn(wants((name, {"area": "a"})), "Sorry.")
    assert "there is no tool" in observations(requests[1])[0]
    assert "Known: find_hotel" in observations(requests[1])[0]
    assert [(call.name, call.result) for call in reply.tool_calls] == [(name, None)]
    sent = requests[1].messages[2]["tool_calls"][0]["function"]["name"]
    assert 1 <= len(sent) <= 64


def test_an_unknown_tool_does_not_reach_the_backend() -> None:
    schema = {"type": "function", "function": {"name": "ping"}}
    reply, _ = one_turn(wants(("bookings", {})), "Sorry.", tools=None, backend=Own([schema]))
    assert "there is no tool 'bookings'" in str(reply.tool_calls[0].error)


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ToolRefused("all rooms are taken"), "Error: all rooms are taken"),
        (KeyError("rooms"), "Error: KeyError: 'rooms'"),
        (RecursionError(), "Error: RecursionError"),
        (Unprintable(), "<exception str() failed>"),
    ],
)
def test_what_a_tool_raises_is_told(error: Exception, told: str) -> None:
    def book() -> None:
        raise error

    reply, requests = one_turn(wants(("book", {})), "Sorry.", tools=[book])
    assert told in observations(requests[1])[0]
    assert reply.tool_calls[0].error
    assert reply.text == "Sorry."


@pytest.mark.parametrize("error", [BackendError, ModelUnavailable, ConnectionError, TimeoutError])
def test_what_is_out_of_the_bots_reach_leaves_it(error: type[Exception]) -> None:
    def book() -> None:
        raise error("gone")

    with bot_of(wants(("book", {})), tools=[book]) as (bot, _), pytest.raises(error, match="gone"):
        bot.respond("Book.")


@dataclass
class Room:
    name: str
    free: frozenset[str]


@pytest.mark.parametrize(
    ("result", "told", "plain"),
    [
        (None, "null", None),
        ("free", "free", "free"),
        ({"a": (1, 2.5)}, '{"a":[1,2.5]}', {"a": [1, 2.5]}),
        ({3, 1, 2}, "[1,2,3]", [1, 2, 3]),
        ([{"b", "a"}], '["a","b"]', [["a", "b"]]),
        (date(2026, 3, 1), "2026-03-01", "2026-03-01"),
        (Room("é", frozenset()), '{"name":"é","free":[]}', {"name": "é", "free": []}),
        ([float("nan"), float("inf")], "[null,null]", [None, None]),
    ],
)
def test_what_a_tool_returns_is_told_as_json(result: Any, told: str, plain: Any) -> None:
    def look() -> Any:
        return result

    reply, requests = one_turn(wants(("look", {})), "Yes.", tools=[look])
    assert told in observations(requests[1])[0]
    assert reply.tool_calls == (ToolCall("look", {}, plain),)


@pytest.mark.parametrize("result", [object(), "\ud83d", b"\xff", Own(())])
def test_a_result_that_json_cannot_hold(result: Any) -> None:
    def look() -> Any:
        return [result]

    _, requests = one_turn(wants(("look", {})), "Sorry.", tools=[look])
    (told,) = observations(requests[1])
    assert told.startswith("Error: ")
    assert "returned list, which is no JSON" in told
    assert " at 0x" not in told


def test_a_result_that_holds_itself() -> None:
    def look() -> Any:
        loop: list[Any] = []
        loop.append(loop)
        return loop

    _, requests = one_turn(wants(("look", {})), "Sorry.", tools=[look])
    assert "no JSON" in observations(requests[1])[0]
