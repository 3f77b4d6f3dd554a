"""Values, times and names in canonical form."""

import pytest

from pytest_todeval.nlu.values.normalise import (
    find_times,
    normalise,
    normalise_name,
    same_name,
    same_value,
    to_minutes,
    type_wordings,
)


@pytest.mark.parametrize(
    ("slot", "value", "expected"),
    [
        ("time", "5:30 pm", "17:30"),
        ("leaveAt", "9:05", "09:05"),
        ("arriveBy", "24:06", "24:06"),
        ("time", "noon", "12:00"),
        ("people", "two", "2"),
        ("people", "just me", "1"),
        ("people", 4, "4"),
        ("stars", "4-star", "4"),
        ("stay", "a couple of nights", "2"),
        ("area", "the center of town", "centre"),
        ("area", "northern", "north"),
        ("area", "northgate", "northgate"),
        ("type", "guest houses", "guesthouse"),
        ("type", "multiple sports", "mutliple sports"),
        ("type", "parkour", "parkour"),
        ("type", "cinema venues", "cinema"),
        ("type", "museum type places", "museum"),
        ("type", "-type", "-type"),
        ("pricerange", "moderately priced", "moderate"),
        ("day", "on Tuesday", "tuesday"),
        ("day", "Wed", "wednesday"),
        ("day", "sunny", "sunny"),
        ("internet", "free wifi", "free"),
        ("parking", "does not have parking", "no"),
        ("phone", "01223 576412", "01223576412"),
        ("phone", "+44 (0)1223 576412", "01223576412"),
        ("postcode", "CB22 HA", "cb22ha"),
        ("price", "17.60 GBP", "17.6"),
        ("price", "23.6 pounds", "23.6"),
        ("price", "1000000", "1000000"),
        ("price", "123456789.0125 yen", "123456789.0125"),
        ("entrance fee", "free of charge", "free"),
        ("duration", "1 hour 28 minutes", "88 minutes"),
        ("duration", "45 mins", "45 minutes"),
        ("duration", "2 hours", "120 minutes"),
        ("duration", "1234", "1234 minutes"),
        ("duration", "12345", "12345"),
        ("duration", "12345 mins", "1234 minutes"),
        ("duration", "12345 hours", "74040 minutes"),
        ("duration", "45 hours or so", "2700 minutes"),
        ("duration", "late", "late"),
        ("trainID", "TR 1234", "tr1234"),
        ("departure", "St. Ives", "saint ives"),
        ("departure", "?!", "?!"),
        ("food", "St. Cafe", "saint cafe"),
        ("food", "?!", "?!"),
        ("area", "doesn't matter", "dontcare"),
        ("food", "not mentioned", ""),
        ("size", "  Extra   Large ", "extra large"),
        ("name", "any", "any"),
    ],
)
def test_normalise_gives_the_canonical_form(slot: str, value: object, expected: str) -> None:
    assert normalise(slot, value) == expected


def test_normalise_is_idempotent_on_what_it_returns() -> None:
    for slot, value in [("name", "The Guest House & Co."), ("time", "6 pm"), ("type", "cinemas")]:
        assert normalise(slot, normalise(slot, value)) == normalise(slot, value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("leaves at 17:29 , and arrives by 6:07 pm", ["17:29", "18:07"]),
        ("at 5 pm or 12:15 am", ["17:00", "00:15"]),
        ("at 1730, 6 o'clock", ["17:30", "06:00"]),
        ("17.60 GBP , phone 01223576412, £5.30", []),
        ("the reference is 1AG1127H", []),
        ("leaves at 18.45 on monday and arrives in merton at 19.20.", ["18:45", "19:20"]),
        ("a table at 9.05 for two: booked for 18.30, 20.20 in total", ["09:05", "18:30"]),
        ("the train leaves at 09.00 and costs 10.10", ["09:00"]),
        ("booked at 18.45 pounds, tickets from 12.50, rated at 4.50", []),
        ("it leaves at 7.15 pm", ["19:15"]),
        ("two people at eighteen forty five", ["18:45"]),
        ("it should be twenty one thirty, then by nine fifteen am", ["21:30", "09:15"]),
        ("leaving after thirteen hundred", ["13:00"]),
        ("at twenty forty-five", ["20:45"]),
        ("it arrives at twenty four fifteen", ["24:15"]),
        ("at twenty five pounds, and it is twenty thirty minutes away", []),
        ("for nineteen fifteen people", []),
    ],
)
def test_find_times(text: str, expected: list[str]) -> None:
    assert find_times(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("17:30", 1050), ("5:30 pm", 1050), ("9", 540), ("24:06", 1446), ("25:00", None), ("x", None)],
)
def test_to_minutes(text: str, expected: int | None) -> None:
    assert to_minutes(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Allenbell", "the allenbell", True),
        ("Rosa 's Bed and Breakfast", "rosas b&b", True),
        ("Wartworth House", "warkworth house", True),
        ("University Arms", "university arms hotel", True),
        ("Café Uno", "cafe uno", True),
        ("pizza hut city centre", "pizza hut fen ditton", False),
        ("london kings cross", "london liverpool street", False),
        ("cambridge", "cambridge belfry", False),
        ("bridge guest house", "a and b guest house", False),
        ("the hotel", "", False),
        ("room 12", "room 13", False),
        ("", "", False),
        ("?!", "!?", False),
        ("abcdefghij", "abcdefghix", True),  # 90 in 100 alike
        ("abcdefghi", "abcdefghx", False),
    ],
)
def test_same_name(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same
    assert same_name(other, one) is same


@pytest.mark.parametrize(
    ("slot", "one", "other", "same"),
    [
        ("internet", "yes", "free", True),
        ("parking", "no", "free", False),
        ("address", "151 Hills Road", "151 hills road , city centre", True),
        ("address", "12 hills road", "14 hills road", False),
        ("address", "Regent", "regent street , city centre", True),
        ("address", "hills", "hills road", False),  # less than six letters tell no address
        ("food", "italian", "indian", False),
        ("leaveAt", "5:15 pm", "17:15", True),
        ("area", "dontcare", "centre", False),
        ("hotel", "Allenbell", "the allenbel hotel", True),
        ("internet", "", "free", False),
        ("address", "", "12 hills road", False),
        ("name", "", "allenbell", False),
        ("post", "cb1 2ab", "CB12AB", True),
    ],
)
def test_same_value(slot: str, one: str, other: str, same: bool) -> None:
    assert same_value(slot, one, other) is same


def test_long_values_are_cut_not_searched_for_ever() -> None:
    assert len(normalise("phone", "1" * 100_000)) == 500
    assert len(normalise_name("y" * 100_000)) == 200


@pytest.mark.parametrize(
    ("kind", "wordings"),
    [
        ("guesthouse", ("guesthouse", "guest house", "bed and breakfast", "b&b")),
        ("Cinema", ("cinema", "movie theater", "movie theatre")),
        ("Parkour", ("parkour",)),
    ],
)
def test_a_type_is_said_in_many_ways(kind: str, wordings: tuple[str, ...]) -> None:
    assert type_wordings(kind) == wordings
