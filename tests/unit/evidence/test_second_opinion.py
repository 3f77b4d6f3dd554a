"""The second opinion: what the rules hear although a turn's words speak against it is doubtful."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.claim import Act, Claim, Factuality
from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.evidence.listen import listen
from pytest_todeval.evidence.names.lexicon import lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.opinion.second_opinion import (
    DOUBT,
    FAR,
    FILE,
    LEAST,
    LONGEST,
    SURE,
    Believer,
    Marking,
    packed,
    unpacked,
    weighed,
)
from pytest_todeval.language.text import plain
from pytest_todeval.language.vocabulary import Vocabulary

KNOWN = Vocabulary({"hotel": ("Tern House", "Wren Court")})
BOOKED = Claim(Act.BOOKED, "hotel")
TERN = Claim(Act.OFFER, "hotel", "name", "Tern House")


def doubts(text: str, *claims: Claim, user: str = "") -> list[str]:
    """Of the claims given, not of those that the model adds."""
    heard = weighed(claims, text, lexicon(KNOWN), plain(user))
    return [each.doubt for each in heard[: len(claims)]]


@pytest.mark.parametrize(
    "text",
    [
        "Rooms with a bath get booked months ahead, as a rule.",
        "Nothing has been booked so far. Shall I?",
        "Tables are reserved for hotel guests in summer.",
        "The booking you made last year was cancelled by you.",
    ],
)
def test_a_booking_that_the_words_speak_against_is_doubtful(text: str) -> None:
    assert doubts(text, BOOKED) == [DOUBT]


@pytest.mark.parametrize(
    "text",
    [
        "I have booked Tern House for you. Anything else?",
        "Your room is booked.",
        "You're all set, two nights from Friday.",
        "The reservation went through.",
        "I have booked your taxi to Tern House. Can I help you with anything else?",
    ],
)
def test_a_plain_booking_is_not_doubted(text: str) -> None:
    assert doubts(text, BOOKED) == [""]


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("How about Tern House? It's cheap.", ""),
        ("Tern House is in the north and has parking.", ""),
        ("There are two: Wren Court and Tern House.", ""),
        ("The address of Tern House is 3 Mill Road. Can I help you with anything else?", ""),
        ("Tern House closed down last year.", DOUBT),
        ("Walk past Tern House and turn left.", DOUBT),
        ("The pool belongs to Tern House next door.", DOUBT),
    ],
)
def test_an_offer_is_doubted_by_the_words_around_its_name(text: str, doubt: str) -> None:
    assert doubts(text, TERN) == [doubt]


def test_names_of_one_turn_are_told_apart() -> None:
    wren = Claim(Act.OFFER, "hotel", "name", "Wren Court")
    text = "Tern House closed down last year. Wren Court has rooms."
    assert doubts(text, TERN, wren) == [DOUBT, ""]


def test_a_refusal_is_believed_if_the_user_has_asked_for_a_booking() -> None:
    failed = Claim(Act.BOOKING_FAILED, "hotel")
    text = "I'm sorry, they have no rooms left that night."
    assert doubts(text, failed, user="Book it for two, please.") == [""]
    assert doubts("I am sorry, the booking failed: nothing is free on Monday.", failed) == [""]
    assert doubts("There is no fee for booking with us.", failed) == [DOUBT]


def test_a_reference_number_proves_a_booking() -> None:
    text = "Rooms get booked months ahead, as a rule."
    code = Claim(Act.REFERENCE, "hotel", "reference", "QX81ZK")
    assert doubts(text, BOOKED, code) == ["", ""]


def test_what_a_project_teaches_is_not_doubted() -> None:
    says = "rooms get booked months ahead"
    taught = KNOWN.teaching((Example(says, (parse_claim("booked"),)),))
    heard = listen("Rooms get booked months ahead.", taught, domain="hotel")
    assert [(claim.act, claim.doubt) for claim in heard] == [(Act.BOOKED, "")]
    assert doubts("Rooms get booked months ahead.", BOOKED) == [DOUBT]


def test_what_is_doubtful_already_or_does_not_hold_stays_as_it_is() -> None:
    hedged = Claim(Act.BOOKED, "hotel", doubt="hedged: should")
    denied = Claim(Act.BOOKED, "hotel", factuality=Factuality.DENIED)
    asked = Claim(Act.REQUEST, "hotel", "name")
    claims = (hedged, denied, asked)
    assert weighed(claims, "Nothing has been booked so far.", lexicon(KNOWN), "") == claims


def test_a_long_text_is_left_to_the_rules() -> None:
    text = "Nothing has been booked so far. "
    assert doubts(text * (LONGEST // len(text)), BOOKED) == [DOUBT]
    assert doubts(text * (LONGEST // len(text) + 1), BOOKED) == [""]


def test_the_ear_asks_for_it() -> None:
    heard = listen("A bed is held for at most one hour without payment.", KNOWN, domain="hotel")
    assert [claim.doubt for claim in heard if claim.act is Act.BOOKED] == [DOUBT]


def test_signs_tell_questions_and_names_apart() -> None:
    marking = Marking("Is Tern House booked? Wren Court is.", lexicon(KNOWN))
    words = marking.words("Tern House")
    assert words == ["is", "THIS", "booked", "?", "NAME", "is", "."]
    of_name = signs.of_name(words, [TERN], "is it booked?")
    assert {"asks", "<0 is", ">0 booked", "next NAME", "1 names"} <= of_name.words
    assert {"user booked", "user it booked", "user ^ is"} <= of_name.words
    assert {" is ", "THIS", "ooked"} <= of_name.letters
    assert of_name.rules == {"offer asserted"}
    assert {"?booked", "is"} <= signs.of_turn(words, [], "", wanted=False).words
    assert signs.of_name(marking.words("Dove Lodge"), [], "book it") == signs.NO_SIGNS


def test_the_signs_of_a_turn_are_its_words_the_users_and_what_the_rules_hear() -> None:
    denied = Claim(Act.BOOKED, "hotel", factuality=Factuality.DENIED)
    hedged = Claim(Act.BOOKED, "hotel", doubt="hedged: should")
    asked = Claim(Act.OFFER_BOOK, "hotel", factuality=Factuality.OF_OTHERS)
    heard = [denied, hedged, asked, TERN, Claim(Act.REQUEST, "hotel", "day")]
    of_turn = signs.of_turn(["booked", "."], heard, "two nights , please", wanted=True)
    assert {"booked", "^ booked", "user nights", "user two nights", "+wanted"} <= of_turn.words
    assert {"book", "booke"} <= of_turn.letters
    assert of_turn.rules == {"booked denied", "booked doubtful", "request asserted"}
    assert "+wanted" not in signs.of_turn(["booked"], [], "two", wanted=False).words


def test_signs_reach_over_words_and_from_a_denial_to_what_it_denies() -> None:
    words = ["you", "are", "now", "all", "set", ",", "nothing", "is", "left", ";", "is", "it", "?"]
    found = signs.of_turn(words, [], "", wanted=False).words
    assert {"you..now", "you..set", "all..nothi", "not:is", "not:left"} <= found
    assert "not:set" not in found
    assert "you..nothi" not in found
    assert "?is..?" in found


def test_a_denial_denies_only_so_many_words_of_its_clause() -> None:
    words = ["not", *["so"] * signs.REACH, "late"]
    assert "not:late" not in signs.of_turn(words, [], "", wanted=False).words
    assert "not:late" in signs.of_turn(words[:1] + words[2:], [], "", wanted=False).words
    assert "not:late" not in signs.of_turn(["not", ",", "late"], [], "", wanted=False).words


def test_a_number_does_not_swallow_the_mark_after_it() -> None:
    assert signs.words_of("at 10:20. come, 1,200.50, or 7?") == [
        *("at", "0", ".", "come", ",", "0", ",", "or", "0", "?")
    ]


@pytest.mark.parametrize("words", [100, 200])
def test_the_signs_grow_no_faster_than_the_text(words: int) -> None:
    text = [f"w{chr(97 + at % 26)}{chr(97 + at // 26)}" for at in range(words)]
    assert len(signs.of_turn(text, [], "", wanted=False).words) <= 9 * words


def test_only_so_many_words_of_the_user_are_looked_at() -> None:
    said = "a " * signs.MOST_OF_USER + "late"
    assert "user late" not in signs.of_turn(["ok"], [], said, wanted=False).words
    assert "user late" in signs.of_turn(["ok"], [], said[2:], wanted=False).words


def test_only_the_letters_near_a_name_are_looked_at() -> None:
    words = ["THIS", *["is"] * signs.NEAR, "far", "away"]
    assert "away" not in signs.of_name(words, [], "").letters


NOTHING: frozenset[str] = frozenset()


def test_a_probability_rises_with_the_signs_for_it() -> None:
    believer = Believer(
        [Act.BOOKED, Act.BOOKING_FAILED],
        [0.0, -1.0],
        words={"yes": packed([4, 0]), "no": packed([-4, 2])},
        letters={"yess": packed([2, 0])},
        rules={"booked asserted": packed([3, -3])},
        scale=2.0,
    )

    def odds(words: frozenset[str], rules: frozenset[str], *texts: str) -> list[float]:
        chances = believer.probability(signs.Signs(words, rules, texts)).values()
        return [round(math.log(chance / (1 - chance)), 6) for chance in chances]

    yes, heard = frozenset({"yes", "unknown"}), frozenset({"booked asserted"})
    assert odds(NOTHING, NOTHING) == [0.0, -1.0]
    assert odds(yes, NOTHING) == [2.0, -1.0]
    assert odds(yes | {"no"}, NOTHING) == [0.0, round(-1 + 1 / math.sqrt(2), 6)]
    assert odds(yes, heard, "yess") == [4.5, -2.5]
    assert odds(yes, heard, "yes", "oh yessir") == [4.5, -2.5]


@pytest.mark.parametrize(("weight", "with_letters"), [(3, 4.0), (4, 4.0), (-3, -2.0), (-4, -4.0)])
def test_letters_are_left_out_if_the_rest_has_decided(weight: int, with_letters: float) -> None:
    believer = Believer([Act.BOOKED], [0.0], {"sign": weight}, {"sign": 1}, {})
    assert abs(weight) < FAR or with_letters == weight
    chance = believer.probability(signs.Signs({"sign"}, NOTHING, ["sign"]))[Act.BOOKED]
    assert math.isclose(math.log(chance / (1 - chance)), with_letters)


@given(st.lists(st.tuples(*[st.integers(-20_000, 20_000)] * 2), min_size=1, max_size=400))
def test_weights_that_stand_in_one_number_add_up_each_for_itself(
    rows: list[tuple[int, int]],
) -> None:
    sums = unpacked(sum(map(packed, rows)), 2)
    assert sums == [sum(first for first, _ in rows), sum(second for _, second in rows)]


def test_the_weights_are_small_and_of_every_act_weighed() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.encode()) < 600_000
    acts = [act for of in ("turn", "name") for act in json.loads(text)[of]["acts"]]
    assert acts == [act.value for act in LEAST]
    assert SURE.keys() <= LEAST.keys()


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("It is done, madam! The chamber, it waits for you.", Act.BOOKED),
        ("We regret that your request could not be honoured.", Act.BOOKING_FAILED),
    ],
)
def test_a_booking_that_the_rules_do_not_hear_is_heard_if_the_model_is_sure(
    text: str, act: Act
) -> None:
    alone = Claim(act, "hotel", sentence=text)
    heard = weighed((), text, lexicon(KNOWN), "", about="hotel")
    assert heard == (alone,)
    assert weighed((), text, lexicon(KNOWN), "", about="hotel", given=set()) == ()
    unasked = weighed((), text, lexicon(KNOWN), plain("No booking, thanks."), about="hotel")
    assert not any(claim.act is Act.BOOKED for claim in unasked)
    hedged = Claim(act, "hotel", doubt="hedged: should")
    assert weighed((hedged,), text, lexicon(KNOWN), "", about="hotel") == (hedged,)


def test_an_offer_that_the_rules_do_not_hear_is_heard_if_the_model_is_sure() -> None:
    text = "There are two: Wren Court and Tern House."
    wren = Claim(Act.OFFER, "hotel", "name", "Wren Court")
    assert weighed((wren,), text, lexicon(KNOWN), "") == (wren, TERN)
    denied = Claim(Act.NO_OFFER, "hotel", "name", "Tern House")
    assert TERN not in weighed((wren, denied), text, lexicon(KNOWN), "")
    assert TERN not in weighed((), "Walk past Tern House and turn left.", lexicon(KNOWN), "")


@pytest.mark.parametrize(
    "text",
    [
        "You're welcome! Enjoy your stay.",
        "Tern House is in the north and has parking. Shall I book it?",
        "The train leaves at 12:34 and costs 10.10 pounds.",
        "Nothing like that in the north, sorry.",
    ],
)
def test_no_booking_is_heard_in_ordinary_turns(text: str) -> None:
    heard = weighed((TERN,), text, lexicon(KNOWN), "")
    assert [claim.act for claim in heard] == [Act.OFFER]
