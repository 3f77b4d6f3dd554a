"""What a tool call did, by the backend, its result and its name; read alike by user and metrics."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, ToolCall, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.facts.calls.reading import (
    CallFact,
    CallOutcome,
    as_booking,
    read_turn,
    seen_of,
    standing,
)
from pytest_todeval.facts.calls.results import (
    MOST_VALUES,
    Says,
    reference_in,
    said_by,
    values_in,
)
from pytest_todeval.facts.calls.rows import (
    LONGEST_JSON,
    completed,
    data_of,
    identity,
    row_named,
    rows_in,
)
from pytest_todeval.facts.calls.wishes import agrees, broken, given, meets
from pytest_todeval.nlu.tool_names import any_named, named_in, words_of

HOTEL = DomainGoal("hotel", {"area": "north"}, {}, {"day": "friday"}, {}, (), True)
TRAIN = DomainGoal("train", {"day": "monday"})
GOAL = Goal("G", "test", (HOTEL, TRAIN))
ARGUMENTS = {"name": "Sea View", "day": "friday"}


def turn(
    *calls: ToolCall, booked: tuple[Booking, ...] | None = None, cancelled: tuple[Booking, ...] = ()
) -> Turn:
    return Turn(1, "", "", calls, booked=booked, cancelled=cancelled)


def read(
    name: str,
    result: Any = None,
    arguments: Mapping[str, Any] = ARGUMENTS,
    error: str | None = None,
) -> CallFact:
    return read_turn(turn(ToolCall(name, arguments, result, error)), GOAL)[0]


# by name


@pytest.mark.parametrize(
    "name",
    [
        "book", "bookHotel", "book_hotel", "book-hotel", "BookHotel", "hotel.book", "reserve",
        "create_reservation", "makeReservation", "make_appointment", "place_order", "purchase",
        "buyTicket", "schedule", "schedule_visit", "enroll", "checkout", "hotel_booking",
        "confirm_booking", "reserve_table", "order_pizza", "search_and_book", "find_then_reserve",
        "book_available_room", "submitOrder", "newBooking", "HOTELBooking",
    ],
)  # fmt: skip
def test_names_that_book(name: str) -> None:
    assert read(name).what is CallOutcome.BOOKED


@pytest.mark.parametrize(
    "name",
    [
        "check_booking", "check_room_reservation", "get_booking", "list_bookings", "findOrders",
        "search_hotels", "can_book", "is_bookable", "validate_booking", "quote_booking",
        "available_rooms", "booking_status", "facebook_lookup", "order_history", "bookmark",
        "reorder_list", "buyer_info", "bookshelf", "find_hotel", "train_schedule", "bookkeeping",
        "", "hello", "show-reservation", "getReservationDetails", "booking_policy", "tickets",
        "send_booking_reminder", "update_profile", "delete_contact", "lookupBooking", "🏨",
    ],
)  # fmt: skip
def test_names_that_book_nothing(name: str) -> None:
    assert read(name).what is CallOutcome.LOOKED_UP


@pytest.mark.parametrize(
    "name", ["cancel", "cancel_booking", "cancelOrder", "delete_reservation", "remove_booking"]
)
def test_names_that_cancel(name: str) -> None:
    assert read(name).what is CallOutcome.CANCELLED


@pytest.mark.parametrize(
    "name", ["update_booking", "modifyReservation", "change_order", "reschedule", "rebook_train"]
)
def test_names_that_change(name: str) -> None:
    assert read(name).what is CallOutcome.CHANGED


@pytest.mark.parametrize(
    ("action", "what"),
    [
        ("book", CallOutcome.BOOKED),
        ("create", CallOutcome.BOOKED),
        ("search", CallOutcome.LOOKED_UP),
        ("delete", CallOutcome.CANCELLED),
        ("modify", CallOutcome.CHANGED),
    ],
)
def test_a_tool_of_many_uses_does_what_its_argument_says(action: str, what: CallOutcome) -> None:
    assert read("booking_tool", arguments={"action": action, **ARGUMENTS}).what is what
    assert read("hotel_lookup", arguments={"action": "book"}).what is CallOutcome.BOOKED


# by result


@pytest.mark.parametrize(
    "result",
    [
        None, True, {}, {"reference": "AB12"}, {"success": True}, {"status": "confirmed"},
        {"status": 200, "data": {"booking_id": 7}}, {"ok": "true"}, {"error": None}, "OK",
        "Booked! The reference number is AB12CD34.", {"data": {"status": "booked"}}, 12345,
        {"message": "Your room is reserved."}, [{"reference": "AB12"}], {"errors": []},
        json.dumps({"success": True, "reference": "AB12"}), {"statusCode": "201"},
        {"reference": "AB12", "message": "No deposit is needed."}, {"available": True, "ref": "A1"},
    ],
)  # fmt: skip
def test_results_of_a_booking_that_was_made(result: Any) -> None:
    assert read("book_hotel", result).what is CallOutcome.BOOKED


@pytest.mark.parametrize(
    "result",
    [
        False, {"success": False}, {"error": "fully booked"}, {"status": "failed"},
        {"status": "unavailable"}, {"ok": False}, {"booked": False}, {"status": 409},
        {"data": {"success": "false"}}, {"data": {"data": {"error": "full"}}}, 409,
        "Sorry, no room is available that night.", "Error: full", {"message": "No rooms left."},
        {"status": "NOT_AVAILABLE"}, {"available": False}, [{"success": False}],
        json.dumps({"success": False}), {"errors": ["full"]}, {"result": "rejected"},
        {"success": True, "data": {"error": "full"}}, "Could not book: the hotel is closed.",
    ],
)  # fmt: skip
def test_results_of_a_booking_that_was_refused(result: Any) -> None:
    assert read("book_hotel", result).what is CallOutcome.REFUSED


@pytest.mark.parametrize(
    "result",
    [
        {"available": True}, {"status": "pending"}, {"is_available": True, "price": 80},
        [{"name": "Sea View"}, {"name": "Rose House"}], {"results": [{"name": "A"}, {"name": "B"}]},
        {"status": "available"}, {"status": "requires_confirmation"}, {"results": []},
    ],
)  # fmt: skip
def test_what_is_only_possible_is_no_booking(result: Any) -> None:
    assert read("book_hotel", result).what is CallOutcome.LOOKED_UP
    assert read("check_booking", result).what is CallOutcome.LOOKED_UP


def test_an_error_refuses_whatever_the_result_says() -> None:
    assert read("book_hotel", {"success": True}, error="full").what is CallOutcome.REFUSED
    assert read("update_booking", error="full").what is CallOutcome.REFUSED
    assert read("cancel_booking", error="unknown").what is CallOutcome.LOOKED_UP
    assert read("find_hotel", error="unknown").what is CallOutcome.LOOKED_UP


@pytest.mark.parametrize(
    "result", [{"booked": True}, {"status": "booked"}, {"booking_id": "A1", "ok": True}]
)
def test_a_result_may_say_that_a_tool_of_any_name_booked(result: Any) -> None:
    assert read("execute", result).what is CallOutcome.BOOKED
    assert read("find_hotel", result).what is CallOutcome.LOOKED_UP
    assert read("execute", {"status": "ok"}).what is CallOutcome.LOOKED_UP


def test_slots_and_reference_of_a_booking() -> None:
    result = {"success": True, "data": {"booking_ref": "AB12", "day": "saturday", "room": 7}}
    fact = read("book_hotel", result)
    assert fact.reference == "AB12"
    assert fact.slots == {"name": "Sea View", "day": "saturday", "room": "7"}
    assert fact.booking == Booking("hotel", "AB12", fact.slots)
    assert fact.domain == "hotel"
    assert read("book_hotel", "Booked under QX-1234.").reference == "QX-1234"
    assert read("book_hotel", "Booked for 2026-11-21.").reference == ""
    assert read("check_booking", result).booking is None


@pytest.mark.parametrize(
    ("name", "arguments", "domain"),
    [
        ("findHotels", {}, "hotel"),
        ("hoteldb_query", {}, "hotel"),
        ("search", {"domain": "Hotel"}, "hotel"),
        ("search", {"area": "north"}, "hotel"),
        ("search", {"day": "friday"}, None),
        ("search_with_constraints", {}, None),
        ("book_taxi", {}, "taxi"),
        ("search", {}, None),
    ],
)
def test_the_domain_of_a_call(name: str, arguments: dict[str, str], domain: str | None) -> None:
    assert read(name, arguments=arguments).domain == domain


# by the backend


MADE = Booking("hotel", "AB12", {"name": "sea view", "day": "friday"})


def what(*calls: ToolCall, **changes: Any) -> list[CallOutcome]:
    return [fact.what for fact in read_turn(turn(*calls, **changes), GOAL)]


def test_the_backend_knows_best_what_was_booked() -> None:
    book = ToolCall("book_hotel", ARGUMENTS, {"status": "ok"})
    assert what(book, booked=(MADE,)) == [CallOutcome.BOOKED]
    assert what(book, booked=()) == [CallOutcome.LOOKED_UP]
    assert what(book) == [CallOutcome.BOOKED]
    fact = read_turn(turn(book, booked=(MADE,)), GOAL)[0]
    assert (fact.reference, fact.slots["name"]) == ("AB12", "sea view")


def test_a_tool_of_any_name_booked_what_the_backend_holds() -> None:
    odd = ToolCall("run", ARGUMENTS, {"number": "AB12"})
    pending = ToolCall("book_hotel", ARGUMENTS, {"status": "pending"})
    look = ToolCall("find_hotel", {}, [{"name": "Sea View"}])
    assert what(look, odd, booked=(MADE,)) == [CallOutcome.LOOKED_UP, CallOutcome.BOOKED]
    assert what(look, odd, booked=()) == [CallOutcome.LOOKED_UP, CallOutcome.LOOKED_UP]
    assert what(pending, booked=(MADE,)) == [CallOutcome.BOOKED]


def test_of_two_calls_the_one_that_fits_the_booking_made_it() -> None:
    train = ToolCall("book_train", {"trainID": "TR1"}, {"reference": "ZZ99"})
    hotel = ToolCall("book_hotel", ARGUMENTS, {"reference": "AB12"})
    assert what(train, hotel, booked=(MADE,)) == [CallOutcome.LOOKED_UP, CallOutcome.BOOKED]


def test_a_refusal_stays_one() -> None:
    refused = ToolCall("book_hotel", ARGUMENTS, error="full")
    assert what(refused, booked=()) == [CallOutcome.REFUSED]


def test_a_change_or_cancellation_that_the_backend_does_not_show_was_none() -> None:
    change = ToolCall("update_booking", {"reference": "AB12", "day": "sunday"}, True)
    cancel = ToolCall("cancel_booking", {"reference": "AB12"}, True)
    assert what(change, booked=(MADE,), cancelled=(MADE,)) == [CallOutcome.CHANGED]
    assert what(change, booked=()) == [CallOutcome.LOOKED_UP]
    assert what(cancel, booked=(), cancelled=(MADE,)) == [CallOutcome.CANCELLED]
    assert what(cancel, booked=()) == [CallOutcome.LOOKED_UP]


# what stands


def stands(*calls: ToolCall) -> list[tuple[str, str]]:
    facts = read_turn(turn(*calls), GOAL)
    return [(booking.reference, booking.slots["day"]) for booking in standing(facts)]


def book(reference: str, day: str) -> ToolCall:
    return ToolCall("book_hotel", {"day": day}, {"reference": reference} if reference else None)


def test_a_change_replaces_the_slots_of_the_booking_it_means() -> None:
    two = (book("A1", "friday"), book("B2", "monday"))
    change = ToolCall("update_hotel_booking", {"reference": "A1", "day": "sunday"}, {"ok": True})
    assert stands(*two, change) == [("A1", "sunday"), ("B2", "monday")]
    unnamed = ToolCall("update_hotel_booking", {"day": "sunday"}, {"ok": True})
    assert stands(*two, unnamed) == [("A1", "friday"), ("B2", "sunday")]
    failed = ToolCall("update_hotel_booking", {"day": "sunday"}, {"ok": False})
    assert stands(*two, failed) == [("A1", "friday"), ("B2", "monday")]
    elsewhere = ToolCall("update_train_booking", {"day": "sunday"}, {"ok": True})
    assert stands(*two, elsewhere) == [("A1", "friday"), ("B2", "monday")]


def test_a_cancelled_booking_does_not_stand() -> None:
    two = (book("A1", "friday"), book("B2", "monday"))
    assert stands(*two, ToolCall("cancel_booking", {"id": "A1"}, True)) == [("B2", "monday")]
    assert stands(*two, ToolCall("cancel", {}, True)) == [("A1", "friday")]
    assert stands(*two, ToolCall("cancel_booking", {"booking_id": "C3"}, True)) == stands(*two)
    assert stands(book("", "friday"), ToolCall("cancel_hotel_booking", {}, True)) == []


# what is seen of one domain


def test_what_is_seen_keeps_to_its_domain_and_tells_a_refused_booking() -> None:
    calls = [
        ToolCall("find_hotel", {"area": "north"}, [{"name": "Sea View"}, {"name": "Rose House"}]),
        ToolCall("find_train", {"day": "friday"}, {"results": [{"trainID": "TR1"}]}),
        ToolCall("book_hotel", {"name": "Sea View"}, error="full"),
    ]
    seen = seen_of(read_turn(turn(*calls), GOAL), "hotel")
    assert [row["name"] for row in seen.rows] == ["Sea View", "Rose House"]
    assert seen.row("sea view") == {"name": "Sea View"}
    assert (seen.refused, seen.booked, seen.reference) == (True, None, "")
    assert seen.named("Take Rose House, or the Sea View!") == ["Rose House", "Sea View"]
    done = [*calls, ToolCall("book_hotel", {"name": "Sea View"}, {"reference": "AB12"})]
    seen = seen_of(read_turn(turn(*done), GOAL), "hotel")
    assert (seen.refused, seen.booked, seen.reference) == (False, {"name": "Sea View"}, "AB12")
    train = seen_of(read_turn(turn(*done), GOAL), "train")
    assert [row["trainID"] for row in train.rows] == ["TR1"]
    assert train.booked is None


def test_rows_are_found_in_any_shape() -> None:
    rows = [{"name": "A"}, {"name": "B"}]
    for result in (rows, {"data": {"items": rows}}, json.dumps(rows), (rows,)):
        assert [row for row in rows_in(result) if "name" in row] == rows
    assert rows_in("[" * 5000) == []
    assert rows_in('{"broken": ') == []
    deep: Any = {"name": "A"}
    for _ in range(50):
        deep = [deep]
    assert rows_in(deep) == []
    assert len(rows_in([{} for _ in range(10_000)])) == 2000


# wishes


@pytest.mark.parametrize(
    ("domain", "slot", "wanted", "got", "met"),
    [
        ("train", "leaveAt", "10:00", "10:30", True),
        ("train", "leaveAt", "10:00", "09:59", False),
        ("train", "arriveBy", "10:00", "09:30", True),
        ("train", "arriveBy", "10:00", "10:01", False),
        ("bus", "leaveAt", "10:00", "10:30", True),
        ("taxi", "leaveAt", "10:00", "10:30", False),
        ("taxi", "leaveAt", "10:00", "10 am", True),
        ("hotel", "people", "3", "three", True),
        ("hotel", "people", "3", "5", False),
        ("hotel", "parking", "yes", "n/a", True),
        ("hotel", "parking", "yes", "no", False),
        ("hotel", "area", "dontcare", "north", True),
        ("hotel", "area", "north", "any", True),
        ("attraction", "entrance fee", "free", "?", True),
        ("hotel", "stars", "4", None, True),
        ("pizza", "size", "large", "Large", True),
        ("pizza", "size", "large", "small", False),
    ],
)
def test_what_meets_a_wish(domain: str, slot: str, wanted: str, got: object, met: bool) -> None:
    assert meets(domain, slot, wanted, got) is met
    assert (broken(domain, {slot: wanted}, {slot: got}) is None) is met


def test_what_says_nothing() -> None:
    assert [given(value) for value in ("?", "", " N/A ", None, "none", "unknown")] == [False] * 6
    assert all(given(value) for value in ("no", 0, "a"))
    assert agrees("area", "north", "unknown")
    assert not agrees("leaveAt", "10:00", "12:00")


@pytest.mark.parametrize("wanted", ["soonish", "10:00"])
def test_a_time_that_cannot_be_read_meets_any_wish(wanted: str) -> None:
    assert meets("train", "leaveAt", wanted, "whenever it fits")


# rows, names and values


def test_a_row_is_known_by_its_name_id_or_title() -> None:
    assert identity({"title": "Sea View", "id": 7}) == "Sea View"
    assert identity({"name": "?", "trainID": "TR1"}) == "TR1"
    assert identity({"id": 7}) is None


def test_the_row_of_a_name_is_the_exact_one_then_a_similar_one_and_the_latest() -> None:
    similar, first, last = {"name": "The Sea View"}, {"name": "Sea View"}, {"name": " sea view "}
    assert row_named([first, last, similar, {}], "SEA VIEW") is last
    assert row_named([similar, {"name": "Hill Inn"}], "Sea View") is similar
    assert row_named([{"name": "Hill Inn"}], "Sea View") is None
    assert row_named([{"trainID": "the TR1"}], "TR1") is None  # an id is no name


def test_a_row_is_completed_by_others_of_the_same_item() -> None:
    inn = {"name": "Hill Inn", "area": "north", "stars": "4"}
    assert completed({"name": "hill inn ", "day": "friday"}, [inn]) == {
        "name": "hill inn ",
        "day": "friday",
        "area": "north",
        "stars": "4",
    }
    assert completed({"name": "Hill Inn", "area": "south"}, [inn]) == {
        "name": "Hill Inn",
        "area": "south",
    }
    newer = {"name": "Hill Inn", "stars": "5"}
    assert completed({"name": "Hill Inn"}, [inn, newer, {"name": "Sea View", "phone": "1"}]) == {
        "name": "Hill Inn",
        "area": "north",
        "stars": "5",
    }
    assert completed({"stars": "4"}, [inn, {"stars": "4", "area": "east"}]) == {"stars": "4"}


def test_a_text_is_data_if_it_holds_json_that_is_not_too_long() -> None:
    assert data_of(' [1, {"a": 2}]') == [1, {"a": 2}]
    assert data_of('"a"') == '"a"'
    long = "[" + " " * (LONGEST_JSON - 2) + "]"
    assert (data_of(long), data_of(long.replace("]", " ]"))) == ([], long.replace("]", " ]"))


def test_the_words_of_a_tools_name_hold_its_domain() -> None:
    assert words_of("findHotelsByHTTP_v2") == ["find", "hotels", "by", "http", "v", "2"]
    assert words_of("a" * 300) == ["a" * 200]
    for name in ("findHotels", "hotel_search", "hoteldb", "bestHotels", "besthotels"):
        assert named_in("hotel", name)
    assert not named_in("train", "book_training")
    assert not named_in("train", "find_hotel")
    assert not named_in("", "find_hotel")
    assert named_in("car rental", "findCarRental")
    assert not named_in("car rental", "find_rental_car")
    assert named_in("bus", "bus_times")
    assert not named_in("bus", "find_nimbus")  # so short a name only begins a word
    assert named_in("taxi", "find_minitaxi")
    assert any_named(["train", "hotel", "taxi"], "taxi_to_hotel") == "hotel"
    assert any_named(["train"], "find_hotel") is None


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ({"code": 399}, None), ({"code": 400}, Says.REFUSED), ({"code": 599}, Says.REFUSED),
        ({"code": 200}, Says.DONE), ({"code": 301}, None), (400, Says.REFUSED), (399, None),
        (599, Says.REFUSED), (600, None), ([], Says.PENDING), ([True], Says.DONE),
        ({"error": 0}, None), ({"error": "none"}, None), ({"error": {}}, None),
        ({"error": 1}, Says.REFUSED), ({"free": 0}, Says.REFUSED), ({"free": 3}, Says.PENDING),
        ({"ok": "0"}, Says.REFUSED), ({"ok": "1"}, Says.DONE), ({"ok": "maybe"}, None),
        ({"message": "Sold out, alas."}, Says.REFUSED), ({"note": "All done."}, Says.DONE),
        ({"note": "It rains."}, None), ("It was not found.", Says.REFUSED),
        ({"result": [{"ok": True}]}, Says.DONE), ({"result": [{"ok": True}, {}]}, Says.PENDING),
        ({"other": {"ok": False}}, None), ({"other": [1, 2]}, None),
    ],
)  # fmt: skip
def test_what_a_result_says_of_its_call(result: Any, says: Says | None) -> None:
    assert said_by(result) is says


@pytest.mark.parametrize(
    ("result", "reference"),
    [
        ({"ref": "AB12"}, "AB12"), ({"reference": True}, ""), ({"reference": "n/a"}, ""),
        ([{"orderId": 12}], "12"), ([{"orderId": 12}, {}], ""), (["Booked: AB12C."], "AB12C"),
        ("Code AB12.", ""), ({"data": {"confirmation": "X1"}}, "X1"), ({"preferred": "X1"}, ""),
        ("QX-12-B it is.", "QX-12-B"), ("From 12-13-14.", ""), ({}, ""), (None, ""),
    ],
)  # fmt: skip
def test_the_reference_in_a_result(result: Any, reference: str) -> None:
    assert reference_in(result) == reference


def test_the_values_of_a_call_are_its_arguments_overruled_by_its_result() -> None:
    arguments = {"day": "friday", "reference": "AB12", "count": 2, "who": {"name": "Ann"}}
    result = [{"day": "monday", "count": 9, "rows": [1], "note": "ok", "none": None}]
    assert values_in(arguments, result) == {"name": "Ann", "day": "monday", "count": "2"}
    assert values_in({}, [*result, {}]) == {}
    many = {f"slot{chr(97 + at // 26)}{chr(97 + at % 26)}": at for at in range(MOST_VALUES + 50)}
    assert len(values_in({}, {"first": many, "second": {"a": 1, **many}})) == MOST_VALUES


def test_bookings_of_any_backend() -> None:
    assert as_booking(MADE) is MADE
    told = {"domain": "hotel", "reference": 7, "day": "friday", "room": 3}
    assert as_booking(told) == Booking("hotel", "7", {"day": "friday", "room": "3"})
    assert as_booking({"slots": {"day": "friday"}, "x": 1}) == Booking("", "", {"day": "friday"})


def test_a_look_up_made_no_booking_of_the_backend_and_an_error_neither() -> None:
    look = ToolCall("find_hotel", {"name": "sea view", "day": "friday"}, {"reference": "AB12"})
    failed = ToolCall("book_hotel", ARGUMENTS, error="full")
    assert what(look, failed, booked=(MADE,)) == [CallOutcome.LOOKED_UP, CallOutcome.REFUSED]
    twice = (ToolCall("book_hotel", ARGUMENTS), ToolCall("book_hotel", ARGUMENTS))
    assert what(*twice, booked=(MADE, MADE)) == [CallOutcome.BOOKED] * 2
    assert what(*twice, booked=(MADE,)) == [CallOutcome.BOOKED, CallOutcome.LOOKED_UP]
    fits = ToolCall("book_hotel", {**ARGUMENTS, "day": "monday"})
    assert what(fits, twice[0], booked=(MADE,)) == [CallOutcome.LOOKED_UP, CallOutcome.BOOKED]


@pytest.mark.parametrize(
    ("wish", "found", "same"),
    [
        ("March 8th", "2019-03-08", True),
        ("March 8th", "2019-03-09", False),
        ("8 March", "March 8th", True),
        ("4", "2019-03-04", False),
    ],
)
def test_dates_agree_in_whatever_form(wish: str, found: str, same: bool) -> None:
    assert agrees("pickup_date", wish, found) is same
