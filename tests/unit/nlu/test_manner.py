"""What a text says without the manner it is written in."""

import pytest

from pytest_todeval.nlu.text.manner import capitals_tell, in_capitals, unmannered


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "<speak>Fine. <break time='1s'/>It is <b>Tern House</b>.</speak>",
            "Fine. It is Tern House.",
        ),
        ("Salt &amp; Rye<br/>is open.", "Salt & Rye\nis open."),
        ("It has 3 < 4 stars & more.", "It has 3 < 4 stars & more."),
        ("There's TR1, isn't there? It is fast.", "There's TR1. It is fast."),
        ("They\u2019ve no room, have they? Sorry.", "They\u2019ve no room. Sorry."),
        ("We've never had one, have we?", "We've never had one."),
        ("I've booked it, haven't I?", "I've booked it."),
        ("[14:02] At 18:00, then.\n14:03 Desk: Fine.", "At 18:00, then.\nDesk: Fine."),
        ("18:00 is free.", "18:00 is free."),
        ("[x] a table\n- [ ] booked", "a table\n- not yet booked"),
        ("Found.\n[\u2705 Book now] [\u274c No booking]", "Found.\n"),
        ("It is [1] and [2].", "It is [1] and [2]."),
    ],
)
def test_a_text_says_the_same_without_its_manner(text: str, said: str) -> None:
    assert unmannered(text) == said
    assert unmannered(said) == said


@pytest.mark.parametrize(
    "text",
    [
        "So it is booked, is it?",
        "You'll want it booked, won't you?",
        "I'll book it, shall I?",
        "Is it booked, or isn't it?",
    ],
)
def test_what_really_asks_goes_on_asking(text: str) -> None:
    assert unmannered(text) == text


@pytest.mark.parametrize(
    ("text", "capitals"),
    [
        ("1 HIT: TERN HOUSE / NORTH.", True),
        ("<b>READY FOR MORE.</b>", True),
        ("It is TERN HOUSE in the north.", False),
        ("OK.", False),
    ],
)
def test_in_capitals(text: str, capitals: bool) -> None:
    assert in_capitals(text) is capitals


def test_capitals_tell_nothing_where_every_word_has_one() -> None:
    assert capitals_tell("We have a table at Tern House for you on Friday.")
    assert not capitals_tell("We Have A Table At Tern House For You On Friday.")
    assert not capitals_tell("DESK SAYS THEY HAVE A TABLE AT TERN HOUSE")
    assert capitals_tell("Try Tern House.")  # too short to tell
