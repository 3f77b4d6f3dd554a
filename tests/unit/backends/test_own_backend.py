"""A backend of the user's own: what it may be, and what is said when it is not."""

import copy
import threading
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.own import OwnBackend, as_backend
from pytest_todeval.backends.protocol import ToolRefused, steps_of
from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import BackendError, UsageError
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser


class Books:
    def __init__(self, *booked: Any) -> None:
        self.booked = booked

    def bookings(self) -> Sequence[Any]:
        return list(self.booked)


class Whole(Books):
    def query(self, domain: str, constraints: Mapping[str, str]) -> list[dict[str, str]]:
        return [{"domain": domain, **constraints}]

    def state_hash(self) -> str:
        return "abc"


def test_bookings_may_be_given_in_three_ways() -> None:
    booking = Booking("hotel", "A1", {"name": "grand"})
    flat = {"domain": "hotel", "reference": "A1", "name": "grand"}
    nested = {"domain": "hotel", "reference": "A1", "slots": {"name": "grand"}}
    assert OwnBackend(Books(booking, flat, nested)).bookings() == (booking,) * 3


def test_values_become_text_and_a_reference_may_be_absent() -> None:
    backend = OwnBackend(Books({"domain": "hotel", "stay": 2, "note": None}))
    assert backend.bookings() == (Booking("hotel", "", {"stay": "2"}),)


def test_query_and_state_hash_are_used_where_they_are() -> None:
    backend = OwnBackend(Whole())
    assert backend.query("hotel", {"area": "north"}) == ({"domain": "hotel", "area": "north"},)
    assert backend.state_hash() == "abc"
    assert OwnBackend(Books()).query("hotel", {}) == ()


def test_state_hash_does_not_depend_on_the_order_of_slots() -> None:
    one = {"domain": "hotel", "day": "monday", "stay": "2"}
    other = {"domain": "hotel", "stay": "2", "day": "monday"}
    assert OwnBackend(Books(one)).state_hash() == OwnBackend(Books(other)).state_hash()


def test_state_hash_follows_what_stands_booked() -> None:
    one, two = {"domain": "hotel", "day": "monday"}, {"domain": "taxi"}
    hashes = [
        OwnBackend(Books(*booked)).state_hash() for booked in ((one, two), (two, one), (one,))
    ]
    assert hashes[0] == hashes[1] != hashes[2]
    assert hashes[2] != OwnBackend(Books({**one, "day": "friday"})).state_hash()


@pytest.mark.parametrize(
    ("backend", "found"),
    [
        (None, "NoneType None"),
        ({"hotel": []}, "dict {'hotel': []}"),
        (Books, "Books (a class)"),
        (object(), "object <object"),
    ],
)
def test_anything_else_is_a_usage_error(backend: Any, found: str) -> None:
    with pytest.raises(UsageError, match=r"expected an object with `bookings\(\)`") as caught:
        as_backend(backend)
    assert found in str(caught.value)


@pytest.mark.parametrize("item", ["A1", 3, {"name": "grand"}, {"domain": 3}])
def test_a_booking_of_the_wrong_shape_is_named(item: Any) -> None:
    backend = OwnBackend(Books({"domain": "taxi"}, item))
    with pytest.raises(UsageError, match=r"Books\.bookings\(\)\[1\] is .*expected a Booking or"):
        backend.bookings()


class Wrong(Books):
    def bookings(self) -> Any:
        return "none"

    def query(self, domain: str, constraints: Mapping[str, str]) -> Any:
        return [domain]


def test_what_is_no_list_is_named() -> None:
    with pytest.raises(UsageError, match=r"Wrong\.bookings\(\) returned str 'none'"):
        OwnBackend(Wrong()).bookings()
    with pytest.raises(UsageError, match=r"Wrong\.query\(\) returned list"):
        OwnBackend(Wrong()).query("hotel", {})


class Broken(Books):
    def bookings(self) -> Any:
        raise KeyError("table")


def test_a_method_that_breaks_is_the_backends_fault() -> None:
    with pytest.raises(BackendError, match=r"Broken\.bookings\(\) raised KeyError: 'table'"):
        OwnBackend(Broken()).bookings()


def test_it_has_no_tools_of_ours() -> None:
    backend = OwnBackend(Books())
    assert backend.tools == ()
    with pytest.raises(ToolRefused, match="backend is the bot's own"):
        backend.call("find_hotel", area="north")
    assert backend.trace[0].error is not None


def test_one_of_ours_can_do_all_that_it_could() -> None:
    ours = MultiwozBackend(MultiwozDatabase({}))
    backend = as_backend(ours)
    assert backend.tools == ours.tools
    with pytest.raises(ToolRefused, match="there is no tool 'find_hotel'"):
        backend.call("find_hotel", area="north")
    assert backend.trace == ours.trace != []
    assert backend.state_hash() == ours.state_hash()
    assert as_backend(backend) is backend


class Traced(Books):
    """Has tools of its own, and neither `query` nor `state_hash`."""

    max_steps = 7
    tools = ({"type": "function", "function": {"name": "book"}},)

    def __init__(self) -> None:
        super().__init__()
        self.trace: Any = []

    def call(self, tool: str, /, **arguments: Any) -> str:
        self.trace.append({"name": tool, "arguments": arguments, "result": "ok"})
        return "ok"


def test_what_an_object_can_do_is_used_whatever_it_lacks() -> None:
    backend = as_backend(Traced())
    assert backend.call("book", day="friday") == "ok"
    assert backend.trace == [ToolCall("book", {"day": "friday"}, "ok")]
    assert backend.tools == Traced.tools
    assert steps_of(backend) == 7
    assert not hasattr(backend, "finished")
    assert copy.copy(backend).tools == Traced.tools


@pytest.mark.parametrize("calls", ["book", 3, [{"tool": "book"}], ["book"]])
def test_a_trace_of_anything_but_calls_is_named(calls: Any) -> None:
    own = Traced()
    own.trace = [*calls] if isinstance(calls, list) else [calls]
    with pytest.raises(UsageError, match=r"Traced\.trace\[0\] is .*expected a ToolCall or"):
        _ = as_backend(own).trace


@pytest.mark.parametrize("trace", [None, "log.txt", print, {"a": 1}])
def test_what_is_no_list_is_no_trace(trace: Any) -> None:
    own = Traced()
    own.trace = trace
    assert as_backend(own).trace == []


def test_the_trace_of_a_backend_with_a_part_of_our_interface_is_in_the_dialogue() -> None:
    own = Traced()

    def bot(text: str) -> str:
        own.call("book", day="friday")
        own.booked = ({"domain": "hotel", "reference": "A1", "day": "friday"},)
        return "It is booked."

    played = run_dialogue(Goal("g", "own", ()), ScriptedUser(["Book it.", "Thanks."]), bot, own)
    first, second = played.turns
    assert [call.name for call in first.tool_calls] == ["book"]
    assert first.booked == (Booking("hotel", "A1", {"day": "friday"}),)
    assert (second.booked, second.cancelled) == ((), ())


def turns(*bookings: Any, backend: Any = None) -> list[Turn]:
    """The turns of a dialogue after which the backend holds these bookings, one after another."""
    own = backend or Books({"domain": "hotel", "reference": "OLD"})
    states = iter(bookings)

    def bot(text: str) -> str:
        own.booked = next(states)
        return "Done."

    lines = ["Go on." for _ in bookings]
    return list(run_dialogue(Goal("g", "own", ()), ScriptedUser(lines), bot, own).turns)


def test_each_turn_keeps_what_it_changed() -> None:
    old, new = {"domain": "hotel", "reference": "OLD"}, {"domain": "taxi", "reference": "NEW"}
    later = {**old, "day": "sunday"}
    found = turns((old,), (old, new), (later, new), (), (new, new))
    assert [[b.reference for b in turn.booked or ()] for turn in found] == [
        [], ["NEW"], ["OLD"], [], ["NEW", "NEW"],
    ]  # fmt: skip
    assert [[b.reference for b in turn.cancelled] for turn in found] == [
        [], [], ["OLD"], ["OLD", "NEW"], [],
    ]  # fmt: skip
    assert found[2].booked == (Booking("hotel", "OLD", {"day": "sunday"}),)


class Late(Books):
    """Cannot tell what stands booked until it has been asked twice."""

    asked = 0

    def bookings(self) -> Any:
        self.asked += 1
        if self.asked < 3:
            raise ConnectionError("warming up")
        return super().bookings()


def test_a_turn_before_which_nobody_could_look_tells_nothing_of_its_bookings() -> None:
    late = Late()
    found = turns((), ({"domain": "taxi"},), (), backend=late)
    assert [turn.booked for turn in found] == [None, (Booking("taxi", ""),), ()]


def test_a_backend_that_keeps_no_bookings_is_not_asked_for_them() -> None:
    own = Books()
    own.keeps_bookings = False  # type: ignore[attr-defined]
    assert [turn.booked for turn in turns((), (), backend=own)] == [None, None]


def test_a_backend_that_hangs_is_to_blame_for_it() -> None:
    over = threading.Event()

    class Hangs(Books):
        def bookings(self) -> Any:
            over.wait(60)

    try:
        played = run_dialogue(
            Goal("g", "own", ()), ScriptedUser(["Hi."]), lambda text: "Hi.", Hangs(),
            Limits(turn_timeout=0.3),
        )  # fmt: skip
    finally:
        over.set()
    assert played.stop_reason is StopReason.BACKEND_ERROR
    assert "could not tell what stands: no answer in time" in played.detail


@pytest.mark.parametrize("steps", ["5", -1, 0, True, None, 2.0])
def test_what_is_no_number_of_steps_limits_nothing(steps: Any) -> None:
    assert steps_of(SimpleNamespace(max_steps=steps)) is None
    assert steps_of(SimpleNamespace(max_steps=1)) == 1


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(UsageError, match=r"is str 'x{56}\.\.\.; expected a Booking"):
        OwnBackend(Books("x" * 59)).bookings()
    with pytest.raises(UsageError, match=r"is str 'x{58}'; expected a Booking"):
        OwnBackend(Books("x" * 58)).bookings()
