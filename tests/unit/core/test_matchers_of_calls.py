"""Tool calls as data: which calls a question finds, and what it says of the nearest."""

import pickle
import re
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from pytest_todeval import Goal, ToolCall, ToolCalls, handoff
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.tool_calls import NO_CALLS
from pytest_todeval.errors import NeverDone, UsageError
from tests.support.examples import examples

FIND = ToolCall("find_hotel", {"area": "north"})
LOG = ToolCall("log", {"name": "x", "self": 1})
TUESDAY = ToolCall("book_hotel", {"day": "tuesday", "people": 2, "breakfast": True})
WEDNESDAY = ToolCall("book_hotel", {"day": "wednesday", "people": 4, "rooms": [{"beds": 2}]})
CALLS = Dialogue(
    Goal("one", "demo", ()),
    tuple(
        Turn(number, "?", "!", tool_calls=made)
        for number, made in enumerate([(FIND, LOG), (), (TUESDAY, WEDNESDAY)], 1)
    ),
).tool_calls


class Stay(BaseModel):
    day: Literal["tuesday", "wednesday"]
    people: int


class StrictStay(TypedDict):
    day: str


class Day(Enum):
    WEDNESDAY = "wednesday"


Three = Annotated[int, Field(ge=3)]
ASKED: list[tuple[int, tuple[Any, ...], dict[str, Any]]] = [
    (2, ("book_hotel",), {}),
    (0, ("book",), {}),
    (2, (re.compile("book_.*"),), {}),
    (0, (re.compile("book"),), {}),
    (1, ("book_hotel",), {"day": "wednesday"}),
    (0, ("book_hotel",), {"day": "Wednesday"}),
    (1, ("book_hotel",), {"day": "wednesday", "people": 4}),
    (0, ("book_hotel",), {"day": "wednesday", "people": 2}),
    (0, ("book_hotel",), {"people": "4"}),
    (1, ("book_hotel",), {"breakfast": True}),
    (0, ("book_hotel",), {"breakfast": 1}),
    (0, ("book_hotel",), {"nights": None}),
    (1, ("book_hotel",), {"rooms": [{"beds": 2}]}),
    (1, ("book_hotel",), {"people": pytest.approx(4.0)}),
    (2, ("book_hotel",), {"day": re.compile(".*day")}),
    (0, ("book_hotel",), {"day": re.compile("wed")}),
    (0, ("book_hotel",), {"people": re.compile("4")}),
    (2, ("book_hotel",), {"people": int}),
    (0, ("book_hotel",), {"people": str}),
    (1, ("book_hotel",), {"people": Three}),
    (1, ("book_hotel",), {"day": Literal["wednesday", "friday"]}),
    (1, ("book_hotel",), {"day": Day}),
    (1, ("book_hotel",), {"rooms": list[dict[str, int]]}),
    (2, ("book_hotel", Stay), {}),
    (1, ("book_hotel", Stay), {"people": 4}),
    (2, ("book_hotel", StrictStay), {}),
    (0, ("find_hotel", Stay), {}),
    (1, ("log",), {"name": "x", "self": 1}),
    (1, (ToolCall("book_hotel", {"people": 4}),), {}),
    (1, (ToolCall("book_hotel", {"people": Three}),), {"day": "wednesday"}),
    (0, (ToolCall("book_hotel", {"people": 4}),), {"day": "tuesday"}),
]


@pytest.mark.parametrize(("times", "asked", "arguments"), ASKED)
def test_calls_are_found_by_name_and_arguments(
    times: int, asked: tuple[Any, ...], arguments: dict[str, Any]
) -> None:
    check = CALLS.called(*asked, **arguments)
    assert (check.times, bool(check)) == (times, times > 0)
    assert check.calls == tuple(each for each in CALLS if each in check.calls)
    never = CALLS.never_called(*asked, **arguments)
    assert (never.times, bool(never)) == (times, times == 0)
    if times:
        first = CALLS.index(check.calls[0])
        assert CALLS.before(*asked, **arguments) == CALLS[:first]
        assert CALLS.after(*asked, **arguments) == CALLS[first + 1 :]
    else:
        for part in (CALLS.before, CALLS.after):
            with pytest.raises(NeverDone, match="nothing is before or after it: nearest is turn"):
                part(*asked, **arguments)


BOOKED = "turn 3, book_hotel(day='tuesday', people=2, breakfast=True)"
SAID = [
    (CALLS.called("book_hotel"), "called book_hotel: yes, turn 3, turn 3"),
    (
        CALLS.called("book_hotel", day="friday"),
        f"called book_hotel(day='friday'): NO, nearest is {BOOKED}: day is 'tuesday', not 'friday'",
    ),
    (
        CALLS.called("book_hotel", people=3, breakfast=True),
        f"called book_hotel(people=3, breakfast=True): NO, nearest is {BOOKED}: people is 2, not 3",
    ),
    (
        CALLS.called("book_hotl", people=4),
        "called book_hotl(people=4): NO, nearest is turn 3, "
        "book_hotel(day='wednesday', people=4, rooms=[{'beds': 2}]): another tool",
    ),
    (
        CALLS.called("find_hotel", Stay),
        "called find_hotel(Stay): NO, nearest is turn 1, find_hotel(area='north'): "
        "arguments day: Field required",
    ),
    (
        CALLS.called("find_hotel", area=int, stars=re.compile("[1-5]")),
        "called find_hotel(area=int, stars=/[1-5]/): NO, nearest is turn 1, "
        "find_hotel(area='north'): area is 'north': Input should be a valid integer; "
        "it has no stars",
    ),
    (
        CALLS.never_called("find_hotel"),
        "never called find_hotel: NO, turn 1: find_hotel(area='north')",
    ),
    (
        CALLS.called_in_order("find_hotel", "book_hotel"),
        "called in order find_hotel, book_hotel: yes, turn 1, turn 3",
    ),
    (
        CALLS.called_in_order("book_hotel", "find_hotel"),
        "called in order book_hotel, find_hotel: NO, "
        "book_hotel in turn 3, then no find_hotel: only in turn 1",
    ),
    (
        ToolCalls([FIND]).called("log"),
        "called log: NO, nearest is call 1, find_hotel(area='north'): another tool",
    ),
    (ToolCalls().called("find_hotel"), f"called find_hotel: NO, {NO_CALLS}"),
    (ToolCalls().never_called("find_hotel"), f"never called find_hotel: yes, {NO_CALLS}"),
]


@pytest.mark.parametrize(("check", "said"), SAID, ids=[said for _, said in SAID])
def test_a_check_says_where_the_calls_are_or_how_the_nearest_differs(
    check: object, said: str
) -> None:
    assert repr(check) == f"<{said}>"


def test_the_order_is_that_of_the_calls_with_others_between_them() -> None:
    assert CALLS.called_in_order("find_hotel", ToolCall("book_hotel", {"people": 4}))
    assert not CALLS.called_in_order(ToolCall("book_hotel", {"people": 4}), "book_hotel")
    assert not CALLS.called_in_order("log", "find_hotel")
    assert not CALLS.called_in_order("find_hotel", "find_hotel")
    assert CALLS.called_in_order("book_hotel", "book_hotel").calls == (TUESDAY, WEDNESDAY)


def test_parts_of_the_calls_keep_their_turns() -> None:
    quiet = CALLS.ignoring("log", ToolCall("book_hotel", {"day": "tuesday"}))
    assert list(quiet) == [FIND, WEDNESDAY]
    assert repr(quiet.called("book_hotel")) == "<called book_hotel: yes, turn 3>"
    assert CALLS.before("book_hotel").called("find_hotel")
    assert CALLS.after("find_hotel").never_called("find_hotel")
    assert repr(pickle.loads(pickle.dumps(quiet))) == repr(quiet)
    assert repr(ToolCalls([LOG])) == "<1 tool call: call 1: log(name='x', self=1)>"


def test_a_type_sees_an_argument_as_the_results_file_has_it() -> None:
    calls = ToolCalls([ToolCall("arrive", {"day": date(2026, 12, 24)})])
    assert calls.called("arrive", day=date)
    assert calls.called("arrive", day=date(2026, 12, 24))
    assert not calls.called("arrive", day=int)
    assert ToolCalls([ToolCall("arrive", {"day": "2026-12-24"})]).called("arrive", day=date)


def test_a_hand_off_is_a_call_whose_agent_may_be_written_in_any_way() -> None:
    for name in (
        "transfer_to_billing_agent",
        "transfer_to_BillingAgent",
        "transfer_to_Billing-Agent",
    ):
        made = ToolCalls([FIND, ToolCall(name, {"reason": "refund"}), TUESDAY])
        asked = "BillingAgent" if "BillingA" in name else "Billing agent"
        assert made.called(handoff(asked, reason="refund"))
        assert made.called_in_order("find_hotel", handoff(asked), "book_hotel")
        assert made.after(handoff(asked)).called("book_hotel")
        assert made.never_called(handoff("Sales"))
        assert not made.called(handoff(asked, reason="other"))
    assert handoff("Kunden Büro") == ToolCall("transfer_to_kunden_büro")


REFUSED: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    (r"got \['book'\], expected a tool's name", (["book"],), {}),
    ("got '', expected a tool's name", ("",), {}),
    ("people: got the function <.*Annotated", ("book",), {"people": lambda people: people > 3}),
    ("got 'wednesday' for all arguments", ("book", "wednesday"), {}),
    (r"pydantic can't check .*Pattern", ("book",), {"day": type("Pattern", (), {})}),
]


@pytest.mark.parametrize("calls", [CALLS, ToolCalls()])
@pytest.mark.parametrize(("message", "asked", "arguments"), REFUSED)
def test_a_question_that_nothing_could_answer_is_an_error(
    calls: ToolCalls, message: str, asked: tuple[Any, ...], arguments: dict[str, Any]
) -> None:
    for question in (calls.called, calls.never_called, calls.before, calls.after):
        with pytest.raises(UsageError, match=message):
            question(*asked, **arguments)
    with pytest.raises(UsageError, match="expected calls"):
        calls.called_in_order()


NAMES = st.sampled_from(["find", "book", "log", "transfer_to_x"]) | st.text(max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=100),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
MADE = st.lists(
    st.builds(ToolCall, NAMES, st.dictionaries(NAMES, JSON, max_size=4)), max_size=6
).map(ToolCalls)


@given(MADE, NAMES.filter(bool), st.dictionaries(NAMES, JSON | st.just(int), max_size=3))
@examples(200)
def test_the_questions_agree_whatever_was_called(
    calls: ToolCalls, name: str, arguments: dict[str, Any]
) -> None:
    asked = ToolCall(name, arguments)
    check = calls.called(name, **arguments)
    assert bool(check) is bool(calls.called_in_order(asked)) is not bool(calls.never_called(asked))
    assert check.times + len(calls.ignoring(asked)) == len(calls)
    assert len(repr(check).splitlines()) == 1
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", repr(check))
    assert len(repr(check)) < 1500
    if check:
        assert len(calls.before(asked)) + 1 + len(calls.after(asked)) == len(calls)


@given(MADE)
@examples(100)
def test_a_call_is_found_by_what_it_is(calls: ToolCalls) -> None:
    assert calls == tuple(calls)
    assert repr(calls)
    for call in calls:
        plain = {name: v for name, v in call.arguments.items() if v == v and call.name}
        assert not call.name or calls.called(call.name, **plain)


def test_a_question_that_is_not_called_says_so() -> None:
    with pytest.raises(UsageError, match=r"called asks nothing .* write `\.called\(\.\.\.\)`"):
        assert bool(CALLS.called)
    assert repr(CALLS.never_called) == "<ToolCalls.never_called, not called>"
    assert str(ToolCalls.called.__doc__).startswith("Says whether there is such a call")
