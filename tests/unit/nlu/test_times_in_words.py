"""Times of day in words, whichever half of the day they name."""

import pytest

from pytest_todeval.nlu.times import find_times, time_spans, to_clock, to_minutes


@pytest.mark.parametrize(
    ("said", "clock"),
    [
        ("half past six", "06:30"),
        ("half six", "06:30"),
        ("quarter to 9", "08:45"),
        ("a quarter past nine", "09:15"),
        ("five past ten a.m.", "10:05"),
        ("twenty five past 7", "07:25"),
        ("ten minutes past six", "06:10"),
        ("seven fifteen", "07:15"),
        ("seven thirty pm", "19:30"),
        ("seven forty-five", "07:45"),
        ("eight o'clock", "08:00"),
        ("eleven in the morning", "11:00"),
        ("six in the evening", "18:00"),
        ("twelve thirty in the afternoon", "12:30"),
        ("half past eleven tonight", "23:30"),
        ("quarter to twelve at night", "23:45"),
        ("half past twelve at night", "00:30"),
        ("twelve am", "00:00"),
        ("half past 12 am", "00:30"),
        ("quarter to one pm", "12:45"),
        ("twelve pm", "12:00"),
        ("twelve in the morning", "00:00"),
        ("twelve at night", "00:00"),
        ("nine tonight", "21:00"),
        ("twenty past 7", "07:20"),
        ("twelve forty-five", "12:45"),
        ("twenty minutes to twelve in the morning", "11:40"),
        ("eleven minutes to twelve in the evening", "23:49"),
        ("two minutes before one in the afternoon", "12:58"),
        ("sixteen past six in the evening", "18:16"),
        ("five minutes past twelve in the morning", "00:05"),
        ("two at night", "02:00"),
        ("ten minutes to one at night", "00:50"),
    ],
)
def test_a_time_in_words_is_one_time(said: str, clock: str) -> None:
    assert find_times(f"We close: {said}.") == [clock]
    assert to_clock(said) == clock


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("It leaves at ten past six.", ["06:10"]),
        ("Your taxi comes at ten to six tonight.", ["17:50"]),
        ("Be there by five to nine.", ["08:55"]),
        ("It is open from ten to six.", []),
        ("It starts twenty minutes to four in the afternoon.", ["15:40"]),
        ("It starts eighteen minutes to four in the afternoon.", ["15:42"]),
        ("You are there three minutes past one in the afternoon.", ["13:03"]),
        ("It takes ten minutes to two of the stops.", []),
        ("a table for five, a half 3 star room", []),
        ("It leaves at 5:30 pm, that is half past five pm.", ["17:30", "17:30"]),
        ("13:30 am, 13:30 pm, 12:30 am", ["13:30", "13:30", "00:30"]),
        ("at fourteen ten, after fifteen twenty, by sixteen forty", ["14:10", "15:20", "16:40"]),
        ("be seventeen fifty, until nineteen fifty-five", ["17:50", "19:55"]),
        ("from twenty two hundred, before twenty-three thirty", ["22:00", "23:30"]),
        ("it leaves" + " " * 71 + "at 18.45", ["18:45"]),  # 80 characters before the time
        ("it leaves" + " " * 72 + "at 18.45", []),
        ("It starts ninety minutes to one in the morning.", []),
        ("noon and midnight", ["12:00", "00:00"]),
        ("it leaves at 1730 and costs at 1730 pounds", ["17:30"]),
        ("It leaves at 9h05 and arrives 18 h 57, a trip of 1h30.", ["09:05", "18:57"]),
    ],
)
def test_times_among_other_words(text: str, times: list[str]) -> None:
    assert find_times(text) == times


@pytest.mark.parametrize(
    ("time", "minutes"),
    [
        ("12 am", 0),
        ("12 pm", 720),
        ("12:30 am", 30),
        ("17.45", 1065),
        ("0915 hrs", 555),
        ("by 9", 540),
        ("five people", None),
        ("forty-five", None),
        (" " * 75 + "17:30", 1050),
        (" " * 76 + "17:30", None),
    ],
)
def test_minutes_since_midnight(time: str, minutes: int | None) -> None:
    assert to_minutes(time) == minutes


def test_a_time_is_found_where_it_stands() -> None:
    text = "At 17:30, or at half past six?"
    late = "At eighteen forty five, or at half past six?"
    assert time_spans(late) == [(3, 22, "18:45"), (30, 43, "06:30")]
    assert [(text[start:end], clock) for start, end, clock in time_spans(text)] == [
        ("17:30", "17:30"),
        ("half past six", "06:30"),
    ]
