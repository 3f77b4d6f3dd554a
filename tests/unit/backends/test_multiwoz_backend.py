"""The tools of the MultiWOZ backend: what they do, what they refuse, what they leave behind."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.table_files import TaxiFleet
from pytest_todeval.core.goal import DomainGoal, Goal

ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurant": [
        {"id": "1", "name": "golden wok", "area": "north", "location": [1.0, 2.0]},
        {"id": "2", "name": "pizza hut north", "area": "north"},
        {"id": "3", "name": "pizza hut south", "area": "south"},
    ],
    "hotel": [{"name": "worth house", "price": {"single": "50"}, "takesbookings": "yes"}],
    "attraction": [{"name": f"museum {number}", "area": "centre"} for number in range(12)],
    "train": [
        {"trainID": "TR1", "day": day, "departure": "ely", "destination": "leeds",
         "leaveAt": "09:00", "arriveBy": "10:00"}
        for day in ("monday", "friday")
    ],
}  # fmt: skip
DATABASE = MultiwozDatabase(ROWS, taxis=TaxiFleet(("green", "red"), ("fiat", "kia")))
TABLE = {"name": "golden wok", "day": "friday", "time": "17:30", "people": "4"}
GOAL = Goal(
    "MUL1", "mine",
    (DomainGoal("restaurant", book={"day": "friday", "time": "16:30", "people": "4"},
                fail_book={"time": "17:30"}),),
)  # fmt: skip


@pytest.fixture
def backend() -> MultiwozBackend:
    return MultiwozBackend(DATABASE)


def refusal(backend: MultiwozBackend, tool: str, **arguments: Any) -> str:
    with pytest.raises(ToolRefused) as caught:
        backend.call(tool, **arguments)
    assert backend.trace[-1].error == str(caught.value)
    assert backend.trace[-1].arguments == arguments
    assert backend.trace[-1].result is None
    return str(caught.value)


def test_finds_and_shows_no_more_than_ten(backend: MultiwozBackend) -> None:
    found = backend.call("find_attraction", area="center")
    assert found["count"] == 12
    assert [row["name"] for row in found["results"]] == [f"museum {n}" for n in range(10)]
    assert backend.trace[-1].result == found


def test_results_are_plain_json_without_inner_columns(backend: MultiwozBackend) -> None:
    found = [backend.call("find_restaurant", name="golden wok"), backend.call("find_hotel")]
    assert json.loads(json.dumps(found)) == found
    assert found[0]["results"] == [{"name": "golden wok", "area": "north"}]
    assert found[1]["results"] == [{"name": "worth house", "price": {"single": "50"}}]


def test_books_in_canonical_form(backend: MultiwozBackend) -> None:
    made = backend.call("book_restaurant", name="Golden Wok", day="Fri", time="5:30 pm", people=4)
    assert made == {"reference": made["reference"], **TABLE}
    (booking,) = backend.bookings()
    assert (booking.domain, booking.reference) == ("restaurant", made["reference"])
    assert booking.slots == TABLE


def test_references_depend_on_the_goal_and_the_count_alone() -> None:
    one, again, other = (
        MultiwozBackend(DATABASE, Goal(name, "mine", ())) for name in ("A", "A", "B")
    )
    references = [
        [b.call("book_restaurant", **TABLE)["reference"] for _ in "12"] for b in (one, again, other)
    ]
    assert references[0] == references[1]
    assert len({*references[0], *references[2]}) == 4
    assert references[0][0] == "LA3DSU69"
    assert all(re.fullmatch(r"[A-Z0-9]{8}", made) for made in (*references[0], *references[2]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({**TABLE, "people": float("nan")}, "`people` must be"),
        ({**TABLE, "name": "goldn wokk palace"},
         "no restaurant called 'goldn wokk palace'; did you mean 'golden wok'?"),
        ({"name": "golden wok"},
         "needs `day` (day of the week), `time` (time of day, HH:MM), `people`"),
        ({**TABLE, "day": ""}, "needs `day`"),
        ({**TABLE, "people": None}, "needs `people`"),
        ({**TABLE, "day": "any"}, "needs `day`"),
        ({**TABLE, "day": "someday"}, "`day` must be day of the week, got 'someday'"),
        ({**TABLE, "time": "late"}, "`time` must be time of day, HH:MM, got 'late'"),
        ({**TABLE, "people": "0"}, "`people` must be number of people, got '0'"),
        ({**TABLE, "people": -3.5}, "`people` must be"),
        ({**TABLE, "people": ["4"]}, "`people` must be number of people, got ['4']"),
        ({**TABLE, "peple": 4}, "takes no argument 'peple': did you mean 'people'?"),
    ],
)  # fmt: skip
def test_refuses_bad_bookings(
    backend: MultiwozBackend, arguments: dict[str, Any], message: str
) -> None:
    assert message in refusal(backend, "book_restaurant", **arguments)
    assert backend.bookings() == ()


def test_refuses_a_name_that_may_be_several() -> None:
    database = MultiwozDatabase({"hotel": [{"name": "the lodge hotel"}, {"name": "lodge"}]})
    message = refusal(
        MultiwozBackend(database),
        "book_hotel",
        name="lodge guest house",
        day="monday",
        stay=1,
        people=1,
    )
    assert message == "'lodge guesthouse' may be any of these hotels: the lodge hotel, lodge"


def test_refuses_an_unknown_tool(backend: MultiwozBackend) -> None:
    message = refusal(backend, "book_hotell", name="x")
    assert "no tool 'book_hotell': did you mean 'book_hotel'?" in message
    assert "find_restaurant" in message


def test_refuses_the_booking_that_the_goal_says_fails() -> None:
    backend = MultiwozBackend(DATABASE, GOAL)
    failing = {**TABLE, "time": "17:30"}
    assert refusal(backend, "book_restaurant", **failing) == (
        "nothing is free at golden wok for day friday, time 17:30, people 4; try another time"
    )
    refusal(backend, "book_restaurant", **{**failing, "name": "pizza hut south"})
    assert backend.call("book_restaurant", **{**failing, "people": "5"})["reference"]
    assert backend.call("book_restaurant", **{**failing, "time": "16:30"})["reference"]
    assert [call.error is None for call in backend.trace] == [False, False, True, True]


def test_trains_of_one_id_are_told_apart_by_what_was_found(backend: MultiwozBackend) -> None:
    assert backend.call("book_train", trainID="tr1", people=2)["day"] == "monday"
    backend.call("find_train", day="friday")
    made = backend.call("book_train", trainID="TR1", people=2)
    assert (made["trainID"], made["day"], made["departure"]) == ("TR1", "friday", "ely")
    for day in ("monday", "friday"):
        backend.call("find_train", day=day)
    assert backend.call("book_train", trainID="TR1", people=1)["day"] == "friday"
    assert "no train 'TR9'" in refusal(backend, "book_train", trainID="TR9", people=1)


def test_taxis_need_a_time_and_are_the_same_for_the_same_journey(backend: MultiwozBackend) -> None:
    journey = {"departure": "The Golden Wok", "destination": "12 High Street", "leaveAt": "9 am"}
    made = backend.call("book_taxi", **journey)
    assert made["departure"] == "golden wok"
    assert made["destination"] == "12 high street"
    assert made["leaveAt"] == "09:00"
    assert (made["type"], made["phone"]) == ("green kia", "0784067137")
    again = MultiwozBackend(DATABASE).call("book_taxi", **journey)
    assert (again["type"], again["phone"]) == (made["type"], made["phone"])
    del journey["leaveAt"]
    assert "`leaveAt` or `arriveBy`" in refusal(backend, "book_taxi", **journey)


def test_a_second_backend_reads_no_file_and_copies_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hotel_db.json").write_text(json.dumps(ROWS["hotel"]), encoding="utf-8")
    first = MultiwozBackend(MultiwozDatabase.load(tmp_path))

    def opened(*arguments: Any, **options: Any) -> None:
        raise AssertionError(f"opened {arguments}")

    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(Path, "read_bytes", opened)
    second = MultiwozBackend(MultiwozDatabase.load(tmp_path))
    assert second.query("hotel", {}) is first.query("hotel", {})
    assert second.query("hotel", {})[0] is second.database.rows("hotel")[0]


def test_backends_of_one_database_share_no_booking(backend: MultiwozBackend) -> None:
    backend.call("book_restaurant", **TABLE)
    assert MultiwozBackend(DATABASE).bookings() == ()


def test_state_hash_ignores_order_and_reference_numbers() -> None:
    hotel = {"name": "worth house", "day": "monday", "stay": "2", "people": "1"}
    one, other = MultiwozBackend(DATABASE), MultiwozBackend(DATABASE, GOAL)
    one.call("book_hotel", **hotel)
    one.call("book_restaurant", **{**TABLE, "time": "12:00"})
    other.call("book_restaurant", **{**TABLE, "time": "12:00"})
    other.call("book_hotel", **hotel)
    assert one.state_hash() == other.state_hash()
    third = MultiwozBackend(DATABASE)
    third.call("book_hotel", **dict(reversed(hotel.items())))
    assert third.state_hash() != one.state_hash()
    third.call("book_restaurant", **{**TABLE, "time": "12:00"})
    assert third.state_hash() == one.state_hash()
    third.call("book_restaurant", **{**TABLE, "time": "12:00"})
    assert third.state_hash() != one.state_hash()


def test_arguments_may_be_numbers_and_truths() -> None:
    rows = [{"name": name, "parking": parking} for name, parking in (("a", "yes"), ("b", "no"))]
    backend = MultiwozBackend(MultiwozDatabase({"hotel": rows}))
    for parking, name in ((True, "a"), (False, "b")):
        assert backend.call("find_hotel", parking=parking)["results"][0]["name"] == name
    made = backend.call("book_hotel", name="a", day="monday", stay=2.0, people="1")
    assert made["stay"] == "2"


def test_schemas_say_what_the_tools_take(backend: MultiwozBackend) -> None:
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in backend.tools}
    assert json.loads(json.dumps(schemas)) == schemas
    assert sorted(schemas) == [
        "book_hotel", "book_restaurant", "book_taxi", "book_train",
        "find_attraction", "find_hotel", "find_restaurant", "find_train",
    ]  # fmt: skip
    assert {tool["function"]["description"] for tool in backend.tools} >= {
        "Find a hotel.", "Book a hotel.", "Book a taxi. Give leaveAt or arriveBy.",
    }  # fmt: skip
    assert list(schemas["book_taxi"]["properties"]) == [
        "departure", "destination", "leaveAt", "arriveBy",
    ]  # fmt: skip
    assert schemas["book_hotel"]["required"] == ["name", "day", "stay", "people"]
    assert schemas["book_hotel"]["properties"]["stay"]["type"] == "integer"
    assert schemas["find_train"]["required"] == []
    assert all(not schema["additionalProperties"] for schema in schemas.values())


def test_refuses_a_train_as_the_goal_says() -> None:
    part = DomainGoal("train", book={"people": "2"}, fail_book={"people": "5"})
    backend = MultiwozBackend(DATABASE, Goal("MUL2", "mine", (part,)))
    told = refusal(backend, "book_train", trainID="TR1", people="5")
    assert told.startswith("nothing is free at TR1 for ")
    assert "people 5" in told
    assert told.endswith("; try another people")
