"""A backend of the user's own: what it may be, and what is said when it is not."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.own import OwnBackend, as_backend
from pytest_todeval.backends.protocol import ToolRefused, steps_of
from pytest_todeval.core.dialogue import Booking
from pytest_todeval.errors import BackendError, UsageError


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
    assert backend.snapshot()["bookings"][0]["slots"] == {"stay": "2"}


def test_query_and_state_hash_are_used_where_they_are() -> None:
    backend = OwnBackend(Whole())
    assert backend.query("hotel", {"area": "north"}) == ({"domain": "hotel", "area": "north"},)
    assert backend.state_hash() == "abc"
    assert OwnBackend(Books()).query("hotel", {}) == ()


def test_state_hash_follows_what_stands_booked() -> None:
    one, two = {"domain": "hotel", "day": "monday"}, {"domain": "taxi"}
    hashes = [
        OwnBackend(Books(*booked)).state_hash() for booked in ((one, two), (two, one), (one,))
    ]
    assert hashes[0] == hashes[1] != hashes[2]


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
    with pytest.raises(UsageError, match="cannot be restored"):
        backend.restore({})


def test_a_whole_backend_is_taken_as_it_is() -> None:
    whole = MultiwozBackend(MultiwozDatabase({}))
    assert as_backend(whole) is whole
    assert isinstance(as_backend(Books()), OwnBackend)


@pytest.mark.parametrize("steps", ["5", -1, 0, True, None, 2.0])
def test_what_is_no_number_of_steps_limits_nothing(steps: Any) -> None:
    assert steps_of(SimpleNamespace(max_steps=steps)) is None
    assert steps_of(SimpleNamespace(max_steps=7)) == 7
