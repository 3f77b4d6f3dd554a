"""When the user believes, doubts, corrects or withdraws a booking."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.simulation.agenda.memory import DomainPart
from tests.agenda.world import (
    BOOKED,
    FAILED,
    FAILING,
    FULL,
    HOTEL,
    NOT_BOOKED,
    ROOM,
    SHALL_I,
    asks,
    found,
    made,
    offer,
    reading,
    reference,
    refused_call,
    tells,
    told,
)

RIDE = DomainGoal("taxi", inform={"leaveAt": "10:00"}, request=("phone",), wants_booking=True)
TRAIN = DomainGoal("train", inform={"day": "friday"}, book={"people": "2"}, wants_booking=True)
CONDITIONAL = DialogueAct(Act.BOOKED, factuality=Factuality.CONDITIONAL)
ASKED = DialogueAct(Act.OFFER_BOOK, factuality=Factuality.ASKED, sentence="shall i book it?")
MORE = DialogueAct(Act.OFFER_BOOK, sentence="would you like to book anything else?")


def room() -> DomainPart:
    return told(ROOM, *ROOM.book, venue="Sea View")


# What the words say


@pytest.mark.parametrize(
    ("claims", "told_booked"),
    [
        ((), None),
        ((BOOKED,), True),
        ((reference(),), True),
        ((NOT_BOOKED,), False),
        ((CONDITIONAL,), False),
        ((FAILED,), False),
        ((SHALL_I,), False),
        ((ASKED,), False),
        ((MORE,), None),
        ((BOOKED, MORE), True),
        ((BOOKED, SHALL_I), False),
        ((SHALL_I, BOOKED), False),
        ((ASKED, BOOKED), True),
        ((BOOKED, NOT_BOOKED), False),
        ((NOT_BOOKED, BOOKED), True),
        ((NOT_BOOKED, reference()), False),
        ((BOOKED, reference(), SHALL_I), True),
        ((reference(), SHALL_I), True),
        ((BOOKED, reference(), FAILED), True),
        ((BOOKED, reference(), NOT_BOOKED), False),
        ((NOT_BOOKED, BOOKED, reference()), True),
        ((BOOKED, NOT_BOOKED, reference()), True),
        ((reference(), BOOKED, FAILED), True),
        ((reference(), FAILED), False),
        ((FAILED, BOOKED), True),
        ((BOOKED, FAILED), False),
        ((asks("people"), tells("day", "friday")), None),
        ((BOOKED, tells("day", "friday")), True),
        ((replace(BOOKED, of="Rose House"),), None),
        ((replace(BOOKED, of="Sea View"),), True),
        ((BOOKED, replace(NOT_BOOKED, of="Rose House")), True),
    ],
)
def test_what_is_said_last_counts_but_a_booking_with_its_number_stands(
    claims: tuple[DialogueAct, ...], told_booked: bool | None
) -> None:
    assert reading(room(), *claims).says_booked() is told_booked


def test_a_booking_cannot_be_meant_before_anything_of_it_was_said() -> None:
    silent = told(ROOM, venue="Sea View")
    assert reading(silent, BOOKED).says_booked() is None
    assert reading(silent, BOOKED, reference()).says_booked() is True
    assert reading(told(ROOM, "people"), BOOKED).says_booked() is True
    assert reading(told(RIDE), BOOKED).says_booked() is True, "a taxi has no slots of a booking"
    silent.booked = True
    assert reading(silent, NOT_BOOKED).says_booked() is False


def test_an_offer_to_book_is_asked_for_or_conditional() -> None:
    for claim in (SHALL_I, ASKED, CONDITIONAL):
        assert reading(room(), claim).offers_to_book()
    for claim in (BOOKED, NOT_BOOKED, FAILED, asks("people")):
        assert not reading(room(), claim).offers_to_book()
    other = replace(BOOKED, factuality=Factuality.FUTURE)
    assert not reading(room(), other).offers_to_book()


# Belief


def test_a_booking_said_is_believed_with_its_number() -> None:
    part = room()
    answer = reading(part, BOOKED, reference("XYZ98765")).reaction()
    assert part.booked
    assert part.reference == "XYZ98765"
    assert part.answers["reference"] == "XYZ98765"
    assert not answer.wrong
    unnumbered = room()
    reading(unnumbered, BOOKED).reaction()
    assert (unnumbered.booked, unnumbered.reference) == (True, "")
    assert "reference" not in unnumbered.answers


def test_a_number_that_only_the_call_tells_counts_where_the_text_says_it() -> None:
    part = room()
    call = made("hotel", number="XYZ98765", people="3")
    reading(part, "It is yours: XYZ98765.", BOOKED, call).reaction()
    assert part.reference == "XYZ98765"
    silent = room()
    reading(silent, "It is yours.", BOOKED, call).reaction()
    assert silent.reference == ""
    said = room()
    reading(said, "XYZ98765", BOOKED, reference("OTHER123"), call).reaction()
    assert said.reference == "OTHER123"


def test_a_goal_without_booking_takes_none() -> None:
    part = told(HOTEL, venue="Sea View")
    reading(part, BOOKED, reference()).reaction()
    assert not part.booked


def test_a_booking_taken_back_is_withdrawn() -> None:
    part = room()
    reading(part, BOOKED, reference()).reaction()
    reading(part, tells("phone", "1")).reaction()
    assert part.booked
    reading(part, NOT_BOOKED).reaction()
    assert (part.booked, part.reference) == (False, "")
    assert "reference" not in part.answers


def test_a_venue_that_only_the_booking_tells_is_the_one_found() -> None:
    part = told(ROOM, *ROOM.book)
    reading(part, BOOKED, made("hotel", name="Old Mill", people="3")).reaction()
    assert part.venue == "Old Mill"
    known = room()
    reading(known, BOOKED, made("hotel", name="Old Mill", people="3")).reaction()
    assert known.venue == "Sea View"
    train = told(TRAIN, "people")
    reading(train, BOOKED, made("train", trainID="TR1010", name="x")).reaction()
    assert train.venue == "TR1010"
    nothing = told(ROOM, *ROOM.book)
    reading(nothing, BOOKED).reaction()
    assert nothing.venue == ""


# Corrections


def test_a_booking_said_wrongly_is_corrected_twice_and_then_believed() -> None:
    part = room()
    for _ in range(2):
        answer = reading(part, BOOKED, tells("day", "sunday")).reaction()
        assert answer.wrong == {"day": "friday"}
        assert answer.booked_wrong
        assert not part.booked
    answer = reading(part, BOOKED, tells("day", "sunday")).reaction()
    assert answer.wrong == {}
    assert part.booked


def test_only_slots_of_the_booking_make_it_a_wrong_booking() -> None:
    part = room()
    answer = reading(part, BOOKED, tells("area", "south")).reaction()
    assert part.booked
    assert not answer.booked_wrong


def test_a_booking_of_another_venue_is_corrected() -> None:
    part = room()
    answer = reading(part, BOOKED, offer("Old Mill")).reaction()
    assert answer.wrong == {"name": "Sea View"}
    assert answer.booked_wrong
    for others in ((offer("sea view"),), (offer("Old Mill"), offer("Rose House")), ()):
        right = room()
        reading(right, BOOKED, *others).reaction()
        assert right.booked
    anywhere = told(ROOM, *ROOM.book)
    reading(anywhere, BOOKED, offer("Old Mill")).reaction()
    assert anywhere.booked
    train = told(TRAIN, "people", venue="TR1010")
    reading(train, BOOKED, offer("TR2020", "train")).reaction()
    assert train.booked, "a train's id is often said as another number"


def test_once_believed_a_booking_is_not_corrected() -> None:
    part = room()
    part.booked = True
    answer = reading(part, BOOKED, tells("day", "sunday")).reaction()
    assert answer.wrong == {}
    assert part.booked


# What was to fail


def test_the_booking_that_is_to_fail_is_changed_when_it_fails() -> None:
    part = told(FULL, *FULL.book, venue="The Oak")
    answer = reading(part, FAILED).reaction()
    assert answer.changed == {"time": "18:00"}
    assert not answer.unforced
    assert not answer.booking_failed
    assert part.booking_failures == 0
    assert reading(part, FAILED).reaction().booking_failed
    assert part.booking_failures == 1


def test_it_is_not_changed_before_what_is_to_fail_was_said() -> None:
    part = told(FULL, "people", venue="The Oak")
    answer = reading(part, FAILED).reaction()
    assert not answer.changed
    assert answer.booking_failed


def test_it_is_changed_though_it_was_booked() -> None:
    part = told(FULL, *FULL.book, venue="The Oak")
    answer = reading(part, BOOKED).reaction()
    assert answer.changed == {"time": "18:00"}
    assert answer.unforced
    assert not part.booked
    reading(part, BOOKED).reaction()
    assert part.booked


def test_a_time_that_is_to_fail_may_be_turned_down_in_any_words() -> None:
    part = told(FULL, *FULL.book, venue="The Oak")
    answer = reading(part, "Sorry, we are out of tables at 17:00.").reaction()
    assert answer.changed == {"time": "18:00"}
    other = told(FULL, *FULL.book, venue="The Oak")
    assert not reading(other, "Sorry, 16:00 is gone.").reaction().changed
    plain = room()
    assert not reading(plain, "Sorry, friday is busy.").reaction().booking_failed


def test_a_booking_of_what_was_to_fail_changes_the_users_mind() -> None:
    both = replace(FAILING, book={"people": "3"}, wants_booking=True)
    part = told(both, "people", venue="The Oak")
    answer = reading(part, BOOKED).reaction()
    assert answer.changed == {"food": "british"}
    assert answer.unforced
    assert not part.booked


def test_a_failure_after_the_booking_was_made_is_none() -> None:
    part = room()
    part.booked = True
    call = refused_call("hotel")
    answer = reading(part, "That did not work.", call).reaction()
    assert part.booked
    assert not answer.booking_failed
    assert part.booking_failures == 0


# What only the calls show


def test_a_visible_booking_counts_where_nothing_was_understood_and_is_noted() -> None:
    part = room()
    answer = reading(part, made("hotel", name="Sea View", people="3", day="friday")).reaction()
    assert part.booked
    assert answer.note == "took the visible call book_hotel(...) for what was done"
    assert not answer.wrong


def test_a_visible_booking_that_is_wrong_is_corrected_where_nothing_was_understood() -> None:
    part = room()
    answer = reading(part, made("hotel", name="Old Mill", people="5", day="friday")).reaction()
    assert answer.wrong == {"name": "Sea View", "people": "3"}
    assert answer.booked_wrong
    assert not part.booked
    train = told(TRAIN, "people", venue="TR1010")
    reading(train, made("train", name="TR2020", people="2", day="friday")).reaction()
    assert train.booked
    anywhere = told(ROOM, *ROOM.book)
    assert reading(anywhere, made("hotel", name="Old Mill", people="3")).reaction().wrong == {}


def test_a_visible_booking_is_not_believed_where_the_words_were_understood() -> None:
    part = room()
    answer = reading(part, "Which area?", asks("area"), made("hotel", people="3")).reaction()
    assert not part.booked
    assert answer.note == ""
    assert part.unheard == "Which area?"


@pytest.mark.parametrize("claims", [(NOT_BOOKED,), (SHALL_I,), (BOOKED,)])
def test_a_visible_booking_of_which_the_words_do_tell_is_not_unheard(
    claims: tuple[DialogueAct, ...],
) -> None:
    part = room()
    reading(part, *claims, made("hotel", people="3")).reaction()
    assert part.unheard == ""


def test_nothing_is_unheard_without_a_visible_booking_or_once_it_stands() -> None:
    part = room()
    reading(part, tells("day", "friday")).reaction()
    assert part.unheard == ""
    part.booked = True
    reading(part, tells("day", "friday"), made("hotel", people="3")).reaction()
    assert part.unheard == ""


def test_a_call_that_was_refused_counts_as_a_failure_unless_the_words_say_otherwise() -> None:
    part = room()
    answer = reading(part, refused_call("hotel")).reaction()
    assert answer.booking_failed
    assert "refused" in answer.note
    assert part.booking_failures == 1
    for claims in ((BOOKED,), (SHALL_I,)):
        assert not reading(room(), *claims, refused_call("hotel")).reaction().booking_failed


def test_a_refusal_for_want_of_slots_is_no_failure() -> None:
    part = told(ROOM, "people", venue="Sea View")
    answer = reading(part, asks("day"), refused_call("hotel")).reaction()
    assert not answer.booking_failed
    assert answer.asked == ("day",)
    assert answer.note == ""
    settled = reading(room(), asks("stars"), refused_call("hotel")).reaction()
    assert settled.booking_failed


def test_the_rows_of_a_booking_are_not_asked_after_a_failed_search() -> None:
    part = room()
    answer = reading(part, found("hotel", {"name": "Sea View", "stars": "4"})).reaction()
    assert not answer.booking_failed
    assert answer.note == ""
